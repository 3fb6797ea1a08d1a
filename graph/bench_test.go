package graph

import (
	"testing"
)

// benchStore makes a store of n episodes in a folder.
func benchStore(b *testing.B, n int) (url string, src *memorySource) {
	b.Helper()
	src = generated(1, n)
	url = "badger:" + b.TempDir() + "/graph"
	mustUpdate(b, url, src)
	return url, src
}

func BenchmarkUpdateOne(b *testing.B) {
	url, src := benchStore(b, 1000)
	n := 1000
	for b.Loop() {
		b.StopTimer()
		src.put(generator{1}.episode(n))
		n++
		b.StartTimer()
		if r := mustUpdate(b, url, src); r.Added != 1 {
			b.Fatalf("%+v", r)
		}
	}
}

func BenchmarkUpdateNothing(b *testing.B) {
	url, src := benchStore(b, 1000)
	for b.Loop() {
		mustUpdate(b, url, src)
	}
}

func BenchmarkOpenAndOut(b *testing.B) {
	url, src := benchStore(b, 1000)
	m := modelOf(src.all()[:10])
	id := m.edges()[0].Source
	for b.Loop() {
		g := mustOpen(b, url)
		if edges, err := g.Out(id); err != nil || len(edges) == 0 {
			b.Fatal(err, len(edges))
		}
		g.Close()
	}
}

func BenchmarkOut(b *testing.B) {
	url, src := benchStore(b, 1000)
	edges := modelOf(src.all()[:100]).edges()
	g := mustOpen(b, url)
	defer g.Close()
	for i := 0; b.Loop(); i++ {
		if out, err := g.Out(edges[i%len(edges)].Source); err != nil || len(out) == 0 {
			b.Fatal(err)
		}
	}
}

func BenchmarkRebuild(b *testing.B) {
	src := generated(1, 1000)
	url := "badger:" + b.TempDir() + "/graph"
	for b.Loop() {
		mustRebuild(b, url, src)
	}
	g := mustOpen(b, url)
	defer g.Close()
	i, _ := g.Info()
	b.ReportMetric(float64(i.Bytes)/1000, "bytes/episode")
	b.ReportMetric(float64(1000*b.N)/b.Elapsed().Seconds(), "episodes/s")
	b.ReportMetric(float64(g.meta.Quads*b.N)/b.Elapsed().Seconds(), "quads/s")
}
