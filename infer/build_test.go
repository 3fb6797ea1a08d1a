package infer

import (
	"fmt"
	"math/rand/v2"
)

// world builds records for tests: each session is drawn by a function that fills
// in what a simulated agent did.
type draft struct {
	Record
	clock int
}

func session(i int, task string) *draft {
	return &draft{Record: Record{Episode: fmt.Sprintf("episode-%05d", i), Task: name(task), Day: 1 + i/3}}
}

func name(s string) Name { return Name{s, s} }

func (d *draft) event(key string) *draft {
	d.clock++
	d.Events = append(d.Events, Event{Record: fmt.Sprintf("e%03d", len(d.Events)+1), Name: name(key), Node: "n" + key, At: d.clock})
	return d
}

func (d *draft) choose(point, option string) *draft {
	d.clock++
	d.Choices = append(d.Choices, Choice{Record: fmt.Sprintf("d%03d", len(d.Choices)+1), Point: name(point), Option: name(option), Node: "n" + point + option, At: d.clock})
	return d
}

func (d *draft) ends(well bool) Record {
	d.Outcome = Failed
	if well {
		d.Outcome = Succeeded
	}
	for i := range d.Choices {
		d.Choices[i].Result = d.Outcome
	}
	return d.Record
}

func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// confounded is Simpson's paradox: hard tasks fail more, and the better option is
// taken mostly for them.
func confounded(r *rand.Rand, n int) (out []Record) {
	for i := range n {
		hard := chance(r, .5)
		d := session(i, pick(r, "easy"))
		better := .2
		p := .8
		if hard {
			d = session(i, "hard")
			better, p = .8, .3
		}
		option := "usual"
		if chance(r, better) {
			option = "better"
			p += .15
		}
		out = append(out, d.choose("which way", option).ends(chance(r, p)))
	}
	return out
}

// chain is a → b → outcome, with a bystander, and c that stops b.
func chain(r *rand.Rand, n int) (out []Record) {
	for i := range n {
		d := session(i, pick(r, "one", "two"))
		a, c := chance(r, .5), chance(r, .4)
		if chance(r, .5) {
			d.event("bystander")
		}
		if a {
			d.event("a")
		}
		if c {
			d.event("c")
		}
		b := a && chance(r, .85) || chance(r, .1)
		if b && c && chance(r, .7) {
			b = false
		}
		p := .25
		if b {
			d.event("b")
			p = .8
		}
		out = append(out, d.ends(chance(r, p)))
	}
	return out
}

// idle is a world where nothing matters.
func idle(r *rand.Rand, n int) (out []Record) {
	for i := range n {
		d := session(i, pick(r, "one", "two", "three"))
		for _, e := range []string{"e1", "e2", "e3", "e4"} {
			if chance(r, .4) {
				d.event(e)
			}
		}
		d.choose("which way", pick(r, "left", "right", "straight"))
		d.choose("how fast", pick(r, "fast", "slow"))
		out = append(out, d.ends(chance(r, .6)))
	}
	return out
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
