package ask

import (
	"context"
	"strings"
	"testing"

	"episodes/query"
)

func TestPatterns(t *testing.T) {
	m := memoryOf(t, 60)
	writePrivate(t, m, uploads(61))
	of := func(kind query.PatternKind, change func(*PatternsRequest)) *PatternsAnswer {
		t.Helper()
		r := DefaultPatterns(kind)
		if change != nil {
			change(&r)
		}
		a, err := m.Patterns(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range a.Patterns {
			if p.Kind != kind {
				t.Errorf("a pattern of kind %s among those of %s", p.Kind, kind)
			}
		}
		return a
	}
	good, bad := of(query.GoodPattern, nil), of(query.AntiPattern, nil)
	if good.Empty() || bad.Empty() || len(good.Private)+len(bad.Private) == 0 {
		t.Fatalf("%d and %d patterns, private %v %v", len(good.Patterns), len(bad.Patterns), good.Private, bad.Private)
	}
	if !strings.Contains(good.Text(0), "busy timeout") || !strings.Contains(bad.Text(0), "retry loop") {
		t.Errorf("%s\n%s", good.Text(0), bad.Text(0))
	}
	if text := good.Text(40); len(text) > 160 {
		t.Errorf("%d bytes in a budget of 160", len(text))
	}
	if a := of(query.GoodPattern, func(r *PatternsRequest) { r.Limit = 1 }); len(a.Patterns) != 1 || a.Patterns[0].ID != good.Patterns[0].ID {
		t.Errorf("limited to one: %+v", a.Patterns)
	}
	if a := of(query.GoodPattern, func(r *PatternsRequest) { r.MinOccurrences = 1000 }); !a.Empty() {
		t.Errorf("more often than there are sessions: %+v", a.Patterns)
	}
	if a := of(query.AntiPattern, func(r *PatternsRequest) { r.MaxSuccess = 0 }); !a.Empty() {
		t.Errorf("never a success: %+v", a.Patterns)
	}
}

// Of few sessions nothing is claimed, and the answer says what is missing.
func TestPatternsOfFew(t *testing.T) {
	a, err := memoryOf(t, 4).Patterns(context.Background(), DefaultPatterns(query.GoodPattern))
	if err != nil || !a.Empty() || !strings.Contains(a.Text(0), "here 4 of 4 sessions have one") {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestPatternsRefuse(t *testing.T) {
	for what, change := range map[string]func(*PatternsRequest){
		"less than no success": func(r *PatternsRequest) { r.MinSuccess = -1 },
		"more than each":       func(r *PatternsRequest) { r.MaxSuccess = 1.5 },
		"no occurrence":        func(r *PatternsRequest) { r.MinOccurrences = 0 },
	} {
		r := DefaultPatterns(query.GoodPattern)
		change(&r)
		if err := r.Check(); err == nil {
			t.Errorf("%s: it is taken", what)
		}
		if _, err := newMemory(t).Patterns(context.Background(), r); err == nil {
			t.Errorf("%s: it is answered", what)
		}
	}
}
