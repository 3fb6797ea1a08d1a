package lesson

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/redact"
)

// sessionOf reads a log of any form.
func sessionOf(t *testing.T, path string) *Session {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data = []byte(redact.Default.String(string(data)))
	s, err := readAny(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// read parses a file of JSON lines; of names the log of an entry.
func read(t *testing.T, path string, log func(repo, session, log string) string) (out []Entry, logs []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the bench is not here: %v", err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		got, bad := Parse(line)
		if len(bad) > 0 {
			t.Fatalf("%s:%d: %v", path, i+1, bad)
		}
		var of struct{ Repo, Session, Log string }
		if err := json.Unmarshal([]byte(line), &of); err != nil {
			t.Fatal(err)
		}
		got[0].Line = i + 1
		out, logs = append(out, got[0]), append(logs, log(of.Repo, of.Session, of.Log))
	}
	return out, logs
}

// takeAll takes the entries of each log in the order of the file, and prints what is refused.
func takeAll(t *testing.T, entries []Entry, logs []string) (taken, related, unknown int) {
	var order []string
	groups := map[string][]Entry{}
	for i, log := range logs {
		if groups[log] == nil {
			order = append(order, log)
		}
		groups[log] = append(groups[log], entries[i])
	}
	ids := map[Ref]Ref{}
	codes := map[Code]int{}
	for _, log := range order {
		batch := groups[log]
		known := map[Ref]bool{}
		for _, id := range ids {
			known[id] = true
		}
		c := Check{By: Reader, Session: log, Log: sessionOf(t, log), Names: ids, Known: func(r Ref) Age {
			if known[r] {
				return Older
			}
			return Nowhere
		}}
		ends := map[int]Ending{}
		for _, e := range batch {
			if e.Lesson != nil {
				ends[e.Line] = e.Lesson.Outcome
			} else if e.Again != nil {
				ends[-e.Line] = Ending(e.Again.What)
			}
		}
		res := c.Take(batch)
		maps.Copy(ids, res.IDs)
		for _, r := range res.Refused {
			what := ""
			if r.Entry.Lesson != nil {
				what = fmt.Sprintf("%s %v %q because %q was %q", r.Entry.Lesson.Kind, r.Entry.Lesson.Lines, r.Entry.Lesson.Say, r.Entry.Lesson.Because, r.Entry.Lesson.Was)
			} else {
				b, _ := json.Marshal(r.Entry)
				what = string(b)
			}
			codes[r.Code]++
			t.Logf("%s entry %d %s: %s\n  %s", filepath.Base(log), r.Entry.Line, r.Code, r.Text, what)
		}
		for _, e := range res.Taken {
			if e.Lesson == nil {
				if related++; e.Again != nil && ends[-e.Line] != Ending(e.Again.What) {
					t.Logf("%s entry %d is met, not %s: lines %v", filepath.Base(log), e.Line, ends[-e.Line], e.Again.Lines)
				}
				continue
			}
			taken++
			if was := ends[e.Line]; was != e.Lesson.Outcome {
				unknown++
				t.Logf("%s entry %d is unknown, not %s: %q proof %v lines %v", filepath.Base(log), e.Line, was, e.Lesson.Say, e.Lesson.Proof, e.Lesson.Lines)
			}
		}
	}
	t.Logf("%d lessons taken, %d of them with an outcome that nothing shows; %d relations; refused %v", taken, unknown, related, codes)
	return taken, related, unknown
}

// The lessons of the bench are true: at least 214 of 222 are taken.
func TestBenchLessons(t *testing.T) {
	logs := os.Getenv("LESSON_LOGS")
	if logs == "" {
		t.Skip("LESSON_LOGS names no folder with the logs of the bench (passages.py lay)")
	}
	entries, of := read(t, filepath.Join(benches(), "bench/lessons/lessons.jsonl"), func(repo, _, log string) string { return filepath.Join(logs, repo, log) })
	if taken, _, _ := takeAll(t, entries, of); taken < 214 {
		t.Errorf("%d of %d lessons are taken", taken, len(entries))
	}
}

// So are the linked ones, with all that became of them.
func TestBenchLinked(t *testing.T) {
	logs := os.Getenv("LESSON_LOGS")
	if logs == "" {
		t.Skip("LESSON_LOGS names no folder with the logs of the bench (passages.py lay)")
	}
	for _, repo := range []string{"P4", "P1", "T4"} {
		entries, of := read(t, filepath.Join(benches(), "bench/lessons/linked/lessons-"+repo+".jsonl"), func(_, _, log string) string { return filepath.Join(logs, repo, log) })
		more, ofMore := read(t, filepath.Join(benches(), "bench/lessons/linked/additions-"+repo+".jsonl"), func(_, _, log string) string { return filepath.Join(logs, repo, log) })
		all, relations, _ := takeAll(t, append(entries, more...), append(of, ofMore...))
		t.Logf("%s: %d of %d lessons, %d of %d relations", repo, all, len(entries), relations, len(more))
		if all < len(entries)*96/100 || relations < len(more)*9/10 {
			t.Errorf("%s: %d of %d lessons, %d of %d relations", repo, all, len(entries), relations, len(more))
		}
	}
}

// So are those of the replayed sessions, 236 of 246, with what became of them.
func TestBenchReplay(t *testing.T) {
	sessions := os.Getenv("LESSON_SESSIONS")
	if sessions == "" {
		t.Skip("LESSON_SESSIONS names no folder with the sessions of the replay")
	}
	taken, relations, lessons, all := 0, 0, 0, 0
	for _, p := range []string{"T4", "T1", "E1"} {
		entries, of := read(t, filepath.Join(benches(), "bench/replay", p, "lessons.jsonl"), func(_, session, _ string) string {
			return filepath.Join(sessions, p, "sessions", session+".jsonl")
		})
		a, b, _ := takeAll(t, entries, of)
		taken, relations = taken+a, relations+b
		for _, e := range entries {
			if all++; e.Lesson != nil {
				lessons++
			}
		}
	}
	t.Logf("%d of %d lessons, %d of %d relations", taken, lessons, relations, all-lessons)
	if taken < 236 || relations < all-lessons-10 {
		t.Errorf("%d of %d lessons, %d of %d relations", taken, lessons, relations, all-lessons)
	}
}

// For six of ten lessons of the bench, of which not all are about code, a file is known that they touch.
func TestBenchTouches(t *testing.T) {
	logs, trees := os.Getenv("LESSON_LOGS"), os.Getenv("LESSON_TREES")
	if logs == "" || trees == "" {
		t.Skip("LESSON_LOGS and LESSON_TREES name no folders with the logs and the trees of the bench, by repository")
	}
	entries, of := read(t, filepath.Join(benches(), "bench/lessons/lessons.jsonl"), func(repo, _, log string) string { return filepath.Join(repo, log) })
	known, states, open, read := 0, map[string]int{}, map[string]*Tree{}, map[string]*Session{}
	for i, e := range entries {
		repo, _, _ := strings.Cut(of[i], string(filepath.Separator))
		if open[repo] == nil {
			open[repo] = treeOf(t, filepath.Join(trees, repo))
		}
		if read[of[i]] == nil {
			read[of[i]] = sessionOf(t, filepath.Join(logs, of[i]))
		}
		Fill(e.Lesson, read[of[i]], open[repo], "")
		if len(e.Lesson.Touches) > 0 {
			known++
		}
		for _, x := range e.Lesson.Touches {
			states[State(x, open[repo])]++
			t.Logf("%s %.60q touches %s %s: %s", of[i], e.Lesson.Say, x.File, x.Symbol, State(x, open[repo]))
		}
	}
	t.Logf("a file is known for %d of %d lessons; touches %v", known, len(entries), states)
	if known < len(entries)*6/10 {
		t.Errorf("a file is known for %d of %d lessons", known, len(entries))
	}
}

func benches() string { return cmp.Or(os.Getenv("LESSON_SHARED"), "../../../shared") }
