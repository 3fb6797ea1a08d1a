package ask

import (
	"context"
	"strings"
	"testing"

	"episodes/episode"
)

func TestStats(t *testing.T) {
	ctx := context.Background()
	for n, copies := range map[int]int{0: 0, 3: 0, 30: 1} {
		m := memoryOf(t, n)
		if copies > 0 { // the same session under another name
			again := uploads(1)
			again.ID = episode.IDFromSession("copy")
			write(t, m, again)
		}
		a, err := m.Stats(ctx, StatsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if a.Episodes != n+copies || a.Copies != copies || a.Empty() != (n == 0) || a.View != nil || a.Outcomes.Total() != n {
			t.Errorf("%d sessions: %+v", n, a)
		}
		total := 0
		for _, k := range a.Nodes.ByType {
			total += k
		}
		if total != a.Nodes.Total || a.Nodes.Isolated > total || a.Nodes.Shared > total || a.Edges.Total != a.Edges.ByType["causes"] || a.Edges.Evidence != n {
			t.Errorf("%d sessions: %+v %+v", n, a.Nodes, a.Edges)
		}
		text := a.Text(0)
		if strings.Contains(text, "in view") || copies > 0 != strings.Contains(text, " of 30 sessions") {
			t.Errorf("%d sessions: %s", n, text)
		}
	}
}

// The figures are of what is in view, and say so.
func TestStatsOfAView(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 40)
	if _, err := m.Prune(ctx, PruneRequest{OlderThan: "2026-05-01"}); err != nil {
		t.Fatal(err)
	}
	a, err := opened(t, Options{Location: m.Location}).Stats(ctx, StatsRequest{})
	if err != nil || a.Episodes != 10 || a.View == nil || !strings.Contains(a.Text(0), "in view: sessions since 2026-05-01") {
		t.Errorf("%+v, %v", a, err)
	}
}
