package ask

import (
	"context"
	"errors"
	"testing"

	"episodes/query"
)

func TestWhatIf(t *testing.T) {
	m := memoryOf(t, 40)
	writePrivate(t, m, uploads(41))
	for _, c := range []struct {
		what    string
		r       WhatIfRequest
		verdict query.Verdict
		private bool
	}{
		{"worse than the other option", WhatIfRequest{Option: "retry loop"}, query.Worse, true},
		{"better than the other option", WhatIfRequest{Option: "busy timeout"}, query.Better, true},
		{"instead of a decision", WhatIfRequest{Option: uploads(3).ID + "#d001"}, query.Better, true},
		{"instead of one of a session by its name", WhatIfRequest{Option: uploads(3).Session + "#d001"}, query.Better, true},
		{"for another episode", WhatIfRequest{Option: "busy timeout", Episode: uploads(3).ID}, query.Better, true},
		{"of unknown outcome", WhatIfRequest{Option: "make the check required"}, query.NotEnoughEvidence, false},
		{"never chosen", WhatIfRequest{Option: "feed the zebra"}, query.NotEnoughEvidence, false},
	} {
		a, err := m.WhatIf(context.Background(), c.r)
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if a.Verdict != c.verdict || a.Empty() != (c.verdict == query.NotEnoughEvidence) || c.private && len(a.Private) != 1 {
			t.Errorf("%s: %s, private %v", c.what, a.Verdict, a.Private)
		}
		if text := a.Text(50); len(text) > 200 || text == "" {
			t.Errorf("%s: %q", c.what, text)
		}
	}
}

func TestWhatIfRefuses(t *testing.T) {
	m := memoryOf(t, 2)
	refuses(t, "nothing asked", WhatIfRequest{Option: " "}.Check(), "decision")
	ctx := context.Background()
	_, err := m.WhatIf(ctx, WhatIfRequest{})
	refuses(t, "nothing asked", err, "decision")
	if _, err := m.WhatIf(ctx, WhatIfRequest{Option: "retry loop", Episode: "none"}); !errors.Is(err, ErrNoEpisode) {
		t.Errorf("an episode that is not there: %v", err)
	}
	if _, err := m.WhatIf(ctx, WhatIfRequest{Option: "retry loop", Episode: "2026-04-01"}); !errors.As(err, new(*AmbiguousError)) {
		t.Errorf("a prefix of two: %v", err)
	}
	if _, err := m.WhatIf(ctx, WhatIfRequest{Option: uploads(0).ID + "#d001", Context: "uploads"}); !errors.Is(err, ErrTogether) {
		t.Errorf("a decision and a context: %v", err)
	}
}

// Where the words say the opposite of a decision, that one is offered and not answered for.
func TestWhatIfClosest(t *testing.T) {
	m := memoryOf(t, 8)
	a, err := m.WhatIf(context.Background(), WhatIfRequest{Option: "stop to wrap the upload in a retry loop"})
	if err != nil {
		t.Fatal(err)
	}
	if a.Closest == nil || a.Closest.Option != "Wrap the upload in a retry loop" || !a.Empty() {
		t.Errorf("%+v", a.Closest)
	}
}
