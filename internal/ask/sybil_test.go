package ask

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/query"
	"episodes/query/querytest"
)

func answersOf(t *testing.T, eps []*episode.Episode) map[string]string {
	m := newMemory(t)
	write(t, m, eps...)
	ctx := context.Background()
	out := map[string]string{}
	p, err := m.Path(ctx, PathRequest{From: querytest.SoundError, To: querytest.SoundEffect})
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case p.NotFound != nil || len(p.Paths) == 0:
		out["path"] = "silent"
	default:
		out["path"] = p.Paths[0].Effect
		for _, h := range p.Paths[0].Hops {
			out["path"] += fmt.Sprintf(" %d/%d", h.EvidenceCount, h.Of)
		}
		out["path"] += fmt.Sprintf(" %.2f", p.Paths[0].Weight)
	}
	x, err := m.Explain(ctx, ExplainRequest{Ref: querytest.SoundQuestion + ": " + querytest.SoundBetter})
	if err != nil {
		t.Fatal(err)
	}
	if x.NotFound != nil {
		out["explain"] = "silent"
	} else {
		out["explain"] = x.Node.Node.Label
		for _, o := range x.Node.Out {
			out["explain"] += fmt.Sprintf(" %s:%d", o.Type, o.EvidenceCount)
		}
	}
	w, err := m.WhatIf(ctx, WhatIfRequest{Option: querytest.SoundBetter})
	if err != nil {
		t.Fatal(err)
	}
	out["whatif"] = string(w.Verdict)
	for _, kind := range []query.PatternKind{query.GoodPattern, query.AntiPattern} {
		ps, err := m.Patterns(ctx, DefaultPatterns(kind))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps.Patterns {
			out["patterns"] += fmt.Sprintf("%s %.10s→%.10s; ", kind, p.Trigger, p.Action)
		}
	}
	return out
}

func TestSybil(t *testing.T) {
	for _, sound := range [][]*episode.Episode{querytest.Sound(6, 3), querytest.Sound(8, 4), querytest.Sound(10, 5), querytest.Sound(20, 10), querytest.Sound(40, 20)} {
		clean := answersOf(t, sound)
		t.Log(len(sound), "clean", clean)
		for _, a := range querytest.Attacks() {
			for _, n := range []int{1, 2, 8, 12, 20, 40} {
				got := answersOf(t, append(sound[:len(sound):len(sound)], a.Against(n)...))
				var diff []string
				for _, k := range []string{"path", "explain", "whatif", "patterns"} {
					if got[k] != clean[k] {
						diff = append(diff, k+": "+got[k])
					}
				}
				t.Logf("%d sound, %d poisoned, %s: %s", len(sound), n, a, strings.Join(diff, " | "))
			}
		}
	}
	sound := querytest.Sound(40, 20)
	for _, a := range querytest.Attacks() {
		for _, n := range []int{1, 2, 4, 6, 8, 12, 20, 40} {
			got := answersOf(t, append(sound[:len(sound):len(sound)], a.Invented(n)...))
			t.Logf("invented %d %s: %s", n, a, got["patterns"])
		}
	}
}
