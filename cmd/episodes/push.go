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
remote that the repository was cloned from. Private episodes stay here unless --private is
given, each time; in the store only your login can read them. An episode that holds what
looks like a secret stays here: episodes doctor --secrets --fix takes it out. What others
changed or removed there since your last push or pull stays as it is, unless --force is given.`,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: asksOne(exits(teamExits + "\n3    some episodes were left out, or changed there by others; the rest is in the store")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.needTeam(); err != nil {
				return err
			}
			return a.ask(cmd, func(m *ask.Memory) error {
				answer, err := m.Push(cmd.Context(), r)
				if err != nil {
					return err
				}
				if err := a.show(cmd, answer); err != nil {
					return err
				}
				hint := a.again("push --force") + " replaces what others changed"
				if len(answer.LeftOut) > 0 {
					hint = a.again("doctor --secrets --fix") + " takes secrets out"
				}
				return a.partly(len(answer.LeftOut)+len(answer.Differ), hint)
			})
		},
	}
	cmd.Flags().BoolVar(&r.Private, "private", false, "bring the private part too, for your login alone")
	cmd.Flags().BoolVar(&r.Force, "force", false, "replace what others changed or removed in the store")
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
the owner, unless it is your own login. Local episodes are not overwritten unless --force is given, and forgotten ones do not come back.
Every file is checked like those of a clone.`,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: asksOne(exits(teamExits + "\n3    some episodes were left out; the others are here")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.needTeam(); err != nil {
				return err
			}
			return a.ask(cmd, func(m *ask.Memory) error {
				answer, err := m.Pull(cmd.Context(), r)
				if err != nil {
					return err
				}
				if err := a.show(cmd, answer); err != nil {
					return err
				}
				return a.partly(len(answer.LeftOut), "")
			})
		},
	}
	cmd.Flags().BoolVar(&r.Private, "private", false, "fetch also what your login pushed of its private part")
	cmd.Flags().StringVar(&r.FromOwner, "from-owner", "", "take the project only if it is owned by the login `NAME`")
	cmd.Flags().BoolVar(&r.Force, "force", false, "replace what is here and says something else")
	cmd.Flags().BoolVar(&r.DryRun, "dry-run", false, "only say what would be fetched")
	return cmd
}
