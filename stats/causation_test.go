package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// joint is a distribution over the four kinds of case: those that always have the
// effect, never, only with the cause, only without it.
type joint struct{ always, never, helped, harmed float64 }

func (j joint) rates() (p1, p0 float64) { return j.always + j.helped, j.always + j.harmed }

// The bounds contain the truth for every joint distribution of potential outcomes, and
// the lower ones are reached without harm.
func TestCausationBoundsContainTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w [4]float64
		sum := 0.0
		for i := range w {
			w[i] = rapid.Float64Range(.001, 1).Draw(t, "weight")
			sum += w[i]
		}
		if rapid.Bool().Draw(t, "monotone") {
			sum -= w[3]
			w[3] = 0
		}
		j := joint{w[0] / sum, w[1] / sum, w[2] / sum, w[3] / sum}
		p1, p0 := j.rates()
		b := CausationBounds(p1, p0)
		// Among cases with cause and effect those needed it that are helped by it.
		pn, ps := j.helped/p1, j.helped/(1-p0)
		for _, c := range []struct {
			name string
			in   Interval
			x    float64
		}{{"PN", b.PN, pn}, {"PS", b.PS, ps}, {"PNS", b.PNS, j.helped}} {
			if c.x < c.in.Low-1e-9 || c.x > c.in.High+1e-9 {
				t.Fatalf("%s %v outside %v for %+v", c.name, c.x, c.in, j)
			}
			if w[3] == 0 && math.Abs(c.x-c.in.Low) > 1e-9 {
				t.Fatalf("%s %v, lower bound %v under monotonicity", c.name, c.x, c.in.Low)
			}
		}
		if one := SingleCase(p0, p1); ps < one.Low-1e-9 || ps > one.High+1e-9 {
			// The share of failures without the cause that would succeed with it is PS.
			t.Fatalf("single case %v outside %v", ps, one)
		}
		if w[3] == 0 && math.Abs(CausalPower(p1, p0)-ps) > 1e-9 {
			t.Fatalf("causal power %v, sufficiency %v", CausalPower(p1, p0), ps)
		}
	})
}

func TestCausationAtTheEnds(t *testing.T) {
	for _, c := range []struct{ p1, p0, want float64 }{{0, 0, 0}, {1, 1, 0}, {.2, .4, .5}} {
		near(t, "power", CausalPower(c.p1, c.p0), c.want, 12)
	}
	if b := CausationBounds(0, .5); b.PN != (Interval{0, 1}) || b.PNS != (Interval{0, 0}) {
		t.Errorf("%+v", b)
	}
	if b := CausationBounds(.5, 1); b.PS != (Interval{0, 1}) || b.PNS != (Interval{0, 0}) {
		t.Errorf("%+v", b)
	}
	if i := SingleCase(1, .5); i != (Interval{0, 1}) {
		t.Errorf("%v", i)
	}
	if i := SingleCase(.5, .75); i != (Interval{.5, 1}) {
		t.Errorf("%v", i)
	}
}

// VanderWeele and Ding 2017: a risk ratio of 3.9 has an E-value of 7.26, its lower
// limit 1.8 one of 3.0; a protective 0.8 has 1.81.
func TestEValuePublished(t *testing.T) {
	near(t, "E-value", EValue(3.9), 7.26, 2)
	near(t, "E-value of the limit", EValue(1.8), 3.0, 2)
	near(t, "E-value of a protective ratio", EValue(.8), 1.81, 2)
	near(t, "nothing to explain", EValue(1), 1, 12)
	if !math.IsInf(EValue(0), 1) || !math.IsInf(EValue(math.Inf(1)), 1) {
		t.Error("a ratio of 0 or infinity has an infinite E-value")
	}
}
