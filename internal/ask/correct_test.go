package ask

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
)

// correctable is a log that the rules find some of everything in.
var correctable = []string{"# Session: the lock", "**Status**: Complete", "## Work", "- Error: LockTimeout: index is locked", "- Error: DiskFull: no space left",
	"- go test ./...: 14 passed", "## Decisions", "- **Decision**: Delete the lock file at start. **Result**: works.", "- **Decision**: Keep the old index.",
	"## Lessons learned", "- Never delete a lock by hand.", "- Name the process in the lock."}

// world is a repository with one log.
type world struct {
	t    *rapid.T
	root string
}

func (w *world) options() Options {
	loc, err := Locate(w.root, "", w.root)
	if err != nil {
		w.t.Fatal(err)
	}
	return Options{Location: loc}
}

func (w *world) write(lines []string) {
	if err := os.WriteFile(filepath.Join(w.root, "s.md"), []byte(strings.Join(lines, "\n\n")), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) extract(answer *string, force bool) {
	r := ExtractRequest{Logs: []string{"s.md"}, Cwd: w.root, NoGraph: true, Create: true, Force: force}
	if answer != nil {
		r.Reader = &ReaderRequest{Answer: answer, Name: "test"}
	}
	a, err := Extract(context.Background(), w.options(), r)
	if err != nil || a.Failed() > 0 {
		w.t.Fatal(a, err)
	}
}

func (w *world) episode() []byte {
	data, err := os.ReadFile(filepath.Join(w.root, ".agents/memory/episodes/episode-s.json"))
	if err != nil {
		w.t.Fatal(err)
	}
	return data
}

// whole is the episode as it is read, with what was added to it.
func (w *world) whole() []byte {
	m, err := Open(w.options())
	if err != nil {
		w.t.Fatal(err)
	}
	defer m.Close()
	ep, err := m.load("episode-s")
	if err != nil {
		w.t.Fatal(err)
	}
	data, err := episode.Marshal(ep)
	if err != nil || len(ep.Validate()) > 0 {
		w.t.Fatalf("%v %v\n%s", err, ep.Validate(), data)
	}
	return data
}

// correct corrects some record of the episode as it is now.
func (w *world) correct() {
	ep, err := episode.Parse(w.whole())
	if err != nil {
		w.t.Fatal(err)
	}
	r := CorrectRequest{Ref: "s"}
	var ids []string
	for _, d := range ep.Decisions {
		ids = append(ids, d.ID)
	}
	for _, v := range ep.Events {
		ids = append(ids, v.ID)
	}
	for i := range ep.Lessons {
		ids = append(ids, episode.LessonID(i+1))
	}
	for _, l := range ep.Links {
		ids = append(ids, episode.LinkID(l.Source, l.Target))
	}
	id := rapid.SampledFrom(append(ids, "")).Draw(w.t, "record")
	text := fmt.Sprintf("words %d", rapid.IntRange(0, 3).Draw(w.t, "words"))
	switch what := rapid.IntRange(0, 2).Draw(w.t, "correction"); {
	case id == "" && what == 0:
		r.Text = &text
	case id == "":
		r.Outcome = rapid.SampledFrom([]string{"failure", "partial", "unknown"}).Draw(w.t, "outcome")
	default:
		r.Ref += "#" + id
		switch {
		case what == 0 || strings.Contains(id, ">"):
			r.Wrong = true
		case what == 1 && id[0] == 'd':
			r.Outcome = "failure"
		default:
			r.Text = &text
		}
	}
	m, err := Open(w.options())
	if err != nil {
		w.t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Correct(context.Background(), r); err != nil {
		w.t.Fatalf("%+v: %v", r, err)
	}
}

// Whatever was extracted, answered and corrected in whatever order, while the log changed:
// the file of the episode is what its log makes, and the episode what that and its corrections make, and nothing else bears on it.
func TestEpisodeIsLogAndCorrections(t *testing.T) {
	dir := t.TempDir()
	n, most := 0, 25
	if os.Getenv("EPISODES_HEAVY") != "" {
		most = 1000
	}
	rapid.Check(t, func(t *rapid.T) {
		n++
		if n > most { // each makes a memory
			return
		}
		w := &world{t, filepath.Join(dir, fmt.Sprint(n))}
		if err := os.MkdirAll(filepath.Join(w.root, ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
		lines := slices.Clone(correctable)
		w.write(lines)
		w.extract(nil, false)
		for range rapid.IntRange(1, 5).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				at := rapid.IntRange(1, len(lines)-1).Draw(t, "at")
				if rapid.Bool().Draw(t, "gone") && len(lines) > 3 {
					lines = slices.Delete(lines, at, at+1)
				} else {
					lines = slices.Insert(lines, at, fmt.Sprintf("More words %d.", len(lines)))
				}
				w.write(lines)
				w.extract(nil, false)
			case 1:
				answer := rapid.SampledFrom([]string{"drop e001", "outcome partial 3", "d001 recovery failure 1\ndrop l001", "+x1 error 1 \"Session: the lock\"\nd001>x1 causes 1"}).Draw(t, "answer")
				w.extract(&answer, false)
			default:
				w.correct()
			}
		}
		incremental, file := w.whole(), w.episode()
		if bytes.Contains(file, []byte(`"by": {`)) {
			t.Fatalf("more than the rules are in the file: %s", file)
		}
		for _, force := range []bool{false, true} {
			w.extract(nil, force)
			if again := w.whole(); !bytes.Equal(incremental, again) {
				t.Fatalf("extracted again (force %v):\n%s\n%s", force, incremental, again)
			}
		}
		for _, name := range []string{"episodes/episode-s.json", "causality"} {
			if err := os.RemoveAll(filepath.Join(w.root, ".agents/memory", name)); err != nil {
				t.Fatal(err)
			}
		}
		w.extract(nil, false)
		if again := w.whole(); !bytes.Equal(incremental, again) || !bytes.Equal(file, w.episode()) {
			t.Fatalf("made anew:\n%s\n%s", incremental, again)
		}
	})
}
