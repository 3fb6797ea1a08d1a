package recall

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/plain"
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
// demanded, what a log labels as a lesson, or what a person took back.
const (
	Recorded   BriefKind = "lesson"
	AFailure   BriefKind = "failed"
	Demand     BriefKind = "demand"
	Conclusion BriefKind = "conclusion"
	Near       BriefKind = "near"
)

// BriefLine is one line of a brief. It stands by itself.
type BriefLine struct {
	Cited
	Of       BriefKind
	Command  string // that failed
	Ended    string // what ended it; "" if that is not known
	Order    string // what a person said after it in two sessions or more
	Held     int    // sessions in which it did
	CameBack int    // other sessions in which it was met
	Vouched  bool   // the user said it, or it worked in two sessions, one of them the user's

	ordered      int     // sessions in which a person said Order
	times        int     // sessions in which a person said it in the same words
	recent, near float64 // parts of its place
	lasting      bool    // a person said it for work to come
	written      bool    // it is of a log, which shows no command
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
	curedGain    = 1   // of a failure with a way out, before one without
	alikeShare   = 0.6 // of the words of the shorter of two lines that say the same
	peoplesShare = 3   // one line of so many is a person's, where there are any
	nearShare    = 0.5 // of the nearness of the nearest line, which a labelled conclusion must have
	mostOfOne    = 2   // lines about failures of one command
	mostNear     = 2   // lines of what a person took back
	mostOnce     = 4   // demands that were made once
	leastRecent  = 0.5 // of a failure that few sessions met: it may be over
	sharedWords  = 3   // that few lines have, in words of people that say the same again
	leastOfGit   = 3   // sessions that met what git says: agents know it
)

// Brief returns the lines of a brief, best first.
func (x *Index) Brief(q *Question, want Brief) ([]BriefLine, error) {
	b := &briefing{x: x, want: want, failures: map[string]*briefed{}, words: map[string]*briefed{}}
	if err := b.read(); err != nil {
		return nil, err
	}
	if err := b.near(q); err != nil {
		return nil, err
	}
	return b.chosen(), nil
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
		if f.Of == Demand {
			f.times = len(f.in)
		}
		f.near, f.recent = nearGain*f.score/top, float64(f.at)/float64(max(1, b.sessions))
		f.score = f.near + f.recent + returnsGain*math.Log1p(float64(min(f.CameBack, mostReturns)))
		if f.Ended != "" || f.Order != "" {
			f.score += curedGain
		}
		f.Vouched = (f.Of == Demand || f.Held > 1) && f.By.own()
	}
	first := map[bool]int{true: -1}
	slices.SortStableFunc(b.all, func(x, y *briefed) int {
		return cmp.Or(first[x.Of == Recorded]-first[y.Of == Recorded], cmp.Compare(y.score, x.score))
	})
	return nil
}

// returns counts in how many other sessions a line was met: a failure by its signature, words of people by three rare
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
					if shared[o]++; shared[o] >= sharedWords && o.Of == f.Of && o.Episode != f.Episode {
						in[o.Episode] = true
					}
				}
			}
		}
		for session := range f.in {
			in[session] = true
		}
		f.CameBack = len(in) - 1
	}
}

// chosen are the best lines that fit, each thing once.
func (b *briefing) chosen() (out []BriefLine) {
	var told []*briefed
	used, others, people := 0, 0, 0
	of := map[string]int{} // lines about failures of one command, and of those kinds of which few are told
	for _, f := range b.all {
		if f.persons() {
			people++
		}
	}
	most := b.want.Lines - min(people, b.want.Lines/peoplesShare)
	for _, f := range b.all {
		kind, limit := f.limited()
		size := len(f.Line()) + placeBytes
		if kind != "" && of[kind] >= limit || len(out) == b.want.Lines || !f.persons() && others == most || used+size > b.want.Bytes ||
			slices.ContainsFunc(told, f.alike) || b.want.Leave != nil && b.want.Leave(&f.BriefLine) {
			continue
		}
		if !f.persons() {
			others++
		}
		of[kind]++
		out, told, used = append(out, f.BriefLine), append(told, f), used+size
	}
	return out
}

// persons reports whether a line is a person's, or recorded.
func (f *briefed) persons() bool { return f.Of != AFailure && f.Of != Conclusion }

// limited is the kind of lines that a line is of, and how many of it are told; "" for any number.
func (f *briefed) limited() (kind string, most int) {
	switch f.Of {
	case AFailure:
		program, _, _ := strings.Cut(f.Text, ": ")
		if f.recent < leastRecent && f.CameBack < mostReturns-1 {
			return program, 0
		}
		return program, mostOfOne
	case Conclusion:
		if f.near < nearShare*nearGain {
			return "far", 0
		}
	case Near:
		return string(Near), mostNear
	case Demand:
		if f.times < 2 && !f.lasting {
			return "passing", 0
		}
		if f.times < 2 {
			return "once", mostOnce
		}
	}
	return "", 0
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
		text := quoted(l.Text, briefLine)
		if n := l.times; n > 1 {
			text += " in " + strconv.Itoa(n) + " sessions"
		}
		return text
	}
	call, says, _ := strings.Cut(l.Text, ": ")
	if line := change().ReplaceAllString(strings.TrimLeft(l.Command, "$> "), ""); len(line) > len(call) {
		call = line
	}
	in := ""
	if l.CameBack > 0 {
		in = " in " + strconv.Itoa(l.CameBack+1) + " sessions"
	}
	text := " failed" + in + ": " + quoted(says, part)
	if l.written {
		call, text = l.Text, in
	}
	switch {
	case l.Order != "":
		text += "; after it a person said " + quoted(l.Order, part) + " in " + strconv.Itoa(l.ordered) + " sessions"
	case l.Ended != "":
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
