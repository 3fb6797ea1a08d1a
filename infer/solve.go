package infer

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Limits of the solver.
const (
	newtonSteps = 50
	longestStep = 1.0  // largest change of a coefficient in one step
	converged   = 1e-9 // largest change at which to stop
	maxDense    = 300  // coefficients from which they are taken in turn
	maxSweeps   = 200
)

// solve maximises the penalised likelihood
// sum(s·ln p + (n-s)·ln(1-p)) - ½ sum(lambda·beta²) - ½ lambda·(mu - centre)²
// by Newton steps on all coefficients at once, starting from their current values. The
// objective is strictly concave, so the maximum does not depend on the start; steps are
// bounded, since a full step far from it can overshoot.
//
// Source: Hastie, Tibshirani and Friedman 2009, The Elements of Statistical
// Learning, 2nd ed., section 4.4.1, with the ridge penalty of section 4.4.4.
func (m *model) solve(penalty [groups]float64) {
	m.chol = nil
	if len(m.cells) == 0 {
		return
	}
	if len(m.features) > maxDense {
		m.solveByCoordinate(penalty)
		return
	}
	n := len(m.features) + 1
	grad := mat.NewVecDense(n, nil)
	step := mat.NewVecDense(n, nil)
	for range newtonSteps {
		h := m.hessian(penalty)
		g := grad.RawVector().Data
		clear(g)
		g[0] = -penalty[pointEffect] * (m.mu - m.centre)
		for i := range m.features {
			g[i+1] = -m.lambda(penalty, i) * m.beta[i]
		}
		for i := range m.cells {
			c := &m.cells[i]
			r := float64(c.successes) - float64(c.n)*m.cellP(c)
			g[0] += r
			for _, j := range c.at {
				g[j+1] += r
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(h) {
			return // cannot be: every coefficient has a penalty
		}
		if err := chol.SolveVecTo(step, grad); err != nil && !isCondition(err) {
			return
		}
		d := step.RawVector().Data
		far := 0.0
		for _, x := range d {
			far = math.Max(far, math.Abs(x))
		}
		scale := 1.0
		if far > longestStep {
			scale = longestStep / far
		}
		m.mu += scale * d[0]
		for i := range m.beta {
			m.beta[i] += scale * d[i+1]
		}
		if far < converged {
			break
		}
	}
	m.sumInformation()
}

// information is the Fisher information on mu.
func (m *model) information() (w float64) {
	for i := range m.cells {
		c := &m.cells[i]
		p := m.cellP(c)
		w += float64(c.n) * p * (1 - p)
	}
	return w
}

// sumInformation computes the Fisher information on every coefficient.
func (m *model) sumInformation() {
	clear(m.weight)
	for i := range m.cells {
		c := &m.cells[i]
		p := m.cellP(c)
		for _, j := range c.at {
			m.weight[j] += float64(c.n) * p * (1 - p)
		}
	}
}

// solveByCoordinate is solve for many coefficients: one Newton step on each in turn. It
// takes more rounds, but never builds the matrix of all pairs.
func (m *model) solveByCoordinate(penalty [groups]float64) {
	of := make([][]int, len(m.features)) // cells of each coefficient
	eta := make([]float64, len(m.cells))
	for i := range m.cells {
		eta[i] = logit(m.cellP(&m.cells[i]))
		for _, j := range m.cells[i].at {
			of[j] = append(of[j], i)
		}
	}
	all := make([]int, len(m.cells))
	for i := range all {
		all[i] = i
	}
	turn := func(cells []int, at *float64, lambda, centre float64) float64 {
		r, w := -lambda*(*at-centre), lambda
		for _, i := range cells {
			p := expit(eta[i])
			r += float64(m.cells[i].successes) - float64(m.cells[i].n)*p
			w += float64(m.cells[i].n) * p * (1 - p)
		}
		step := math.Max(-longestStep, math.Min(longestStep, r/w))
		*at += step
		for _, i := range cells {
			eta[i] += step
		}
		return math.Abs(step)
	}
	for range maxSweeps {
		far := turn(all, &m.mu, penalty[pointEffect], m.centre)
		for j := range m.beta {
			far = math.Max(far, turn(of[j], &m.beta[j], m.lambda(penalty, j), 0))
		}
		if far < converged {
			break
		}
	}
	m.sumInformation()
}

// isCondition reports whether err only warns that the solution may be imprecise.
func isCondition(err error) bool {
	_, ok := err.(mat.Condition)
	return ok
}

func (m *model) cellP(c *cell) float64 {
	x := m.mu
	for _, j := range c.at {
		x += m.beta[j]
	}
	return expit(x)
}

// hessian is the negative second derivative of the objective, mu first.
func (m *model) hessian(penalty [groups]float64) *mat.SymDense {
	n := len(m.features) + 1
	data := make([]float64, n*n)
	for i := range m.cells {
		c := &m.cells[i]
		p := m.cellP(c)
		w := float64(c.n) * p * (1 - p)
		data[0] += w
		for a, j := range c.at {
			data[j+1] += w
			for _, k := range c.at[a:] {
				lo, hi := min(j, k)+1, max(j, k)+1
				data[lo*n+hi] += w
			}
		}
	}
	data[0] += penalty[pointEffect]
	for i := range m.features {
		data[(i+1)*n+i+1] += m.lambda(penalty, i)
	}
	return mat.NewSymDense(n, data)
}

// term is a weighted prediction of one cell.
type term struct {
	cellKey
	weight float64
}

// variance is the variance of a weighted sum of predictions, by the delta method
// on the inverse Hessian: g'H⁻¹g with g the gradient of the sum. Coefficients that
// no trial informs add their prior variance.
//
// Source: Rasmussen and Williams 2006, Gaussian Processes for Machine Learning,
// section 3.4 (Laplace's approximation); delta method: van der Vaart 1998, ch. 3.
func (m *model) variance(terms []term, penalty [groups]float64) float64 {
	if m.chol == nil {
		m.chol = &mat.Cholesky{}
		if !m.chol.Factorize(m.hessian(penalty)) {
			return math.Inf(1)
		}
	}
	g := mat.NewVecDense(len(m.features)+1, nil)
	prior := map[feature]float64{}
	var order []feature // of prior, so that sums run in one order
	for _, t := range terms {
		p := m.predict(t.cellKey)
		c := t.weight * p * (1 - p)
		g.SetVec(0, g.AtVec(0)+c)
		for _, f := range m.featuresOf(t.cellKey) {
			if i, ok := m.index[f]; ok {
				g.SetVec(i+1, g.AtVec(i+1)+c)
				continue
			}
			if _, ok := prior[f]; !ok {
				order = append(order, f)
			}
			prior[f] += c
		}
	}
	v := 0.0
	for _, f := range order {
		v += prior[f] * prior[f] / penalty[f.group]
	}
	var x mat.VecDense
	if err := m.chol.SolveVecTo(&x, g); err != nil && !isCondition(err) {
		return math.Inf(1)
	}
	return v + mat.Dot(g, &x)
}
