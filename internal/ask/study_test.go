package ask

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/query"
)

// Whoever waits can be told for what: work that may take long is named when it
// begins, and ends before the answer is there.
func TestLongWorkIsNamed(t *testing.T) {
	m := newMemory(t, "2026-01-01-a", "2026-01-02-b")
	var begun, now []string
	m.Working = func(what string) func() {
		begun, now = append(begun, what), append(now, what)
		return func() { now = now[:len(now)-1] }
	}
	if _, err := m.Patterns(context.Background(), DefaultPatterns(query.GoodPattern)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"bringing the graph up to date", "reading the episodes", "studying the episodes"}, begun); diff != "" || len(now) > 0 {
		t.Errorf("%s still at work: %q", diff, now)
	}
}
