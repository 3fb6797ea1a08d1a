package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/learning"
	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/loop"
)

// keepGoing behind the file of --tasks asks for the tasks after one that failed.
const keepGoing = ",keep-going"

// loopTasks runs a loop for each open task of a list, up to the first that fails.
func (a *app) loopTasks(cmd *cobra.Command, l *learning.Folder, r learning.LoopRequest, file string) error {
	file, all := strings.CutSuffix(file, keepGoing)
	data, err := a.readInput(cmd.Context(), file)
	if err != nil {
		return err
	}
	tasks, done := loop.Tasks(string(data))
	if len(tasks)+done == 0 {
		return usage("", "--tasks %q: has no task: an item \"- [ ] words\", or a line", file)
	}
	ends, failed := []any{}, []string{}
	var last *failure
	for n, task := range tasks {
		a.note(fmt.Sprintf("task %d of %d: %s", n+1, len(tasks), reflexion.FirstLine(task)))
		r.Config.Task = task
		ended, err := l.RunTask(cmd.Context(), r)
		if err != nil {
			f := *a.classify(cmd, err)
			f.data = map[string]any{"loops": ends}
			return &f
		}
		got, f := a.loopResult(ended)
		ends = append(ends, got.data)
		if f == nil {
			a.note(got.text)
			continue
		}
		a.note(f.Error())
		last, failed = f, append(failed, ended.Config.LoopID)
		if !all {
			break
		}
	}
	got := result{data: map[string]any{"loops": ends},
		text: fmt.Sprintf("%d of %s passed, %d ticked before", len(ends)-len(failed), term.Plural(len(tasks), "task"), done)}
	if last != nil {
		last.data, last.err = got.data, errors.New(got.text+"; not "+strings.Join(failed, ", "))
		return last
	}
	return a.answer(cmd, got)
}
