package recall

import (
	"cmp"
	"slices"
)

// Still says what became of the lines that a fix put into the files of the work tree; "" if that
// is not known.
type Still string

// The values of Still.
const (
	There    Still = "lines still there"
	Changed  Still = "changed since"
	FileGone Still = "file gone"
)

// look finds out which fixes of the answer are still in the work tree, and moves those that do
// not behind the others.
func (a *Answer) look(x *Index) {
	if x.Still == nil {
		return
	}
	fixes := 0
	for i := range a.Statements {
		s := &a.Statements[i]
		if slices.ContainsFunc(s.Quotes, func(q Quote) bool { return q.Says == Fix }) {
			s.still = x.Still(s.Episode, s.Lines)
		}
		if i == fixes && s.Says() == Fix {
			fixes++
		}
	}
	behind := func(s Statement) int {
		if s.still == Changed || s.still == FileGone {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(a.Statements[:fixes], func(a, b Statement) int { return cmp.Compare(behind(a), behind(b)) })
}
