package main

import (
	"cmp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"episodes/internal/ask"
)

func (a *app) correctCommand() *cobra.Command {
	var r ask.CorrectRequest
	var text string
	cmd := &cobra.Command{
		Use:   "correct REF",
		Short: "Correct a fact of an episode by hand, for good",
		Example: `  episodes correct 2026-01-12-session-2 --outcome partial
  episodes correct 2026-01-12-session-2#d001 --outcome failure
  episodes correct 2026-01-12-session-2#e003 --wrong          # it is no fact
  episodes correct '2026-01-12-session-2#d001>e003' --wrong   # it did not lead there
  episodes correct 2026-01-12-session-2#d001 --text "use a pool of connections"
  episodes correct 2026-01-12-session-2 --text "make the upload resumable"   # the task
  episodes correct l1a2b3c4d --say "run make gen before lint and test" --when "lint fails after a merge"`,
		Long: `The correction is a small file below additions/ in the memory folder, which you commit: it holds
as long as the lines of the log that it is about still say the same, wherever they move to. When they do
not, doctor says so. A lesson keeps its id.`,
		Args:              takes(cobra.ExactArgs(1), "one episode or record"),
		Annotations:       exits(graphExits + "\n1    failed; also: there is no such record"),
		ValidArgsFunction: a.completeIDs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Ref = args[0]
			if cmd.Flags().Changed("text") {
				r.Text = &text
			}
			return question(a, cmd, r, (*ask.Memory).Correct)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&r.Wrong, "wrong", false, "it is no fact, or no link: take it away")
	f.StringVar(&r.Outcome, "outcome", "", "the `OUTCOME` of the decision or session: success, partial, failure or unknown")
	completeValues(cmd, "outcome", "success", "partial", "failure", "unknown")
	f.StringVar(&text, "text", "", "the words of the record or lesson are `TEXT` (also --say); of a session: its task")
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(map[string]string{"say": "text"}[name], name))
	})
	f.StringArrayVar(&r.When, "when", nil, "the lesson is needed when `WORDS`; up to three times")
	return cmd
}
