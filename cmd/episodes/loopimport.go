package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"episodes/internal/term"
)

func (a *app) importCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "import [DIR]",
		Short:   "Take over the loops and tasks of another tool",
		Example: "  episodes loop import\n  episodes loop import ../old/.aiwg/ralph",
		Long: `Reads DIR/reflections/LOOP/*.json and DIR/tasks/task-*/, by default those below
.aiwg/ralph of the repository. Records are checked against their schemas,
cleaned, and stripped of command lines, outputs and secrets; tasks become
private, and get numbers of their own where theirs are taken. What was taken
over before is left as it is.`,
		Args: takes(cobra.MaximumNArgs(1), "at most one folder"), Annotations: exits(memoryExits + "\n3    some files were left out"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := a.learning(cmd)
			if err != nil {
				return err
			}
			dir := f.ImportFrom()
			if len(args) > 0 {
				dir = absoluteTo(a.cwd, args[0])
			}
			got, err := f.Import(cmd.Context(), dir)
			if err != nil {
				return err
			}
			for _, x := range got.LeftOut {
				a.warn("left out: " + term.Line(x))
			}
			text := fmt.Sprintf("%s and %s taken over, %d known before",
				term.Plural(got.Records, "record"), term.Plural(got.Tasks, "task"), got.Known)
			err = a.answer(cmd, result{data: got, text: text, empty: got.Records+got.Tasks+got.Known == 0})
			if n := len(got.LeftOut); n > 0 && err == nil {
				return partly("%s left out", term.Plural(n, "file"))
			}
			return err
		},
	}
}
