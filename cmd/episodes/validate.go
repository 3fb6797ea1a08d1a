package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/learning"
	"episodes/internal/term"
)

// validate checks files, or all episodes of the memory, against their schemas.
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
		return &failure{code: codeFailed,
			err: fmt.Errorf("%s in %s", term.Plural(n, "problem"), term.Plural(rep.Bad(), "file")), data: rep,
			verdict: true}
	}
	return a.show(cmd, rep)
}
