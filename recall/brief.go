package recall

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/telling"
	"episodes/keys"
)

// Brief asks for what a session is told once, at its first prompt.
type Brief struct {
	Lines int                     // at most
	Bytes int                     // of all of them, at most
	Own   string                  // the episode of the session itself, which needs no telling
	Leave func(l *BriefLine) bool // reports whether a line is not to be told; may be nil
}

// BriefKind says where a line of a brief comes from.
type BriefKind string

// Where a line comes from: what somebody recorded, a command that failed and what ended that, what a person
// demanded, or what a log labels as a decision or a lesson.
const (
	Recorded   BriefKind = "lesson"
	AFailure   BriefKind = "failed"
	Demand     BriefKind = "demand"
	Conclusion BriefKind = "conclusion"
)

// BriefLine is one line of a brief. It stands by itself.
type BriefLine struct {
	Cited
	Of       BriefKind
	Command  string // that failed
	Ended    string // what ended it; "" if that is not known
	Held     int    // sessions in which it did
	CameBack int    // other sessions in which it was met
	Vouched  bool   // the user said it, or it worked in two sessions, one of them the user's

	recent, near float64 // parts of its place
}

// MostBriefLines is how many lines may be asked for.
const MostBriefLines = 200

// placeBytes is what the source of a line takes, about.
const placeBytes = 40

// The length of a line, in bytes.
const (
	briefLine   = 260
	failureLine = 320
)

// How many of the newest sessions a brief is made of, and how a line's place is worked out: 2 ln(1 + other sessions in which it
// came back, at most four) + how recent it is (0 to 1) + how near to the prompt (0 to 4).
const (
	mostBriefed  = 1000
	mostReturns  = 4
	returnsGain  = 2
	nearGain     = 4
	alikeShare   = 0.6 // of the words of the shorter of two lines that say the same
	peoplesShare = 3   // one line of so many is a person's, where there are any
	nearShare    = 0.5 // of the nearness of the nearest line, which a labelled conclusion must have
	mostOfOne    = 2   // lines about failures of one command
)

// Brief returns the lines of a brief, best first.
func (x *Index) Brief(q *Question, want Brief) ([]BriefLine, error) {
	b := &briefing{x: x, want: want, failures: map[string]*briefed{}}
	if err := b.read(); err != nil {
		return nil, err
	}
	if err := b.near(q); err != nil {
		return nil, err
	}
	return b.chosen(), nil
}

// briefing collects the lines of a brief.
type briefing struct {
	x        *Index
	want     Brief
	all      []*briefed
	failures map[string]*briefed // by what failed
	sessions int
}

// briefed is a line that may come into a brief.
type briefed struct {
	BriefLine
	in    map[string]bool // sessions that met it
	cures map[string]map[string]bool
	terms map[string]bool
	at    int // number of the newest session that met it
	score float64
}

// read takes the lines of the newest sessions, the oldest first.
func (b *briefing) read() error {
	type place struct {
		segment, session, first int
		rank                    uint64
	}
	var list []place
	for i, s := range b.x.Segments {
		last := -1
		for doc := range s.docs {
			if n := s.session(doc); n != last && !b.x.Dead[i][n] {
				list = append(list, place{i, n, doc, s.ofSession(n, 1)})
			}
			last = s.session(doc)
		}
	}
	slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.rank, b.rank) })
	list = list[max(0, len(list)-mostBriefed):]
	for _, p := range list {
		s := b.x.Segments[p.segment]
		of, err := s.Session(p.session)
		if err != nil {
			return err
		}
		if b.x.countsAs(of.Episode) != of.Episode || of.Episode == b.want.Own {
			continue
		}
		b.sessions++
		if err := b.session(p.segment, p.first, of); err != nil {
			return err
		}
	}
	return nil
}

// heard is what a session has for a brief.
type heard struct {
	*briefing
	calls             []*Document
	errors, concluded []Cited
	cures             map[string][]string // by the id of the event
	turn              []Cited             // of a person, passage by passage
	transcript        bool
}

