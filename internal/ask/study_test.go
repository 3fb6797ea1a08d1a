package ask

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/query"
)

// Of many episodes a question that must be answered soon does not wait for the
// statistics, and says so; it has them once they are made.
func TestStudyAtHandDoesNotMakeALargeOne(t *testing.T) {
	defer func(n int) { studiedAtOnce = n }(studiedAtOnce)
	m := newMemory(t, "2026-01-01-a", "2026-01-02-b")
	ctx := context.Background()
	if _, err := m.openGraph(ctx); err != nil {
		t.Fatal(err)
	}
	notes := 0
	m.Note = func(string) { notes++ }
	for _, c := range []struct {
		name  string
		most  int
		have  bool
		notes int
	}{
		{"many, not made", 1, false, 1},
		{"few", 2, true, 0},
		{"many, made by the question before", 1, true, 0},
	} {
		studiedAtOnce, m.study = c.most, nil
		before := notes
		st, err := m.studyAtHand(ctx)
		if err != nil || (st != nil) != c.have || notes-before != c.notes {
			t.Errorf("%s: a study %v, %d notes, %v", c.name, st != nil, notes-before, err)
		}
	}
}

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
	if diff := cmp.Diff([]string{"bringing the graph up to date", "studying the episodes", "looking for patterns"}, begun); diff != "" || len(now) > 0 {
		t.Errorf("%s still at work: %q", diff, now)
	}
}
