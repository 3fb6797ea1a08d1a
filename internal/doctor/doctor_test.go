package doctor

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"episodes/episode"
	"episodes/extract"
	"episodes/graph"
	"episodes/internal/lock"
	"episodes/internal/memory"
	"episodes/internal/track"
)

// clinic is a sound memory of two episodes with its graph.
type clinic struct {
	t *testing.T
	Options
}

func newClinic(t *testing.T) *clinic {
	t.Helper()
	root := t.TempDir()
	loc := memory.Location{Root: root, Dir: filepath.Join(root, "memory")}
	m, _, err := memory.Create(loc)
	must(t, err)
	defer m.Close()
	c := &clinic{t, Options{Location: loc, Free: func(string) (uint64, bool) { return 1 << 40, true },
		Command: func(args string) string { return "episodes " + args },
		Graph:   memory.GraphOptions{Store: loc.DefaultStore(), Options: graph.Options{LockTimeout: 20 * time.Millisecond, Who: "test"}}}}
	for _, session := range []string{"a", "b"} {
		c.write("episodes/episode-"+session+".json", c.episode(session))
	}
	must(t, m.EnsureDerived())
	_, _, err = track.Load(m).Rebuild(context.Background(), c.Graph, track.Indexer{})
	must(t, err)
	return c
}

// indexed gives the memory an index of retrieval that was written under a key.
func (c *clinic) indexed(key string) {
	m, err := memory.Open(c.Location)
	must(c.t, err)
	defer m.Close()
	index := func(context.Context, *track.Index, *track.Set, memory.GraphOptions) (track.Passages, error) {
		return track.Passages{Segments: []track.Segment{{Name: "recall-0"}}}, m.WriteDerived("recall-0", key, nil)
	}
	_, _, err = track.Load(m).Rebuild(context.Background(), c.Graph, track.Indexer{Make: index})
	must(c.t, err)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// episode is the file of a session with a log of its own.
func (c *clinic) episode(session string) []byte { return c.withEvents(session, 1) }

func (c *clinic) withEvents(session string, n int) []byte {
	ep := &episode.Episode{ID: episode.IDFromSession(session), Session: session, Outcome: episode.Unknown,
		Provenance: episode.Provenance{Source: episode.Source{Path: "logs/" + session + ".md", SHA256: strings.Repeat(fmt.Sprintf("%02x", session[0]), 32), Format: "markdown"}}}
	for i := range n {
		ep.Events = append(ep.Events, episode.Event{ID: episode.EventID(i + 1), Type: episode.Error, Content: "LockTimeout: index is locked" + strings.Repeat(" again and", i%200)})
	}
	must(c.t, ep.Seal())
	data, err := episode.Marshal(ep)
	must(c.t, err)
	return data
}

func (c *clinic) path(name string) string { return filepath.Join(c.Location.Dir, name) }

func (c *clinic) write(name string, data []byte) {
	c.t.Helper()
	must(c.t, os.MkdirAll(filepath.Dir(c.path(name)), 0o755))
	must(c.t, os.WriteFile(c.path(name), data, 0o644))
}

// spoil edits the one file in the graph whose name fits.
func (c *clinic) spoil(pattern string, edit func([]byte) []byte) {
	c.t.Helper()
	found, err := filepath.Glob(c.path("causality/graph/gen-*/" + pattern))
	must(c.t, err)
	if len(found) != 1 {
		c.t.Fatalf("%d files fit %q", len(found), pattern)
	}
	data, err := os.ReadFile(found[0])
	must(c.t, err)
	must(c.t, os.WriteFile(found[0], edit(bytes.Clone(data)), 0o644))
}

// hold takes a lock that only a writer may have, until the test ends.
func (c *clinic) hold(name string) {
	c.t.Helper()
	l, err := lock.Acquire(context.Background(), c.path(name), time.Second, "a long work")
	must(c.t, err)
	c.t.Cleanup(func() { _ = l.Release() })
}

// rules makes an episode one that these rules read.
func (c *clinic) rules(version string) {
	c.write("episodes/episode-b.json", bytes.Replace(c.episode("b"), []byte(`"provenance": {`), []byte(`"provenance": {"extractor": "`+version+`",`), 1))
}

func (c *clinic) check() *Report {
	c.t.Helper()
	r, err := Check(context.Background(), c.Options)
	must(c.t, err)
	return r
}

// lines is a report with one finding a line.
func lines(r *Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %s: %s [%s]\n", f.State, f.Check, f.Text, f.Todo)
	}
	return b.String()
}

