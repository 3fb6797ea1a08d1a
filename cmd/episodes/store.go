package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) storeCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "store",
		Short: "Set up a team's store, and say who may read and write its projects",
		Example: `  export EPISODES_STORE=postgres://db.example.org/episodes
  episodes store init --print-sql | psql -d episodes
  episodes store projects
  episodes store admit alice --write`,
		Annotations: exits(commonExits),
	}, a.storeInitCommand(), a.storeProjectsCommand(), a.storeAdmitCommand(), a.storeDismissCommand(), a.storeHideCommand("hide", true), a.storeHideCommand("reveal", false))
}

func (a *app) storeInitCommand() *cobra.Command {
	var print bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make the tables and roles of a team's store, or print the SQL that does",
		Example: `  episodes store init --print-sql | psql -h db.example.org -d episodes
  episodes store init --store postgres://db.example.org/episodes`,
		Long: `It takes a login that may make schemas and roles, and can be run again. The roles are
episodes_reader, episodes_writer and episodes_owner; grant one to each login.`,
		Args:        takes(cobra.NoArgs, "no arguments"),
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

func (a *app) storeProjectsCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "projects",
		Short:       "List the projects that your login may read",
		Example:     "  episodes store projects",
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: asksOne(exits(commonExits)),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.needTeam(); err != nil {
				return err
			}
			list, err := ask.ListProjects(cmd.Context(), a.flags.store)
			if err != nil {
				return err
			}
			return a.show(cmd, list)
		},
	}
}

func (a *app) storeAdmitCommand() *cobra.Command {
	var writes bool
	cmd := &cobra.Command{
		Use:   "admit LOGIN",
		Short: "Let a login read this project although it is private, or write to it",
		Example: `  episodes store admit alice
  episodes store admit bob --write`,
		Args:        takes(cobra.ExactArgs(1), "one login"),
		Annotations: asksOne(exits(commonExits)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.decide(cmd, "admitted "+args[0], func(p *ask.Project) error { return p.Admit(cmd.Context(), args[0], writes) })
		},
	}
	cmd.Flags().BoolVar(&writes, "write", false, "it may push too")
	return cmd
}

func (a *app) storeDismissCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "dismiss LOGIN",
		Short:       "Take back what admit gave",
		Example:     "  episodes store dismiss alice",
		Args:        takes(cobra.ExactArgs(1), "one login"),
		Annotations: asksOne(exits(commonExits)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.decide(cmd, "dismissed "+args[0], func(p *ask.Project) error { return p.Dismiss(cmd.Context(), args[0]) })
		},
	}
}

func (a *app) storeHideCommand(use string, private bool) *cobra.Command {
	short := "Show this project to all who may read the store"
	if private {
		short = "Make this project private: only its owner and who was admitted see it"
	}
	return &cobra.Command{
		Use:         use,
		Short:       short,
		Example:     "  episodes store " + use,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: asksOne(exits(commonExits)),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.decide(cmd, use+": done", func(p *ask.Project) error { return p.SetPrivate(cmd.Context(), private) })
		},
	}
}

// decide does what the owner of the project alone may.
func (a *app) decide(cmd *cobra.Command, said string, fn func(*ask.Project) error) error {
	if err := a.needTeam(); err != nil {
		return err
	}
	o, err := a.options(cmd)
	if err != nil {
		return err
	}
	p, err := ask.OpenProject(cmd.Context(), o)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := fn(p); err != nil {
		return err
	}
	return a.answer(cmd, result{data: map[string]string{"project": p.Name()}, text: fmt.Sprintf("project %s: %s\n", p.Name(), said)})
}
