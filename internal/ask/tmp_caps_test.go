package ask

import (
	"context"
	"fmt"
	"testing"
	"time"
	"strings"

	"episodes/episode"
	"episodes/query"
	"episodes/query/querytest"
)

func wordy(i int) string { // letters only
	s := ""
	for n := i; ; n /= 26 {
		s += string(rune('a' + n%26))
		if n < 26 {
			break
		}
	}
	return "use engine " + s + "qz"
}

func TestTmpCaps(t *testing.T) {
	for _, n := range []int{800, 5000} {
		for _, shape := range []string{"sessions", "onesession", "unasked", "twice", "manypoints", "trigger"} {
			m := newMemory(t)
			var eps []*episode.Episode
			out := func(i int) episode.Outcome {
				if i%3 == 0 {
					return episode.Failure
				}
				return episode.Success
			}
			switch shape {
			case "sessions", "unasked", "twice", "trigger":
				q := "Which engine should we take?"
				if shape == "unasked" {
					q = ""
				}
				k := n
				if shape == "twice" {
					k = 2 * n
				}
				for i := range k {
					b := querytest.Build(fmt.Sprintf("s%05d", i), out(i)).Task(fmt.Sprintf("task %s", wordy(i%30)), "2026-01-02")
					if shape == "trigger" {
						b.Event(episode.Error, "SQLITE_BUSY: database is locked")
					}
					b.Decide(q, wordy(i%n), out(i), wordy((i+1)%n))
					if shape == "trigger" {
						b.Link("e001", "d001", episode.Causes)
					}
					eps = append(eps, b.Lesson(fmt.Sprint("Ticket ", i)).Done())
				}
			case "onesession":
				for j := range 25 {
					b := querytest.Build(fmt.Sprintf("s%05d", j), out(j)).Task("task", "2026-01-02")
					for i := range n / 5 {
						b.Decide("Which engine should we take?", wordy((j*n/25+i)%n), out(i), wordy((i+1)%n), wordy((i+7)%n))
					}
					eps = append(eps, b.Done())
				}
			case "manypoints":
				for i := range n {
					eps = append(eps, querytest.Build(fmt.Sprintf("s%05d", i), out(i)).Task("task", "2026-01-02").
						Decide("Which engine for "+wordy(i%(n/8))+"?", wordy(i%2), out(i), wordy((i+1)%2)).Lesson(fmt.Sprint("Ticket ", i)).Done())
				}
			}
			write(t, m, eps...)
			ctx := context.Background()
			if _, err := m.openGraph(ctx); err != nil {
				t.Fatal(err)
			}
			s := time.Now()
			if _, err := m.records(m.graph); err != nil { t.Fatal(err) }
			s0 := time.Now()
			if _, err := m.studyOf(ctx); err != nil {
				t.Fatal(err)
			}
			s1 := time.Now()
			w, err := m.WhatIf(ctx, WhatIfRequest{Option: wordy(7)})
			if err != nil {
				t.Fatal(err)
			}
			s2 := time.Now()
			ps, err := m.Patterns(ctx, DefaultPatterns(query.GoodPattern))
			if err != nil {
				t.Fatal(err)
			}
			s3 := time.Now()
			fmt.Println(n, shape, "records", s0.Sub(s), "study", s1.Sub(s0), "whatif", s2.Sub(s1), "patterns", s3.Sub(s2), w.Verdict, len(w.Options), len(ps.Patterns), strings.Count(w.Text(0), "\n"))
		}
	}
}
