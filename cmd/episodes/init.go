package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/memory"
)

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Make a memory in this repository",
		Example: `  episodes init
  episodes init --root ../other
  episodes init --memory /tmp/try`,
		Long: `Makes ROOT/.agents/memory with a folder for episodes, which belong in git, and one
for what is derived from them, which a .gitignore keeps out. What exists is left alone.`,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(commonExits),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.init(cmd) },
	}
}

func (a *app) init(cmd *cobra.Command) error {
	loc, err := a.location()
	if err != nil && !errors.Is(err, memory.ErrNone) {
		return err
	}
	m, made, err := memory.Create(loc)
	if err != nil {
		return err
	}
	m.Close()
	text := fmt.Sprintf("the memory %q is there already\n", loc.Dir)
	if len(made) > 0 {
		text = fmt.Sprintf("made %q: %s\n", loc.Dir, strings.Join(made, ", "))
	}
	sessions := filepath.Join(loc.Root, ".agents", "sessions")
	next := "episodes extract LOG...   takes in session logs, wherever they are"
	if info, err := os.Stat(sessions); err == nil && info.IsDir() {
		next = fmt.Sprintf("episodes extract   takes in the logs of %q", sessions)
	}
	text += "next: " + next + "\n      git add .agents/memory   shares the episodes with everyone who clones"
	if made == nil {
		made = []string{}
	}
	return a.answer(cmd, result{data: map[string]any{"memory": loc.Dir, "root": loc.Root, "made": made}, text: a.budgeted(text)})
}
