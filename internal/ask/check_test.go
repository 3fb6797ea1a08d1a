package ask

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/internal/doctor"
)

// Files that break the schema are named with their line. Those of older tools are counted, and
// what is no episode is left alone.
func TestValidate(t *testing.T) {
	m := memoryOf(t, 3)
	if a, err := Validate(Options{Location: m.Location}); err != nil || len(a.Problems) != 0 || a.Text(0) != "3 files, all valid" || a.Empty() {
		t.Fatalf("%+v, %v", a, err)
	}
	broken := filepath.Join(m.folder.EpisodesDir(), uploads(1).ID+".json")
	for name, text := range map[string]string{
		broken: "{\n  \"id\": \"" + uploads(1).ID + "\",\n  \"outcome\": \"good\"\n}\n",
		filepath.Join(m.folder.EpisodesDir(), "notes.json"): "{}",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, err := Validate(Options{Location: m.Location})
	if err != nil || a.Files != 3 || len(a.Problems) == 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	for _, p := range a.Problems {
		if filepath.Base(p.File) != filepath.Base(broken) || p.Line < 1 || p.Message == "" {
			t.Errorf("%+v", p)
		}
	}
	one, err := ValidateFiles(m.folder.EpisodesDir(), []string{uploads(0).ID + ".json"}, nil)
	if err != nil || one.Files != 1 || len(one.Problems) != 0 {
		t.Errorf("%+v, %v", one, err)
	}
	if _, err := Validate(Options{Location: Location{Root: t.TempDir(), Dir: filepath.Join(t.TempDir(), "none")}}); !errors.Is(err, ErrNoMemory) {
		t.Errorf("no memory: %v", err)
	}
}

// textOf is a report as a person may read it.
func textOf(rep *doctor.Report) string {
	var b strings.Builder
	for _, f := range rep.Findings {
		b.WriteString(string(f.State) + " " + f.Check + ": " + f.Text + " -> " + f.Todo + "\n")
	}
	return b.String()
}

// doctor finds what is wrong, and with Fix mends what is derived.
func TestDoctor(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 3)
	o := Options{Location: m.Location}
	before := opened(t, o)
	before.openGraphEpisodes(t)
	before.Close()
	plenty := func(string) (uint64, bool) { return 1 << 40, true }
	if rep, err := Doctor(ctx, o, DoctorRequest{Free: plenty}); err != nil || rep.Problems > 0 {
		t.Errorf("a memory that is well: %+v, %v", rep, err)
	}
	little := func(string) (uint64, bool) { return 1, true }
	rep, err := Doctor(ctx, o, DoctorRequest{Free: little})
	if err != nil || rep.Problems != 1 || !strings.Contains(textOf(rep), "free") {
		t.Errorf("a full disk: %s, %v", textOf(rep), err)
	}
	write(t, m, uploads(3))
	if rep, err = Doctor(ctx, o, DoctorRequest{Free: plenty, Fix: true}); err != nil || rep.Problems > 0 {
		t.Errorf("after a fix: %s, %v", textOf(rep), err)
	}
	if n := opened(t, o).openGraphEpisodes(t); n != 4 {
		t.Errorf("%d episodes in the graph after a fix, want 4", n)
	}
}

// A secret in an episode is named with the command that removes it, and never quoted.
func TestDoctorSecrets(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 1)
	const secret = "AKIA5XQ2ZP7LM3RT9KWB"
	ep := uploads(1)
	ep.Task = "Rotate " + secret
	sealed(t, m, ep)
	o, r := Options{Location: m.Location}, DoctorRequest{Secrets: true, Command: func(args string) string { return "run " + args }}
	rep, err := Doctor(ctx, o, r)
	if text := textOf(rep); err != nil || rep.Problems != 1 || strings.Contains(text, secret) || !strings.Contains(text, "run doctor --secrets --fix") || !strings.Contains(text, ep.ID) {
		t.Fatalf("%s, %v", textOf(rep), err)
	}
	r.Fix = true
	if rep, err = Doctor(ctx, o, r); err != nil || rep.Fixed != 1 {
		t.Fatalf("%s, %v", textOf(rep), err)
	}
	data, err := os.ReadFile(filepath.Join(m.folder.EpisodesDir(), ep.ID+".json"))
	if err != nil || strings.Contains(string(data), secret) {
		t.Errorf("it is still in the file: %v", err)
	}
}
