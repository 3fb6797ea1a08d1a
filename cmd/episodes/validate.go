package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/learning"
	"episodes/internal/term"
)

func (a *app) validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate [FILE]...",
		Short: "Check files of episodes, and of attempts of loops, against their schemas",
		Example: `  episodes validate
  episodes validate .agents/memory/episodes/episode-2026-01-12-session-2.json`,
		Long: `Checks that each file is JSON of the episode schema, that its ids are unique and its
links lead to records that exist, and that its id is the name of the file. Without a
FILE, all episodes of the memory are checked. A FILE with the record of an attempt is checked
against the schema of reflections. Each problem is a line: file:line: message.`,
		Annotations: exits(memoryExits + "\n1    there are problems"),
		RunE:        func(cmd *cobra.Command, args []string) error { return a.validate(cmd, args) },
	}
}

func (a *app) validate(cmd *cobra.Command, files []string) error {
	var rep *ask.ValidateAnswer
	var err error
	if len(files) > 0 {
		rep, err = learning.ValidateFiles(a.cwd, files)
	} else {
		var o ask.Options
		if o, err = a.options(cmd); err == nil {
			rep, err = ask.Validate(o)
		}
	}
	if err != nil {
		return err
	}
	if n := len(rep.Problems); n > 0 {
		for _, p := range rep.Problems {
			if !a.flags.json {
				fmt.Fprintln(a.stderr, term.Line(p.String()))
			}
		}
		return &failure{code: codeFailed, err: fmt.Errorf("%s in %s", term.Plural(n, "problem"), term.Plural(rep.Bad(), "file")), data: rep, verdict: true}
	}
	return a.show(cmd, rep)
}
