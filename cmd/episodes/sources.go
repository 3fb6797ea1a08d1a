package main

import (
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) sourcesCommand() *cobra.Command {
	var r ask.SourcesRequest
	cmd := &cobra.Command{
		Use:   "sources",
		Short: "List the transcripts that agents left on this machine for this repository",
		Example: `  episodes sources
  episodes sources --json
  episodes sources --moved-from /old/place/of/the/repository`,
		Long: `Writes nothing. A session is of this repository when the folder that its transcript
records is in one of its working trees, or in a folder given by --moved-from; if the folder is
gone, the recorded URL of the remote decides. New and changed compare with the last extraction here. Agents: ` + strings.Join(ask.Agents(), ", ") + `,
whose transcripts are in the checkpoints in git.`,
		Args:        takesNothing,
		Annotations: exits("10   no repository here\n" + commonExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r.Home, r.Getenv = a.home, a.getenv
			o, err := a.options(cmd)
			if err != nil {
				return err
			}
			answer, err := ask.Sources(cmd.Context(), o, r)
			if err != nil {
				return err
			}
			return a.show(cmd, answer)
		},
	}
	cmd.Flags().StringArrayVar(&r.MovedFrom, "moved-from", nil, "the repository was in `DIR` before; may be given again")
	return cmd
}