// session takes the lines of one session.
func (b *briefing) session(segment, first int, of *Session) error {
	s, h := b.x.Segments[segment], heard{briefing: b, cures: map[string][]string{}}
	for doc := first; doc < s.docs && s.session(doc) == s.session(first); doc++ {
		kind, class := s.kind(doc), s.class(doc)
		if !(kind == Said || kind == Error || kind == Lesson || kind == Link && class == Fix || kind == Decision && class == Choice || kind == Event && class == Learned) {
			continue
		}
		d, err := s.document(doc)
		if err != nil {
			return err
		}
		if d == nil || d.Later != "" {
			continue
		}
		c := Cited{Kind: kindNames[d.Kind], Record: d.ID, At: d.Lines, Who: d.Who, Episode: of.Episode, Log: of.Log, Date: of.Date, Heading: d.Heading, Text: d.Text,
			Lines: d.Lines, Class: d.Class, Stated: d.stated(), session: of.Episode, name: of.Name, ref: ref{segment, doc}}
		if b.x.By != nil {
			c.By = b.x.By(of.Episode)
		}
		h.hear(d, c)
	}
	h.said()
	h.settle(of.Episode)
	return nil
}

func (h *heard) hear(d *Document, c Cited) {
	switch {
	case c.Stated && d.Kind != Said:
		h.add(BriefLine{Cited: c, Of: Recorded})
	case d.Kind == Said && d.Who == ATool && (strings.HasPrefix(d.Text, "$ ") || strings.HasPrefix(d.Text, "> ")):
		h.calls = append(h.calls, d)
	case d.Kind == Error:
		h.errors = append(h.errors, c)
	case d.Kind == Link:
		_, target, _ := strings.Cut(d.ID, ">")
		cure, _, _ := strings.Cut(d.Text, "\n")
		h.cures[target] = append(h.cures[target], cure)
	case d.Kind == Event:
		c.Who = APerson
		h.demands(c)
	case d.Kind == Said && d.Who == APerson:
		if len(h.turn) > 0 && h.turn[0].Lines != c.Lines {
			h.said()
		}
		h.turn = append(h.turn, c)
	case d.Kind == Lesson, d.Kind == Decision:
		c.Text = d.line()
		h.concluded = append(h.concluded, c)
	}
	h.transcript = h.transcript || d.Kind == Said
}

// said takes what a person demanded in a turn that has ended.
func (h *heard) said() {
	if len(h.turn) <= longestDemand {
		for _, c := range h.turn {
			h.demands(c)
		}
	}
	h.turn = nil
}

// settle takes what can be told only when all of a session was heard.
func (h *heard) settle(session string) {
	for _, c := range h.concluded {
		if !h.transcript {
			h.add(BriefLine{Cited: c, Of: Conclusion})
		}
	}
	for _, c := range h.errors {
		call := ""
		if at := slices.IndexFunc(h.calls, func(d *Document) bool { return overlap(d.Lines, c.Lines) }); at >= 0 {
			call, _, _ = strings.Cut(h.calls[at].Text, "\n")
		}
		if f := h.failed(c, call); f != nil {
			for _, cure := range h.cures[c.Record] {
				if !vague(cure) {
					f.ended(cure, session)
				}
			}
		}
	}
}

// longestDemand is how many passages a turn of a person may have: of a longer one most is pasted, or about one task.
const longestDemand = 3

// failed takes a failure, nil if it says nothing to a later session.
func (b *briefing) failed(c Cited, call string) *briefed {
	key := failureKey(c.Text, call)
	if key == "" {
		return nil
	}
	f := b.failures[key]
	if f == nil {
		f = &briefed{in: map[string]bool{}, cures: map[string]map[string]bool{}}
		b.failures[key], b.all = f, append(b.all, f)
	}
	f.Cited, f.Of, f.Command, f.at, f.in[c.Episode] = c, AFailure, call, b.sessions, true
	return f
}

