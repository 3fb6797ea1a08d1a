package infer

import "math"

// startPenalty are the initial precisions of the coefficients: they expect main effects
// of .7 logits or less, option effects of .6, interactions of .3.
var startPenalty = [groups]float64{pointEffect: 1, kindEffect: 1, taskEffect: 1, optionEffect: 2, seenEffect: .5,
	taskOption: 6, seenOption: 6,
	taskSeen: 3, taskSeenOption: 3, instanceEffect: 2, instanceOption: 4}

// Limits of learning the penalties.
const (
	penaltyRounds = 20  // at most
	penaltyMoves  = .01 // relative change below which they have converged
	minLearn      = 10  // least trials of a point that they are learned from
	priorWeight   = 1   // weight of startPenalty, in coefficients
	maxPenalty    = 200 // upper bound of a penalty
)

// minPenalty are lower bounds, which keep effects finite where a few trials all end the same
// way. Between very tasks and between instances the spread is large: some are solved by
// anybody, some by nobody.
var minPenalty = [groups]float64{pointEffect: .5, kindEffect: .5, taskEffect: .1, optionEffect: .5, seenEffect: .5,
	taskOption: .5, seenOption: .5,
	taskSeen: .5, taskSeenOption: .5, instanceEffect: .1, instanceOption: .5}

// fit holds the penalties that all points share, and the fitted models.
type fit struct {
	penalty [groups]float64
	models  []*model // by point
}

// fitted learns the penalties from every point that has options to compare, and fits
// those; the others are fitted on first use. The penalty of a group is re-estimated in
// rounds from the coefficients b of that group at all points:
//
//	lambda = (m + 1) / (sum(E[b²]) + 1/lambda0),
//
// m coefficients, the means over the distribution that solve finds. This is the EM step for
// the precision of a normal prior (MacKay 1992, Neural Comput. 4:415, type-II maximum
// likelihood), with a Gamma prior worth one coefficient that keeps it near its start while
// there is little data.
func (s *Study) fitted() *fit {
	if s.fit != nil {
		return s.fit
	}
	f := &fit{penalty: startPenalty, models: make([]*model, len(s.points))}
	s.fit = f
	var learn []*model
	for p := range s.points {
		if len(s.points[p].options) < 2 || len(s.points[p].decided) < minLearn {
			continue
		}
		if m := s.newModel(p); len(m.options) > 1 {
			learn = append(learn, m)
			f.models[p] = m
		}
	}
	sweeps := sweepsAtFirst
	for range penaltyRounds {
		if f.learn(learn, sweeps) < penaltyMoves {
			break
		}
		sweeps = 1 // the sites go on from the round before
	}
	// The last fit starts afresh, so that fitting one point alone with these penalties
	// gives the same bits.
	for _, md := range learn {
		md.start()
		f.fit(md)
	}
	return f
}

// learn does one round and returns the largest relative change of a penalty.
func (f *fit) learn(models []*model, sweeps int) (moved float64) {
	var m, sum [groups]float64
	for _, md := range models {
		md.solve(f.penalty, sweeps)
		for i, x := range md.features {
			m[x.group] += 1 - f.penalty[x.group]*md.cov.At(i, i)
			sum[x.group] += md.mean[i] * md.mean[i]
		}
	}
	for g := range groups {
		if m[g] > 0 {
			old := f.penalty[g]
			f.penalty[g] = math.Min(maxPenalty, math.Max(minPenalty[g], (m[g]+priorWeight)/(sum[g]+priorWeight/startPenalty[g])))
			moved = math.Max(moved, math.Abs(f.penalty[g]/old-1))
		}
	}
	return moved
}

// fit fits a model that was just started.
func (f *fit) fit(m *model) {
	m.solve(f.penalty, maxSweeps)
}
