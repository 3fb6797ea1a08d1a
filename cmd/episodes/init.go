package main

import (
	"errors"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Make a memory in this repository",
		Example: `  episodes init
  episodes init --root ../other
  episodes init --memory /tmp/try`,
		Long: `Makes ROOT/.agents/memory with two folders: episodes, which you commit, and causality, the
local graph, which a .gitignore keeps out of git. Existing files are not changed. Lists what
extract without a path reads.`,
		Args: takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.init(cmd) },
	}
}

func (a *app) init(cmd *cobra.Command) error {
	loc, err := a.location()
	if err != nil && !errors.Is(err, ask.ErrNoMemory) {
		return err
	}
	made, err := ask.Create(loc)
	if err != nil || a.flags.quiet && !a.flags.json {
		return err
	}
	o, err := a.options(cmd)
	if err != nil {
		return err
	}
	if left, err := ask.Sources(cmd.Context(), o, a.sources()); err == nil && !left.Empty() {
		made.Sources = left
	}
	return a.show(cmd, made)
}
