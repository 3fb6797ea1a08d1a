package memories

import (
	"context"
	"crypto/rand"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/internal/snapshot"
	"episodes/reflexion"
)

var (
	ctx  = context.Background()
	base = time.Unix(1700000000, 0).UTC()
)

func newStore(t *testing.T) (*Store, string) {
	t.Helper()
	dir := t.TempDir()
	now := base
	s, err := Open(dir, true, func() time.Time { now = now.Add(time.Second); return now }, time.Second)
	must(t, err)
	t.Cleanup(s.Close)
	return s, filepath.Join(dir, "memories")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// loops are n loops of two iterations: one fails and learns, the other passes.
func loops(n int) (rs []*reflexion.Record) {
	for i := range n {
		id := fmt.Sprintf("ralph-l%d", i)
		at := func(s int) string { return base.Add(time.Duration(100*i+s) * time.Second).Format(time.RFC3339) }
		rs = append(rs, &reflexion.Record{LoopID: id, Timestamp: at(0), Task: fmt.Sprintf("mend cache number %d", i), TaskType: "cache",
			Evaluator: reflexion.EvaluatorOutput{Type: reflexion.UnitTests, Reward: reflexion.Ptr(0.1), Errors: []reflexion.Problem{{Type: reflexion.TestFailure, Message: "stale", File: "c.go", Line: i + 1}}},
			Reflection: reflexion.SelfReflection{Text: "I kept old entries", Lessons: []string{"expire entries first"}, Insights: []string{fmt.Sprintf("check the age at c.go:%d", i)},
				Credit: &reflexion.CreditAssignment{Category: reflexion.EdgeCaseMiss}}, Memory: reflexion.MemoryMetadata{Omega: 1}},
			&reflexion.Record{LoopID: id, Iteration: 1, Timestamp: at(9), Task: fmt.Sprintf("mend cache number %d", i), TaskType: "cache", Used: []int{0}, Injected: true,
				Evaluator:   reflexion.EvaluatorOutput{Type: reflexion.UnitTests, Passed: true, Reward: reflexion.Ptr(0.2 + 0.1*float64(i))},
				Performance: &reflexion.Performance{IsImprovement: true}, Memory: reflexion.MemoryMetadata{Omega: 1},
				Actor: reflexion.ActorOutput{Changed: &snapshot.Changes{Files: []snapshot.FileChange{{Path: "c.go", Kind: snapshot.Changed}}, Patch: fmt.Sprintf("--- c.go\n+++ c.go\n@@ -%d +%d @@\n-keep(e)\n+expire(e)\n", i+2, i+2)}}})
	}
	return rs
}

// Each kind of memory is made from what the records show, and nothing else (rows
// M5, M11, M12, M13).
func TestDerive(t *testing.T) {
	ms := Derive(loops(4), base)
	got := map[Type][]string{}
	for _, m := range ms {
		must(t, m.Validate())
		got[m.Type] = append(got[m.Type], m.Content.Summary)
	}
	want := map[Type][]string{
		Episodic:   {"mend cache number 0: passed after 2 attempts", "mend cache number 1: passed after 2 attempts", "mend cache number 2: passed after 2 attempts", "mend cache number 3: passed after 2 attempts"},
		Semantic:   {"check the age at c.go:0", "expire entries first"}, // steps that several loops name are lessons too
		Procedural: {`"changed c.go:2 from 'keep(e)' to 'expire(e)'" (the error was gone in 4 of 4)`},
		Meta:       {"cache: 4 loops, 100 % passed, mean reward 0.35, trend +1.00; persistent: edge_case_miss in 4 of 4 loops"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := Derive(loops(1), base); len(got) != 3 { // episodic, procedural, meta: one loop makes no lesson
		t.Errorf("%d memories of one loop", len(got))
	}
	if got := Derive(nil, base); len(got) != 0 {
		t.Errorf("%d memories of nothing", len(got))
	}
}

// The trend follows the rewards, from −1 to 1, and is absent below four loops; issues
// that last are the next focus, and gaps stay open until a loop passes (row M13).
func TestProgress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rs := loops(rapid.IntRange(1, 9).Draw(t, "loops"))
		for _, r := range rs {
			*r.Evaluator.Reward = rapid.Float64Range(0, 1).Draw(t, "reward")
			r.Evaluator.Passed = rapid.Bool().Draw(t, "passed")
		}
		p := Progress(rs)[0]
		if (p.ImprovementTrend != nil) != (p.Loops >= minTrend) || p.SuccessRate < 0 || p.SuccessRate > 1 || p.AverageScore < 0 || p.AverageScore > 1 {
			t.Fatalf("%+v", p)
		}
		if p.ImprovementTrend != nil && !(*p.ImprovementTrend >= -1 && *p.ImprovementTrend <= 1) {
			t.Fatalf("trend %v", *p.ImprovementTrend)
		}
	})
	p := Progress(loops(4))[0]
	if p.TaskType != "cache" || p.TotalAttempts != 8 || p.Loops != 4 || p.SuccessRate != 1 || math.Abs(p.AverageScore-0.35) > 1e-12 || p.LastImprovement != base.Add(309*time.Second).Format(time.RFC3339) || *p.ImprovementTrend != 1 {
		t.Errorf("%+v", p)
	}
	if diff := cmp.Diff([][]string{{"check the age at c.go:0", "expire entries first"}, {"edge_case_miss in 4 of 4 loops"}, {"edge_case_miss"}, {}}, [][]string{p.KeyLessons, p.PersistentIssues, p.NextFocusAreas, p.KnowledgeGaps}); diff != "" {
		t.Error(diff)
	}
	open := loops(3)
	for i := range 3 { // the first passed in the end, so its gap is closed
		open[2*i].Reflection.Gaps = []string{fmt.Sprint("who owns entry ", i), "what is stale"}[:1+i/2]
		open[2*i+1].Evaluator.Passed = i == 0
	}
	if diff := cmp.Diff([]string{"who owns entry 2", "what is stale"}, Progress(open)[0].KnowledgeGaps); diff != "" { // numbers apart, the second says the same
		t.Error(diff)
	}
	falling := loops(5)
	for i, r := range falling {
		*r.Evaluator.Reward = 1 - float64(i)/20
	}
	if p := Progress(falling)[0]; *p.ImprovementTrend != -1 {
		t.Errorf("%+v", p)
	}
	flat := loops(6)
	for _, r := range flat {
		*r.Evaluator.Reward = 0.5
	}
	if p := Progress(flat)[0]; *p.ImprovementTrend != 0 || strings.Contains(p.Summary(), "trend") {
		t.Errorf("a trend where nothing changed: %v, %q", *p.ImprovementTrend, p.Summary())
	}
	*flat[len(flat)-1].Evaluator.Reward = 1
	if p := Progress(flat)[0]; math.Abs(*p.ImprovementTrend-1.0/3) > 1e-12 { // 5 of 15 pairs
		t.Errorf("one change: trend %v", *p.ImprovementTrend)
	}
}

