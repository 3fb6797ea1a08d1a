package repotest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/extract"
	"episodes/graph"
	"episodes/internal/ask"
	"episodes/internal/pg"
	"episodes/keys"
	"episodes/ledger"
	"episodes/recall"
)

var update = flag.Bool("update", false, "rewrite the tables in the documents that the program knows")

// TestTables checks that tables in the documents show what the program says of itself: its agents, its
// formats, its measured times.
func TestTables(t *testing.T) {
	for file, tables := range map[string][]string{
		"README.md":       {connected()},
		"docs/agents.md":  {settings(), moments()},
		"docs/benefit.md": {times(t)},
		"docs/files.md":   {versions()},
	} {
		path := filepath.Join(repoRoot(t), file)
		old, err := os.ReadFile(path)
		must(t, err)
		text := string(old)
		for _, table := range tables {
			first, _, _ := strings.Cut(table, "|\n")
			begins := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(strings.Join(strings.SplitAfter(first, "|")[:2], "")) + `.*\n(?:\|.*\n)*`)
			found := begins.FindAllString(text, -1)
			if len(found) != 1 {
				t.Fatalf("%s: %d tables begin like %q", file, len(found), first)
			}
			text = strings.Replace(text, found[0], table, 1)
		}
		if *update {
			must(t, os.WriteFile(path, []byte(text), 0o644))
		} else if diff := cmp.Diff(string(old), text); diff != "" {
			t.Errorf("%s: go test ./internal/repotest -run Tables -update writes\n%s", file, diff)
		}
	}
}

func row(b *strings.Builder, cells ...string) { fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | ")) }

// connected are the rows of the README about how agents are used.
func connected() string {
	var b strings.Builder
	var hooks, others []string
	for _, a := range agents.All() {
		if a.Hooks != nil {
			hooks = append(hooks, a.Title)
		} else if a.Actor != nil {
			others = append(others, a.Title)
		}
	}
	row(&b, "connected by hooks and MCP", strings.Join(hooks, ", "))
	row(&b, "started in a loop", "these, "+strings.Join(others, ", ")+"; any other command line works too")
	row(&b, "transcripts that are read", "those of all these, of Cline, OpenHands and pi, and common formats such as ATIF and SpecStory: `episodes help extract` lists all")
	return b.String()
}

// settings is the table of settings files.
func settings() string {
	var b strings.Builder
	row(&b, "agent", "hooks: user, project", "MCP server: user, project")
	b.WriteString("|---|---|---|\n")
	home := agent.Environment{Home: "~", Getenv: func(string) string { return "" }}
	for _, a := range agents.Which(agents.HasSettings) {
		cell := func(part agent.Part) string {
			var paths []string
			for _, f := range slices.Concat(a.Settings.User(home, a.Settings.Home(home)), a.Settings.Project) {
				if slices.Contains(f.Parts, part) {
					paths = append(paths, "`"+filepath.ToSlash(f.Path)+"`")
				}
			}
			return strings.Join(paths, ", ")
		}
		row(&b, a.Title, cell(agent.HooksPart), cell(agent.ServerPart))
	}
	return b.String()
}

// moments is the table of the events at which agents are answered.
func moments() string {
	var b strings.Builder
	with := agents.Which(agents.HasHooks)
	cells := []string{"moment"}
	for _, a := range with {
		cells = append(cells, a.Title)
	}
	row(&b, cells...)
	b.WriteString("|---|" + strings.Repeat("---|", len(with)) + "\n")
	for _, m := range []struct {
		what string
		of   []agent.Moment
	}{
		{"a command failed: a way out of the very error", []agent.Moment{agent.Failed, agent.After}},
		{"before an edit or a command: what one like it had too much, or a demand about it", []agent.Moment{agent.Before}},
		{"a prompt: the first one the brief, a later one a demand about it", []agent.Moment{agent.Prompt}},
		{"a session or sub-agent starts: a sub-agent and a session after a compaction get a brief, others nothing", []agent.Moment{agent.Start}},
		{"a turn or session ends: its transcript is queued", []agent.Moment{agent.End}},
	} {
		cells := []string{m.what}
		for _, a := range with {
			var names []string
			for _, e := range a.Hooks.Events {
				if slices.Contains(m.of, e.Moment) {
					names = append(names, e.Name)
				}
			}
			if len(names) == 0 {
				names = []string{"–"}
			}
			cells = append(cells, strings.Join(names, ", "))
		}
		row(&b, cells...)
	}
	return b.String()
}

// versions is the table of formats.
func versions() string {
	var b strings.Builder
	row(&b, "format", "version", "when an update of the program changes it")
	b.WriteString("|---|---|---|\n")
	schema := ask.FormatVersions().Episode
	row(&b, "episodes, additions, corrections", schema[strings.LastIndex(schema, ":")+1:], "older files are still read")
	row(&b, "rules of extraction", extract.Version, "the next `extract` reads all logs and transcripts again that still exist")
	row(&b, "keys, which say when facts of different sessions are the same", strconv.Itoa(keys.Version), "the graph is rebuilt")
	row(&b, "graph", strconv.Itoa(graph.Format), "it is rebuilt by the next command that needs it")
	row(&b, "search index", strconv.Itoa(recall.FormatVersion), "it is rebuilt")
	row(&b, "ledger of hooks", strconv.Itoa(ledger.Format), "older lines are ignored")
	row(&b, "tables of a team's store", strconv.Itoa(pg.Version), "an administrator runs `episodes store init`")
	return b.String()
}

// times is the table of what hooks take, as measured.
func times(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repoRoot(t), "cmd", "episodes", "testdata", "bench.txt"))
	must(t, err)
	var b strings.Builder
	row(&b, "a hook", "1 000 episodes", "10 000", "10 000, cold")
	b.WriteString("|---|---|---|---|\n")
	for _, h := range []struct{ name, what string }{
		{"failed", "a command failed, with an answer"},
		{"failed-unknown", "a command failed, and nothing is known"},
		{"before-command", "before a command"},
		{"before-edit", "before an edit"},
		{"prompt", "a prompt, with an answer"},
		{"off", "hooks are switched off"},
	} {
		cells := []string{h.what}
		for _, of := range []string{"1000/" + h.name + "/warm", "10000/" + h.name + "/warm", "10000/" + h.name + "/cold"} {
			m := regexp.MustCompile(`(?m)^BenchmarkHook/` + of + `-\d.*\s([\d.]+) median-ms\s+([\d.]+) p95-ms`).FindStringSubmatch(string(data))
			if m == nil {
				t.Fatalf("no figures of %s", of)
			}
			cells = append(cells, rounded(t, m[1])+" / "+rounded(t, m[2]))
		}
		row(&b, cells...)
	}
	return b.String()
}

func rounded(t *testing.T, figure string) string {
	t.Helper()
	f, err := strconv.ParseFloat(figure, 64)
	must(t, err)
	return strconv.FormatFloat(f, 'f', 0, 64)
}
