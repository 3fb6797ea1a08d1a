package ask

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestList(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 40) // 2026-04-01 to 2026-05-10
	m.Now = func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) }
	writePrivate(t, m, uploads(41))
	for _, c := range []struct {
		what string
		r    ListRequest
		n    int
	}{
		{"all", ListRequest{Limit: 100}, 41},
		{"some", ListRequest{Limit: 7}, 7},
		{"successes", ListRequest{Outcome: "success", Limit: 100}, 20},
		{"failures", ListRequest{Outcome: "failure", Limit: 100}, 21},
		{"since a date", ListRequest{Since: "2026-05-01", Limit: 100}, 11},
		{"of the last days", ListRequest{Since: "3d", Limit: 100}, 4},
		{"until a date", ListRequest{Until: "2026-04-03", Limit: 100}, 2},
		{"of a task", ListRequest{Task: "uploads", Limit: 100}, 41},
		{"of no task", ListRequest{Task: "zebra"}, 0},
		{"after the oldest but one", ListRequest{After: uploads(1).ID, Limit: 100}, 1},
	} {
		a, err := m.List(ctx, c.r)
		if err != nil || len(a.Episodes) != c.n || a.Empty() != (c.n == 0) || len(a.Unreadable) > 0 {
			t.Errorf("%s: %d episodes, want %d: %v", c.what, len(a.Episodes), c.n, err)
			continue
		}
		for i, e := range a.Episodes {
			if i > 0 && e.Timestamp > a.Episodes[i-1].Timestamp {
				t.Errorf("%s: %s comes after %s", c.what, e.Timestamp, a.Episodes[i-1].Timestamp)
			}
			if e.Private != (e.ID == uploads(41).ID) {
				t.Errorf("%s: %+v", c.what, e)
			}
		}
		if lines := strings.Count(a.Text(0), "\n"); lines < c.n-1 {
			t.Errorf("%s: %d lines of %d episodes", c.what, lines, c.n)
		}
	}
}

func TestListRefuses(t *testing.T) {
	refuses(t, "an outcome", ListRequest{Outcome: "good"}.Check())
	refuses(t, "a beginning", ListRequest{Since: "soon"}.Check(), "since")
	refuses(t, "an end", ListRequest{Until: "later"}.Check(), "until")
	if _, err := newMemory(t).List(context.Background(), ListRequest{After: "none"}); err == nil {
		t.Error("after nothing")
	}
}
