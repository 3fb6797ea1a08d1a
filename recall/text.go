package recall

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"episodes/internal/lazy"
	"episodes/internal/plain"
)

// clause matches the ends of sentences and clauses.
var clause = lazy.Pattern(`[^\d][.;!?,:] | / | [–—] |[。、，；]`)

// cut shortens a text to at most most bytes: after a clause unless that leaves less than three fifths of them,
// else between two words, or within a word that is longer than half of it.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if most < len("…") {
		return ""
	}
	at := most - len("…")
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	head := s[:at]
	if s[at] != ' ' {
		if space := strings.LastIndexByte(head, ' '); space >= most/2 {
			head = head[:space]
		}
	}
	if all := clause().FindAllStringIndex(head, -1); len(all) > 0 && 5*all[len(all)-1][1] >= 3*most {
		head = head[:all[len(all)-1][1]]
	}
	if head = strings.TrimRight(head, " /,;:–—…"); head != "" && strings.ContainsAny(head[len(head)-1:], ".!?") {
		return head // a whole sentence
	}
	return head + "…"
}

var labels = map[Class]string{Nothing: "Log", Cause: "Cause", Fix: "Fix", Failed: "not",
	Choice: "Chosen", Learned: "Lesson"}

// label returns the words in front of a quotation. further is true for all but the first
// quotation of a statement.
func (q Quote) label(further bool) string {
	if further && q.Class == Nothing {
		return "… "
	}
	return labels[q.Class] + ": "
}

// result returns how a fix worked out, as a remark behind its quotation, or "".
func (q Quote) result() string {
	switch {
	case q.Like:
		return ", of a like error"
	case q.Again > 0:
		return fmt.Sprintf(", error seen again in %s", sessions(q.Again))
	case q.Held > 1:
		return fmt.Sprintf(", held %d of %d", q.Held, q.Held)
	}
	return ""
}

func sessions(n int) string {
	if n == 1 {
		return "a later session"
	}
	return fmt.Sprintf("%d later sessions", n)
}

// Text returns the quotations of the statement on one line.
func (s *Statement) Text() string {
	text := s.was() + s.Quotes[0].Text + s.Quotes[0].result()
	for _, q := range s.Quotes[1:] {
		text += " … " + strings.TrimPrefix(q.label(true), "… ") + q.Text + q.result()
	}
	return text
}