// Each thing that can be wrong has its finding, with what to do about it. Where
// Fix can mend it, nothing is wrong afterwards. doctor.txtar, store.txtar and tests of clones show more of them.
func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*clinic)
		want  string // in the report, "" when only Problems counts
		state State
		fixed bool
	}{
		{"an episode that breaks the schema", func(c *clinic) {
			c.write("episodes/episode-c.json", bytes.Replace(c.episode("c"), []byte(`"unknown"`), []byte(`"splendid"`), 1))
		}, "[mend it, or extract its log again with --force]", Problem, false},
		{"an episode under the name of another", func(c *clinic) {
			c.write("episodes/episode-c.json", bytes.Replace(c.episode("c"), []byte("episode-c"), []byte("episode-d"), 1))
		},
			`id "episode-d" is not the file's stem "episode-c"`, Problem, false},
		{"corrections that are none", func(c *clinic) { c.write("corrections/episode-a.jsonl", []byte("{\n")) },
			"[correct the line, or remove the file]", Problem, false},
		{"corrections of no episode", func(c *clinic) {
			c.write("corrections/episode-x.jsonl", []byte(`{"by":"person","op":"outcome","outcome":"partial"}`+"\n"))
		}, "there is no such episode [extract its log again, or remove the file]", Note, false},
		{"two logs of one session", func(c *clinic) {
			c.write("episodes/episode-c.json", bytes.ReplaceAll(bytes.ReplaceAll(c.episode("a"), []byte("episode-a"), []byte("episode-c")), []byte("logs/a.md"), []byte("logs/c.md")))
		}, "logs of one session count once: episode-a counts, episode-c not", Note, false},
		{"names that differ in case only", func(c *clinic) {
			if _, err := os.Stat(c.path("episodes/episode-A.json")); err == nil {
				c.t.Skip("this file system does not tell apart names that differ in case only")
			}
			c.write("episodes/episode-A.json", c.episode("A"))
		}, "episode-A and episode-a differ in case only", Problem, false},
		{"a view that was not set here", func(c *clinic) { c.write("causality/view.json", []byte(`{"min_support":99}`)) },
			"1 of the names in ", Note, true},
		{"no key", func(c *clinic) { c.t.Setenv("XDG_CONFIG_HOME", "relative"); c.t.Setenv("HOME", "") },
			"none is kept: each question builds it from 2 episodes", Note, false},
		{"an index of git with what is derived in it", func(c *clinic) {
			must(c.t, os.Mkdir(filepath.Join(c.Location.Root, ".git"), 0o755))
			index := "DIRC\x00\x00\x00\x02\x00\x00\x00\x01" + strings.Repeat("\x00", 60) + "\x00\x16memory/causality/index\x00"
			must(c.t, os.WriteFile(filepath.Join(c.Location.Root, ".git", "index"), []byte(index), 0o644))
		}, "causality\", which whoever pushes can change, so nothing derived is read or kept [git rm -r --cached '", Problem, false},
		{"an episode that no graph takes", func(c *clinic) { c.write("episodes/episode-c.json", c.withEvents("c", 6000)) },
			`left out: episode "episode-c": too large`, Note, false},
		{"a graph of a newer version", func(c *clinic) { c.spoil("MANIFEST", func(b []byte) []byte { b[5]++; return b }) },
			fmt.Sprintf("version %d, of a newer program; this one knows %d [update this program; or episodes graph rebuild", graph.Format+1, graph.Format), Problem, false},
		{"a graph of an older version", func(c *clinic) { c.spoil("MANIFEST", func(b []byte) []byte { b[5]--; return b }) },
			fmt.Sprintf("of an older version (%d): the next question builds it again from 2 episodes", graph.Format-1), Note, false},
		{"an index of an older version", func(c *clinic) { c.indexed("recall 0") },
			"the search index is of another version, or incomplete: the next question makes it again", Note, false},
		{"an episode of newer rules", func(c *clinic) { c.rules("99") },
			"1 read by newer rules than those of this program (" + extract.Version + "); extract leaves them as they are [update this program]", Note, false},
		{"an episode of older rules", func(c *clinic) { c.rules("3+words~0123abcd") },
			"1 read by older rules than " + extract.Version + " [episodes extract, and extract --from all, read again what is still there]", Note, false},
		{"a graph without its list of tables", func(c *clinic) {
			found, err := filepath.Glob(c.path("causality/graph/gen-*/MANIFEST"))
			must(c.t, err)
			must(c.t, os.Remove(found[0]))
		}, "[episodes graph rebuild]", Problem, true},
		{"a graph that is being written", func(c *clinic) { c.hold("causality/graph/gate.lock") },
			"not looked at: ", Note, false},
		{"a writer at work", func(c *clinic) {
			c.hold("causality/memory.lock")
			c.write("episodes/.tmp-half", nil) // its own
		}, "not looked for while a writer is at work", Note, false},
		{"a full disk", func(c *clinic) { c.Free = func(string) (uint64, bool) { return 3<<20 + 1, true } },
			"3 MB free; the graph is not written with less than 128 MB [free some space]", Problem, false},
		{"a disk that keeps its secrets", func(c *clinic) { c.Free = func(string) (uint64, bool) { return 0, false } },
			"the system does not tell how much is free", Note, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newClinic(t)
			c.spoil(p)
			r := p.check()
			problems := 0
			if c.state == Problem {
				problems = 1
			}
			found := false
			for line := range strings.Lines(lines(r)) {
				found = found || strings.HasPrefix(line, string(c.state)+" ") && strings.Contains(line, c.want)
			}
			if !found || r.Problems != problems {
				t.Errorf("want one %s %q, got %d problems:\n%s", c.state, c.want, r.Problems, lines(r))
			}
			if c.state != Problem && !c.fixed {
				return
			}
			after, err := Fix(context.Background(), p.Options)
			must(t, err)
			if fixed := after.Problems == 0 && after.Fixed == 1; fixed != c.fixed {
				t.Errorf("%d fixed, %d problems left:\n%s", after.Fixed, after.Problems, lines(after))
			}
			if again := p.check(); c.fixed && again.Problems > 0 {
				t.Errorf("after the fix:\n%s", lines(again))
			}
		})
	}
}

// Findings of one kind beyond the third are counted, not listed; all are problems.
func TestManyOfAKind(t *testing.T) {
	c := newClinic(t)
	for i := range 10 {
		c.write(fmt.Sprintf("episodes/notes-%d.json", i), []byte(`{"id":"episode-notes"}`))
	}
	r := c.check()
	if out := lines(r); r.Problems != 10 || strings.Count(out, "is no episode file") != 3 || !strings.Contains(out, "and 7 more of this kind [remove it, or name it after the id in it]") {
		t.Errorf("%d problems\n%s", r.Problems, out)
	}
}
