package recall

import (
	"cmp"
	"slices"
)

// State is what became of the lines that a fix put into the files of the work tree; "" if that
// is not known.
type State string

// The values of State.
const (
	Fresh   State = "lines still there"
	Drifted State = "changed since"
	Gone    State = "file gone"
)

// setStates finds out which fixes of the answer are still in the work tree, and moves those that do
// not behind the others.
func (a *Answer) setStates(x *Index) {
	if x.State == nil {
		return
	}
	fixes := 0
	for i := range a.Statements {
		s := &a.Statements[i]
		if slices.ContainsFunc(s.Quotes, func(q Quote) bool { return q.Class == Fix }) {
			s.state = x.State(s.Episode, s.Lines)
		}
		if i == fixes && s.Class() == Fix {
			fixes++
		}
	}
	behind := func(s Statement) int {
		if s.state == Drifted || s.state == Gone {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(a.Statements[:fixes], func(a, b Statement) int { return cmp.Compare(behind(a), behind(b)) })
}
