package recall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// By is who brought an episode. Those of one author never stand in the way of those of another: of what
// several authors say of one error each has one line, the one who came first before the others.
type By struct {
	Author string
	Order  int    // greater for what came later
	Commit string // that brought it; "" if it is not committed
}

// oneEach puts in front of the items that compete one of each author, in the order in which the authors
// came. Items of one author stay in their order, and so do all where there is one author.
func oneEach[T any](all []T, competes func(T) bool, by func(T) By) []T {
	came := map[string]int{}
	var at []int // of those that compete
	for i, x := range all {
		if !competes(x) {
			continue
		}
		at = append(at, i)
		if order, known := came[by(x).Author]; !known || by(x).Order < order {
			came[by(x).Author] = by(x).Order
		}
	}
	if len(came) < 2 {
		return all
	}
	var first, rest []T
	seen := map[string]bool{}
	for _, i := range at {
		if author := by(all[i]).Author; seen[author] {
			rest = append(rest, all[i])
		} else {
			seen[author], first = true, append(first, all[i])
		}
	}
	slices.SortStableFunc(first, func(a, b T) int { return cmp.Compare(came[by(a).Author], came[by(b).Author]) })
	out := slices.Clone(all)
	for n, x := range append(first, rest...) {
		out[at[n]] = x
	}
	return out
}

// inTurn is oneEach for fixes; those that were also tried in vain come after the others.
func inTurn(fixes, vain []direct) []direct {
	fixes = oneEach(fixes, func(d direct) bool { return true }, func(d direct) By { return d.place.by })
	if !several(fixes) {
		return fixes
	}
	failed := func(d direct) int {
		if slices.ContainsFunc(vain, func(v direct) bool { return v.text == d.text }) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(fixes, func(a, b direct) int { return failed(a) - failed(b) })
	return fixes
}

// several reports whether fixes are by more than one author.
func several(fixes []direct) bool {
	return slices.ContainsFunc(fixes, func(d direct) bool { return d.place.by.Author != fixes[0].place.by.Author })
}

// firstOfEach leaves one fix of each author where there are several.
func firstOfEach(fixes []direct) []direct {
	if !several(fixes) {
		return fixes
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(fixes, func(d direct) bool {
		author := d.place.by.Author
		defer func() { seen[author] = true }()
		return seen[author]
	})
}

// mostAuthors is how many authors an answer names.
const mostAuthors = 3

// byAuthors says how many of the sessions of some places are by whom, "" where all are by one.
func byAuthors(places []*Place) string {
	type count struct {
		By
		sessions int
		one      bool // all came in one commit
	}
	var all []count
	for _, p := range places {
		at := slices.IndexFunc(all, func(c count) bool { return c.Author == p.by.Author })
		if at < 0 {
			all = append(all, count{p.by, 1, p.by.Commit != ""})
			continue
		}
		c := &all[at]
		c.sessions, c.one, c.Order = c.sessions+1, c.one && c.Commit == p.by.Commit, min(c.Order, p.by.Order)
	}
	if len(all) < 2 {
		return ""
	}
	slices.SortStableFunc(all, func(a, b count) int { return cmp.Compare(a.Order, b.Order) })
	var out []string
	others := 0
	for i, c := range all {
		if i >= mostAuthors {
			others += c.sessions
			continue
		}
		text := fmt.Sprint(c.sessions)
		if i == 0 && c.sessions > 1 {
			text += " sessions"
		} else if i == 0 {
			text += " session"
		}
		text += " by " + c.Author
		if c.one && c.sessions > 1 {
			text += " in one commit"
		}
		out = append(out, text)
	}
	if others > 0 {
		out = append(out, fmt.Sprintf("%d by others", others))
	}
	return strings.Join(out, ", ")
}
