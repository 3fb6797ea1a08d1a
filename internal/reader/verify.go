package reader

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
)

// Verdict is what became of an answer.
type Verdict struct {
	Entries   []corrections.Entry // what was taken, for corrections
	Accepted  []Line              // the lines that it was taken from
	Refused   []Refusal
	Questions []string // what a reader is asked once more, though nothing is wrong with it
}

// Verify holds the lines of an answer against the log and the draft, and makes
// corrections of what holds. by names the reader in them.
func Verify(l Log, answer []Line, by string) *Verdict {
	v := &verifier{Log: l, by: by, sections: sections(l.Lines), names: map[string]*named{}}
	v.draft()
	answer = latest(answer)
	for _, pass := range [][]Verb{{Drop}, {SayOutcome}, {Change, Add}, {AddLink}} {
		for _, line := range answer {
			if slices.Contains(pass, line.Verb) {
				v.line(line)
			}
		}
	}
	slices.SortStableFunc(v.Accepted, func(a, b Line) int { return cmp.Compare(a.Number, b.Number) })
	slices.SortStableFunc(v.Refused, func(a, b Refusal) int { return cmp.Compare(a.Line, b.Line) })
	v.ask()
	return &v.Verdict
}

type verifier struct {
	Log
	Verdict
	by       string
	sections []section
	names    map[string]*named // records of the draft and of the answer
	links    map[[2]string]bool
	outcome  episode.Outcome
	changes  int // what the answer makes different
}

// named is a record that an answer can speak of.
type named struct {
	ref     corrections.Ref
	outcome episode.Outcome // of a decision
	span    episode.Span
	gone    bool // dropped, or refused when it was to be added
	isNew   bool
}

func (v *verifier) draft() {
	ep := v.Draft
	add := func(id string, k corrections.Kind, typ, text string, o episode.Outcome) {
		n := &named{ref: corrections.Ref{Kind: k, Type: typ, Text: text}, outcome: o}
		if span, ok := ep.Provenance.Spans[id]; ok {
			n.span, n.ref.At = span, v.Lines.Anchor(span)
		}
		v.names[id] = n
	}
	for _, d := range ep.Decisions {
		add(d.ID, corrections.Decision, string(d.Type), d.Chosen, d.Outcome)
	}
	for _, e := range ep.Events {
		add(e.ID, corrections.Event, string(e.Type), e.Content, "")
	}
	for i, text := range ep.Lessons {
		add(episode.LessonID(i+1), corrections.Lesson, string(corrections.Lesson), text, "")
	}
	v.names[episode.OutcomeRef] = &named{ref: corrections.Ref{Kind: corrections.Outcome}, span: ep.Provenance.Spans[episode.OutcomeRef]}
	v.links = map[[2]string]bool{}
	v.outcome = ep.Outcome
}

// latest leaves of several lines about one thing the last.
func latest(answer []Line) []Line {
	last := map[string]int{}
	about := func(l Line) string {
		switch l.Verb {
		case SayOutcome:
			return "outcome"
		case Drop:
			return "drop " + l.Text
		case AddLink:
			return l.ID + ">" + l.To
		}
		return l.ID
	}
	for i, l := range answer {
		last[about(l)] = i
	}
	var out []Line
	for i, l := range answer {
		if last[about(l)] == i {
			out = append(out, l)
		}
	}
	return out
}

func (v *verifier) line(l Line) {
	var why string
	n := len(v.Entries)
	switch l.Verb {
	case Drop:
		why = v.drop(l)
	case SayOutcome:
		why = v.sayOutcome(l)
	case Change:
		why = v.change(l)
	case Add:
		why = v.add(l)
	case AddLink:
		why = v.link(l)
	}
	if why != "" {
		v.Refused = append(v.Refused, Refusal{l.Number, l.Text, why})
		v.Entries = v.Entries[:n]
		return
	}
	v.Accepted = append(v.Accepted, l)
}

func (v *verifier) entry(e corrections.Entry) {
	e.By = v.by
	v.Entries = append(v.Entries, e)
	v.changes++
}

// maxSpan is how many lines a fact may stand on.
const maxSpan = 60

// cited says what is wrong with the lines that an answer cites.
func (v *verifier) cited(s episode.Span) string {
	switch {
	case !v.Lines.Has(s):
		return fmt.Sprintf("the log has no lines %s: it ends at %d", lines(s), len(v.Lines))
	case s[1]-s[0] >= maxSpan:
		return fmt.Sprintf("%d lines are too many: cite the smallest range", s[1]-s[0]+1)
	case len(tokens(v.Lines.Of(s))) == 0:
		return fmt.Sprintf("there are no words on %s", onLines(s))
	}
	return ""
}

