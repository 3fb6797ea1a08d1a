package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/term"
)

func (a *app) storeCommand() *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "store",
		Short: "List the projects of a team's store, set it up, and say who may read and write them",
		Example: `  export EPISODES_STORE=postgres://db.example.org/episodes
  episodes store init --print-sql | psql -q -d episodes
  episodes store                         # the projects that your login may read
  episodes store admit alice --write`,
		Annotations: asksOne(exits(teamExits)),
	}, a.storeInitCommand(), a.storeAdmitCommand(), a.storeDismissCommand(), a.storeHideCommand(),
		a.storeDropCommand(), a.storeRemoveCommand())
	cmd.Annotations[alone] = "yes"
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if !ask.IsTeam(a.flags.store) {
			return cmd.Help()
		}
		list, err := ask.ListProjects(cmd.Context(), a.flags.store)
		if err != nil {
			return err
		}
		return a.show(cmd, list)
	}
	return cmd
}

func (a *app) storeInitCommand() *cobra.Command {
	var print bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make the tables and roles of a team's store, or print the SQL that does",
		Example: `  episodes store init --print-sql | psql -q -h db.example.org -d episodes
  episodes store init --store postgres://db.example.org/episodes`,
		Long: `It takes a login that may make schemas and roles, and can be run again. The roles are
episodes_reader, episodes_writer and episodes_owner; grant one to each login.`,
		Args:        takesNothing,
		Annotations: asksOne(exits(commonExits)),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if print {
				fmt.Fprint(a.stdout, ask.StoreSQL())
				return nil
			}
			if err := a.needTeam(); err != nil {
				return err
			}
			if err := ask.InitStore(cmd.Context(), a.flags.store); err != nil {
				return err
			}
			return a.answer(cmd, result{data: map[string]bool{"made": true}, text: "the tables and roles of the store are there\n"})
		},
	}
	cmd.Flags().BoolVar(&print, "print-sql", false, "print the SQL instead of running it")
	return cmd
}

func (a *app) storeAdmitCommand() *cobra.Command {
	var writes, owner bool
	cmd := &cobra.Command{
		Use:   "admit LOGIN",
		Short: "Let a login read this project although it is private, write to it, or own it",
		Example: `  episodes store admit alice
  episodes store admit bob --write
  episodes store admit carol --owner`,
		Long:        "Who makes another login the owner has no more rights than others, unless that one admits it.",
		Args:        takes(cobra.ExactArgs(1), "one login"),
		Annotations: asksOne(exits(teamExits)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if owner {
				return a.decide(cmd, func(s *ask.TeamStore) (string, error) {
					return "its owner is now " + args[0], s.Give(cmd.Context(), args[0])
				})
			}
			return a.decide(cmd, func(s *ask.TeamStore) (string, error) {
				return "admitted " + args[0], s.Admit(cmd.Context(), args[0], writes)
			})
		},
	}
	cmd.Flags().BoolVar(&writes, "write", false, "it may push too")
	cmd.Flags().BoolVar(&owner, "owner", false, "make it the owner of this project, in place of you")
	return cmd
}

func (a *app) storeDismissCommand() *cobra.Command {
	var private bool
	cmd := &cobra.Command{
		Use:   "dismiss LOGIN",
		Short: "Take back what admit gave",
		Example: `  episodes store dismiss alice
  episodes store dismiss alice --delete-private`,
		Long: `Episodes that the login keeps private in this project stay, and nobody else can read them.
For --delete-private there need be no such login any more.`,
		Args:        takes(cobra.ExactArgs(1), "one login"),
		Annotations: asksOne(exits(teamExits)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.decide(cmd, func(s *ask.TeamStore) (string, error) {
				err := s.Dismiss(cmd.Context(), args[0])
				if !private || err != nil && !ask.NotAdmitted(err) {
					return "dismissed " + args[0], err
				}
				n, err := s.DeletePrivate(cmd.Context(), args[0])
				return fmt.Sprintf("dismissed %s, deleted %s", args[0], term.Plural(n, "private episode")), err
			})
		},
	}
	cmd.Flags().BoolVar(&private, "delete-private", false, "delete what it keeps private in this project")
	return cmd
}

func (a *app) storeHideCommand() *cobra.Command {
	var undo bool
	cmd := &cobra.Command{
		Use:   "hide",
		Short: "Make this project private: only its owner and who was admitted see it",
		Example: `  episodes store hide
  episodes store hide --undo        # show it to all who may read the store`,
		Long:        "Before the first push it makes the project, so that nothing of it is ever seen by others.",
		Args:        takesNothing,
		Annotations: asksOne(exits(teamExits)),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.decide(cmd, func(s *ask.TeamStore) (string, error) {
				if undo {
					return "reveal: done", s.Reveal(cmd.Context())
				}
				return "hide: done", s.Hide(cmd.Context())
			})
		},
	}
	cmd.Flags().BoolVar(&undo, "undo", false, "show it to all who may read the store")
	return cmd
}

func (a *app) storeDropCommand() *cobra.Command {
	var r ask.DropRequest
	cmd := &cobra.Command{
		Use:   "drop EPISODE",
		Short: "Remove an episode from this project",
		Example: `  episodes store drop 2026-04-30-session-12 --dry-run
  episodes store drop 2026-04-30-session-12`,
		Long: `It does not come back from a clone that has it, unless that says push --force. What is to go from
the memory of this machine too is forgotten (episodes forget) and pushed.`,
		Args:        takes(cobra.ExactArgs(1), "one episode"),
		Annotations: asksOne(exits(teamExits)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.needTeam(); err != nil {
				return err
			}
			r.Episode = args[0]
			return question(a, cmd, r, (*ask.Memory).Drop)
		},
	}
	cmd.Flags().BoolVar(&r.DryRun, "dry-run", false, "only say what would be removed")
	return cmd
}

func (a *app) storeRemoveCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "remove",
		Short: "Delete this project from the store, with all that it holds",
		Example: `  episodes store remove --store 'postgres://db.example.org/episodes?project=git.example.org/harbor/api'
  episodes store remove --yes`,
		Long: `Its episodes, also those that logins keep private there, are deleted, and who was admitted to it is. Memories of repositories stay; a push from one of them makes the project anew.
Without --yes it only says what would be deleted.`,
		Args:        takesNothing,
		Annotations: asksOne(exits(teamExits)),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.decide(cmd, func(s *ask.TeamStore) (string, error) {
				p, err := s.Project(cmd.Context())
				if err == nil && !yes {
					err = usage("episodes store remove --yes does it",
						"project %s with %s, and what logins keep private there, would be deleted",
						term.Line(p.Name), term.Plural(p.Sessions, "episode"))
				}
				if err != nil {
					return "", err
				}
				return "deleted", s.Remove(cmd.Context())
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	return cmd
}

// decide does what the owner of the project alone may, and says it.
func (a *app) decide(cmd *cobra.Command, fn func(*ask.TeamStore) (said string, err error)) error {
	if err := a.needTeam(); err != nil {
		return err
	}
	o, err := a.options(cmd)
	if err != nil {
		return err
	}
	s, err := ask.OpenTeamStore(cmd.Context(), o)
	if err != nil {
		return err
	}
	defer s.Close()
	said, err := fn(s)
	if err != nil {
		return err
	}
	return a.answer(cmd,
		result{data: map[string]string{"project": s.Name()}, text: fmt.Sprintf("project %s: %s\n", s.Name(), term.Line(said))})
}
