package infer

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"episodes/stats"
)

// The factor is the ratio of the densities of the scores under either belief: under
// shifts with covariance own² I + main² 11' they are normal with covariance
// V + V C V, without any with V.
func TestNormalFactorIsARatioOfDensities(t *testing.T) {
	for _, c := range []struct {
		us, vs    []float64
		main, own float64
	}{
		{[]float64{1.2}, []float64{.8}, 1, 0},
		{[]float64{1.2, -.7}, []float64{.8, 1.5}, 1, 0},
		{[]float64{2.5, -.7, .1}, []float64{1.1, 1.5, .2}, .5, 1.5},
		{[]float64{0, 0, 0}, []float64{3, 2, 1}, .5, 1.5},
	} {
		n := len(c.us)
		null, other := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				shift := c.main * c.main
				if i == j {
					null.SetSym(i, i, c.vs[i])
					shift += c.own * c.own
				}
				other.SetSym(i, j, null.At(i, j)+c.vs[i]*shift*c.vs[j])
			}
		}
		density := func(s *mat.SymDense) float64 {
			d, ok := distmv.NewNormal(make([]float64, n), s, nil)
			if !ok {
				t.Fatal("no covariance")
			}
			return d.LogProb(c.us)
		}
		want := math.Exp(density(other) - density(null))
		if got := normalFactor(c.us, c.vs, c.main, c.own); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%v of %v: factor %v, want %v", c.us, c.vs, got, want)
		}
	}
}

// A hidden cause decides which option helps, and each cause has a sign that shows it
// now and then. The option that helps is found for most signs from 300 sessions.
func TestSignsDecide(t *testing.T) {
	signs := []string{"timeout", "refused", "missing", "denied"}
	ways := []string{"restart", "retry", "rebuild", "revert", "skip", "wait"}
	const worlds = 10
	causes, found := len(signs), 0
	for w := range uint64(worlds) {
		r := seeded(900 + w)
		helps := r.Perm(len(ways))[:causes]
		var records []Record
		for i := range 300 {
			cause, option := r.IntN(causes), r.IntN(len(ways))
			d := session(i, "task")
			for c := range causes {
				if chance(r, .1+.8*float64(stats.Indicator(c == cause))) {
					d.event("error: " + signs[c])
				}
			}
			d.choose("how to recover", ways[option])
			records = append(records, d.ends(chance(r, .12+.63*float64(stats.Indicator(option == helps[cause])))))
		}
		s := New(records)
		for c := range causes {
			q := Question{Point: "how to recover"}
			for e := range causes {
				k := "error: " + signs[e]
				if e == c {
					q.Seen = append(q.Seen, k)
				} else {
					q.Absent = append(q.Absent, k)
				}
			}
			best, most := "", -1.0
			for _, q.Option = range ways {
				if a := s.WhatIf(q); a.P > most {
					best, most = q.Option, a.P
				}
			}
			found += stats.Indicator(best == ways[helps[c]])
		}
	}
	if found < worlds*causes*8/10 {
		t.Errorf("the option that helps was found for %d of %d signs", found, worlds*causes)
	}
}

// The penalty that is learned is the precision with which effects were drawn. That
// of the diagonal of the Hessian alone would be much larger.
func TestPenaltiesAreLearned(t *testing.T) {
	const points, options, deviation = 40, 6, .7
	r := seeded(31)
	var effect [points][options]float64
	for p := range effect {
		for o := range effect[p] {
			effect[p][o] = deviation * r.NormFloat64()
		}
	}
	var records []Record
	for i := range 60 * points {
		p, o := i%points, r.IntN(options)
		records = append(records, session(i, pick(r, "fix", "add")).choose(fmt.Sprintf("question%d of place%d", p, p), fmt.Sprintf("option%d", o)).ends(chance(r, expit(.3+effect[p][o]))))
	}
	got, want := New(records).fitted().penalty[optionEffect], 1/(deviation*deviation)
	if got < want/1.5 || got > want*1.5 {
		t.Errorf("learned %.2f, drawn with %.2f", got, want)
	}
}
