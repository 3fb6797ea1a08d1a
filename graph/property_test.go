package graph

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
)

// wildEpisode draws an episode from few words, so that everything meets, and with
// what only a hand or another tool would write: records of one name, links to
// nothing, zero bytes, texts longer than a key, words that never end.
func wildEpisode(t *rapid.T, id string) *episode.Episode {
	long := strings.Repeat("question ", 40)
	text := rapid.SampledFrom([]string{
		"retry the upload", "retry the upload 3 times", "drop the cache", "pin the linker", "Pin the linker!", "pin a linker",
		"pin linker 1", "pin linker 2", "pin linker 22", "pin linker 333", "pin linker 4444", "pin linker 55555", "pin linker 6", "pin linker 7",
		"TimeoutError: no answer from 10.0.0.1:80", "", "?", "naïve Ünïcode wörds", long + "a", long + "b", long, strings.Repeat("x", 300), strings.Repeat("é", 200) + " y",
		"tab\tand\nline", "\x1b[31mred\x1b[0m \"quoted\" \\ <b>",
	})
	key := rapid.SampledFrom([]string{"", "", "", "shared key", "k\x00z", "k\x00", "k", long + "1", long + "2"})
	outcome := rapid.SampledFrom(append(episode.Outcomes(), ""))
	ep := &episode.Episode{
		ID: id, Session: strings.TrimPrefix(id, "episode-"),
		Timestamp:     rapid.SampledFrom([]string{"", "2026-01-02T03:04:05Z", "2026-01-02T05:04:05+02:00", "2027-01-01T00:00:00Z", "soon"}).Draw(t, "time"),
		Outcome:       outcome.Draw(t, "outcome"),
		OutcomeSource: rapid.SampledFrom([]episode.OutcomeSource{episode.Measured, episode.Default, ""}).Draw(t, "source"),
	}
	if rapid.Bool().Draw(t, "provenance") {
		ep.Provenance.Source.SHA256 = "00"
	}
	var ids []string
	name := func(id string) string {
		id = rapid.SampledFrom([]string{id, id, id, id, "d001", ""}).Draw(t, "record")
		ids = append(ids, id)
		return id
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "decisions") {
		d := episode.Decision{ID: name(episode.DecisionID(i + 1)), Context: text.Draw(t, "context"), Chosen: text.Draw(t, "chosen"), Outcome: outcome.Draw(t, "outcome"), Key: key.Draw(t, "key")}
		for range rapid.IntRange(0, 2).Draw(t, "options") {
			d.Options = append(d.Options, text.Draw(t, "option"))
		}
		ep.Decisions = append(ep.Decisions, d)
	}
	for i := range rapid.IntRange(0, 5).Draw(t, "events") {
		ep.Events = append(ep.Events, episode.Event{ID: name(episode.EventID(i + 1)), Type: episode.Milestone, Content: text.Draw(t, "content"), Key: key.Draw(t, "key")})
	}
	ref := rapid.SampledFrom(append(ids, episode.OutcomeRef, "e999"))
	for range rapid.IntRange(0, 5).Draw(t, "links") {
		ep.Links = append(ep.Links, episode.Link{Source: ref.Draw(t, "source"), Target: ref.Draw(t, "target"),
			Type: rapid.SampledFrom(episode.LinkTypes()).Draw(t, "type"), Explicit: rapid.Bool().Draw(t, "explicit")})
	}
	return ep
}

// counted is what a set comes to, for comparing reports with what really changed.
type counted struct{ episodes, nodes, edges map[string]bool }

func countSet(eps []*episode.Episode) counted {
	c := counted{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	m := modelOf(eps)
	for _, s := range m.said {
		c.episodes[s.Episode] = true
	}
	for id := range m.nodes() {
		c.nodes[id] = true
	}
	for _, e := range m.edges() {
		c.edges[e.Source+e.Target+string(e.Type)] = true
	}
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

// fewerChecks divides the number of checks, for a test whose checks are slow.
func fewerChecks(t *testing.T, by int) {
	f := flag.Lookup("rapid.checks")
	was := f.Value.String()
	n, _ := strconv.Atoi(was)
	_ = f.Value.Set(strconv.Itoa(max(1, n/by)))
	t.Cleanup(func() { _ = f.Value.Set(was) })
}

// Any sequence of changes, in batches of any size, comes to the graph that the
// definition gives, to the same bytes as a rebuild, and reports what it did.
func TestAnySequenceEqualsRebuild(t *testing.T) {
	for _, kind := range []string{"mem", "badger"} {
		t.Run(kind, func(t *testing.T) {
			if kind == "badger" {
				fewerChecks(t, 4)
			}
			n := 0
			rapid.Check(t, func(rt *rapid.T) {
				n++
				urls := []string{fmt.Sprintf("mem:%s-%d-a", t.Name(), n), fmt.Sprintf("mem:%s-%d-b", t.Name(), n)}
				if kind == "badger" {
					dir, err := os.MkdirTemp("", "episodes-property-")
					if err != nil {
						rt.Fatal(err)
					}
					defer os.RemoveAll(dir)
					urls[0] = "badger:" + dir
				}
				src := newSource()
				state := countSet(nil)
				for range rapid.IntRange(1, 5).Draw(rt, "updates") {
					var touched []string
					for range rapid.IntRange(0, 5).Draw(rt, "changes") {
						id := fmt.Sprintf("episode-%d", rapid.IntRange(0, 9).Draw(rt, "id"))
						touched = append(touched, id)
						delete(src.bad, id)
						switch rapid.IntRange(0, 5).Draw(rt, "act") {
						case 0:
							src.drop(id)
						case 1:
							if _, ok := src.files[id]; ok {
								src.files[id] = append(src.files[id], ' ') // another hash
								src.bad[id] = errors.New("cannot be read")
							}
						default:
							src.put(wildEpisode(rt, id))
						}
					}
					opt := Options{BatchSize: rapid.IntRange(0, 3).Draw(rt, "batch")}
					if rapid.Bool().Draw(rt, "only") && len(state.episodes) > 0 {
						opt.Only = append([]string{"episode-0"}, touched...)
					}
					r, err := Update(context.Background(), urls[0], src, opt)
					if errors.Is(err, ErrMissing) && opt.Only != nil {
						opt.Only = nil
						r, err = Update(context.Background(), urls[0], src, opt)
					}
					if err != nil {
						rt.Fatal(err)
					}
					after := countSet(src.all())
					if opt.Only == nil {
						checkReport(rt, r, state, after)
					}
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
					memoriesMu.Lock()
					delete(memories, strings.TrimPrefix(urls[0], "mem:"))
					delete(memories, strings.TrimPrefix(urls[1], "mem:"))
					memoriesMu.Unlock()
				}
			})
		})
	}
}
