package recall

import (
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/plain"
)

// Exact returns the one line that one who is about to act, or whose command failed, must know; nil for nothing, which is
// most of the time. It is a measured way out of the very error; what a command like the one at hand lacked, or had too much, when it
// failed; or what a person or agent demanded or recorded about rare words of the question.
func (x *Index) Exact(q *Question, text string) (*Line, error) {
	ways := x.direct
	if q.Want == AnAction {
		ways = func(q *Question) ([]Line, error) { return x.applying(q, text) }
	}
	list, err := ways(q)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if l := &list[i]; l.Class == Fix && q.can(l.Text) {
			return l, nil
		}
	}
	cited, err := x.Ask(Filter{Limit: MostLines}, q)
	if err != nil {
		return nil, err
	}
	for _, c := range cited {
		l := Line{Cited: c}
		l.Text = l.Line(q, exactBytes)
		if c.rare >= leastRare && (c.Stated || c.demand && demanding().MatchString(l.Text)) {
			return &l, nil
		}
	}
	return nil, nil
}

// edits matches a way out that is an edit, with its file.
var edits = lazy.Pattern(`(?:edit|writing) of ([^\s:]+)`)

// can reports whether a way out says what to do here: it is known whole, and if it is an edit, then of a file that the output
// names.
func (q *Question) can(way string) bool {
	file := edits().FindStringSubmatch(way)
	return !vague(way) && (file == nil || q.prints(file[1]))
}

// vague reports whether a way out is only known in part.
func vague(way string) bool { return strings.HasSuffix(way, ", and more") }

// leastRare is how many words of the question that few sessions have a demand must share; exactBytes bounds what is quoted.
const (
	leastRare  = 2
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
		return has(m[1]) || has(m[3])
	})
}
