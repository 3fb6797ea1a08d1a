package graph

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/export"
	"episodes/graph/memkv"
	"episodes/graph/stores"
)

// onEach runs a test on a store of each kind.
func onEach(t *testing.T, test func(t *testing.T, url string)) {
	for _, scheme := range stores.Schemes() {
		t.Run(scheme, func(t *testing.T) { test(t, scheme+":"+filepath.Join(t.TempDir(), "graph")) })
	}
}

func mustUpdate(t rapid.TB, url string, src Source) Report {
	t.Helper()
	r, err := Update(context.Background(), url, src, Options{})
	if err != nil {
		t.Fatalf("update: %v", err)
	}
	return r
}

func mustRebuild(t rapid.TB, url string, src Source) Report {
	t.Helper()
	r, err := Rebuild(context.Background(), url, src, Options{})
	if err != nil {
		t.Fatalf("rebuild: %v", err)
	}
	return r
}

func mustOpen(t rapid.TB, url string) *Graph {
	t.Helper()
	g, err := Open(context.Background(), url, Options{})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return g
}

// exported is the whole graph as text.
func exported(t rapid.TB, url string) string {
	t.Helper()
	g := mustOpen(t, url)
	defer g.Close()
	var b bytes.Buffer
	for _, format := range export.Formats() {
		if err := export.Write(&b, g, format, nil); err != nil {
			t.Fatalf("export %s: %v", format, err)
		}
	}
	return b.String()
}

func mustVerify(t rapid.TB, url string, src Source) {
	t.Helper()
	problems, err := Verify(context.Background(), url, src, Options{})
	if err != nil {
		t.Fatalf("verify: %v", err)
	}
	for _, p := range problems {
		t.Errorf("verify: %s", p)
	}
	if len(problems) > 0 {
		t.FailNow()
	}
}

// checkStore checks a store in every way there is.
func checkStore(t rapid.TB, url string, src *memorySource) {
	t.Helper()
	mustVerify(t, url, src)
	g := mustOpen(t, url)
	defer g.Close()
	checkAgainst(t, g, src.all())
	list, _ := src.List()
	if i := g.Info(); i.Digest != digestOfAll(list).String() {
		t.Fatalf("digest is %s, of the set it is %s", i.Digest, digestOfAll(list))
	}
}

// all returns the episodes that can be loaded.
func (s *memorySource) all() []*episode.Episode {
	list, _ := s.List()
	var out []*episode.Episode
	for _, e := range list {
		if ep, err := s.Load(e.ID); err == nil {
			out = append(out, ep)
		}
	}
	return out
}

// Emptied gives back the memory of a store in memory: its name stays until the tests end.
func Emptied(url string) {
	store := memkv.Open(strings.TrimPrefix(url, "mem:"), Format)
	if g, err := store.Create(); err == nil {
		_ = store.Publish(g.Name())
	}
}

// check ends a test at an error.
func check(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
