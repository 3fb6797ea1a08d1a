package recall

import (
	"slices"
	"strings"

	"episodes/extract/statements"
	"episodes/internal/lazy"
	"episodes/internal/plain"
)

// Exact returns the lines of which one who is about to act, or whose command failed, must know one, best first; none most of the
// time. They are measured ways out of the very error; what a command like the one at hand had too much when it failed; what logs
// state as the end of this error, that of most sessions first; what an agent or person recorded about rare words of the question;
// or, but at a failure, what a person demanded about them.
func (x *Index) Exact(q *Question, text string) (out []Line, err error) {
	if q.Want == AnAction {
		out, err = x.applying(q, text)
	} else {
		out, err = x.direct(q)
	}
	if err != nil {
		return nil, err
	}
	out = slices.DeleteFunc(out, func(l Line) bool {
		return l.Class != Fix || vague(l.Text) || !q.can(l.Text) && l.State != Drifted || q.Want == AnAction && l.Held < leastHeld && !strings.Contains(l.Text, "`-")
	})
	cited, err := x.Ask(Filter{Limit: 2 * MostLines}, q)
	var quoted []Line
	for _, c := range cited {
		l := Line{Cited: c}
		l.Text = l.Line(q, exactBytes)
		advises := c.Class == Fix || c.Class == Choice || c.Class == Learned
		if q.Want == AnError && advises && c.answers(q) || c.rare >= leastRare && (c.Stated || q.Want != AnError && c.demand && statements.Orders(l.Text)) {
			quoted = append(quoted, l)
		}
	}
	says := func(l Line) string { // what was chosen, below what it is about
		if l.decision != nil {
			if _, chosen, ok := strings.Cut(l.decision.Text, "\n"); ok {
				return chosen
			}
		}
		return l.Text
	}
	met := func(l Line) (n int) {
		for _, o := range quoted {
			if says(o) == says(l) {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(quoted, func(a, b Line) int { return met(b) - met(a) })
	return append(out, quoted...), err
}

// edits matches a way out that is an edit, with its file.
var edits = lazy.Pattern(`(?:edit|writing) of ([^\s:]+)`)

// can reports whether a way out says what to do here: if it is an edit, it is of a file that the output names. Any other edit is
// told where its lines are not in the file any more: it was undone.
func (q *Question) can(way string) bool {
	file := edits().FindStringSubmatch(way)
	return file == nil || q.prints(file[1])
}

// vague reports whether a way out is only known in part.
func vague(way string) bool {
	return strings.HasSuffix(way, ", and more") || strings.Contains(way, "…")
}

// leastRare is how many words of the question that few sessions have a demand must share, leastHeld in how many sessions a way out must
// have held that is told before a command, if it is no flag; exactBytes bounds what is quoted.
const (
	leastRare  = 2
	leastHeld  = 2
	exactBytes = 260
)

// cure matches what a way out of a failure changed of the command: what it no longer has.
var cure = lazy.Pattern("^(?:without `([^`]+)`|`([^`]+)` instead of `([^`]+)`)$")

// applying returns the ways out of failures of the command that is about to be made: it has what was left away.
func (x *Index) applying(q *Question, command string) ([]Line, error) {
	command = strings.NewReplacer(`"`, "", "'", "").Replace(plain.Words(command))
	has := func(words string) bool { return words != "" && strings.Contains(" "+command+" ", " "+words+" ") }
	return x.ways(q, func(from, to string) bool {
		program, _, _ := strings.Cut(to, ": ")
		m := cure().FindStringSubmatch(from)
		if m == nil || !strings.Contains(command, program) {
			return false
		}
		return has(m[1]) && blames(to, m[1]) || has(m[3]) && blames(to, m[3])
	})
}

// blames reports whether a failure is one of the words that the command no longer had: of a flag, or of a word that its message
// names. A check that fails does not make its command wrong.
func blames(failure, words string) bool {
	_, says, _ := strings.Cut(failure, ": ")
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool {
		return strings.HasPrefix(w, "-") || len(w) > 2 && strings.Contains(says, w)
	})
}
