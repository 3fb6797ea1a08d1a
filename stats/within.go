package stats

import "math"

// Observation is one value of a comparison of two groups within strata.
type Observation struct {
	Value   float64
	First   bool // of the first group
	Stratum int
	Cluster int // observations of one may depend on each other
}

// Contrast is a difference of two means, first group minus second, with its interval.
type Contrast struct {
	Difference float64
	Interval   Interval
	Clusters   int // that bear on it
}

// Within returns the difference of the means of two groups within strata: least squares with
// an intercept for each stratum, so that each counts by n·o/(n+o). The interval allows the
// observations of a cluster to depend on each other in any way, and takes Student's t
// distribution with one degree of freedom less than there are clusters. ok is false where no
// stratum has both groups, or too few observations are left to estimate the variance.
//
// Source: Liang and Zeger 1986, Biometrika 73:13; Cameron and Miller 2015, J. Hum. Resour.
// 50:317, sections II.B and VI.A (the correction for few clusters, CR1).
func Within(list []Observation, level float64) (c Contrast, ok bool) {
	checkLevel(level)
	type sum struct{ n, x, y float64 }
	strata := map[int]*sum{}
	for _, o := range list {
		s := strata[o.Stratum]
		if s == nil {
			s = &sum{}
			strata[o.Stratum] = s
		}
		s.n, s.x, s.y = s.n+1, s.x+float64(Indicator(o.First)), s.y+o.Value
	}
	var cross, square float64
	for _, o := range list {
		s := strata[o.Stratum]
		dx := float64(Indicator(o.First)) - s.x/s.n
		cross, square = cross+dx*(o.Value-s.y/s.n), square+dx*dx
	}
	if square == 0 {
		return Contrast{}, false
	}
	c.Difference = cross / square
	scores := map[int]float64{}
	var order []int // so that sums run in one order
	for _, o := range list {
		s := strata[o.Stratum]
		dx := float64(Indicator(o.First)) - s.x/s.n
		if dx == 0 {
			continue
		}
		if _, seen := scores[o.Cluster]; !seen {
			order = append(order, o.Cluster)
		}
		scores[o.Cluster] += dx * (o.Value - s.y/s.n - dx*c.Difference)
	}
	c.Clusters = len(order)
	free := float64(len(list) - len(strata) - 1)
	if c.Clusters < 3 || free < 1 {
		return Contrast{}, false
	}
	variance := 0.0
	for _, k := range order {
		variance += scores[k] * scores[k]
	}
	g := float64(c.Clusters)
	variance *= g / (g - 1) * (float64(len(list)) - 1) / free / (square * square)
	half := StudentQuantile(1-level, g-1) * math.Sqrt(variance)
	c.Interval = Interval{c.Difference - half, c.Difference + half}
	return c, true
}

// Indicator is 1 for true, and 0 for false.
func Indicator(b bool) int {
	if b {
		return 1
	}
	return 0
}
