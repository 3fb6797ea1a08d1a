package infer

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// objective is the penalised log-likelihood, written down once more.
func (m *model) objective(penalty [groups]float64) float64 {
	sum := 0.0
	for i := range m.cells {
		c := &m.cells[i]
		p := m.cellP(c)
		sum += float64(c.successes)*math.Log(p) + float64(c.n-c.successes)*math.Log(1-p)
	}
	for i := range m.features {
		sum -= m.lambda(penalty, i) * m.beta[i] * m.beta[i] / 2
	}
	return sum - penalty[pointEffect]*(m.mu-m.centre)*(m.mu-m.centre)/2
}

// The solver finds the maximum: no change of a coefficient improves the objective.
func TestSolveFindsTheMaximum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(idle(seeded(uint64(rapid.IntRange(1, 500).Draw(t, "seed"))), rapid.IntRange(20, 120).Draw(t, "sessions")))
		f := s.fitted()
		for _, m := range f.models {
			top := m.objective(f.penalty)
			const step = 1e-3
			for _, d := range []float64{step, -step} {
				m.mu += d
				if now := m.objective(f.penalty); now > top {
					t.Fatalf("mu gains %v", now-top)
				}
				m.mu -= d
			}
			for i := range m.beta {
				for _, d := range []float64{step, -step} {
					m.beta[i] += d
					if now := m.objective(f.penalty); now > top {
						t.Fatalf("coefficient %+v gains %v", m.features[i], now-top)
					}
					m.beta[i] -= d
				}
			}
		}
		for g, x := range f.penalty {
			if x < minPenalty || x > maxPenalty {
				t.Fatalf("penalty %d is %v", g, x)
			}
		}
	})
}

// The variance is that of the curvature: its inverse, found by solving for one
// column after the other with differences of the gradient.
func TestHessianIsTheCurvature(t *testing.T) {
	s := New(confounded(seeded(12), 200))
	f := s.fitted()
	m := f.models[0]
	h := m.hessian(f.penalty)
	const step = 1e-4
	for i := range m.beta {
		for j := range m.beta {
			at := func(a, b float64) float64 {
				m.beta[i] += a
				m.beta[j] += b
				defer func() { m.beta[i] -= a; m.beta[j] -= b }()
				return m.objective(f.penalty)
			}
			curve := -(at(step, step) - at(step, -step) - at(-step, step) + at(-step, -step)) / (4 * step * step)
			if want := h.At(i+1, j+1); math.Abs(curve-want) > 1e-3*(1+math.Abs(want)) {
				t.Errorf("%d, %d: curvature %v, Hessian %v", i, j, curve, want)
			}
		}
	}
}

// The search finds the k best ways of a graph small enough to try them all.
func TestPathsAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "nodes")
		var edges []Edge
		for a := range n {
			for b := range n {
				if a == b || rapid.IntRange(0, 2).Draw(t, "none") == 0 {
					continue
				}
				typ := edgeType(.9, .1)
				if rapid.IntRange(0, 2).Draw(t, "prevents") == 0 {
					typ = edgeType(.1, .9)
				}
				edges = append(edges, Edge{source: a, target: b, Type: typ, With: .6, Without: .3, N: 9, OtherN: 9, Weight: float64(rapid.IntRange(10, 90).Draw(t, "weight")) / 100})
			}
		}
		for _, up := range []bool{true, false} {
			var all []float64
			var walk func(at signedFact, p float64, been []int)
			walk = func(at signedFact, p float64, been []int) {
				if at.node == n-1 {
					if at.raised == up {
						all = append(all, p)
					}
					return
				}
				for _, e := range edges {
					if e.source == at.node && !slices.Contains(been, e.target) && len(been) <= maxHops {
						walk(signedFact{e.target, at.raised != (e.Type == edgeType(.1, .9))}, p*e.Weight, append(slices.Clone(been), e.target))
					}
				}
			}
			walk(signedFact{0, true}, 1, []int{0})
			slices.Sort(all)
			slices.Reverse(all)
			w := newEdgeIndex(edges)
			got := w.best(signedFact{0, true}, signedFact{n - 1, up}, 3)
			if len(got) != min(3, len(all)) {
				t.Fatalf("%d ways, want %d", len(got), min(3, len(all)))
			}
			for i, g := range got {
				if p := w.path(edges, g, up).P; math.Abs(p-all[i]) > 1e-9 {
					t.Fatalf("way %d has %v, want %v", i, p, all[i])
				}
			}
		}
	})
}
