package main

import (
	"strings"
	"testing"
)

// moved are the commands of earlier versions for what loops and tasks leave, the commands that
// took their place, and the rows of the sources (see TestRows) that hold by these.
var moved = []struct{ was, is, rows string }{
	{"memory list", "search --kind", "M5 M14 M22"},
	{"memory show", "show", "M11 M12"},
	{"memory add", "record --of", "M5 M6 M22"},
	{"memory mark", "share", "M23"},
	{"memory update", "loop --resume", "M17 M22"},
	{"memory consolidate", "correct --wrong", "M17 M21"},
	{"memory cleanup --per-kind", "graph prune --older-than", "M6 M21"},
	{"memory cleanup --retention", "forget --older-than", "M6 M21"},
	{"memory cleanup --undo", "graph prune --reset", "M21"},
	{"memory audit", "loop export --format", "M18 M23 E19"},
	{"memory progress", "loop analyze", "M4 M13 M24"},
	{"task init", "record --of", "E3 E14"},
	{"task start", "record --by", "E10 E15"},
	{"task log", "record --of", "E7 E16"},
	{"task milestone", "record --of", "E4"},
	{"task reflect", "record --of", "E5"},
	{"task pause", "record --of", "E3"},
	{"task complete", "record --of", "E6 E8 E17"},
	{"task history --status", "loop history --attempt", "E11 E18"},
	{"task replay --attempt", "loop history --attempt", "E12"},
	{"task search", "search --kind", "E13"},
	{"task show", "loop history --attempt", "A1"},
	{"task lessons --category", "loop reflections lessons --category", "G24"},
	{"task export", "loop export --format", "E2 E11"},
	{"analyze", "loop analyze", "G34 G35"},
	{"reflections search", "loop reflections search --category", "G23 G25"},
	{"reflections lessons", "loop reflections lessons --category", "G24"},
}

// What took the place of a command is there, with its flag, and the command is not.
func TestMovedCommands(t *testing.T) {
	root := (&app{environment: environment{getenv: func(string) string { return "" }}}).command()
	w := newWorld(t)
	for _, m := range moved {
		path, flag, _ := strings.Cut(m.is, " --")
		cmd, rest, err := root.Find(strings.Fields(path))
		if err != nil || len(rest) > 0 || flag != "" && cmd.Flags().Lookup(flag) == nil {
			t.Errorf("rows %s: %q is no command: %v", m.rows, m.is, err)
		}
		if code := w.run(strings.Fields(m.was)...); code != codeUsage {
			t.Errorf("rows %s: %q still is a command: exit %d", m.rows, m.was, code)
		}
	}
}