// Updating twice changes nothing; reading counts; private memories are recalled by
// nobody and are in no index; everything is in the audit trail (rows M11, M18 to M20, M23).
func TestStore(t *testing.T) {
	s, dir := newStore(t)
	r, err := s.Update(ctx, Derive(loops(3), base), "test")
	must(t, err)
	if r.Written != 7 {
		t.Errorf("%+v", r)
	}
	if r, err = s.Update(ctx, Derive(loops(3), base.Add(time.Hour)), "test"); err != nil || r.Written != 0 || r.Unchanged != 7 {
		t.Errorf("again: %+v, %v", r, err)
	}
	all, bad, err := s.All()
	must(t, err)
	found := Relevant(all, "mend the cache", "cache", "ralph-l0", base, 3)
	if len(bad) > 0 || len(found) != 3 {
		t.Fatalf("%v, %d", bad, len(found))
	}
	must(t, s.Read(ctx, found, "ralph-x"))
	secret, err := s.Mark(ctx, found[0].ID, true, "test")
	must(t, err)
	if secret.AccessCount != 1 {
		t.Errorf("%+v", secret)
	}
	if all, _, err = s.All(); err != nil {
		t.Fatal(err)
	}
	for _, m := range Relevant(all, "mend the cache", "cache", "", base, 100) {
		if m.ID == secret.ID {
			t.Error("a private memory was recalled")
		}
	}
	if index, err := os.ReadFile(filepath.Join(dir, "INDEX.md")); err != nil || strings.Contains(string(index), secret.ID) || !strings.Contains(string(index), found[1].ID) {
		t.Errorf("%v\n%s", err, index)
	}
	if _, err := s.Update(ctx, Derive(loops(3), base), "test"); err != nil {
		t.Fatal(err)
	}
	if again, err := s.Get(secret.ID); err != nil || !again.Metadata.Private || again.AccessCount != 1 {
		t.Errorf("an update forgot: %+v, %v", again, err)
	}
	for _, m := range all { // a folder for each type (row M19); what is private has a name that git ignores (row M23)
		end := ".json"
		if m.ID == secret.ID {
			end = ".private.json"
		}
		if files, err := filepath.Glob(filepath.Join(dir, string(m.Type), m.ID+".*")); err != nil || len(files) != 1 || files[0] != filepath.Join(dir, string(m.Type), m.ID+end) {
			t.Errorf("%q, %v", files, err)
		}
	}
	if ignored, err := os.ReadFile(filepath.Join(dir, ".gitignore")); err != nil || !strings.Contains(string(ignored), "\n*.private.json\n") {
		t.Errorf("%q, %v", ignored, err)
	}
	trail, err := s.Audit()
	must(t, err)
	if e := trail[7]; e.Operation != "read" || e.MemoryID != found[0].ID || e.Type != found[0].Type || e.By != "ralph-x" || e.Time == "" {
		t.Errorf("%+v", e)
	}
	ops := map[string]int{}
	for _, e := range trail {
		ops[e.Operation]++
	}
	if diff := cmp.Diff(map[string]int{"create": 7, "read": 3, "mark": 1}, ops); diff != "" {
		t.Error(diff)
	}
	if _, err := s.Get("nosuch"); err == nil {
		t.Error("found what is not there")
	}
}

