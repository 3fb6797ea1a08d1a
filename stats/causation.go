package stats

import "math"

// Causation bounds what a rate with a cause and one without it say about single
// cases. All figures are probabilities, 0 to 1.
type Causation struct {
	// PN: of a case with cause and effect, that the effect needed the cause.
	// PS: of a case with neither, that the cause would have been enough.
	// PNS: of any case, that the effect comes with the cause and only with it.
	PN, PS, PNS Interval
}

// CausationBounds returns the bounds for the probability of the effect with the
// cause, p1, and without it, p0, when the cause is not itself confounded with the
// effect: PNS in [max(0, p1-p0), min(p1, 1-p0)], PN = PNS/p1, PS = PNS/(1-p0).
// Where the cause never hinders the effect (monotonicity) all three equal their
// lower bound. A rate that leaves a probability without meaning (p1 = 0 for PN,
// p0 = 1 for PS) gives [0, 1].
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

// CausalPower returns how probably the cause brings about the effect by itself,
// where nothing else does: (p1-p0)/(1-p0). For a preventive cause (p1 < p0) it is
// how probably the cause stops an effect that would have come: 1-p1/p0. It is the
// link of a noisy-OR, and of a noisy-AND-NOT for preventers. 0 when the rates are
// equal.
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

// SingleCase bounds the probability that a case that failed with the one option
// would have succeeded with another, from the rates of success of the option
// taken and the other one in the same context. The true answer depends on how the
// two potential outcomes go together, which no data on different cases shows:
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

// EValue returns how strongly a hidden common cause would have to bear on both
// option and outcome, as a risk ratio, to explain away the risk ratio rr
// altogether: rr + sqrt(rr·(rr-1)) for rr ≥ 1, and the same of 1/rr below 1. It is
// 1 when there is nothing to explain away. Give it the limit of a confidence
// interval nearer to 1 to ask the same of the statistical claim.
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
