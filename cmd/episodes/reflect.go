package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"episodes/graph"
	"episodes/internal/proc"
	"episodes/internal/recall"
	"episodes/reflexion"
	"episodes/reflexion/advice"
	"episodes/reflexion/evaluate"
	"episodes/reflexion/loop"
)

// windowFlags say which reflections an attempt sees.
type windowFlags struct {
	omega  int
	policy string
}

func (w *windowFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&w.omega, "omega", 0, "keep `N` reflections in the window, 1 to 10; 0: by the kind of verification")
	cmd.Flags().StringVar(&w.policy, "policy", "", "of the window: `POLICY` is fifo, recency or relevance_weighted")
}

func (w *windowFlags) check() error {
	switch {
	case w.omega != 0 && (w.omega < reflexion.MinOmega || w.omega > reflexion.MaxOmega):
		return usage("", "--omega %d: must be %d to %d", w.omega, reflexion.MinOmega, reflexion.MaxOmega)
	case w.policy != "" && !slices.Contains(reflexion.Policies(), reflexion.Policy(w.policy)):
		return usage("", "--policy %q: must be fifo, recency or relevance_weighted", w.policy)
	}
	return nil
}

type reflectFlags struct {
	evalFlags
	windowFlags
	loop, task, eval, actions, exec, answer string
	review                                  string
	promptOnly, informed                    bool
}

func (a *app) reflectCommand() *cobra.Command {
	var f reflectFlags
	cmd := &cobra.Command{
		Use:   "reflect --loop ID",
		Short: "Write down what an attempt came to, with a reflection when it failed",
		Example: `  episodes reflect --loop ralph-cache --task 'mend the cache' --verify 'go test -json ./...' --exec 'model --print'
  episodes eval --json -- npm test >eval.json 2>&1; episodes reflect --loop ralph-cache --eval eval.json
  episodes reflect --loop ralph-cache --eval eval.json --prompt | model | episodes reflect --loop ralph-cache --eval eval.json --answer -`,
		Long: `Takes what the evaluator found, from --verify or from a file that episodes eval --json wrote, and
writes the record of the loop's next iteration. For a failed attempt it builds the prompt of the
reflection (the actions, the errors, earlier reflections, what the causal graph knows of the errors)
and gives it to the command line of --exec, or reads an answer made from --prompt. An answer must be in
the first person, specific, with a next step, and no repeat. Without a model a plain reflection is made
from the errors, the actions and the graph, and marked as such. An attempt that passed gets no reflection.`,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(memoryExits),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.reflect(cmd, f) },
	}
	f.evalFlags.add(cmd)
	f.windowFlags.add(cmd)
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
	return f.windowFlags.check()
}

func (a *app) reflect(cmd *cobra.Command, f reflectFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	at, history, err := a.attempt(cmd, f)
	if err != nil {
		return err
	}
	if f.review != "" {
		evaluate.Review(&at.Found, reflexion.Status(f.review))
	}
	known := a.graphAdvice(cmd, at.Found.Errors, "")
	in := reflexion.PromptInput{Task: at.Task, Actor: at.Actor, Found: at.Found, Memory: reflexion.Window(history, omegaOf(at), at.Policy, at.Found.Errors), Advice: known}
	if f.promptOnly {
		prompt := reflexion.Prompt(in)
		return a.answer(cmd, result{data: map[string]any{"prompt": prompt}, text: prompt})
	}
	var s reflexion.SelfReflection
	if !at.Found.Passed {
		if s, err = a.reflection(cmd.Context(), f, at, history, in); err != nil {
			return err
		}
	}
	r := reflexion.Compose(history, at, s)
	dir, _, err := a.reflexionDir()
	if err != nil {
		return err
	}
	store, err := reflexion.CreateStore(dir)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.Save(r); errors.Is(err, fs.ErrExist) {
		return &failure{code: codeFailed, err: fmt.Errorf("iteration %d of %s was written by another process meanwhile", r.Iteration, r.LoopID), hint: "run it again: this attempt becomes the next iteration"}
	} else if err != nil {
		return err
	}
	text := fmt.Sprintf("iteration %d of %s passed: nothing to reflect on\n", r.Iteration, r.LoopID)
	if r.Reflected() {
		text = fmt.Sprintf("iteration %d of %s, %s reflection (%s):\n%s\n", r.Iteration, r.LoopID, r.Reflection.Source, r.Reflection.Category(), r.Reflection.Text)
		for _, low := range reflexion.LowQuality(r) {
			a.note("low quality: " + low)
		}
	}
	return a.answer(cmd, result{data: map[string]any{"file": store.Path(r.LoopID, r.Iteration), "record": r}, text: a.budgeted(printableLines(text))})
}

func omegaOf(at reflexion.Attempt) int {
	if at.Omega > 0 {
		return at.Omega
	}
	return reflexion.OmegaFor(at.Found.Type)
}