// Cleanup removes what its plan lists and nothing else, an update does not bring it
// back, and Undo does (row M21).
func TestCleanup(t *testing.T) {
	s, _ := newStore(t)
	_, err := s.Update(ctx, append(Derive(loops(4), base), NewFeedback("use tabs", "", nil, base)), "test")
	must(t, err)
	all, _, err := s.All()
	must(t, err)
	all[0].AccessCount = 9 // the least relevant loop, but often read
	must(t, s.write(all[0]))
	plan := Plan(all, Limits{PerType: 2}, base)
	if len(plan) != 2 || plan[0].Memory.ID == all[0].ID || plan[1].Memory.ID == all[0].ID {
		t.Fatalf("%+v", plan)
	}
	if late := Plan(all, Limits{Retention: time.Hour}, base.Add(2*time.Hour)); len(late) != len(all)-1 { // feedback stays
		t.Errorf("%d of %d after their time", len(late), len(all))
	}
	_, err = s.Remove(ctx, plan, "test")
	must(t, err)
	if r, err := s.Update(ctx, Derive(loops(4), base), "test"); err != nil || r.Away != 2 || r.Written != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	left, _, err := s.All()
	must(t, err)
	restored, err := s.Undo(ctx, "test")
	must(t, err)
	back, _, err := s.All()
	must(t, err)
	if len(left) != len(all)-2 || len(restored) != 2 {
		t.Errorf("%d left, %d restored", len(left), len(restored))
	}
	if diff := cmp.Diff(all, back); diff != "" {
		t.Error(diff)
	}
	if restored, err := s.Undo(ctx, "test"); err != nil || len(restored) != 0 {
		t.Errorf("undone twice: %v, %v", restored, err)
	}
}

