package stats

import "math"

// Causation bounds the probabilities of causation for single cases, 0 to 1.
type Causation struct {
	// PN, of necessity: in a case with cause and effect, the effect needed the cause.
	// PS, of sufficiency: in a case with neither, the cause would have been enough.
	// PNS, of both: in any case, the effect comes with the cause and only with it.
	PN, PS, PNS Interval
}

// CausationBounds returns the bounds for the probability of the effect with the
// cause, p1, and without it, p0, when the cause is not itself confounded with the
// effect: PNS in [max(0, p1-p0), min(p1, 1-p0)], PN = PNS/p1, PS = PNS/(1-p0).
// Where the cause never prevents the effect (monotonicity) all three equal their
// lower bound. Where a probability is undefined (p1 = 0 for PN, p0 = 1 for PS) its
// bounds are [0, 1].
//
// Source: Tian and Pearl 2000, Ann. Math. Artif. Intell. 28:287, sections 4.2.1
// (exogeneity) and 4.3 (monotonicity).
func CausationBounds(p1, p0 float64) Causation {
	pns := Interval{math.Max(0, p1-p0), math.Min(p1, 1-p0)}
	return Causation{PN: divide(pns, p1), PS: divide(pns, 1-p0), PNS: pns}
}

func divide(i Interval, by float64) Interval {
	if by <= 0 {
		return Interval{0, 1}
	}
	return Interval{i.Low / by, math.Min(1, i.High/by)}
}

// CausalPower returns the probability that the cause brings about the effect when
// nothing else does: (p1-p0)/(1-p0). For a preventive cause (p1 < p0) it is the
// probability that the cause prevents an effect that would have come: 1-p1/p0. It is
// the parameter of a noisy-OR, and of a noisy-AND-NOT for preventive causes. 0 when
// the rates are equal.
//
// Source: Cheng 1997, Psychol. Rev. 104:367, equations 8 and 14.
func CausalPower(p1, p0 float64) float64 {
	switch {
	case p1 > p0:
		return (p1 - p0) / (1 - p0)
	case p1 < p0:
		return 1 - p1/p0
	}
	return 0
}

// SingleCase bounds the probability that a case that failed with one option
// would have succeeded with another, from the rates of success of the option
// taken and the other one in the same context. The true answer depends on the joint
// distribution of the two potential outcomes, which cannot be observed:
// [max(0, (other-taken)/(1-taken)), min(1, other/(1-taken))].
//
// Source: Tian and Pearl 2000, section 4.2.1 (their probability of sufficiency
// with the success rates as experimental ones); the bounds are Fréchet's.
func SingleCase(taken, other float64) Interval {
	if taken >= 1 {
		return Interval{0, 1}
	}
	return Interval{math.Max(0, (other-taken)/(1-taken)), math.Min(1, other/(1-taken))}
}

// EValue returns how strongly an unmeasured confounder would have to be associated
// with both option and outcome, as a risk ratio, to explain away the risk ratio rr:
// rr + sqrt(rr·(rr-1)) for rr ≥ 1, and the same of 1/rr below 1. It is 1 when there
// is nothing to explain away. For the E-value of the interval, pass its limit nearer
// to 1.
//
// Source: VanderWeele and Ding 2017, Ann. Intern. Med. 167:268.
func EValue(rr float64) float64 {
	if !(rr > 0) || math.IsInf(rr, 1) {
		return math.Inf(1)
	}
	if rr < 1 {
		rr = 1 / rr
	}
	return rr + math.Sqrt(rr*(rr-1))
}
