package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/doctor"
)

func (a *app) trustConfigCommand() *cobra.Command {
	var r ask.TrustConfigRequest
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Confirm what the project's file changes in what logs say and in what is redacted",
		Example: `  episodes trust config --dry-run
  episodes trust config`,
		Long: `Whoever writes to the repository writes ` + ask.VocabularyFile + `. Its patterns of what is redacted
and of what is no log count at once. Its names and words, which change what logs say, and its
exceptions from redaction count once you have confirmed them, each line. The answer shows the
difference to what you confirmed before: + is confirmed now. What you confirmed is
kept in your own configuration, for all working trees of the repository.`,
		Args: takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := a.options(cmd)
			if err != nil {
				return err
			}
			answer, err := ask.TrustConfig(o, r)
			if err != nil {
				return err
			}
			return a.show(cmd, answer)
		},
	}
	cmd.Flags().BoolVar(&r.DryRun, "dry-run", false, "only say what would be confirmed")
	return cmd
}

// checkConfig says what of the project's file the user has not confirmed.
func (a *app) checkConfig(o ask.Options, rep *doctor.Report) {
	answer, err := ask.TrustConfig(o, ask.TrustConfigRequest{DryRun: true})
	if err != nil || len(answer.New) == 0 {
		return // what cannot be read is found elsewhere
	}
	rep.Note("config", fmt.Sprintf("%s: lines that do not count until you confirm them: %d", answer.File, len(answer.New)), a.again("trust config"))
}