// attempt collects what the iteration came to, and the loop's history.
func (a *app) attempt(cmd *cobra.Command, f reflectFlags) (at reflexion.Attempt, history []*reflexion.Record, err error) {
	if history, err = a.loopHistory(f.loop); err != nil && !errors.Is(err, reflexion.ErrNoLoop) {
		return at, nil, err
	}
	at = reflexion.Attempt{LoopID: f.loop, Task: f.task, Omega: f.omega, Policy: reflexion.Policy(f.policy), Now: a.now()}
	if last := reflexion.Last(history); last != nil {
		if at.Task == "" {
			at.Task = last.Task
		}
		at.TaskType, at.Arm = last.TaskType, last.Arm
		if f.informed {
			at.Used = last.Memory.InContext
		}
		if at.Policy == "" {
			at.Policy = last.Memory.Policy
		}
		if at.Omega == 0 {
			at.Omega = last.Memory.Omega
		}
	}
	if at.Task == "" {
		return at, nil, usage("", "the loop %q is new: say with --task what is to be done", f.loop)
	}
	if f.actions != "" {
		data, err := a.readInput(cmd.Context(), f.actions)
		if err != nil {
			return at, nil, err
		}
		ok := false
		if at.Actor, ok = loop.ReadActor(data); !ok {
			return at, nil, &failure{code: codeFailed, err: fmt.Errorf("--actions %q: no JSON object with a list of actions", f.actions),
				hint: `such as {"actions":[{"type":"code_modification","description":"…","file_path":"…"}],"rationale":"…"}`}
		}
	}
	if f.eval == "" {
		vs, err := f.verifiers(nil)
		if err != nil {
			return at, nil, err
		}
		e, err := evaluate.Run(cmd.Context(), a.cwd, vs, reflexion.VerificationType(f.typ))
		if err != nil {
			return at, nil, err
		}
		at.Found = e.EvaluatorOutput
		return at, history, nil
	}
	var found struct {
		Data *reflexion.EvaluatorOutput `json:"data"`
		reflexion.EvaluatorOutput
	}
	data, err := a.readInput(cmd.Context(), f.eval)
	if err != nil {
		return at, nil, err
	}
	if err := json.Unmarshal(data, &found); err != nil {
		return at, nil, notEval(f.eval, err.Error())
	}
	if at.Found = found.EvaluatorOutput; found.Data != nil {
		at.Found = *found.Data
	}
	if at.Found.Type == "" {
		return at, nil, notEval(f.eval, "it has no verification_type")
	}
	at.Found.Clean()
	return at, history, nil
}

// reflection gets a reflection from the model, or from the rules.
func (a *app) reflection(ctx context.Context, f reflectFlags, at reflexion.Attempt, history []*reflexion.Record, in reflexion.PromptInput) (reflexion.SelfReflection, error) {
	var s reflexion.SelfReflection
	switch {
	case f.answer != "":
		data, err := a.readInput(ctx, f.answer)
		if err != nil {
			return s, err
		}
		s = reflexion.ParseAnswer(data, len(at.Actor.Actions))
	case f.exec != "":
		res, err := proc.Run(ctx, proc.Spec{Shell: f.exec, Dir: a.cwd, Stdin: []byte(reflexion.Prompt(in)), Timeout: f.timeout})
		if err != nil {
			return s, err
		}
		switch said := printable(firstLine(string(res.Stderr))); {
		case res.TimedOut:
			return s, &failure{code: codeFailed, err: fmt.Errorf("--exec %q did not end within %s", f.exec, f.timeout), hint: "nothing was written; --timeout gives it more time"}
		case res.Exit != 0:
			return s, &failure{code: codeFailed, err: errors.New(strings.TrimSuffix(fmt.Sprintf("--exec %q ended with exit code %d: %s", f.exec, res.Exit, said), ": ")), hint: unwritten}
		}
		s = reflexion.ParseAnswer(res.Stdout, len(at.Actor.Actions))
	default:
		return reflexion.FromRulesOnly(at, history, in.Advice), nil
	}
	if err := reflexion.Accept(&s, at.Found.Errors, reflexion.Reflections(history)); err != nil {
		return s, &failure{code: codeFailed, err: err, hint: unwritten}
	}
	for _, r := range in.Memory {
		s.Related = append(s.Related, r.Iteration)
	}
	return s, nil
}

const unwritten = "nothing was written; ask again, or leave out --exec and --answer for a plain reflection"

func notEval(file, why string) error {
	return &failure{code: codeFailed, err: fmt.Errorf("%q is not what episodes eval --json prints: %s", file, why), hint: "episodes eval --json -- CMD >eval.json 2>&1 makes such a file"}
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// loopHistory reads the records of a loop; reflexion.ErrNoLoop where there is none.
func (a *app) loopHistory(id string) ([]*reflexion.Record, error) {
	s, err := a.openReflexion()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("loop %q: %w", id, reflexion.ErrNoLoop)
	}
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Loop(id)
}

// graphAdvice asks the causal graph about errors. That it cannot be asked is a
// note, since the attempt does not depend on it.
func (a *app) graphAdvice(cmd *cobra.Command, errs []reflexion.Problem, leave string) []reflexion.Advice {
	if len(errs) == 0 {
		return nil
	}
	var out []reflexion.Advice
	err := a.askGraph(cmd, func(_ *recall.Session, g *graph.Graph) (err error) {
		out, err = advice.About(g, errs, leave)
		return err
	})
	if err != nil && cmd.Context().Err() == nil {
		a.note(fmt.Sprintf("the graph was not asked: %v", err))
	}
	return out
}

func (a *app) readInput(ctx context.Context, file string) ([]byte, error) {
	if file == "-" {
		return a.readStdin(ctx)
	}
	data, err := os.ReadFile(absoluteTo(a.cwd, file))
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", file, bare(err))
	}
	return data, nil
}
