package infer

import (
	"math"
	"testing"

	"episodes/stats"
)

// The gain is that of the two answers, its sign turns with the sides, and nine of
// ten intervals contain the true difference.
func TestCompareCoverage(t *testing.T) {
	in, n := 0, 0
	for i := range 80 {
		s := New(confounded(seeded(uint64(500+i)), 160))
		for _, task := range []string{"", "hard", "easy"} {
			q := Question{Point: "which way", Option: "better", Task: task}
			c, ok := s.Compare(q, "usual")
			if !ok {
				continue
			}
			if s.model(0).since != 0 {
				continue // by chance
			}
			n++
			in += stats.Indicator(c.Interval.Contains(.15))
			q.Option = "usual"
			back, _ := s.Compare(q, "better")
			if math.Abs(c.Gain+back.Gain) > 1e-12 || math.Abs(c.Gain-(c.Option.P-c.Other.P)) > 1e-12 {
				t.Fatalf("%+v and %+v", c, back)
			}
		}
	}
	if share := float64(in) / float64(n); share < .85 || share > .97 {
		t.Errorf("%.3f of %d intervals hold the true difference", share, n)
	}
}
