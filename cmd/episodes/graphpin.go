package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/capture"
	"episodes/internal/memory"
	"episodes/internal/recall"
)

func (a *app) graphPinCommand() *cobra.Command {
	var as string
	var alone, remove bool
	cmd := &cobra.Command{
		Use:   "pin [EPISODE#RECORD]",
		Short: "Say by hand that two records are one fact, or that one is like no other",
		Example: `  episodes explain "lock timeout"                 # which records stand at a node, and how they put it
  episodes graph pin 2026-01-12-session-2#e003 --alone
  episodes graph pin 2026-01-12-session-2#e003 --as 2026-01-10-session-1#e001
  episodes graph pin 2026-01-12-session-2#e003 --remove
  episodes graph pin                             # what is pinned`,
		Long: `Records of different sessions meet in one node of the graph when their words come to the
same key. Where that is wrong, --alone takes a record out of its node; where two tellings
of one fact were missed, --as puts a record into the node that the other's words lead to.
Pins are lines of the file pins.txt in the memory folder, which belongs into git.`,
		Args:        takes(cobra.MaximumNArgs(1), "one record"),
		Annotations: exits(graphExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && as == "" && !alone && !remove {
				return a.graphPins(cmd)
			}
			given := 0
			for _, is := range []bool{as != "", alone, remove} {
				if is {
					given++
				}
			}
			if len(args) == 0 || given != 1 {
				return usage(seeHelp(cmd), "pin needs a record and one of --as, --alone and --remove")
			}
			return a.graphPin(cmd, recall.PinAction{Ref: args[0], As: as, Remove: remove})
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "it is the same fact as `EPISODE#RECORD`")
	cmd.Flags().BoolVar(&alone, "alone", false, "it is a fact of its own")
	cmd.Flags().BoolVar(&remove, "remove", false, "let its words decide again")
	return cmd
}

// pinItem is a pin as --json shows it.
type pinItem struct {
	Record string `json:"record"`
	As     string `json:"as,omitempty"` // absent: alone
}

func (a *app) graphPins(cmd *cobra.Command) error {
	return a.ask(cmd, func(s *recall.Session) error {
		items := []pinItem{}
		var lines []string
		for _, p := range s.Pins() {
			items = append(items, pinItem{p.Ref, p.As})
			lines = append(lines, pinText(p))
		}
		text := "nothing is pinned"
		if lines != nil {
			text = strings.Join(lines, "\n")
		}
		return a.answer(cmd, result{data: map[string]any{"pins": items}, text: a.budgeted(text), empty: len(items) == 0})
	})
}

func (a *app) graphPin(cmd *cobra.Command, act recall.PinAction) error {
	return a.ask(cmd, func(s *recall.Session) error {
		p, rep, err := s.Pin(cmd.Context(), act)
		if errors.Is(err, fs.ErrNotExist) {
			return &failure{code: codeFailed, err: fmt.Errorf("no such record: %w", err), hint: a.again("decisions EPISODE") + " or " + a.again("get EPISODE") + " lists them"}
		}
		if err != nil {
			return err
		}
		text := pinText(p)
		if act.Remove {
			text = p.Ref + ": by its words"
		}
		change := capture.ChangeOf(rep)
		return a.answer(cmd, result{data: map[string]any{"pin": pinItem{p.Ref, p.As}, "removed": act.Remove, "graph": change}, text: a.budgeted(text + "\n" + change.String())})
	})
}

func pinText(p memory.Pin) string {
	if p.As == "" {
		return p.Ref + ": alone"
	}
	return p.Ref + ": as " + p.As
}
