package ask

import (
	"context"
	"strings"
	"testing"
)

const uploadChoice = "Set a busy timeout, or wrap the upload in a retry loop? The uploads fail: database is locked."

func TestAdvise(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 14)
	for _, c := range []struct {
		what     string
		r        AdviseRequest
		answered bool
		closest  bool
	}{
		{"a choice", AdviseRequest{Kind: "choice", Text: uploadChoice}, true, false},
		{"a choice that is known, with what comes closest", AdviseRequest{Kind: "choice", Text: uploadChoice, Closest: true}, true, false},
		{"nothing like it", AdviseRequest{Kind: "task", Text: "feed the giraffes at noon"}, false, false},
		{"nothing like it, with what comes closest", AdviseRequest{Kind: "task", Text: "feed the giraffes at noon", Closest: true}, false, false},
	} {
		a, err := m.Advise(ctx, c.r)
		if err != nil || a.Answered != c.answered || (a.Closest != nil) != c.closest || a.Empty() != (!c.answered && !c.closest) {
			t.Errorf("%s: %+v, %v", c.what, a, err)
			continue
		}
		if c.answered && (len(a.Advice) == 0 || !strings.Contains(a.Said, "busy timeout") || len(a.Text(40)) > 160) {
			t.Errorf("%s: %s", c.what, a.Said)
		}
		for _, item := range a.Advice {
			if item.Text == "" || len(item.Evidence) != 1 || item.Evidence[0].Episode == "" || item.Evidence[0].Project != "" {
				t.Errorf("%s: %+v", c.what, item)
			}
		}
	}
}

func TestAdviseRefuses(t *testing.T) {
	refuses(t, "nothing", AdviseRequest{}.Check())
	refuses(t, "a kind", AdviseRequest{Text: "x", Kind: "guess"}.Check(), "kind")
	if err := (AdviseRequest{File: "main.go"}).Check(); err != nil {
		t.Errorf("a file alone: %v", err)
	}
}

// An answer to one who did not ask is a quotation within its budget, and leaves out what he
// knows.
func TestAdviseUnasked(t *testing.T) {
	m := memoryOf(t, 14)
	a, err := m.Advise(context.Background(), AdviseRequest{Kind: "choice", Text: uploadChoice})
	if err != nil || !a.Answered {
		t.Fatalf("%+v, %v", a, err)
	}
	text, given := a.Unasked(func(AdviceEvidence) bool { return false })
	if !strings.HasPrefix(text, Quoted) || len(text) > momentBytes || len(given) == 0 {
		t.Errorf("%q, %v", text, given)
	}
	for _, at := range given {
		if at.Episode == "" {
			t.Errorf("told of nowhere: %+v", given)
		}
	}
	if text, given := a.Unasked(func(AdviceEvidence) bool { return true }); text != "" || given != nil {
		t.Errorf("it is known: %q", text)
	}
	best := a.Advice[0].Evidence[0]
	if text, _ := a.Unasked(func(at AdviceEvidence) bool { return at == best }); text != "" {
		t.Errorf("the best is known: %q", text)
	}
	if f := a.Fact(AdviceEvidence{Episode: "none"}, ""); f.Names != nil || f.Rule {
		t.Errorf("of nothing: %+v", f)
	}
	for _, c := range []struct {
		item  AdviceItem
		names bool
		rule  bool
	}{
		{AdviceItem{Kind: "fix", Who: "log"}, true, false},
		{AdviceItem{Kind: "trap", Who: "agent"}, false, false},
		{AdviceItem{Kind: "line", Who: "person"}, true, true},
		{AdviceItem{Kind: "rule", Who: "agent"}, true, true},
	} {
		c.item.Text, c.item.Evidence = "run `npm ci` first", []AdviceEvidence{best}
		f := (&AdviseAnswer{Advice: []AdviceItem{c.item}}).Fact(best, "npm test")
		if f.Episode != best.Episode || f.Lines != *best.Lines || len(f.Names) > 0 != c.names || f.Rule != c.rule {
			t.Errorf("%+v: %+v", c.item, f)
		}
	}
	none, err := m.Advise(context.Background(), AdviseRequest{Kind: "task", Text: "feed the giraffes"})
	if err != nil {
		t.Fatal(err)
	}
	if text, given := none.Unasked(func(AdviceEvidence) bool { return false }); text != "" || given != nil {
		t.Errorf("nothing is told as %q", text)
	}
}
