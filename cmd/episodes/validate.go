package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"episodes/internal/memory"
	"episodes/internal/schema"
)

func (a *app) validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate [FILE]...",
		Short: "Check episode files against the schema",
		Example: `  episodes validate
  episodes validate .agents/memory/episodes/episode-2026-01-12-session-2.json`,
		Long: `Checks that each file is JSON of the episode schema, that its ids are unique and its
links lead to records that exist, and that its id is the name of the file. Without a
FILE, all episodes of the memory are checked. Each problem is a line: file:line: message.`,
		Annotations: exits(memoryExits + "\n1    there are problems"),
		RunE:        func(cmd *cobra.Command, args []string) error { return a.validate(cmd, args) },
	}
}

func (a *app) validate(cmd *cobra.Command, args []string) error {
	var rep *schema.Report
	var err error
	if len(args) > 0 {
		rep, err = schema.Files(a.cwd, args)
	} else {
		var loc memory.Location
		if loc, err = a.location(); err != nil {
			return err
		}
		var m *memory.Memory
		if m, err = memory.Open(loc); err != nil {
			return err
		}
		defer m.Close()
		rep, err = schema.Folder(m.EpisodesDir())
	}
	if err != nil {
		return err
	}
	if n := len(rep.Problems); n > 0 {
		for _, p := range rep.Problems {
			if !a.flags.json {
				fmt.Fprintln(a.stderr, printable(p.String()))
			}
		}
		return &failure{code: codeFailed, err: fmt.Errorf("%s in %s", plural(n, "problem"), plural(rep.Bad(), "file")), data: rep}
	}
	return a.answer(cmd, result{data: rep, text: a.budgeted(fmt.Sprintf("%s, all valid", plural(rep.Files, "file"))), empty: rep.Files == 0})
}
