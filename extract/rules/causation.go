package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

// causalMark is a phrase that says that one thing affected another.
type causalMark struct {
	says string
	typ  episode.LinkType
	back bool // what is affected stands first
}

// causalMarks are tried where they stand in a sentence, the first one first.
var causalMarks = []causalMark{
	{" because of ", episode.Causes, true}, {" because ", episode.Causes, true}, {" due to ", episode.Causes, true},
	{" caused by ", episode.Causes, true}, {", since ", episode.Causes, true}, {" as a result of ", episode.Causes, true},
	{" eftersom ", episode.Causes, true}, {" på grund av ", episode.Causes, true}, {" omdat ", episode.Causes, true},
	{" door ", episode.Causes, true}, {" weil ", episode.Causes, true}, {" wegen ", episode.Causes, true}, {" из-за ", episode.Causes, true},
	{" led to ", episode.Causes, false}, {" resulted in ", episode.Causes, false}, {", causing ", episode.Causes, false},
	{" unblocked ", episode.Enables, false}, {" unblocks ", episode.Enables, false}, {" enables ", episode.Enables, false},
	{", enabling ", episode.Enables, false}, {" made it possible to ", episode.Enables, false},
	{" fixed by ", episode.Prevents, true}, {" prevents ", episode.Prevents, false}, {", preventing ", episode.Prevents, false},
	{" to prevent ", episode.Prevents, false},
}

// statedInWords is the rule of links and events by a phrase of causation.
const statedInWords = "a sentence says that one affects the other"

// statedCauses splits the sentences of facts at a phrase of causation. What stands on its
// other side becomes a fact of its own.
func (x linker) statedCauses() {
	for _, f := range slices.Clone(x.facts) {
		if f.Kind == facts.Lesson {
			continue
		}
		said := f.Content
		if f.Kind == facts.Decision && f.Decision.Rationale != "" {
			said += ". " + f.Decision.Rationale
		}
		for _, s := range x.plain(said).Sentences() {
			if x.stated(f, s.Raw) {
				break
			}
		}
	}
}

func (x linker) stated(f *fact, s string) bool {
	at, m := len(s), causalMark{}
	for _, o := range causalMarks {
		if i := strings.Index(s, o.says); i > 0 && i < at {
			at, m = i, o
		}
	}
	if at == len(s) || x.plain(s[:at]).Is(lex.ClassNot) {
		return false
	}
	after := keys.Clause(s[at+len(m.says):])
	t := x.plain(after)
	if m.back && len(strings.Fields(s[:at])) < 2 || len(t.Words) < 2 || len(t.Words) > 25 {
		return false
	}
	var o *fact
	switch {
	case m.typ == episode.Enables:
		o = x.event(episode.Milestone, nil, f.Span, after, statedInWords)
	case m.typ == episode.Prevents && m.back:
		if !f.isError() {
			return false
		}
		o = x.newDecision(nil, f.Span, t, statedInWords)
		o.Decision.Type = episode.Recovery
	case m.typ == episode.Prevents && f.isError(), m.typ == episode.Causes && !m.back && !f.isError(), m.typ == episode.Causes && !statesFault(t):
		return false
	default:
		o = x.event(episode.Error, nil, f.Span, after, statedInWords)
	}
	o.section = f.factSection()
	if f.isError() {
		f.text = x.plain(strings.TrimRight(f.Content[:strings.Index(f.Content, s)+at], " ,;:"))
		f.Content = f.text.Raw
	}
	if m.back {
		f, o = o, f
	}
	x.link(f, o, m.typ, true)
	return true
}

// statesFault reports whether a cause is a fault of its own and not only the name of a
// thing: it says that something failed or is missing, or it is what a program reported.
func statesFault(t lex.Text) bool {
	return len(t.Words) > 1 && (t.StrongFail() || t.At(0, lex.ClassLack) || lex.ErrorConstant(t.Raw) ||
		t.StatusOf() == episode.Failure || t.FailsAt() >= 0 && t.Is(lex.ClassHas))
}