var (
	// looking matches a call that only looks at something: that a file is not there is soon seen.
	looking = lazy.Pattern(`^(?:ls|cat|head|tail|find|grep|rg|wc|stat|tree|which|sed|cd|test|echo)\b`)
	// ruleName matches the rule of a linter or compiler that a message names.
	ruleName = lazy.Pattern(`\(([a-z][a-z0-9/-]+)\)$|\b[A-Z]{1,8}-?\d{2,5}\b`)
)

// lacking matches what is said where something is not there, or not as it was thought: so it will be the next time.
var lacking = lazy.Pattern(`(?i)command not found|(?:unknown|unrecognized|no such|invalid) (?:flag|option|sub-?command|command|skill|tool|argument)|not installed|unauthorized|\b40[13]\b|not supported`)

// ownTools are the agents' own, whose errors agents know: of these only what could not be read is told, by its file.
var ownTools = map[string]bool{"edit": true, "write": true, "search": true, "plan": true, "wait": true, "fetch": true, "ask": true, "read": true}

// leastNamed is how many words a message must have that are not those of any message.
const leastNamed = 2

var general = sync.OnceValue(func() map[string]bool {
	return keys.SetOf("error fail failed failure item emitted warning warnings some running checks check invalid request command exit code status test tests following content printed shows used unexpected")
})

// names are the words of a message that are not those of any message.
func names(says string) []string {
	return slices.DeleteFunc(keys.Words(says), func(w string) bool { return general()[w] })
}

// empty reports whether a line of a level does not say what failed.
func empty(l telling.Level) bool { return l <= telling.Stop || l == telling.Vague }

// failureKey tells failures apart; "" for one that says nothing to a later session.
func failureKey(text, call string) string {
	program, says, ok := strings.Cut(text, ": ")
	switch {
	case !ok || looking().MatchString(program) || program != "read" && (empty(telling.Of(says)) || strings.ContainsAny(says[len(says)-1:], "[:") ||
		!codeLike().MatchString(says) && !specific().MatchString(says) && !lacking().MatchString(says) && len(names(says)) < leastNamed):
		return ""
	case program == "read" && strings.HasPrefix(call, "> "):
		return call[strings.LastIndexAny(call, "/ ")+1:] + " " + keys.Canonical(keys.Mask(says))
	case ownTools[program]:
		return ""
	}
	if rule := ruleName().FindString(says); rule != "" {
		return program + " " + rule
	}
	return program + " " + keys.Canonical(keys.Mask(says))
}

// ended notes what ended a failure in a session.
func (f *briefed) ended(cure, session string) {
	if f.cures[cure] == nil {
		f.cures[cure] = map[string]bool{}
	}
	f.cures[cure][session] = true
	if n := len(f.cures[cure]); n >= f.Held {
		f.Ended, f.Held = cure, n
	}
}

func (b *briefing) add(l BriefLine) {
	b.all = append(b.all, &briefed{BriefLine: l, in: map[string]bool{l.Episode: true}, at: b.sessions})
}

