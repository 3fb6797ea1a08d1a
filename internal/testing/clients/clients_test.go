//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/extract"
)

var update = flag.Bool("update", false, "rewrite the table of clients in the documents")

// recording is what testdata has of one variant.
type recording struct {
	variant, Client, Version string
	hooks                    []recorded
	agent                    *agent.Agent
}

func recordings(t *testing.T) (out []recording) {
	t.Helper()
	dirs, err := filepath.Glob("testdata/*/version.json")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range dirs {
		r := recording{variant: filepath.Base(filepath.Dir(file))}
		decode(t, file, &r)
		if r.agent = agents.Named(r.Client); r.agent == nil {
			t.Fatalf("%s: no agent %q", file, r.Client)
		}
		text, err := os.ReadFile(filepath.Join(filepath.Dir(file), "hooks.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var h recorded
			if err := json.Unmarshal(line, &h); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			r.hooks = append(r.hooks, h)
		}
		out = append(out, r)
	}
	return out
}

func decode(t *testing.T, file string, v any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// TestRecordingsAreOfTheirVersions: a new version of a client needs a new run.
func TestRecordingsAreOfTheirVersions(t *testing.T) {
	for _, r := range recordings(t) {
		i := slices.IndexFunc(variants, func(v *variant) bool { return v.name == r.variant })
		if i < 0 || variants[i].client.version != r.Version || variants[i].client.name != r.Client {
			t.Errorf("testdata/%s is of %s %s: run make clients FLAGS=-update", r.variant, r.Client, r.Version)
		}
	}
}

// TestPayloadsOfClients: every recorded payload is of an event that the agent has, and has the fields that
// are read at such a moment.
func TestPayloadsOfClients(t *testing.T) {
	for _, r := range recordings(t) {
		f := r.agent.Hooks.Fields
		for _, h := range r.hooks {
			e, ok := r.agent.Hooks.Event(h.Event)
			if !ok {
				t.Errorf("%s: no event %q", r.variant, h.Event)
				continue
			}
			var in map[string]json.RawMessage
			if err := json.Unmarshal(h.In, &in); err != nil {
				t.Fatal(err)
			}
			for _, fields := range append([]string{f.Session, f.Cwd}, map[agent.Moment][]string{
				agent.Before: {f.Tool, f.Input}, agent.After: {f.Tool, f.Input, f.Response},
				agent.Failed: {f.Tool, f.Input, f.Failure + " " + f.Response}, agent.Prompt: {f.Prompt},
			}[e.Moment]...) {
				if !slices.ContainsFunc(strings.Fields(fields), func(name string) bool { _, ok := in[name]; return ok }) {
					t.Errorf("%s, %s: none of %s in %s", r.variant, h.Event, fields, h.In)
				}
			}
			if len(h.Out) > 0 && e.Answer == nil {
				t.Errorf("%s, %s was answered: %s", r.variant, h.Event, h.Out)
			}
		}
	}
}

// TestTranscriptsOfClients: what each client wrote is read as what the script did.
func TestTranscriptsOfClients(t *testing.T) {
	x := extract.New(extract.Vocabulary{})
	for _, r := range recordings(t) {
		files, _ := filepath.Glob(filepath.Join("testdata", r.variant, "transcript.json*"))
		if len(files) != 1 {
			t.Errorf("%s: transcripts %v", r.variant, files)
			continue
		}
		file := files[0]
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		got, err := x.Read(extract.Source{Path: file}, bytes.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		e, all := got.Episode, fmt.Sprintf("%+v", got.Episode)
		if e.Outcome != "success" {
			t.Errorf("%s: outcome %q", file, e.Outcome)
		}
		for _, want := range []string{"TestTableHoldsOneDay", "TableFull", "table.go"} {
			if !strings.Contains(all, want) {
				t.Errorf("%s: no %s in %s", file, want, all)
			}
		}
	}
}

// TestNothingOfTheClients: recordings have no prompts of clients and no paths of the machine.
func TestNothingOfTheClients(t *testing.T) {
	foreign := regexp.MustCompile(`(?i)you are (a|an|claude|codex|gemini|opencode)\b|[" ]/tmp/|/root/|/usr/local|system-reminder|IMPORTANT:`)
	files, err := filepath.Glob("testdata/*/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if at := foreign.FindIndex(text); at != nil {
			t.Errorf("%s: …%s…", file, text[max(0, at[0]-60):min(len(text), at[1]+60)])
		}
		if len(text) > 40<<10 {
			t.Errorf("%s has %d bytes", file, len(text))
		}
	}
}

// TestTableOfClients: the documents say what the recordings show.
func TestTableOfClients(t *testing.T) {
	var b strings.Builder
	b.WriteString("| seen with | answers in the model's next request | hooks that were not called |\n|---|---|---|\n")
	for _, v := range variants {
		for _, r := range recordings(t) {
			if r.variant != v.name || !v.alone() {
				continue
			}
			var came, got []string
			for _, h := range r.hooks {
				if !slices.Contains(came, h.Event) {
					came = append(came, h.Event)
				}
				if h.Reached && !slices.Contains(got, h.Event) {
					got = append(got, h.Event)
				}
			}
			var not []string
			for _, e := range r.agent.Hooks.Events {
				if e.Moment != agent.Silent && !slices.Contains(came, e.Name) {
					not = append(not, e.Name)
				}
			}
			fmt.Fprintf(&b, "| %s %s | %s | %s |\n", v.client.title, r.Version, strings.Join(got, ", "), strings.Join(not, ", "))
		}
	}
	file := filepath.Join("..", "..", "..", "docs", "agents.md")
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?m)^\| seen with .*\n(?:\|.*\n)*`)
	if found := table.FindAll(old, -1); len(found) != 1 {
		t.Fatalf("%s has %d such tables", file, len(found))
	}
	text := table.ReplaceAllLiteral(old, []byte(b.String()))
	if *update {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(old), string(text)); diff != "" {
		t.Errorf("go test ./internal/testing/clients -run Table -update writes\n%s", diff)
	}
}
