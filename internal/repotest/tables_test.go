package repotest

import (
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
)

var update = flag.Bool("update", false, "rewrite the tables of agents in the documents")

// TestTablesOfAgents checks that the tables of agents in the documents show what agents.All says.
func TestTablesOfAgents(t *testing.T) {
	for file, tables := range map[string][]string{"README.md": {connected()}, "docs/agents.md": {settings(), moments()}} {
		path := filepath.Join(repoRoot(t), file)
		old, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
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
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
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
	row(&b, "transcripts that are read", "of these, Cline, OpenHands, pi, and of formats that many tools write, such as ATIF and SpecStory: `episodes help extract` lists all")
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
		{"a command failed: cause and fix", []agent.Moment{agent.Failed, agent.After}},
		{"before an edit or a command: results of similar actions", []agent.Moment{agent.Before}},
		{"a prompt: what is known about the task", []agent.Moment{agent.Prompt}},
		{"a session starts: what is unfinished on the branch", []agent.Moment{agent.Start}},
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
