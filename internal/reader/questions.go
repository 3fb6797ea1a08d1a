package reader

import (
	"fmt"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lazy"
)

// question takes a question that lines of the log answer.
func (v *verifier) question(l Line) string {
	if why := v.cited(l.Span); why != "" {
		return why
	}
	e := corrections.Entry{By: v.by, Op: corrections.Ask, Type: l.Type, Text: l.Quote, At: v.Lines.Anchor(l.Span)}
	switch why := e.Flaw(); {
	case why != "":
		return why
	case l.Span[1]-l.Span[0] >= maxAnswering:
		return fmt.Sprintf("%s are too many: cite those that answer it, at most %d", onLines(l.Span), maxAnswering)
	case len(wordSet(l.Quote)) == 0:
		return "there are no words in it"
	case v.asks >= episode.MaxQuestions:
		return fmt.Sprintf("a log has at most %d questions", episode.MaxQuestions)
	}
	v.asks++
	v.Entries = append(v.Entries, e)
	return ""
}

// maxAnswering is how many lines may answer a question.
const maxAnswering = 20

// ask finds what a reader should look at once more.
func (v *verifier) ask() {
	if v.changes == 0 && len(v.Refused) == 0 && v.said != episode.Unknown {
		v.Questions = append(v.Questions,
			"the answer changes nothing, and drafts are seldom right: look once more for decisions and links that are missing, and for facts that are none; if there are none, say the outcome of the draft again")
	}
	if v.outcome == episode.Success && (v.said == "" || v.Draft.Outcome != episode.Success) {
		if at := open(v.Lines); len(at) > 0 {
			v.Questions = append(v.Questions,
				fmt.Sprintf("the outcome is success, but the log has something open or blocked on line %s: if that is of this session, the outcome is partial; if not, say success again",
					strings.Join(at, ", ")))
		}
	}
	if v.asks == 0 && len(v.Questions)+len(v.Refused) > 0 { // by itself not worth what another answer costs
		v.Questions = append(v.Questions, "there is no question (?): give 4 to 6 that lines of the log answer")
	}
}

var (
	openBox = lazy.Pattern(`^\s*(?:[-*+]|\d+\.)\s+\[ \]\s+\S`)
	blocked = lazy.Pattern(`(?i)^\W*(?:blockers?|blocked(?: by)?|open (?:issues?|questions?)|remaining(?: work| issues?)?|not done|incomplete)\b\W*:\W*(\w.*)$`)
	none    = lazy.Pattern(`(?i)^(?:none|nothing|no\b|n/?a\b|0\b)`)
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
		m := blocked().FindStringSubmatch(line)
		if !fence && len(out) < maxOpen && (openBox().MatchString(line) || m != nil && !none().MatchString(m[1])) {
			out = append(out, fmt.Sprint(i+1))
		}
	}
	return out
}
