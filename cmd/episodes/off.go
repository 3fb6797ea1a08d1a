package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/hook"
)

// switchCommand is off or on.
func (a *app) switchCommand(name string) *cobra.Command {
	session, off := false, name == "off"
	short, says := "Tell agents again what earlier sessions know", "agents are told again what earlier sessions know"
	if off {
		short, says = "Tell agents nothing in this repository until episodes on", "agents are told nothing"
	}
	cmd := &cobra.Command{
		Use: name, Short: short,
		Example: "  episodes " + name + "\n  episodes " + name + " --session",
		Long: `off silences the brief and all lines of hooks in this repository, with --session in the session that
acts next in it: run it there. What sessions leave is taken in all the same, and ask, search and
the other commands answer. on ends it, with --session for such sessions. EPISODES_OFF=1 in the
environment of an agent silences its hooks altogether, and brief = 0 in your episodes/config.toml
the brief everywhere.`,
		Args: takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loc, err := a.location()
			if err != nil {
				return err
			}
			if err := hook.Switch(cmd.Context(), loc, session, off); err != nil {
				return err
			}
			switch {
			case !session:
				says += " in this repository"
			case off:
				says += " in the session that acts next in this repository"
			default:
				says += " in sessions that were silenced"
			}
			return a.answer(cmd, result{data: switched{off, session}, text: says + "\n"})
		},
	}
	cmd.Flags().BoolVar(&session, "session", false, "only the session that acts next")
	return cmd
}

// switched is the answer of off and on.
type switched struct {
	Off     bool `json:"off"`
	Session bool `json:"session"`
}
