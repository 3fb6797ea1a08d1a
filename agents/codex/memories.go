package codex

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"episodes/agents/agent"
)

// memories is one file for all repositories, in groups with the folders that they apply to.
func memories(e agent.Environment, roots []string, owns func(dir string) bool) []agent.Memory {
	names := make([]string, len(roots))
	for i, root := range roots {
		names[i] = regexp.QuoteMeta(strings.ToValidUTF8(root, "\uFFFD")) // which matches a byte that is not UTF-8
	}
	const around = "[\\s;,()`\"']"
	folder := regexp.MustCompile("(?:=|" + around + ")((?:" + strings.Join(names, "|") + `)(?:[/\\][^\s;,)]*)?)(?:$|` + around + ")")
	applies := func(line string) bool {
		line, ok := strings.CutPrefix(strings.ReplaceAll(line, "~/", e.Home+"/"), "applies_to:")
		return ok && slices.ContainsFunc(folder.FindAllStringSubmatch(line, -1), func(found []string) bool {
			return owns(found[1])
		})
	}
	return []agent.Memory{{Dir: filepath.Join(home(e), "memories"), File: "MEMORY.md", Keep: func(text string) string {
		return keepGroups(text, applies)
	}}}
}

// keepGroups empties the groups of tasks without a line that applies.
func keepGroups(text string, applies func(line string) bool) string {
	lines := strings.Split(text, "\n")
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && !strings.HasPrefix(lines[to], "# Task Group") {
			to++
		}
		if !slices.ContainsFunc(lines[from:to], applies) {
			clear(lines[from:to])
		}
		from = to
	}
	return strings.Join(lines, "\n")
}
