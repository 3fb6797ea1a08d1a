package recall

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// By is who brought an episode. Episodes of one author never displace those of another: of what several
// authors say about one error each has one line, those who came late after the others. What came in
// the last days is as by another author: a name can be borrowed.
type By struct {
	Author string
	Lately bool   // it came in the last days
	Once   bool   // all by the author came in one commit
	Order  int    // greater for what came later
	Commit string // that brought it; "" if it is not committed
}

// voice is what has one line of its own.
type voice struct {
	author string
	lately bool
}

func (b By) voice() voice { return voice{b.Author, b.Lately} }

// behind puts the items that compete by authors who came late, all at once or in the last days, behind
// those of others: one of each first, in the order in which they came. All others stay in their order.
func behind[T any](all []T, competes func(T) bool, by func(T) By) []T {
	came, oldest := map[voice]int{}, math.MaxInt
	var at []int // of those that compete
	for i, x := range all {
		if !competes(x) {
			continue
		}
		at = append(at, i)
		b := by(x)
		if order, known := came[b.voice()]; !known || b.Order < order {
			came[b.voice()] = b.Order
		}
		oldest = min(oldest, b.Order)
	}
	var known, late, rest []T
	seen := map[voice]bool{}
	for _, i := range at {
		switch b := by(all[i]); {
		case !b.Lately && !b.Once || came[b.voice()] == oldest:
			known = append(known, all[i])
		case seen[b.voice()]:
			rest = append(rest, all[i])
		default:
			seen[b.voice()], late = true, append(late, all[i])
		}
	}
	slices.SortStableFunc(late, func(a, b T) int { return cmp.Compare(came[by(a).voice()], came[by(b).voice()]) })
	out := slices.Clone(all)
	for n, x := range slices.Concat(known, late, rest) {
		out[at[n]] = x
	}
	return out
}

// mostOfVoice is how many places of one author come before those of others that are found as well.
const mostOfVoice = 15

// spread moves the places of an author who has too many behind those of others.
func spread(all []*Place) []*Place {
	var front, back []*Place
	n := map[voice]int{}
	for _, p := range all {
		if n[p.by.voice()]++; n[p.by.voice()] > mostOfVoice {
			back = append(back, p)
		} else {
			front = append(front, p)
		}
	}
	return append(front, back...)
}

// inTurn is behind for fixes; those that were also tried in vain come after the others.
func inTurn(fixes, vain []direct) []direct {
	fixes = behind(fixes, func(d direct) bool { return true }, func(d direct) By { return d.place.by })
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
	return slices.ContainsFunc(fixes, func(d direct) bool { return d.place.by.voice() != fixes[0].place.by.voice() })
}

// firstOfEach leaves one fix of each author where there are several.
func firstOfEach(fixes []direct) []direct {
	if !several(fixes) {
		return fixes
	}
	seen := map[voice]bool{}
	return slices.DeleteFunc(fixes, func(d direct) bool {
		before := len(seen)
		seen[d.place.by.voice()] = true
		return len(seen) == before
	})
}

// mostAuthors is how many authors an answer names.
const mostAuthors = 3

// ByAuthors counts things by who brought them, the author who came first in front.
func ByAuthors(all []By, things func(n int) string) string {
	slices.SortStableFunc(all, func(a, b By) int { return cmp.Compare(a.Order, b.Order) })
	var out []string
	for len(all) > 0 {
		who, one := all[0], all[0].Commit != ""
		before := len(all)
		all = slices.DeleteFunc(all, func(b By) bool {
			is := b.Author == who.Author
			one = one && (!is || b.Commit == who.Commit)
			return is
		})
		n := before - len(all)
		text := fmt.Sprint(n)
		if out == nil {
			text = things(n)
		}
		if text += " by " + who.Author; one && n > 1 {
			text += " in one commit"
		}
		if out = append(out, text); len(out) == mostAuthors && len(all) > 0 {
			out, all = append(out, fmt.Sprintf("%d by others", len(all))), nil
		}
	}
	return strings.Join(out, ", ")
}
