package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Where the cause never prevents the effect, its power is the share of the cases without both that
// it helps.
func TestCausalPowerIsSufficiency(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		always, never, helped := rapid.Float64Range(.001, 1).Draw(t, "always"), rapid.Float64Range(.001, 1).Draw(t, "never"),
			rapid.Float64Range(.001, 1).Draw(t, "helped")
		sum := always + never + helped
		p1, p0 := (always+helped)/sum, always/sum
		if got, want := CausalPower(p1, p0), helped/(helped+never); math.Abs(got-want) > 1e-9 {
			t.Fatalf("causal power %v, sufficiency %v", got, want)
		}
	})
	for _, c := range []struct{ p1, p0, want float64 }{{0, 0, 0}, {1, 1, 0}, {.2, .4, .5}} {
		near(t, "power", CausalPower(c.p1, c.p0), c.want, 12)
	}
}
