package graph

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/few"
	"episodes/internal/testing/querytest"
	"episodes/internal/testing/wild"
)

// counted is what the graph of a set holds, for comparing reports with what really changed.
type counted struct{ episodes, nodes, edges map[string]bool }

func countSet(eps []*episode.Episode) counted {
	c := counted{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, ep := range eps {
		c.episodes[ep.ID] = true
	}
	g := querytest.New(voters(eps)...)
	_ = g.Nodes(func(n causal.Node) error {
		c.nodes[n.ID] = true
		edges, _ := g.Out(n.ID)
		for _, e := range edges {
			c.edges[e.Source+e.Target+string(e.Type)] = true
		}
		return nil
	})
	return c
}

func lacking(a, b map[string]bool) (n int) {
	for k := range a {
		if !b[k] {
			n++
		}
	}
	return n
}

// checkReport compares what a report says with what changed.
func checkReport(t rapid.TB, r Report, before, after counted) {
	t.Helper()
	got := []int{r.Added, r.Removed, r.NodesAdded, r.NodesRemoved, r.EdgesAdded, r.EdgesRemoved, r.Unchanged + r.Changed + r.Added}
	want := []int{lacking(after.episodes, before.episodes), lacking(before.episodes, after.episodes), lacking(after.nodes, before.nodes), lacking(before.nodes, after.nodes),
		lacking(after.edges, before.edges), lacking(before.edges, after.edges), len(after.episodes)}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("report says %v, what changed is %v (episodes, nodes, edges: added, removed; episodes in all)\n%+v", got, want, r)
	}
}

// Any sequence of changes, in batches of any size, gives the graph of the
// definition, the same bytes as a rebuild, and a report of what it did.
func TestAnySequenceEqualsRebuild(t *testing.T) {
	for _, kind := range []string{"mem", "badger"} {
		t.Run(kind, func(t *testing.T) {
			few.Checks(t, map[string]int{"mem": 40, "badger": 10}[kind])
			n := 0
			rapid.Check(t, func(rt *rapid.T) {
				n++
				urls := []string{fmt.Sprintf("mem:%s-%d-a", t.Name(), n), fmt.Sprintf("mem:%s-%d-b", t.Name(), n)}
				if kind == "badger" {
					dir, err := os.MkdirTemp("", "episodes-property-")
					check(rt, err)
					defer os.RemoveAll(dir)
					urls[0] = "badger:" + dir
				}
				src := newSource()
				state := countSet(nil)
				for range rapid.IntRange(1, 5).Draw(rt, "updates") {
					for range rapid.IntRange(0, 5).Draw(rt, "changes") {
						id := fmt.Sprintf("episode-%d", rapid.IntRange(0, 9).Draw(rt, "id"))
						delete(src.bad, id)
						switch rapid.IntRange(0, 7).Draw(rt, "act") {
						case 6, 7: // a copy of another one, sometimes under another date
							if eps := src.all(); len(eps) > 0 {
								ep := *rapid.SampledFrom(eps).Draw(rt, "original")
								ep.ID, ep.Session = id, strings.TrimPrefix(id, "episode-")
								if ep.Provenance.Source.SHA256 != "" && rapid.Bool().Draw(rt, "redated") {
									ep.Timestamp = rapid.SampledFrom([]string{"", "2025-01-01T00:00:00Z", "2027-05-05T00:00:00Z"}).Draw(rt, "date")
								}
								src.put(&ep)
							}
						case 0:
							src.drop(id)
						case 1:
							if _, ok := src.files[id]; ok {
								src.files[id] = append(src.files[id], ' ') // another hash
								src.bad[id] = errors.New("cannot be read")
							}
						default:
							src.put(wild.Episode(rt, id))
						}
					}
					opt := Options{BatchSize: rapid.IntRange(0, 3).Draw(rt, "batch")}
					r, err := Update(context.Background(), urls[0], src, opt)
					check(rt, err)
					after := countSet(src.all())
					checkReport(rt, r, state, after)
					state = after
				}
				want := src.all()
				mustRebuild(rt, urls[1], src)
				if a, b := exported(rt, urls[0]), exported(rt, urls[1]); a != b {
					rt.Fatalf("updates differ from a rebuild:\n%s\n---\n%s", a, b)
				}
				for _, url := range urls {
					problems, err := Verify(context.Background(), url, nil, Options{})
					if err != nil || len(problems) > 0 {
						rt.Fatalf("%s: %v %q", url, err, problems)
					}
					g := mustOpen(rt, url)
					checkAgainst(rt, g, want)
					g.Close()
				}
				if r := mustUpdate(rt, urls[0], src); r.Added+r.Changed+r.Removed+r.NodesAdded+r.NodesRemoved+r.EdgesAdded+r.EdgesRemoved > 0 {
					rt.Fatalf("a second update did something: %+v", r)
				}
				if kind == "mem" {
					Emptied(urls[0])
					Emptied(urls[1])
				}
			})
		})
	}
}
