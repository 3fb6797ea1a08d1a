package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

const teamExits = graphExits + "\n1    failed; also: the server cannot be reached, or does not allow it"

func (a *app) pushCommand() *cobra.Command {
	var r ask.PushRequest
	cmd := &cobra.Command{
		Use:   "push",
		Short: "Send this repository's episodes to the team's store",
		Example: `  export EPISODES_STORE=postgres://db.example.org/episodes
  episodes push --dry-run
  episodes push`,
		Long: `Only changes are sent. The project is named by ?project=NAME in the URL, or else by the
remote that the repository was cloned from. An episode that holds what looks like a secret
stays here: episodes doctor --secrets --fix takes it out.`,
		Args:        takesNothing,
		Annotations: asksOne(exits(teamExits + "\n3    some episodes were left out, or changed there by others; the rest is in the store")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.needTeam(); err != nil {
				return err
			}
			answer, err := answered(a, cmd, r, (*ask.Memory).Push)
			if err != nil {
				return err
			}
			hint := a.again("push --force") + " replaces what others changed"
			if len(answer.LeftOut) > 0 {
				hint = a.again("doctor --secrets --fix") + " takes secrets out"
			}
			return a.leftOut(len(answer.LeftOut)+len(answer.Differ), hint)
		},
	}
	cmd.Flags().BoolVar(&r.Private, "private", false, "bring the private part too, this time; only your login can read it there")
	cmd.Flags().BoolVar(&r.Force, "force", false, "replace what others changed or removed in the store since your last push or pull")
	cmd.Flags().BoolVar(&r.DryRun, "dry-run", false, "only say what would be brought")
	return cmd
}

func (a *app) pullCommand() *cobra.Command {
	var r ask.PullRequest
	cmd := &cobra.Command{
		Use:   "pull",
		Short: "Fetch the episodes that others pushed for this repository",
		Example: `  export EPISODES_STORE=postgres://db.example.org/episodes
  episodes pull --from-owner alice
  episodes pull`,
		Long: `Whoever pushes a project first owns it. The first pull, and one after the owner changed, names
the owner, unless it is your own login. Forgotten episodes do not come back. Every file is checked like those of a clone.`,
		Args:        takesNothing,
		Annotations: asksOne(exits(teamExits + "\n3    some episodes were left out; the others are here")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.needTeam(); err != nil {
				return err
			}
			answer, err := answered(a, cmd, r, (*ask.Memory).Pull)
			if err != nil {
				return err
			}
			return a.leftOut(len(answer.LeftOut), "")
		},
	}
	cmd.Flags().BoolVar(&r.Private, "private", false, "fetch also what your login pushed of its private part")
	cmd.Flags().StringVar(&r.FromOwner, "from-owner", "", "take the project only if it is owned by the login `NAME`")
	cmd.Flags().BoolVar(&r.Force, "force", false, "replace what is here and says something else")
	cmd.Flags().BoolVar(&r.DryRun, "dry-run", false, "only say what would be fetched")
	return cmd
}