func onLines(s episode.Span) string {
	if s[0] == s[1] {
		return "line " + lines(s)
	}
	return "lines " + lines(s)
}

// quote says what is wrong with quoted words; needed: there must be some.
func (v *verifier) quote(l Line, needed bool) string {
	want := tokens(l.Quote)
	switch {
	case len(want) == 0 && !needed:
		return ""
	case len(want) == 0:
		return "quote the first words of it, as they stand on " + onLines(l.Span)
	case len(want) < quoteWords && len(want) < len(tokens(v.Lines.Of(l.Span))):
		return "quote at least three words"
	case take(v.Lines, l.Span, l.Quote) != "":
		return ""
	}
	for n := range v.Lines {
		if s := (episode.Span{n + 1, n + 1}); take(v.Lines, s, l.Quote) != "" {
			return fmt.Sprintf("these words are not on %s; they are on line %d", onLines(l.Span), n+1)
		}
	}
	return fmt.Sprintf("these words are not on %s", onLines(l.Span))
}

func (v *verifier) drop(l Line) string {
	for _, id := range l.IDs {
		if from, to, isLink := strings.Cut(id, ">"); isLink {
			a, b := v.names[from], v.names[to]
			if a == nil || b == nil || !hasLink(v.Draft, from, to) {
				return fmt.Sprintf("the draft has no link %s", id)
			}
			v.entry(corrections.Entry{Op: corrections.DropLink, From: &a.ref, To: &b.ref})
			continue
		}
		n := v.names[id]
		if n == nil || id == episode.OutcomeRef {
			return fmt.Sprintf("the draft has no %s", id)
		}
		n.gone = true
		v.entry(corrections.Entry{Op: corrections.Drop, Record: &n.ref})
	}
	return ""
}

func hasLink(ep *episode.Episode, from, to string) bool {
	return slices.ContainsFunc(ep.Links, func(l episode.Link) bool { return l.Source == from && l.Target == to })
}

func (v *verifier) sayOutcome(l Line) string {
	if !slices.Contains(episode.Outcomes(), l.Outcome) {
		return fmt.Sprintf("%q is no outcome: success, partial, failure, unknown", l.Outcome)
	}
	if why := v.cited(l.Span); why != "" {
		return why
	}
	if l.Outcome == v.Draft.Outcome && l.Span == v.names[episode.OutcomeRef].span {
		return "" // the draft says so
	}
	v.entry(corrections.Entry{Op: corrections.SetOutcome, Outcome: l.Outcome, At: v.Lines.Anchor(l.Span)})
	v.outcome, v.names[episode.OutcomeRef].span = l.Outcome, l.Span
	return ""
}

// form says what is wrong with a line about a record, but for its words.
func (v *verifier) form(l Line, k corrections.Kind) string {
	switch {
	case !corrections.KnownType(k, l.Type):
		return fmt.Sprintf("%q is no type of %s", l.Type, k.Text())
	case l.Outcome != "" && k != corrections.Decision:
		return fmt.Sprintf("%s has no outcome", k.Text())
	case l.Outcome != "" && !slices.Contains(episode.Outcomes(), l.Outcome):
		return fmt.Sprintf("%q is no outcome: success, partial, failure, unknown", l.Outcome)
	}
	return v.cited(l.Span)
}

func (v *verifier) change(l Line) string {
	n := v.names[l.ID]
	switch {
	case n == nil || l.ID == episode.OutcomeRef || n.isNew:
		return fmt.Sprintf("the draft has no %s; a new record begins with +", l.ID)
	case n.gone:
		return fmt.Sprintf("the answer drops %s", l.ID)
	}
	if why := v.form(l, n.ref.Kind); why != "" {
		return why
	}
	if why := v.quote(l, false); why != "" {
		return why
	}
	place := n.span
	if l.Quote != "" {
		place = l.Span
	}
	if l.Outcome == episode.Success {
		if why := v.failedThere(place, l.Span); why != "" {
			return why
		}
	}
	at := v.Lines.Anchor(l.Span)
	record := n.ref // as the rules have it
	e := corrections.Entry{Op: corrections.Put, Record: &record, Type: l.Type, Outcome: l.Outcome, At: at, Why: v.why(l)}
	if l.Quote != "" {
		e.Text = take(v.Lines, l.Span, l.Quote)
		n.span, n.ref.At, n.ref.Text = l.Span, at, e.Text
	}
	if e.Text == "" && e.Why == "" && l.Type == n.ref.Type && (l.Outcome == "" || l.Outcome == n.outcome) {
		return "" // the draft says so
	}
	n.ref.Type, n.outcome = l.Type, cmp.Or(l.Outcome, n.outcome)
	v.entry(e)
	return ""
}

