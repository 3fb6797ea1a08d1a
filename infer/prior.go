package infer

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// startPenalty are the initial precisions of the coefficients: they expect main effects
// of .7 logits or less, option effects of .6, interactions of .3.
var startPenalty = [groups]float64{taskEffect: 2, optionEffect: 3, seenEffect: 2, taskOption: 8, seenOption: 12, pointEffect: 1}

// Limits of learning the penalties.
const (
	penaltyRounds = 20   // at most
	penaltyMoves  = .001 // relative change below which they have converged
	minLearn      = 10   // least trials of a point that they are learned from
	priorWeight   = 1    // weight of startPenalty, in coefficients
	minPenalty    = 1    // bounds of a penalty, which keep effects finite where a few trials all end the same way
	maxPenalty    = 200
	tailRounds    = 3 // see fitWith
	tailFreedom   = 2 // degrees of freedom of the heavy-tailed prior
)

// fit holds the penalties that all points share, and the fitted models.
type fit struct {
	penalty [groups]float64
	models  []*model // by point
}

// fitted learns the penalties from every point that has options to compare, and fits
// those; the others are fitted on first use. The penalty of a group is re-estimated in
// rounds from the coefficients b of that group at all points:
//
//	lambda = (m + 1) / (sum(b² + var(b)) + 1/lambda0),
//
// m coefficients, var their variance given the data by the inverse Hessian. This is
// the EM step for the precision of a normal prior (MacKay 1992, Neural Comput. 4:415,
// type-II maximum likelihood), with a Gamma prior worth one coefficient that keeps it
// near its start while there is little data. Using the diagonal of the Hessian instead
// of inverting it would give variances that are too small, since the coefficients of
// one trial trade off against each other, and penalties a third to three times too
// large.
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
	for range penaltyRounds {
		if f.learn(learn) < penaltyMoves {
			break
		}
	}
	// The last fit starts afresh, so that fitting one point alone with these penalties
	// gives the same bits.
	for _, md := range learn {
		md.start()
		md.fitWith(f.penalty)
	}
	return f
}

// learn does one round and returns the largest relative change of a penalty.
func (f *fit) learn(models []*model) (moved float64) {
	var m, sum [groups]float64
	for _, md := range models {
		md.solve(f.penalty)
		point, second := md.seconds(f.penalty)
		md.reweigh(f.penalty, second)
		m[pointEffect]++
		sum[pointEffect] += point
		for i, x := range md.features {
			m[x.group]++
			sum[x.group] += second[i] * md.tail[i]
		}
	}
	for g := range groups {
		if m[g] > 0 {
			old := f.penalty[g]
			f.penalty[g] = math.Min(maxPenalty, math.Max(minPenalty, (m[g]+priorWeight)/(sum[g]+priorWeight/startPenalty[g])))
			moved = math.Max(moved, math.Abs(f.penalty[g]/old-1))
		}
	}
	return moved
}

// fitWith fits a model that was just started.
func (m *model) fitWith(penalty [groups]float64) {
	m.solve(penalty)
	for range tailRounds {
		_, second := m.seconds(penalty)
		if !m.reweigh(penalty, second) {
			return
		}
		m.solve(penalty)
	}
}

// reweigh sets the factors of the penalties, and reports whether there are any. An event
// seen before affects few options, but those strongly: the prior of these coefficients
// is Student's t, a normal one whose precision is drawn for each coefficient from a
// Gamma distribution of mean 1. A factor is the mean of that draw given E[b²] (Lange,
// Little and Taylor 1989, J. Am. Stat. Assoc. 84:881, section 3). The other groups did
// not gain by it.
func (m *model) reweigh(penalty [groups]float64, second []float64) (any bool) {
	for i, x := range m.features {
		if x.group == seenOption {
			m.tail[i] = (tailFreedom + 1) / (tailFreedom + penalty[seenOption]*second[i])
			any = true
		}
	}
	return any
}

// lambda is the precision of the prior of coefficient i.
func (m *model) lambda(penalty [groups]float64, i int) float64 {
	return penalty[m.features[i].group] * m.tail[i]
}

// seconds returns E[(mu - centre)²] and E[b²] of every coefficient of a solved model.
// With more than maxDense coefficients only the diagonal of the Hessian is used.
func (m *model) seconds(penalty [groups]float64) (point float64, second []float64) {
	second = make([]float64, len(m.beta))
	if len(m.cells) == 0 {
		for i := range second {
			second[i] = 1 / m.lambda(penalty, i)
		}
		return 1 / penalty[pointEffect], second
	}
	at := func(i int) float64 { return 1 / (m.weight[i] + m.lambda(penalty, i)) }
	point = 1 / (m.information() + penalty[pointEffect])
	if len(m.features) <= maxDense {
		var chol mat.Cholesky
		var inverse mat.SymDense
		if chol.Factorize(m.hessian(penalty)) {
			if err := chol.InverseTo(&inverse); err == nil || isCondition(err) {
				point = inverse.At(0, 0)
				at = func(i int) float64 { return inverse.At(i+1, i+1) }
			}
		}
	}
	for i, b := range m.beta {
		second[i] = b*b + at(i)
	}
	return point + (m.mu-m.centre)*(m.mu-m.centre), second
}
