package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tried is what a task is told before its first edit.
type tried struct {
	Task string `json:"task"`
	Told []told `json:"told"`
	// Groups is how many groups of words there are of which one must be told; Said is the first that was told whole, from 1, or 0.
	Groups int `json:"groups"`
	Said   int `json:"said"`
}

type tasks []tried

func dry(bin string, dirs []string) (out tasks) {
	for _, dir := range dirs {
		out = append(out, try(bin, dir))
	}
	return out
}

// try begins a task in a memory of its sessions.
func try(bin, dir string) tried {
	prompt := must(os.ReadFile(filepath.Join(dir, "task.txt")))
	words, err := os.ReadFile(filepath.Join(dir, "words.txt"))
	if !errors.Is(err, fs.ErrNotExist) {
		check(err)
	}
	var groups [][]string
	for line := range strings.Lines(string(words)) {
		if line = strings.TrimSpace(line); line != "" {
			groups = append(groups, strings.Split(line, ","))
		}
	}
	sessions := history(dir)
	c := newClient(bin, sessions)
	defer c.close()
	c.takeIn(sessions...)
	s := &session{id: "trial-task", branch: "main"}
	s.add(1, "SessionStart", "", map[string]any{"source": "startup"})
	s.prompt(2, strings.TrimSpace(string(prompt)))
	t, all := tried{Task: filepath.Base(filepath.Clean(dir)), Told: c.play(s), Groups: len(groups)}, ""
	for _, one := range t.Told {
		all += one.Text + "\n"
	}
	t.Said = says(all, groups)
	return t
}

func (all tasks) text(w io.Writer) {
	said, of := 0, 0
	for _, t := range all {
		verdict := "no words to look for"
		if t.Groups > 0 {
			of, verdict = of+1, "not said"
		}
		if t.Said > 0 {
			said, verdict = said+1, fmt.Sprintf("said (group %d)", t.Said)
		}
		fmt.Fprintf(w, "%s: %s\n", t.Task, verdict)
		for i := range t.Told {
			t.Told[i].print(w)
		}
	}
	fmt.Fprintf(w, "\nsaid before the first edit in %d of %d\n", said, of)
}