func (v *verifier) add(l Line) string {
	k := kind(l.ID)
	if k == "" {
		return "a new record is +d1, +x1 or +l1"
	}
	if n := v.names[l.ID]; n != nil {
		return fmt.Sprintf("%s is a record of the draft: take another number", l.ID)
	}
	n := &named{ref: corrections.Ref{Kind: k, Type: l.Type}, outcome: l.Outcome, span: l.Span, isNew: true, gone: true}
	v.names[l.ID] = n // a link to it is told why not
	if why := v.form(l, k); why != "" {
		return why
	}
	if why := v.quote(l, k != corrections.Lesson); why != "" {
		return why
	}
	if l.Outcome == episode.Success {
		if why := v.failedThere(l.Span, l.Span); why != "" {
			return why
		}
	}
	n.ref.Text, n.ref.At, n.gone = take(v.Lines, l.Span, l.Quote), v.Lines.Anchor(l.Span), false
	if id := v.twice(l.ID, n); id != "" {
		n.gone = true
		return fmt.Sprintf("%s says the same", id)
	}
	record := n.ref
	v.entry(corrections.Entry{Op: corrections.Put, Record: &record, New: true, Type: l.Type, Outcome: l.Outcome, Why: v.why(l)})
	return ""
}

// twice finds another record of the same kind with the same words on the same lines.
func (v *verifier) twice(id string, n *named) string {
	for other, o := range v.names {
		if other != id && !o.gone && o.ref.Kind == n.ref.Kind && sameWords(o.ref.Text, n.ref.Text) && o.span == n.span {
			return other
		}
	}
	return ""
}

func sameWords(a, b string) bool {
	return slices.EqualFunc(tokens(a), tokens(b), func(x, y token) bool { return x.word == y.word })
}

// why takes the reason of a decision from the log: from the cited lines, else from the
// nearest place that has its first words. Words that stand nowhere are left out.
func (v *verifier) why(l Line) string {
	if len(tokens(l.Why)) == 0 || kind(l.ID) != corrections.Decision {
		return ""
	}
	if text := take(v.Lines, l.Span, l.Why); text != "" {
		return text
	}
	best, text := len(v.Lines), ""
	for i := range v.Lines {
		away := max(l.Span[0]-i-1, i+1-l.Span[1])
		if away >= best {
			continue
		}
		if t := take(v.Lines, episode.Span{i + 1, i + 1}, l.Why); t != "" {
			best, text = away, t
		}
	}
	return text
}

// failed is how a heading or a line says that what it is about did not work.
var failed = regexp.MustCompile(`(?i)\((?:failed|failure|unsuccessful|did not work|didn't work|reverted|abandoned)\b[^)]*\)|^\W*(?:failed|failure)\W*:`)

// failedThere says why a decision on these lines cannot have succeeded.
func (v *verifier) failedThere(places ...episode.Span) string {
	for _, s := range places {
		if !v.Lines.Has(s) {
			continue
		}
		for _, h := range above(v.sections, s[0]) {
			if failed.MatchString(h.title) {
				return fmt.Sprintf("it stands under %s (line %d), so it did not succeed", quoted(h.title), h.span[0])
			}
		}
		for n := s[0]; n <= s[1]; n++ {
			if failed.MatchString(v.Lines[n-1]) {
				return fmt.Sprintf("line %d says that it failed", n)
			}
		}
	}
	return ""
}

func (v *verifier) link(l Line) string {
	if why := v.ends(l); why != "" {
		return why
	}
	from, to := v.names[l.ID], v.names[l.To]
	switch episode.LinkType(l.Type) {
	case episode.Prevents:
		switch {
		case isError(from):
			return fmt.Sprintf("prevents leads from what is no error to an error, and %s is an error; from the fix to the fault", l.ID)
		case !isError(to):
			return fmt.Sprintf("prevents leads to an error, and %s is none", l.To)
		}
	case episode.Causes, episode.Enables:
	default:
		return fmt.Sprintf("%q is no type of a link: causes, enables, prevents", l.Type)
	}
	if why := v.cited(l.Span); why != "" {
		return why
	}
	if l.To != episode.OutcomeRef && !v.near(l.Span, from, to) {
		return fmt.Sprintf("nothing on %s speaks of its ends: cite what says that one bears on the other", onLines(l.Span))
	}
	if v.links[[2]string{l.ID, l.To}] || v.links[[2]string{l.To, l.ID}] {
		return "a pair is linked once, in one direction"
	}
	v.links[[2]string{l.ID, l.To}] = true
	for _, old := range v.Draft.Links {
		if old.Source == l.ID && old.Target == l.To && string(old.Type) == l.Type {
			return "" // the draft says so
		}
	}
	v.entry(corrections.Entry{Op: corrections.PutLink, From: &from.ref, To: &to.ref, Type: l.Type, At: v.Lines.Anchor(l.Span), Explicit: stated.MatchString(v.Lines.Of(l.Span))})
	return ""
}

