package graph

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/internal/testing/synthetic"
	"episodes/query"
)

// The figures of these benchmarks stand in testdata/bench.txt.

// sizes are the memories to measure. The largest takes minutes.
func sizes() []int {
	if os.Getenv("EPISODES_HEAVY") != "" {
		return []int{1000, 10_000, 100_000}
	}
	return []int{1000, 10_000}
}

// syntheticFolder is a synthetic memory in a folder, and its listing.
type syntheticFolder struct {
	folderSource
	set []Entry
}

func (s *syntheticFolder) List() ([]Entry, error) { return s.set, nil }

func synthesize(b *testing.B, n int) *syntheticFolder {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "episodes")
	if _, err := (synthetic.Memory{Seed: 1}).Write(dir, 0, n); err != nil {
		b.Fatal(err)
	}
	s := &syntheticFolder{folderSource: folderSource(dir)}
	var err error
	if s.set, err = s.folderSource.List(); err != nil || len(s.set) != n {
		b.Fatal(err, len(s.set))
	}
	return s
}

func eachSize(b *testing.B, run func(b *testing.B, n int)) {
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) { run(b, n) })
	}
}

// BenchmarkRebuild makes graphs from files to a closed store.
func BenchmarkRebuild(b *testing.B) {
	eachSize(b, func(b *testing.B, n int) {
		src := synthesize(b, n)
		url := "badger:" + filepath.Join(b.TempDir(), "graph")
		for b.Loop() {
			mustRebuild(b, url, src)
		}
		g := mustOpen(b, url)
		defer g.Close()
		size, err := g.Size()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(size)/float64(n), "bytes/episode")
		b.ReportMetric(float64(g.meta.Quads)/float64(n), "quads/episode")
	})
}

// BenchmarkUpdateOne adds one episode to a store, from a list of what is there.
func BenchmarkUpdateOne(b *testing.B) {
	eachSize(b, func(b *testing.B, n int) {
		src := synthesize(b, n)
		url := "badger:" + filepath.Join(b.TempDir(), "graph")
		mustRebuild(b, url, src)
		for b.Loop() {
			b.StopTimer()
			if err := src.put(synthetic.Memory{Seed: 1}.Episode(n)); err != nil {
				b.Fatal(err)
			}
			src.set = append(src.set, src.entry(b, synthetic.Memory{Seed: 1}.ID(n)))
			n++
			b.StartTimer()
			if r := mustUpdate(b, url, src); r.Added != 1 {
				b.Fatalf("%+v", r)
			}
		}
	})
}

func (s *syntheticFolder) entry(b *testing.B, id string) Entry {
	b.Helper()
	data, err := os.ReadFile(filepath.Join(string(s.folderSource), id+".json"))
	if err != nil {
		b.Fatal(err)
	}
	return entryOf(id, data)
}

// BenchmarkUpdateNothing finds that a store is in step.
func BenchmarkUpdateNothing(b *testing.B) {
	eachSize(b, func(b *testing.B, n int) {
		src := synthesize(b, n)
		url := "badger:" + filepath.Join(b.TempDir(), "graph")
		mustRebuild(b, url, src)
		for b.Loop() {
			mustUpdate(b, url, src)
		}
	})
}

// BenchmarkPath finds the ways between two far nodes in an opened store, and in a
// plain map of the same graph in memory, which is the limit.
func BenchmarkPath(b *testing.B) {
	eachSize(b, func(b *testing.B, n int) {
		src := synthesize(b, n)
		var eps []*episode.Episode
		for _, e := range src.set {
			ep, err := src.Load(e.ID)
			if err != nil {
				b.Fatal(err)
			}
			eps = append(eps, ep)
		}
		plain := querytest.New(eps...)
		from, to := distant(b, plain)
		url := "badger:" + filepath.Join(b.TempDir(), "graph")
		mustRebuild(b, url, src)
		g := mustOpen(b, url)
		defer g.Close()
		for name, r := range map[string]query.Reader{"store": g, "adjacency": plain} {
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					if res, err := query.Paths(r, from, to, query.PathOptions{K: 3, MaxHops: maxHops}); err != nil || len(res.Paths) == 0 {
						b.Fatal(err, "no path")
					}
				}
			})
		}
	})
}

const maxHops = 8

// distant returns two nodes, as far from each other as there are: the farthest
// that a walk from a hub along its effects reaches.
func distant(b *testing.B, r query.Reader) (from, to string) {
	b.Helper()
	var hub causal.Node
	err := r.Nodes(func(n causal.Node) error {
		out, err := r.Out(n.ID)
		if n.Type != causal.OutcomeNode && n.Frequency > hub.Frequency && len(out) > 0 {
			hub = n
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	seen := map[string]bool{hub.ID: true}
	last := hub.ID
	for hops, layer := 0, []string{hub.ID}; len(layer) > 0 && hops < maxHops; hops++ {
		var next []string
		for _, id := range layer {
			out, err := r.Out(id)
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range out {
				if e.Type != episode.Correlates && !seen[e.Target] {
					seen[e.Target] = true
					next = append(next, e.Target)
				}
			}
		}
		if len(next) > 0 {
			last = next[0]
		}
		layer = next
	}
	if last == hub.ID {
		b.Fatal("nothing leaves the hub")
	}
	return hub.ID, last
}
