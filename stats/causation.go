package stats

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
