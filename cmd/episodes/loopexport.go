package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"episodes/internal/term"
)

func (a *app) exportCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "export LOOP|TASK|DIR",
		Short: "Print all that is kept of a loop or a task, or write all of them into a folder",
		Example: `  episodes loop export task-001
  episodes loop export ralph-cart >cart.json
  episodes loop export --format ralph ../export`,
		Long: `As json, all that is kept of one loop or task is printed. As ralph, all loops,
tasks and what was learned are written into the folder DIR, private tasks among
them: reflections/LOOP/001.json, tasks/task-001/ with its attempts, index/, and
reflexion-memory/ by kind.`,
		Args: takes(cobra.ExactArgs(1), "a loop, a task, or a folder"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "json" && format != "ralph" {
				return usage("", "--format %q: must be json or ralph", format)
			}
			f, err := a.learning(cmd)
			if err != nil {
				return err
			}
			if format == "ralph" {
				got, err := f.Export(absoluteTo(a.cwd, args[0]))
				if err != nil {
					return err
				}
				text := fmt.Sprintf("wrote %s, %s and %d memories into %q",
					term.Plural(got.Records, "record"), term.Plural(got.Tasks, "task"), got.Memories, args[0])
				return a.answer(cmd, result{data: got, text: text})
			}
			h, err := f.History(args[0])
			if err != nil {
				return err
			}
			h.Replay()
			data, err := json.MarshalIndent(h, "", "  ")
			if err != nil {
				return err
			}
			return a.answer(cmd, result{data: h, text: string(term.JSON(data))})
		},
	}
	cmd.Flags().StringVar(&format, "format", "json", "`FORMAT`: json or ralph")
	completeValues(cmd, "format", "json", "ralph")
	return cmd
}
