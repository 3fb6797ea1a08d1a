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
		text := ""
		for _, p := range rep.Problems {
			text += term.Line(p.String()) + "\n"
		}
		return a.wrong(text, failure{err: fmt.Errorf("%s in %s", term.Plural(n, "problem"), term.Plural(rep.Bad(), "file")), data: rep})
	}
	return a.show(cmd, rep)
}
