package synthetic

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"episodes/causal"
	"episodes/episode"
)

// The same on every machine, and whatever was made before: figures that were
// measured on these episodes can be compared. A change here is another memory.
func TestSameEverywhere(t *testing.T) {
	m := Memory{Seed: 1}
	h := sha256.New()
	for _, i := range []int{0, 1, 2, 77, 99_999} {
		b, err := episode.Marshal(m.Episode(i))
		if err != nil {
			t.Fatal(err)
		}
		h.Write(b)
	}
	const want = "311aad83547e0db6"
	if got := hex.EncodeToString(h.Sum(nil)[:8]); got != want {
		t.Errorf("the episodes changed: %s, want %s", got, want)
	}
	dir := t.TempDir()
	if size, err := m.Write(dir, 10, 30); err != nil || size < 20*1000 {
		t.Fatal(size, err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	if len(names) != 20 {
		t.Fatalf("%d files", len(names))
	}
	b, err := os.ReadFile(filepath.Join(dir, m.ID(17)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := episode.Marshal(m.Episode(17)); string(b) != string(want) {
		t.Error("a file is not its episode")
	}
}

// The distributions are as documented: most facts occur once, a few are hubs, and
// sessions differ in size by orders of magnitude.
func TestShape(t *testing.T) {
	const n = 2000
	m := Memory{Seed: 3}
	frequency := map[string]int{}
	types := map[string]causal.NodeType{}
	var sizes []int
	links, records := 0, 0
	for i := range n {
		ep := m.Episode(i)
		if ep.ID != m.ID(i) || !episode.ValidID(ep.ID) {
			t.Fatalf("id %q of episode %d", ep.ID, i)
		}
		for _, l := range ep.Links {
			for _, end := range []string{l.Source, l.Target} {
				if end != episode.OutcomeRef && ep.Decision(end) == nil && ep.Event(end) == nil {
					t.Fatalf("%s: a link to %q", ep.ID, end)
				}
			}
		}
		size := len(ep.Events) + len(ep.Decisions)
		sizes = append(sizes, size)
		links, records = links+len(ep.Links), records+size
		seen := map[string]bool{}
		for _, mention := range causal.Contribute(ep).Mentions {
			if !seen[mention.Node] {
				seen[mention.Node] = true
				frequency[mention.Node]++
				types[mention.Node] = mention.Type
			}
		}
	}
	slices.Sort(sizes)
	if median, top := sizes[n/2], sizes[n*99/100]; median < 6 || median > 10 || top < 35 {
		t.Errorf("the median session has %d records, one in a hundred %d", median, top)
	}
	if share := float64(links) / float64(records); share < 0.2 || share > 0.35 {
		t.Errorf("%.2f links for each record", share)
	}
	alone, hub := 0, 0
	for id, f := range frequency {
		if f == 1 {
			alone++
		}
		if types[id] == causal.EventNode {
			hub = max(hub, f)
		}
	}
	if share := float64(alone) / float64(len(frequency)); share < 0.85 || share > 0.98 {
		t.Errorf("%.2f of the nodes stand in one episode", share)
	}
	if hub < n/20 || hub > n/2 {
		t.Errorf("the commonest event stands in %d of %d episodes", hub, n)
	}
	t.Logf("%d nodes, %d alone, hub %d, median %d, 99%% %d, links %d of %d records", len(frequency), alone, hub, sizes[n/2], sizes[n*99/100], links, records)
}
