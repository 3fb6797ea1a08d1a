package infer

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"episodes/stats"
)

// Many sessions of one day often have a common cause.

// mostDays is how many days are left out in turn.
const mostDays = 5

// ByDay are the counts of a comparison, by day of the sessions.
type ByDay map[int]stats.Table

// Add counts one trial: of the first side or of the other.
func (b ByDay) Add(day int, first, success bool) {
	t := b[day]
	count(&t, first, success)
	b[day] = t
}

// Spread is on how many days the first side has trials, and whether one day has more than half of
// those of either side.
func (b ByDay) Spread() (days int, one bool) {
	all := stats.Sum(slices.Collect(maps.Values(b)))
	for _, t := range b {
		days += stats.Indicator(t.N > 0)
		one = one || 2*t.N > all.N || 2*t.OtherN > all.OtherN
	}
	return days, one
}

// Several is how many trials a day must have, for a conclusion to hang on it: a
// conclusion from few sessions hangs on each of them, which its interval says already.
const Several = 2

// MostInfluential returns the days that bear most on the difference of the two rates, of
// those with at least so many trials; at most mostDays, the most influential first.
func (b ByDay) MostInfluential(least int) []int {
	rates := func(t stats.Table) float64 { // with half a success and half a failure added to each
		return (float64(t.Successes)+.5)/(float64(t.N)+1) - (float64(t.OtherSuccesses)+.5)/(float64(t.OtherN)+1)
	}
	all := stats.Sum(slices.Collect(maps.Values(b)))
	shift := make(map[int]float64, len(b))
	for d, t := range b {
		if t.N+t.OtherN < least {
			continue
		}
		left := stats.Table{Successes: all.Successes - t.Successes, N: all.N - t.N,
			OtherSuccesses: all.OtherSuccesses - t.OtherSuccesses, OtherN: all.OtherN - t.OtherN}
		shift[d] = math.Abs(rates(left) - rates(all))
	}
	list := slices.SortedFunc(maps.Keys(shift), func(x, y int) int {
		return cmp.Or(cmp.Compare(shift[y], shift[x]), b[y].N+b[y].OtherN-b[x].N-b[x].OtherN, x-y)
	})
	return list[:min(len(list), mostDays)]
}

// Short reports whether a side of a comparison has too few trials left without a day, but
// not because most of them were of that day. Then the day decides nothing: else every
// conclusion from the fewest possible sessions would hang on each of its days.
func Short(left, of, least int) bool { return left < least && 2*left >= of }