// stated are words by which a log states that one thing bears on another.
var stated = regexp.MustCompile(`(?i)\b(?:because|caused?|causing|so that|so|since|therefore|thus|hence|due to|led to|leads to|result(?:ed|s|ing)? (?:in|from)|root cause|fix(?:ed|es)?|resolv(?:ed|es|ing)|resolution|solv(?:ed|es)|solution|block(?:ed|s|er)?|prevent(?:ed|s)?|enabl(?:ed|es)|avoid(?:ed|s)?|after|reason|why)\b|→|=>`)

func (v *verifier) ends(l Line) string {
	for _, id := range []string{l.ID, l.To} {
		n := v.names[id]
		switch {
		case n == nil:
			return fmt.Sprintf("there is no %s", id)
		case n.gone && n.isNew:
			return fmt.Sprintf("%s was refused", id)
		case n.gone:
			return fmt.Sprintf("the answer drops %s", id)
		case n.ref.Kind == corrections.Lesson:
			return "lessons have no links"
		}
	}
	switch {
	case l.ID == episode.OutcomeRef:
		return "no link leads from the outcome"
	case l.ID == l.To:
		return "a link leads from one record to another"
	case l.To == episode.OutcomeRef && !v.outcome.Known():
		return "the outcome is not known"
	}
	return ""
}

func isError(n *named) bool {
	return n.ref.Kind == corrections.Event && n.ref.Type == string(episode.Error)
}

// near reports whether lines can show that one thing bears on another: they are between
// the two, in the section of one, or have two of the words of one.
func (v *verifier) near(s episode.Span, ends ...*named) bool {
	first, last := 0, 0
	said := wordSet(v.Lines.Of(s))
	for _, n := range ends {
		shared := 0
		for w := range wordSet(n.ref.Text) {
			if said[w] {
				shared++
			}
		}
		if shared >= 2 {
			return true
		}
		if !v.Lines.Has(n.span) {
			return true // nothing is known of where it is
		}
		if first == 0 || n.span[0] < first {
			first = n.span[0]
		}
		last = max(last, n.span[1])
		for _, sec := range v.sections {
			if n.span[0] >= sec.span[0] && n.span[0] <= sec.span[1] {
				if s[0] <= sec.span[1] && sec.span[0] <= s[1] {
					return true
				}
			}
		}
	}
	return s[0] <= last && first <= s[1]
}

// wordSet are the longer words of a text.
func wordSet(text string) map[string]bool {
	out := map[string]bool{}
	for _, t := range tokens(text) {
		if len(t.word) >= 4 {
			out[t.word] = true
		}
	}
	return out
}

// ask finds what a reader should look at once more.
func (v *verifier) ask() {
	if v.changes == 0 && len(v.Refused) == 0 {
		v.Questions = append(v.Questions, "the answer changes nothing, and drafts are seldom right: look once more for decisions and links that are missing, and for facts that are none; if there are none, give the same answer again")
	}
	if v.outcome == episode.Success {
		if at := open(v.Lines); len(at) > 0 {
			v.Questions = append(v.Questions, fmt.Sprintf("the outcome is success, but the log has something open or blocked on line %s: if that is of this session, the outcome is partial; if not, say success again", strings.Join(at, ", ")))
		}
	}
}

var (
	openBox = regexp.MustCompile(`^\s*(?:[-*+]|\d+\.)\s+\[ \]\s+\S`)
	blocked = regexp.MustCompile(`(?i)^\W*(?:blockers?|blocked(?: by)?|open (?:issues?|questions?)|remaining(?: work| issues?)?|not done|incomplete)\b\W*:\W*(\w.*)$`)
	none    = regexp.MustCompile(`(?i)^(?:none|nothing|no\b|n/?a\b|0\b)`)
)

// maxOpen is how many open lines a question names.
const maxOpen = 6

// open lists lines that show something left undone, outside of code.
func open(log []string) []string {
	var out []string
	fence := false
	for i, line := range log {
		if t := strings.TrimSpace(line); strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			fence = !fence
		}
		m := blocked.FindStringSubmatch(line)
		if !fence && len(out) < maxOpen && (openBox.MatchString(line) || m != nil && !none.MatchString(m[1])) {
			out = append(out, fmt.Sprint(i+1))
		}
	}
	return out
}
