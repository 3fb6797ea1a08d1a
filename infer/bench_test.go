package infer

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// crowd is many sessions in the proportions of real logs: a few questions and
// events are common, most occur once or twice.
func crowd(r *rand.Rand, n int) (out []Record) {
	rare := func(n int) int { return int(float64(n) * r.Float64() * r.Float64() * r.Float64()) }
	for i := range n {
		d := session(i, fmt.Sprintf("task %d", rare(400)))
		for range 4 {
			d.event(fmt.Sprintf("test pass: word%d thing%d place%d", rare(900), rare(30), rare(50)))
		}
		q := rare(600)
		option := rare(5)
		d.choose(fmt.Sprintf("question%d about thing%d", q, q%7), fmt.Sprintf("option%d", option))
		out = append(out, d.ends(chance(r, .6+.05*float64(option))))
	}
	return out
}

func BenchmarkStudy(b *testing.B) {
	for _, n := range []int{1500, 10000} {
		records := crowd(seeded(1), n)
		b.Run(fmt.Sprintf("all/%d", n), func(b *testing.B) {
			for b.Loop() {
				s := New(records)
				s.Edges()
				s.Asserted()
			}
		})
		data, err := New(records).Save()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("loaded/%d", n), func(b *testing.B) {
			b.ReportMetric(float64(len(data)), "bytes")
			for b.Loop() {
				s, _ := Load(data)
				s.Asserted()
				s.Compare(Question{Point: s.points[0].key, Option: s.nodes[s.points[0].options[0]].key}, "option1")
			}
		})
	}
}
