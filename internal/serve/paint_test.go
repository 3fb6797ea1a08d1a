package serve

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"episodes/internal/ask"
	"episodes/internal/testing/synthetic"
)

// BenchmarkPaint visits each page of a memory of 10 000 sessions in a browser, at the end the first page after one
// more session. paint-ms is from the start of the navigation to the first contentful paint, server-ms to the last byte
// of the page; both are medians.
func BenchmarkPaint(b *testing.B) {
	const sessions = 10_000
	root := b.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
		b.Fatal(err)
	}
	loc, err := ask.Locate("", "", root)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := ask.Create(loc); err != nil {
		b.Fatal(err)
	}
	memory, more := synthetic.Memory{Seed: 1}, sessions
	write := func(b *testing.B, from, to int) {
		if _, err := memory.Write(filepath.Join(loc.Dir, "episodes"), from, to); err != nil {
			b.Fatal(err)
		}
	}
	write(b, 0, sessions)
	t, base := open(b, desk), served(b, ask.Options{Location: loc, Shared: true}, "x")
	for _, page := range []string{"errors", "choices", "lessons", "time", "time?outcome=failure&task=the", "advice", "graph", "search?q=timeout+retry",
		"session/" + memory.ID(sessions/2), "changed"} {
		b.Run(page, func(b *testing.B) {
			address := base + page
			if page == "changed" {
				address = base
			}
			t.visit(address)
			var paint, server []float64
			for b.Loop() {
				if page == "changed" {
					write(b, more, more+1)
					more++
				}
				t.visit(address)
				t.until(`performance.getEntriesByName("first-contentful-paint").length > 0`)
				paint = append(paint, eval[float64](t, `performance.getEntriesByName("first-contentful-paint")[0].startTime`))
				server = append(server, eval[float64](t, `performance.getEntriesByType("navigation")[0].responseEnd`))
			}
			for name, of := range map[string][]float64{"paint-ms": paint, "server-ms": server} {
				slices.Sort(of)
				b.ReportMetric(of[len(of)/2], name)
			}
		})
	}
}
