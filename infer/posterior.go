package infer

import (
	"maps"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Limits of the solver.
const (
	maxSweeps       = 60
	sweepsAtFirst   = 4    // of the first round of learning the penalties
	converged       = 1e-5 // largest change of a site at which to stop
	maxCoefficients = 320  // of a point; the rarest beyond it stay at their prior
)

// site is the normal factor that approximates the likelihood of a cell: proportional to
// exp(shift·x - precision·x²/2), x the logit.
type site struct{ precision, shift float64 }

// solve finds the normal distribution of the coefficients given the trials by expectation
// propagation: the likelihood of each cell is replaced by a site, so chosen that the cell's
// logit has the mean and the variance that it has under the likelihood itself and the
// sites of all others. It starts from the current sites. With outcomes of two kinds and few
// trials a cell this is far more exact than an expansion at the maximum, which takes large
// effects for small ones.
//
// The likelihood is log-concave, so a site never has a negative precision.
//
// Source: Minka 2001, Uncertainty in Artificial Intelligence 17:362; Rasmussen and Williams
// 2006, Gaussian Processes for Machine Learning, sections 3.6 and 3.7 (comparison).
func (m *model) solve(penalty [groups]float64, sweeps int) {
	for range sweeps {
		m.update(penalty)
		if m.sweep() < converged {
			break
		}
	}
}

// update computes mean and covariance of the coefficients from the sites.
func (m *model) update(penalty [groups]float64) {
	n := len(m.features)
	data, shift := make([]float64, n*n), make([]float64, n)
	for i, f := range m.features {
		data[i*n+i] = penalty[f.group]
	}
	for i := range m.cells {
		s, at := m.sites[i], m.cells[i].at
		for a, j := range at {
			shift[j] += s.shift
			for _, k := range at[a:] {
				data[j*n+k] += s.precision // at is sorted
			}
		}
	}
	m.mean, m.cov = make([]float64, n), mat.NewSymDense(n, nil)
	var chol mat.Cholesky
	if !chol.Factorize(mat.NewSymDense(n, data)) {
		return // cannot be: every coefficient has a penalty
	}
	err := chol.InverseTo(m.cov)
	if _, imprecise := err.(mat.Condition); err != nil && !imprecise { // which is only a warning
		return
	}
	mean := mat.NewVecDense(n, m.mean)
	mean.MulVec(m.cov, mat.NewVecDense(n, shift))
}

// sweep updates every site, and returns the largest change.
func (m *model) sweep() (moved float64) {
	for i := range m.cells {
		c, old := &m.cells[i], m.sites[i]
		x := m.logitOf(c.at)
		// The distribution of the logit without this cell. Coefficients and sites are about
		// the logit less the centre.
		precision := math.Max(1/x.variance-old.precision, 1e-9)
		without := normal{(x.mean-m.centre)/x.variance - old.shift, 1 / precision}
		without.mean = m.centre + without.mean/precision
		with := without.given(c.successes, c.n)
		now := site{precision: math.Max(0, 1/with.variance-precision)}
		now.shift = (with.mean-m.centre)/with.variance - (without.mean-m.centre)*precision
		moved = math.Max(moved, math.Max(math.Abs(now.precision-old.precision), math.Abs(now.shift-old.shift)))
		m.sites[i] = now
	}
	return moved
}

// normal is a normal distribution of a logit.
type normal struct{ mean, variance float64 }

// logitOf is the distribution of the sum of some coefficients and the centre.
func (m *model) logitOf(at []int) normal {
	x := normal{mean: m.centre}
	for a, j := range at {
		x.mean += m.mean[j]
		x.variance += m.cov.At(j, j)
		for _, k := range at[:a] {
			x.variance += 2 * m.cov.At(j, k)
		}
	}
	x.variance = math.Max(x.variance, 1e-12)
	return x
}

// given is the normal distribution with the moments of x after s successes in n trials
// with its probability. It integrates around the mode, where the integrand is.
func (x normal) given(s, n int) normal {
	mode, curve := x.mean, 0.0
	for range 50 {
		p := expit(mode)
		curve = float64(n)*p*(1-p) + 1/x.variance
		step := (float64(s) - float64(n)*p - (mode-x.mean)/x.variance) / curve
		mode += math.Max(-2, math.Min(2, step))
		if math.Abs(step) < 1e-12 {
			break
		}
	}
	p := expit(mode)
	curve = float64(n)*p*(1-p) + 1/x.variance
	wide := math.Sqrt(1 / curve)
	logOf := func(y float64) float64 {
		d := y - x.mean
		return float64(s)*y - float64(n)*softplus(y) - d*d/(2*x.variance)
	}
	top := logOf(mode)
	var sum, first, second float64
	for _, q := range hermite() {
		y := q.at * wide
		w := q.weight * math.Exp(logOf(mode+y)-top+q.at*q.at/2)
		sum, first, second = sum+w, first+w*y, second+w*y*y
	}
	mean := first / sum
	return normal{mode + mean, math.Max(second/sum-mean*mean, 1e-12)}
}

// rate is the mean and the variance of the probability whose logit is x.
func (x normal) rate() (mean, variance float64) {
	wide, second := math.Sqrt(x.variance), 0.0
	for _, q := range hermite() {
		p := expit(x.mean + q.at*wide)
		mean += q.weight * p
		second += q.weight * p * p
	}
	return mean, math.Max(0, second-mean*mean)
}

func softplus(x float64) float64 {
	if x > 30 {
		return x
	}
	return math.Log1p(math.Exp(x))
}

// quadrature is a point of a quadrature rule.
type quadrature struct{ at, weight float64 }

// hermite integrates over the standard normal distribution (Gauss and Hermite). The nodes
// are the eigenvalues of the matrix of the recurrence of the Hermite polynomials, the
// weights the squared first components of its eigenvectors (Golub and Welsch 1969,
// Math. Comput. 23:221).
var hermite = sync.OnceValue(func() (rule []quadrature) {
	const n = 24
	jacobi := mat.NewSymDense(n, nil)
	for i := 1; i < n; i++ {
		jacobi.SetSym(i-1, i, math.Sqrt(float64(i)))
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(jacobi, true) {
		panic("infer: no quadrature")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for i, x := range eigen.Values(nil) {
		w := vectors.At(0, i)
		rule = append(rule, quadrature{x, w * w})
	}
	return rule
})

// term is a weighted prediction of one cell.
type term struct {
	cellKey
	weight float64
}

// logit is the distribution of the logit of a cell. A coefficient that no trial informs is
// at its prior.
func (m *model) logit(k cellKey, penalty [groups]float64) normal {
	var at []int
	prior := 0.0
	for _, f := range m.featuresOf(k) {
		if i, ok := m.index[f]; ok {
			at = append(at, i)
		} else {
			prior += 1 / penalty[f.group]
		}
	}
	x := m.logitOf(at)
	x.variance += prior
	return x
}

// averaged are the moments of a weighted sum of probabilities of success. Each has its exact moments;
// how two go together is taken from their logits, on which each depends with the slope that its
// own variance shows. The penalties are taken for known.
type averaged struct {
	mean, variance float64
	hidden         float64 // variance by causes that are not logged
}

func (m *model) average(terms []term, penalty [groups]float64) (out averaged) {
	slope := make([]float64, len(m.features))
	prior := map[feature]float64{}
	var order []feature        // of prior, so that sums run in one order
	shift := map[int]float64{} // by option
	add := func(f feature, c float64) {
		if _, ok := prior[f]; !ok {
			order = append(order, f)
		}
		prior[f] += c
	}
	for _, t := range terms {
		x := m.logit(t.cellKey, penalty)
		p, v := x.rate()
		out.mean += t.weight * p
		c := t.weight * math.Sqrt(v/x.variance)
		shift[t.option] += t.weight * p * (1 - p)
		for _, f := range m.featuresOf(t.cellKey) {
			if i, ok := m.index[f]; ok {
				slope[i] += c
				continue
			}
			add(f, c)
		}
	}
	for _, f := range order {
		out.variance += prior[f] * prior[f] / penalty[f.group]
	}
	g := mat.NewVecDense(len(slope), slope)
	var x mat.VecDense
	x.MulVec(m.cov, g)
	out.variance += mat.Dot(g, &x)
	for _, o := range slices.Sorted(maps.Keys(shift)) {
		out.hidden += shift[o] * shift[o] * m.hidden * m.hidden
	}
	return out
}