// Memories with the same content become one, which keeps the evidence of all.
func TestConsolidate(t *testing.T) {
	s, dir := newStore(t)
	a, b := NewFeedback("Always run the linter before a commit", "", []string{"lint"}, base), NewFeedback("always run linters before commits please", "", []string{"git"}, base)
	a.Content.Evidence, b.Content.Evidence, b.AccessCount = []string{"x"}, []string{"y"}, 2
	other := NewFeedback("prefer tabs", "", nil, base)
	for _, m := range []*Memory{a, b, other} {
		must(t, s.write(m))
	}
	all, _, err := s.All()
	must(t, err)
	merges := Merges(all)
	if len(merges) != 1 || merges[0].Into.ID != b.ID || len(merges[0].From) != 1 {
		t.Fatalf("%+v", merges)
	}
	_, err = s.Consolidate(ctx, merges, "test")
	must(t, err)
	m, err := s.Get(b.ID)
	must(t, err)
	if diff := cmp.Diff([]string{"y", "x"}, m.Content.Evidence); diff != "" || m.AccessCount != 2 || len(m.Tags) != 2 || m.Content.Related[0] != a.ID {
		t.Errorf("%s%+v", diff, m)
	}
	if all, _, _ := s.All(); len(all) != 2 || len(Merges(all)) != 0 {
		t.Errorf("%d left", len(all))
	}
	must(t, s.Read(ctx, []*Memory{m}, "ralph-x"))
	if restored, err := s.Undo(ctx, "test"); err != nil || len(restored) != 1 || restored[0].ID != a.ID {
		t.Errorf("%v, %v", restored, err)
	}
	// A merge that was killed before it took the other away is done again, once.
	b.AccessCount, b.LastAccessed = 3, m.LastAccessed
	into, read := *b, *a
	read.AccessCount = 4
	must(t, s.write(&into))
	for range 2 {
		must(t, s.write(&read))
		_, err = s.Consolidate(ctx, []Merge{{Into: &into, From: []*Memory{&read}}}, "test")
		must(t, err)
	}
	if into.AccessCount != 3+4 {
		t.Errorf("read %d times", into.AccessCount)
	}
	for range 2 {
		_, err = s.Undo(ctx, "test")
		must(t, err)
	}
	must(t, s.write(a))
	// Undone, both are as before; the read since then still counts.
	again, _, err := s.All()
	must(t, err)
	want := []*Memory{a, b, other}
	byID := func(x, y *Memory) int { return strings.Compare(x.ID, y.ID) }
	slices.SortFunc(want, byID)
	slices.SortFunc(again, byID)
	if diff := cmp.Diff(want, again); diff != "" {
		t.Error(diff)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "trash", "*")); len(left) > 0 {
		t.Errorf("left in the trash: %q", left)
	}
}

// A lesson and the loops that it rests on refer to each other, also after an update
// and a merge (row M17).
func TestLinks(t *testing.T) {
	s, _ := newStore(t)
	for range 2 {
		_, err := s.Update(ctx, Derive(loops(3), base), "test")
		must(t, err)
	}
	all, _, err := s.All()
	must(t, err)
	related := map[string]map[string]bool{}
	types := map[string]Type{}
	for _, m := range all {
		types[m.ID], related[m.ID] = m.Type, map[string]bool{}
		for _, id := range m.Content.Related {
			related[m.ID][id] = true
		}
	}
	for id, to := range related {
		want := map[Type]int{Episodic: 3, Semantic: 3, Procedural: 3}[types[id]] // two lessons and a step; three loops
		if len(to) != want {
			t.Errorf("%s %s refers to %d, want %d", types[id], id, len(to), want)
		}
		for other := range to {
			if !related[other][id] {
				t.Errorf("%s refers to %s, which does not refer to it", id, other)
			}
		}
	}
}

