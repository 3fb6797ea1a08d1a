package main

import (
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

// trustCommand says whose logs the user takes for reviewed. Commands below it confirm other things
// that came with a repository.
func (a *app) trustCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trust AUTHOR...",
		Short: "Take the logs of an author of this repository for reviewed",
		Example: `  episodes trust alice@example.com
  episodes trust "Alice Example"`,
		Long: `What a fetch brings by an author who had no log here before is new for seven days
(quarantine_days in episodes/config.toml of your own configuration folder): hooks, loops and
the Model Context Protocol leave it out, advise and search show it last. AUTHOR is an e-mail
address or a name, as commits have it, so whoever may push can claim it. It counts in all
repositories; the list is the file trusted in that folder. trust = ["..."] in config.toml
does the same. Of corrections that are not committed and not your own, AUTHOR is their by.`,
		Args:        takes(cobra.MinimumNArgs(1), "an author"),
		Annotations: exits(commonExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			answer, err := ask.TrustAuthors(args)
			if err != nil {
				return err
			}
			return a.answer(cmd, result{data: answer, text: "trusted: " + strings.Join(answer.Authors, ", ") + "\n"})
		},
	}
	cmd.Annotations[alone] = "yes"
	cmd.AddCommand(a.trustConfigCommand())
	return cmd
}
