package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"episodes/internal/learning"
	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/evaluate"
)

type reflectFlags struct {
	verify                                  []string
	loop, task, eval, actions, exec, answer string
	review                                  string
	promptOnly, informed                    bool
}

func (a *app) reflectCommand() *cobra.Command {
	var f reflectFlags
	cmd := &cobra.Command{
		Use:   "reflect --loop ID",
		Short: "Write down what an attempt came to, with a reflection when it failed",
		Example: `  episodes loop reflect --loop ralph-cache --task 'fix the cache' --verify 'go test -json ./...' --exec 'model --print'
  episodes loop eval --json -- npm test >eval.json; episodes loop reflect --loop ralph-cache --eval eval.json
  episodes loop reflect --loop ralph-cache --eval eval.json --prompt | model | episodes loop reflect --loop ralph-cache --eval eval.json --answer -`,
		Long: `Takes what the evaluator found, from --verify or from a file that episodes loop eval --json wrote, and
writes the record of the loop's next iteration. Without --exec or --answer rules write the reflection.
An attempt that passed gets none.`,
		Args:        takesNothing,
		Annotations: exits(memoryExits),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.reflect(cmd, f) },
	}
	verifyFlag(cmd, &f.verify)
	fs := cmd.Flags()
	fs.StringVar(&f.loop, "loop", "", "`ID` of the loop: ralph- and lower-case letters, digits and hyphens")
	fs.StringVar(&f.task, "task", "", "what is to be done, in `WORDS`; default: as in the iteration before")
	fs.StringVar(&f.eval, "eval", "", "`FILE` with what the evaluator found; -: standard input")
	fs.StringVar(&f.actions, "actions", "", "JSON `FILE` with the actor's actions (actor_output of the schema)")
	fs.StringVar(&f.exec, "exec", "", "command `LINE` that answers the prompt on its standard input")
	fs.StringVar(&f.answer, "answer", "", "`FILE` with an answer to the prompt; -: standard input")
	fs.StringVar(&f.review, "review", "", "what a person found of it: `VERDICT` is pass or fail; fail overrules the verifiers")
	fs.BoolVar(&f.informed, "informed", false, "the attempt was given what episodes retry prints")
	fs.BoolVar(&f.promptOnly, "prompt", false, "print the prompt and write nothing")
	return cmd
}

func (f *reflectFlags) check() error {
	switch {
	case !reflexion.ValidLoopID(f.loop):
		return usage("", "--loop %q: must be ralph- and lower-case letters, digits and hyphens", f.loop)
	case f.exec != "" && f.answer != "":
		return usage("", "--exec and --answer: give one of them")
	case (f.eval == "") == (len(f.verify) == 0):
		return usage("", "give what the evaluator found: --eval or --verify")
	case f.review != "" && f.review != string(reflexion.Pass) && f.review != string(reflexion.Fail):
		return usage("", "--review %q: must be pass or fail", f.review)
	case f.eval == "-" && f.answer == "-":
		return usage("", "--eval - and --answer -: only one can be standard input")
	}
	return nil
}

func (a *app) reflect(cmd *cobra.Command, f reflectFlags) error {
	holdLittle()
	r, err := a.reflectRequest(cmd.Context(), f)
	if err != nil {
		return err
	}
	l, err := a.learning(cmd)
	if err != nil {
		return err
	}
	if f.promptOnly {
		prompt, err := l.Prompt(cmd.Context(), r)
		if err != nil {
			return err
		}
		return a.answer(cmd, result{data: map[string]any{"prompt": prompt}, text: prompt})
	}
	wrote, err := l.Reflect(cmd.Context(), r)
	if err != nil {
		return err
	}
	rec := wrote.Record
	text := fmt.Sprintf("iteration %d of %s passed: nothing to reflect on\n", rec.Iteration, rec.LoopID)
	if rec.Reflected() {
		text = fmt.Sprintf("iteration %d of %s, %s reflection (%s):\n%s\n", rec.Iteration, rec.LoopID,
			rec.Reflection.Source, rec.Reflection.Category(), rec.Reflection.Text)
		for _, low := range reflexion.LowQuality(rec) {
			a.note("low quality: " + low)
		}
	}
	return a.answer(cmd, result{data: wrote, text: a.budgeted(term.Lines(text))})
}

func (a *app) reflectRequest(ctx context.Context, f reflectFlags) (r learning.ReflectRequest, err error) {
	if err := f.check(); err != nil {
		return r, err
	}
	r = learning.ReflectRequest{Loop: f.loop, Task: f.task, Informed: f.informed,
		Review: reflexion.Status(f.review), Dir: a.cwd, Model: f.exec, Timeout: evaluate.DefaultTimeout}
	var err1, err2, err3 error
	r.Actions, err1 = a.input(ctx, f.actions)
	r.Evaluation, err2 = a.input(ctx, f.eval)
	r.Answer, err3 = a.input(ctx, f.answer)
	if err := cmp.Or(err1, err2, err3); err != nil {
		return r, err
	}
	if f.eval == "" {
		r.Verifiers, err = (&evalFlags{verify: f.verify, format: evaluate.Auto, timeout: evaluate.DefaultTimeout}).verifiers(nil)
	}
	return r, err
}