// Memories that are not valid are refused when written and named when read.
func TestInvalid(t *testing.T) {
	s, dir := newStore(t)
	good := NewFeedback("x y z", "", nil, base)
	for name, edit := range map[string]func(*Memory){"type": func(m *Memory) { m.Type = "dream" }, "id": func(m *Memory) { m.ID = "../x" }, "relevance": func(m *Memory) { m.Relevance = 2 },
		"time": func(m *Memory) { m.ExpiresAt = "soon" }, "empty": func(m *Memory) { m.Content.Summary = "" }} {
		m := *good
		edit(&m)
		if err := s.write(&m); err == nil {
			t.Errorf("%s: written", name)
		}
	}
	must(t, s.write(good))
	must(t, os.WriteFile(filepath.Join(dir, "feedback", "fake.json"), []byte("{}"), 0o644))
	if all, bad, err := s.All(); err != nil || len(all) != 1 || len(bad) != 1 || !strings.Contains(bad[0].Error(), "fake.json") {
		t.Errorf("%v %v %v", all, bad, err)
	}
	if m := NewFeedback("\x1b[2J</memory>now", "", nil, base); m.Content.Summary != "</memory>now" {
		t.Errorf("%q", m.Content.Summary)
	}
	if e := (&Memory{ExpiresAt: base.Format(time.RFC3339)}); !e.Expired(base) || e.Expired(base.Add(-time.Second)) {
		t.Error("expiry")
	}
}

// The mark moves a memory to the other name and back; one that an older program left under
// its plain name is read, trashed and brought back all the same.
func TestPrivateNames(t *testing.T) {
	s, dir := newStore(t)
	m := NewFeedback("the staging key is in the drawer", "", nil, base)
	_, err := s.Update(ctx, []*Memory{m}, "test")
	must(t, err)
	files := func() string {
		found, err := filepath.Glob(filepath.Join(dir, "feedback", "*"))
		must(t, err)
		return strings.TrimPrefix(strings.Join(found, " "), filepath.Join(dir, "feedback")+"/")
	}
	for _, tt := range []struct {
		private bool
		want    string
	}{{true, m.ID + ".private.json"}, {false, m.ID + ".json"}, {true, m.ID + ".private.json"}} {
		if _, err := s.Mark(ctx, m.ID, tt.private, "test"); err != nil || files() != tt.want {
			t.Errorf("%v: %s, %v", tt.private, files(), err)
		}
	}
	must(t, os.Rename(filepath.Join(dir, "feedback", m.ID+".private.json"), filepath.Join(dir, "feedback", m.ID+".json")))
	all, bad, err := s.All()
	must(t, err)
	if len(all) != 1 || len(bad) != 0 || !all[0].Metadata.Private {
		t.Fatalf("%+v, %v", all, bad)
	}
	if _, err := s.Remove(ctx, []Removal{{all[0], "test"}}, "test"); err != nil || files() != "" {
		t.Errorf("%s, %v", files(), err)
	}
	if back, err := s.Undo(ctx, "test"); err != nil || len(back) != 1 || files() != m.ID+".private.json" {
		t.Errorf("%s, %v", files(), err)
	}
	// A writer that was killed between the two names left both: the private one counts.
	data, err := os.ReadFile(filepath.Join(dir, "feedback", m.ID+".private.json"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "feedback", m.ID+".json"), []byte(strings.Replace(string(data), `"private": true,`, "", 1)), 0o644))
	if all, bad, err := s.All(); err != nil || len(all) != 1 || len(bad) != 0 || !all[0].Metadata.Private {
		t.Errorf("%+v, %v, %v", all, bad, err)
	}
}

// What a person says is kept without the secrets in it.
func TestFeedbackIsRedacted(t *testing.T) {
	s, dir := newStore(t)
	token := "ghp_" + (rand.Text() + rand.Text())[:36] // a form of key
	m := NewFeedback("the token is "+token, "as in "+token, []string{token}, base)
	_, err := s.Update(ctx, []*Memory{m}, "test")
	must(t, err)
	data, err := os.ReadFile(filepath.Join(dir, "feedback", m.ID+".json"))
	must(t, err)
	if strings.Contains(strings.ToLower(string(data)), strings.ToLower(token[4:])) {
		t.Errorf("%s", data)
	}
	if _, err := s.Get(m.ID); err != nil {
		t.Error(err)
	}
}