// places returns the line at which each of n quotations begins, or the span of lines that all are from.
func (s *Statement) places(n int, span bool) string {
	if span && s.Lines[1] > s.Lines[0] {
		return fmt.Sprintf("%d-%d", s.Lines[0], s.Lines[1])
	}
	var out []string
	for _, q := range s.Quotes[:n] {
		if line := strconv.Itoa(cmp.Or(q.Line, s.Lines[0])); !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return strings.Join(out, ", ")
}

// longestNote is the largest length of a name in a note, in bytes.
const longestNote = 70

// Note returns the remarks on a statement, or "".
func (s *Statement) Note() string {
	switch note, risk := s.validity(), s.Risk(); {
	case risk == "" || note == "":
		return risk + note
	default:
		return risk + "; " + note
	}
}

// validity returns whether the fix of a statement is still in the work tree, or the reason why the statement
// may no longer hold, or "".
func (s *Statement) validity() string {
	by, text := s.place.superseded(), s.Text()
	gone := slices.DeleteFunc(slices.Clone(s.place.Gone), func(path string) bool { return !strings.Contains(text, path) })
	switch {
	case by == Unnamed:
		return "superseded since"
	case by != "":
		return "superseded by " + plain.Quote(by, longestNote)
	case len(gone) == 1:
		return cut(gone[0], longestNote) + " is gone"
	case s.state != "" && (len(gone) == 0 || s.state == Fresh):
		return string(s.state)
	case len(gone) == 0 && s.place.Session.Failed:
		return "this session failed"
	case len(gone) > 1:
		return fmt.Sprintf("%s and %d more are gone", cut(gone[0], longestNote), len(gone)-1)
	}
	return ""
}

// shortest is the number of bytes below which a text is not quoted.
const shortest = 36

// closest begins the line about what comes nearest, which has at most nearBytes bytes.
const (
	closest   = "closest, not sure: "
	nearBytes = 40 * 4
)

// Text renders the answer in at most budget bytes. What does not fit is left out from the end.
func (a *Answer) Text(budget int) string {
	var b strings.Builder
	seen := a.seen()
	if a.Weak {
		b.WriteString(closest)
		budget = min(budget, nearBytes)
	}
	budget -= len(seen)
	if b.Len() > budget {
		return ""
	}
	start := b.Len()
	for n, s := range a.Statements {
		quotes := len(s.Quotes)
		if a.Weak && n > 0 {
			break
		}
		if a.Weak {
			quotes = 1
		}
		source := plain.Words(LogName(s.Log)) + ":" + s.places(quotes, a.Spans)
		if s.Lines[0] == 0 {
			source = strings.TrimPrefix(s.Episode, s.Project+" ")
		}
		if s.Private {
			source += ", private"
		}
		if s.By != "" {
			source += ", " + s.By
		}
		if s.Doubt != "" {
			source += ", " + s.Doubt
		}
		if s.Project != "" {
			source = cut(s.Project, longestNote) + ": " + source
		}
		was := s.was()
		switch note := s.Note(); {
		case note != "" && was == "":
			source += "; " + note
		case s.Risk() != "":
			source += "; " + s.Risk()
		}
		source = " (" + source + ")\n"
		text := ""
		for i, quote := range s.Quotes[:quotes] {
			if i > 0 {
				text += "\n"
			}
			label, result := quote.label(i > 0), quote.result()
			switch {
			case a.Weak:
				label = ""
			case i == 0 && was != "":
				label = was
			}
			room := budget - b.Len() - len(text) - len(label) - len(`""`) - len(result) - len(source)
			if room < shortest {
				text = strings.TrimSuffix(text, "\n")
				break
			}
			text += label + `"` + cut(plain.Unquote(quote.Text), room) + `"` + result // the text cannot end the quotation
		}
		if text == "" {
			break
		}
		b.WriteString(text + source)
	}
	if b.Len() == start {
		return ""
	}
	return b.String() + seen
}

// seen returns a line with the number of sessions that confirm the answer, or "".
func (a *Answer) seen() string {
	seen := ""
	switch {
	case a.Weak:
		return ""
	case a.Authors != "":
		seen = "Seen in " + a.Authors + ", last " + a.Last
	case a.Sessions > 1 && a.Days > 1:
		seen = fmt.Sprintf("Seen in %d sessions on %d days, last %s", a.Sessions, a.Days, a.Last)
	case a.Sessions > 1 && a.Days == 1:
		seen = fmt.Sprintf("Seen in %d sessions, all on %s", a.Sessions, a.Last)
	case a.Sessions > 1:
		seen = fmt.Sprintf("Seen in %d sessions", a.Sessions)
	case a.Last != "":
		seen = "Seen on " + a.Last
	case len(a.echoes) > 0:
		seen = "Seen in one log"
	default:
		return ""
	}
	switch n := len(a.echoes); {
	case n == 1:
		seen += "; 1 more log says so in the same words"
	case n > 1:
		seen += fmt.Sprintf("; %d more logs say so in the same words", n)
	}
	return seen + ".\n"
}

// LogName returns the end of the path of a log that people know it by: its last name, after two folders
// if a program gave it that name and others the same, "full.jsonl".
func LogName(log string) string {
	parts := strings.FieldsFunc(log, func(r rune) bool { return r == '/' || r == '\\' })
	n := 1
	if last := parts[max(0, len(parts)-1):]; len(last) > 0 && strings.Contains(last[0], ".json") && !strings.ContainsAny(last[0], "0123456789") {
		n = 3
	}
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}