var (
	// demanding matches an order for work to come: at the beginning of a sentence or clause, or as a rule.
	demanding = lazy.Pattern(`(?i)(?:^|[.!?,;:(]\s*|\b(?:please|and|but|so|then)\s+)(?:do not|don['’]?t|never|always|make sure|remember|prefer|avoid|stop|only use|keep|no need to)\b|\b(?:from now on|in (?:the )?future|must (?:not|never|always)|should (?:not|never|always|only)|always use|never use|use\b[^.]*\binstead)\b|しない|するな|ください|じゃなく|ではなく|やめ|いらない|必ず|べき|使って|하지 ?마|반드시|항상`)
	// codeLike matches a name of code, a path or a flag.
	codeLike = lazy.Pattern("`[^`]+`|\\b\\w+[._/]\\w[\\w./]*|\\b[a-z]+[A-Z]\\w*|\\s--?[a-z][\\w-]+")
	// complains matches what says that something does not work; once what is said of one time only.
	complains = lazy.Pattern(`(?i)\b(?:still|not work\w*|doesn['’]?t|didn['’]?t|broken?|errors?|fail\w*|logs?|wait|please)\b`)
	once      = lazy.Pattern(`(?i)\b(?:yet|this time|right now)\b`)
	// specific matches a message that names something.
	specific = lazy.Pattern(`['"‘].+['"’]|->|\([a-z][\w/ -]+\)$`)
	// dangling matches the beginning of a sentence that speaks of something before it, or is none.
	dangling = lazy.Pattern(`(?i)^(?:(?:it|this|that|these|those|they|he|she|and|but|so|also|which|then|yes|no|ok|okay|sure|could|can|would|will|should|why|what|how|i|we|you)\b[^-]|[#|>/<@{}\[$&]|\x60{3}|https?:|\d+[.)])`)
)

// demands takes the sentences of a person that demand something.
func (b *briefing) demands(c Cited) {
	if c.Class == Learned && codeLike().MatchString(c.Text) && !complains().MatchString(c.Text) {
		b.add(BriefLine{Cited: c, Of: Demand})
		return
	}
	from := 0
	for _, at := range append(sentenceEnd().FindAllStringIndex(c.Text, -1), []int{len(c.Text), len(c.Text)}) {
		text := strings.TrimSpace(strings.TrimLeft(c.Text[from:at[1]], " -*"))
		from = at[1]
		if demanding().MatchString(text) && !once().MatchString(text) {
			one := c
			one.Text = text
			b.add(BriefLine{Cited: one, Of: Demand})
		}
	}
}

// stands reports whether a line says something by itself.
func (f *briefed) stands() bool {
	const least = 3
	text := f.Text
	switch {
	case f.Of == AFailure:
		return len(f.in) > 1 || f.Ended != "" && (!edits().MatchString(f.Ended) || ruleName().MatchString(f.Text)) || lacking().MatchString(f.Text)
	case f.Of == Recorded:
		return true
	}
	return len(text) >= 12 && len(text) <= briefLine && !dangling().MatchString(text) && !strings.ContainsAny(text[len(text)-1:], "?:") && !strings.HasSuffix(text, "？") && len(f.terms) >= least
}

// near rates the lines.
func (b *briefing) near(q *Question) error {
	info := map[string]float64{}
	for t, w := range q.Weights {
		m, err := b.x.match(t)
		if err != nil {
			return err
		}
		info[t] = w * m.info
	}
	top := 1e-9
	b.all = slices.DeleteFunc(b.all, func(f *briefed) bool {
		f.terms = Terms(f.Command + "\n" + f.Text + "\n" + f.Ended)
		return !f.stands()
	})
	for _, f := range b.all {
		for t := range f.terms {
			f.score += info[t]
		}
		f.score /= 1 + math.Log1p(float64(len(f.terms)))
		top = max(top, f.score)
	}
	b.returns()
	for _, f := range b.all {
		f.near, f.recent = nearGain*f.score/top, float64(f.at)/float64(max(1, b.sessions))
		f.score = f.near + f.recent + returnsGain*math.Log1p(float64(min(f.CameBack, mostReturns)))
		f.Vouched = (f.Of == Demand || f.Held > 1) && f.By.own()
	}
	first := map[bool]int{true: -1}
	slices.SortStableFunc(b.all, func(x, y *briefed) int {
		return cmp.Or(first[x.Of == Recorded]-first[y.Of == Recorded], cmp.Compare(y.score, x.score))
	})
	return nil
}

