//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/internal/testing/few"
)

// oursOfLoops are the files of loops and tasks.
var oursOfLoops = []string{
	"loops", "loops/ralph-a", "loops/ralph-a/log.md",
	"loops/ralph-new", "reflections", "reflections/ralph-a", "reflections/ralph-a/001.json", "reflections/ralph-a/002.json", "reflections/ralph-new",
	"tasks", "tasks/task-001", "tasks/task-001/metadata.json", "tasks/task-001/reflections.jsonl", "tasks/task-001/attempts",
	"tasks/task-001/attempts/001", "tasks/task-001/attempts/001/attempt.json", "tasks/task-001/attempts/001/actions.jsonl", "tasks/task-001/attempts/001/plan.md",
	"memories", "memories/feedback", "memories/feedback/f1.json",
}

var loopCommands = [][]string{
	{"loop", "--resume", "ralph-a"},
	{"loop", "--task", "new", "--actor", "true", "--verify", "false", "--max", "1"},
	{"loop", "--task", "a", "--actor", "true", "--verify", "true"},
	{"loop", "reflect", "--loop", "ralph-a", "--task", "x", "--verify", "false"},
	{"record", "task", "x"},
	{"loop", "history"},
	{"loop", "export", "ralph-a"},
	{"loop", "export", "--format", "ralph", "out"},
	{"loop", "history", "ralph-a", "--attempt", "1"},
	{"loop", "retry", "ralph-a"},
	{"loop", "reflections", "search", "x"},
	{"loop", "import", ".agents/memory/reflexion"},
	{"doctor", "--fix"},
	{"loop", "analyze"},
}

// Whatever a clone has in place of the files of loops and tasks: each command ends soon,
// and neither writes nor shows anything outside.
func TestHostileLoopFiles(t *testing.T) {
	long(t)
	good := cloneWithMemory(t)
	for _, args := range [][]string{
		{"loop", "--task", "a", "--actor", "true", "--verify", "false", "--max", "3", "--exec", `cd .agents/memory/reflexion; [ "$EPISODES_ITERATION" = 0 ] || { mv reflections kept; touch reflections; }`},
		{"record", "task", "x"}, {"record", "attempt", "x", "--of", "task-001"}, {"record", "action", "x", "--of", "task-001"},
	} {
		if _, errs, code, err := runBounded(good, args...); err != nil || code > 1 {
			t.Fatalf("%q: exit %d, %v\n%s", args, code, err, errs)
		}
	}
	top := filepath.Join(good, ".agents/memory/reflexion") // the loop is under way: it could not write its second record
	must0(t, os.Remove(filepath.Join(top, "reflections")))
	must0(t, os.Rename(filepath.Join(top, "kept"), filepath.Join(top, "reflections")))
	heavy := few.Heavy()
	n := 0
	for i, target := range oursOfLoops {
		for j, p := range plants {
			if !heavy && (i+j)%len(plants) != 0 {
				continue
			}
			n++
			commands := [][]string{loopCommands[n/2%3], loopCommands[3+n/2%(len(loopCommands)-3)]}
			if !heavy {
				commands = commands[n%2:][:1]
			}
			t.Run(target+" "+p.name, func(t *testing.T) {
				t.Parallel()
				for _, args := range commands {
					w := newHostile(t, good)
					path := filepath.Join(w.repo, ".agents/memory/reflexion", target)
					must0(t, os.RemoveAll(path))
					must0(t, os.MkdirAll(filepath.Dir(path), 0o755))
					must0(t, p.plant(path, w.outside))
					out, errs, code, err := runBounded(w.repo, args...)
					all := out + errs
					if err != nil || strings.Contains(all, "goroutine ") || strings.Contains(all, "panic:") || code < 0 {
						t.Errorf("%q: exit %d, %v\n%s", args, code, err, all)
					}
					if strings.Contains(all, secret) || strings.Contains(contentsOf(t, w.repo), secret) {
						t.Errorf("%q shows what is outside:\n%s", args, all)
					}
					if hashOf(t, w.outside) != w.before {
						t.Errorf("%q changed what is outside:\n%s", args, all)
					}
				}
			})
		}
	}
}
