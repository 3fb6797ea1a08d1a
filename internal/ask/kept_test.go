package ask

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"episodes/episode"
	"episodes/internal/memory"
	"episodes/internal/testing/querytest"
	"episodes/patterns"
	"episodes/query"
)

// uploads is a session about uploads: the busy timeout mends them, the retry loop
// does not, and a warning comes before either.
func uploads(i int) *episode.Episode {
	out, option, other := episode.Success, "Set a busy timeout", "Wrap the upload in a retry loop"
	if i%2 == 1 {
		out, option, other = episode.Failure, other, option
	}
	if i%9 == 4 { // exceptions
		out = map[episode.Outcome]episode.Outcome{episode.Success: episode.Failure, episode.Failure: episode.Success}[out]
	}
	b := querytest.Build(fmt.Sprintf("2026-04-01-session-%03d", i), out).Task("Uploads fail", fmt.Sprintf("2026-%02d-%02d", 4+i/30, 1+i%30)).
		Event(episode.Error, "database is locked").
		Decide("What to do about failing uploads?", option, out, other).
		Decide("", "Keep the check optional", episode.Unknown, "Make the check required").
		Link("e001", "d001", episode.Causes)
	if i%7 == 0 {
		b.Lesson("With a busy timeout set the uploads wait their turn")
	}
	if i%3 == 0 {
		b.Event(episode.Test, "uploads pass twice")
	}
	return b.Done()
}

func write(t *testing.T, m *Memory, eps ...*episode.Episode) {
	t.Helper()
	for _, ep := range eps {
		data, err := episode.Marshal(ep)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.folder.Write(context.Background(), []memory.Pending{{ID: ep.ID, Data: data}}, 1); err != nil {
			t.Fatal(err)
		}
	}
}

// reopened is the memory as another process sees it.
func reopened(m *Memory) (*Memory, error) {
	return Open(Options{Location: m.Location, Home: m.Home, Getenv: m.Getenv})
}

// answers is what a memory answers in a process of its own.
func answers(of *Memory) (string, error) {
	m, err := reopened(of)
	if err != nil {
		return "", err
	}
	defer m.Close()
	ctx := context.Background()
	g, err := m.openGraph(ctx)
	if err != nil {
		return "", err
	}
	study, err := m.studyOf(g)
	if err != nil {
		return "", err
	}
	mined, err := m.mine(ctx, patterns.Defaults())
	if err != nil {
		return "", err
	}
	edges, err := m.edges(ctx)
	if err != nil {
		return "", err
	}
	out := []any{edges, mined}
	for _, q := range []string{"retry loop", "busy timeout", "make the check required", "episode-2026-04-01-session-003#d001"} {
		r, err := query.WhatIf(g, query.WhatIfQuery{Option: q, Study: study})
		if err != nil {
			return "", err
		}
		out = append(out, r)
	}
	for _, to := range []string{"outcome: success", "uploads pass twice"} {
		p, err := query.Paths(g, "busy timeout", to, query.PathOptions{K: 3, MaxHops: 6, Edges: edges})
		if err != nil {
			return "", err
		}
		out = append(out, p)
	}
	for _, format := range ExportFormats() {
		var b bytes.Buffer
		if err := m.Export(ctx, &b, ExportRequest{Format: format}); err != nil {
			return "", err
		}
		out = append(out, b.String())
	}
	data, err := json.MarshalIndent(out, "", " ")
	return string(data), err
}

func answered(t *testing.T, m *Memory) string {
	t.Helper()
	text, err := answers(m)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func forget(t *testing.T, m *Memory, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := m.folder.KeepCached(name, "", nil); err != nil {
			t.Fatal(err)
		}
	}
}

// cacheOf is the path of what a memory keeps under a name.
func cacheOf(m *Memory, name string) string {
	return filepath.Join(m.folder.DerivedDir(), "cache-"+name)
}

// An answer is the same, byte for byte, whatever of the statistics was kept before
// it, and however the memory got its episodes.
func TestAnswersDoNotDependOnWhatIsKept(t *testing.T) {
	m := newMemory(t)
	for i := range 60 {
		write(t, m, uploads(i))
	}
	want := answered(t, m)
	if !strings.Contains(want, `"verdict": "worse"`) || !strings.Contains(want, `"kind": "anti_pattern"`) || !strings.Contains(want, `"raises": [
    {`) {
		t.Fatalf("the memory claims nothing:\n%s", want)
	}
	check := func(name string) {
		t.Helper()
		if got := answered(t, m); got != want {
			t.Errorf("%s: another answer:\n%s\nnot\n%s", name, got, want)
		}
	}
	all := []string{edgesName, patternsName, recordsName}
	check("all kept")
	for _, name := range all {
		forget(t, m, name)
		check("without " + name)
	}
	forget(t, m, all...)
	check("nothing kept")
	for _, name := range all {
		all, err := os.ReadFile(cacheOf(m, name))
		if err != nil {
			t.Fatal(err)
		}
		damaged := map[string][]byte{"broken": []byte("broken"), "cut": all[:len(all)-9]}
		for i := range 3 {
			other := bytes.Clone(all)
			other[(2*i+1)*len(other)/6] ^= 1
			damaged[fmt.Sprintf("changed in part %d of 3", i)] = other
		}
		for what, data := range damaged {
			if err := os.WriteFile(cacheOf(m, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
			check(name + " " + what)
		}
	}

	// One session is edited and edited back, another comes and goes.
	edited := uploads(7)
	edited.Outcome = episode.Success
	write(t, m, edited, uploads(99))
	if answered(t, m) == want {
		t.Error("an edit changes nothing")
	}
	write(t, m, uploads(7))
	if err := m.folder.Remove(uploads(99).ID); err != nil {
		t.Fatal(err)
	}
	check("edited and back")

	// Several processes at once, of which none finds anything kept.
	forget(t, m, all...)
	got, errs := make([]string, 4), make([]error, 4)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i], errs[i] = answers(m) })
	}
	wg.Wait()
	for i := range got {
		if got[i] != want || errs[i] != nil {
			t.Errorf("process %d of several: another answer, %v", i, errs[i])
		}
	}
	if left, err := filepath.Glob(filepath.Join(m.folder.DerivedDir(), ".tmp-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
