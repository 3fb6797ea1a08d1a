package analyze

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"episodes/stats"
)

const (
	// MinPairs is how many tasks two arms must decide differently before a verdict is given: with
	// fewer the exact sign test cannot reach 0.05 (2/2⁵ = 0.0625).
	MinPairs = 6
	// MinLoops is how many loops a mean learning rate needs for its interval.
	MinLoops      = 5
	minCorrelated = 10 // points below which no correlation is given

	alpha  = 0.05 // the level below which a difference is claimed
	level  = 0.95 // of every interval
	margin = 0.05 // the difference below which arms count as alike

	neverSolved = math.MaxInt
)

// Contrast is how two arms differ over the tasks of both.
type Contrast struct {
	OnlyA      int     `json:"only_a"` // tasks in which a is above b
	OnlyB      int     `json:"only_b"`
	Difference float64 `json:"difference"` // of the means, a less b
	Low        float64 `json:"low"`        // 95 % interval
	High       float64 `json:"high"`
	PValue     float64 `json:"p_value"` // exact: sign test, for the area signed-rank test
	Verdict    string  `json:"verdict"`
}

// contrast compares a figure of each task, 0 to 1. The verdict is missing.
func contrast(a, b []float64) Contrast {
	c, ds := Contrast{}, make([]float64, len(a))
	for i := range a {
		ds[i] = a[i] - b[i]
		c.OnlyA += stats.Indicator(ds[i] > 0)
		c.OnlyB += stats.Indicator(ds[i] < 0)
	}
	i := stats.MeanDifference(ds, level)
	c.Difference, c.Low, c.High, c.PValue = stat.Mean(ds, nil), i.Low, i.High, stats.SignedRank(ds)
	return c
}

// Pair is the comparison of two arms after one trial. A loop that had ended counts as it ended.
type Pair struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Trial int    `json:"trial"`
	Tasks int    `json:"tasks"`
	Both  int    `json:"both"`
	Contrast
}

const (
	VerdictA      = "a"
	VerdictB      = "b"
	VerdictSmall  = "below_5_points" // any difference is
	VerdictNone   = "no_difference"  // not shown by these tasks
	VerdictTooFew = "not_enough_evidence"
)

type sharedTask struct{ a, b *task }

func sharedTasks(a, b *arm) (out []sharedTask) {
	for _, ta := range a.tasks {
		if tb := b.byName[ta.name]; a.byName[ta.name] == ta && tb != nil {
			out = append(out, sharedTask{ta, tb})
		}
	}
	return out
}

// comparePairs compares two arms after every trial of so many attempts.
//
// They are tested in a fixed order, the last trial first, and an earlier one is claimed only where
// all later ones are: then the chance of any false claim stays at alpha (Maurer, Hothorn and
// Lehmacher 1995).
func comparePairs(a, b *arm, shared []sharedTask, attempts int) (out []Pair) {
	for trial := range min(max(a.last, b.last)+1, attempts) {
		p := Pair{A: a.name, B: b.name, Trial: trial, Tasks: len(shared)}
		var solvedA, solvedB []float64
		for _, s := range shared {
			sa, sb := stats.Indicator(s.a.solvedAt <= trial), stats.Indicator(s.b.solvedAt <= trial)
			p.Both += sa * sb
			solvedA, solvedB = append(solvedA, float64(sa)), append(solvedB, float64(sb))
		}
		p.Contrast = contrast(solvedA, solvedB)
		out = append(out, p)
	}
	claimable := true
	for i := range slices.Backward(out) {
		p := &out[i]
		p.judge(claimable && p.PValue < alpha)
		claimable = p.Verdict == VerdictA || p.Verdict == VerdictB
	}
	return out
}

// judge gives the verdict, by whether the test finds a difference: the interval must be on the
// same side.
func (c *Contrast) judge(claimable bool) {
	switch {
	case claimable && c.OnlyA > c.OnlyB && c.Low > 0:
		c.Verdict = VerdictA
	case claimable && c.OnlyB > c.OnlyA && c.High < 0:
		c.Verdict = VerdictB
	case stats.Interval{Low: c.Low, High: c.High}.Within(margin):
		c.Verdict = VerdictSmall
	case c.OnlyA+c.OnlyB < MinPairs:
		c.Verdict = VerdictTooFew
	default:
		c.Verdict = VerdictNone
	}
}