// returns counts in how many other sessions a line was met: a failure by its signature, words of people by two rare
// words of another line.
func (b *briefing) returns() {
	have := map[string][]*briefed{}
	for _, f := range b.all {
		if f.CameBack = len(f.in) - 1; f.Of == AFailure {
			continue
		}
		for t := range f.terms {
			have[t] = append(have[t], f)
		}
	}
	for _, f := range b.all {
		if f.Of == AFailure {
			continue
		}
		shared, in := map[*briefed]int{}, map[string]bool{}
		for t := range f.terms {
			if list := have[t]; len(list) <= max(4, len(b.all)*3/100) {
				for _, o := range list {
					if shared[o]++; shared[o] > 1 && o.Of == f.Of && o.Episode != f.Episode {
						in[o.Episode] = true
					}
				}
			}
		}
		f.CameBack = len(in)
	}
}

// chosen are the best lines that fit, each thing once.
func (b *briefing) chosen() (out []BriefLine) {
	var told []*briefed
	used, others, people := 0, 0, 0
	of := map[string]int{} // lines about failures, by command
	for _, f := range b.all {
		if f.Of == Demand || f.Of == Recorded {
			people++
		}
	}
	most := b.want.Lines - min(people, b.want.Lines/peoplesShare)
	for _, f := range b.all {
		persons := f.Of == Demand || f.Of == Recorded
		program, _, _ := strings.Cut(f.Text, ": ")
		if f.Of == AFailure && of[program] == mostOfOne || f.Of == Conclusion && f.near < nearShare*nearGain {
			continue
		}
		size := len(f.Line()) + placeBytes
		if len(out) == b.want.Lines || !persons && others == most || used+size > b.want.Bytes || slices.ContainsFunc(told, f.alike) || b.want.Leave != nil && b.want.Leave(&f.BriefLine) {
			continue
		}
		if !persons {
			others++
		}
		if f.Of == AFailure {
			of[program]++
		}
		out, told, used = append(out, f.BriefLine), append(told, f), used+size
	}
	return out
}

// alike reports whether two lines share most of the words of the shorter one.
func (f *briefed) alike(o *briefed) bool {
	n := 0
	for t := range f.terms {
		if o.terms[t] {
			n++
		}
	}
	return float64(n) >= alikeShare*float64(min(len(f.terms), len(o.terms)))
}

// change is the change of folder in front of a command.
var change = lazy.Pattern(`^\s*cd \S+\s*(?:&&|;)\s*`)

// Line is what the line says: a quotation, or a command that failed, why, and what worked after.
func (l *BriefLine) Line() string {
	const part, least = 120, 40
	if l.Of != AFailure {
		return quoted(l.Text, briefLine)
	}
	call, says, _ := strings.Cut(l.Text, ": ")
	if line := change().ReplaceAllString(strings.TrimLeft(l.Command, "$> "), ""); len(line) > len(call) {
		call = line
	}
	text := " failed"
	if l.CameBack > 0 {
		text += " in " + strconv.Itoa(l.CameBack+1) + " sessions"
	}
	text += ": " + quoted(says, part)
	if l.Ended != "" {
		text += "; worked: " + quoted(l.Ended, part)
	}
	return quoted(call, min(part, max(least, failureLine-len(text)))) + text
}

// quoted is a text of a log on one line, which cannot end the quotation around it.
func quoted(text string, most int) string {
	return plain.Quote(Cut(plain.Inert(plain.Unquote(plain.Words(text))), most-len(`""`)), most)
}

// Why says why the line is in a brief.
func (l *BriefLine) Why() string {
	why := fmt.Sprintf("met in %d other sessions, recent %.1f of 1, near to the prompt %.1f of %d", l.CameBack, l.recent, l.near, nearGain)
	if l.Held > 1 {
		why += fmt.Sprintf("; what worked did so in %d sessions", l.Held)
	}
	return why
}

// Terms are the words of a text by which texts are compared.
func Terms(text string) map[string]bool {
	out := map[string]bool{}
	terms(text, true, func(t string) { out[t] = true })
	return out
}
