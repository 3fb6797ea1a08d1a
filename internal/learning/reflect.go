package learning

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"episodes/internal/ask"
	"episodes/internal/proc"
	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/evaluate"
	"episodes/reflexion/loop"
)

// Input is what was read from a file of the user.
type Input struct {
	Name string // "": not given
	Data []byte
}

type ReflectRequest struct {
	Loop     string
	Task     string           // "": as in the iteration before
	Informed bool             // the attempt was given what Retry returns
	Review   reflexion.Status // of a person; "": none
	Actions  Input            // of the actor, as JSON

	// What the evaluator found: an evaluation as JSON, or verifiers to run in Dir.
	Evaluation Input
	Verifiers  []evaluate.Verifier
	Dir        string

	// Who reflects: the command line of a model, within Timeout; or an answer to the
	// prompt; else the rules.
	Model   string
	Timeout time.Duration
	Answer  Input
}

type Reflected struct {
	File   string            `json:"file"`
	Record *reflexion.Record `json:"record"`
}

// Prompt is what a model is asked for the reflection of an attempt.
func (f *Folder) Prompt(ctx context.Context, r ReflectRequest) (string, error) {
	in, err := f.prompt(ctx, r)
	if err != nil {
		return "", err
	}
	return reflexion.Prompt(in), nil
}

// Reflect writes the record of an attempt, with a reflection when it failed.
func (f *Folder) Reflect(ctx context.Context, r ReflectRequest) (*Reflected, error) {
	in, err := f.prompt(ctx, r)
	if err != nil {
		return nil, err
	}
	var s reflexion.SelfReflection
	if !in.Evaluator.Passed {
		if s, err = r.reflection(ctx, in); err != nil {
			return nil, err
		}
	}
	rec := reflexion.Compose(in.History, in.Attempt, s)
	store, err := reflexion.CreateStore(f.top)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	if err := store.Save(rec); errors.Is(err, fs.ErrExist) {
		return nil, &HintError{fmt.Errorf("iteration %d of %s was written by another process meanwhile", rec.Iteration, rec.LoopID),
			"run it again: this attempt becomes the next iteration"}
	} else if err != nil {
		return nil, err
	}
	return &Reflected{store.Path(rec.LoopID, rec.Iteration), rec}, nil
}

// prompt collects what a reflection is made from: the result of the iteration, and the loop's history.
func (f *Folder) prompt(ctx context.Context, r ReflectRequest) (in reflexion.PromptInput, err error) {
	history, err := f.Loop(r.Loop)
	if err != nil && !errors.Is(err, reflexion.ErrNoLoop) {
		return in, err
	}
	at := reflexion.Attempt{Record: reflexion.Record{LoopID: r.Loop, Task: r.Task}, Now: f.Now()}
	if last := reflexion.Last(history); last != nil {
		at.Recorded, at.Task = at.Task == "", cmp.Or(at.Task, last.Task)
		at.TaskType, at.Arm = last.TaskType, last.Arm
		if r.Informed {
			shown := reflexion.BuildContext(r.Loop, at.Task, history, reflexion.ContextOptions{
				Show: reflexion.Show{Errors: true, Reflections: true}})
			shown.Text() // which decides what has room
			at.Used = shown.Used()
		}
		at.Memory = last.Memory
	}
	if at.Task == "" {
		return in, &ask.RequestError{Message: fmt.Sprintf("the loop %q is new: say with --task what is to be done", r.Loop)}
	}
	if r.Actions.Name != "" {
		stated, ok := loop.ReadActor(r.Actions.Data)
		if !ok {
			return in, &HintError{fmt.Errorf("--actions %q: no JSON object with a list of actions", r.Actions.Name),
				`such as {"actions":[{"type":"code_modification","description":"…","file_path":"…"}],"rationale":"…"}`}
		}
		at.Actor = stated.Output
	}
	if at.Evaluator, err = r.found(ctx); err != nil {
		return in, err
	}
	if r.Review != "" {
		evaluate.Review(&at.Evaluator, r.Review)
	}
	return at.PromptInput(history, f.advice(ctx, at.Evaluator.Errors, r.Loop, reflexion.Tried(history))), nil
}

func (r *ReflectRequest) found(ctx context.Context) (out reflexion.EvaluatorOutput, err error) {
	if r.Evaluation.Name == "" {
		e, err := evaluate.Run(ctx, r.Dir, r.Verifiers, "")
		if err != nil {
			return out, err
		}
		return e.EvaluatorOutput, nil
	}
	var read struct { // the envelope, or its data alone
		Data *reflexion.EvaluatorOutput `json:"data"`
		reflexion.EvaluatorOutput
	}
	err = json.Unmarshal(r.Evaluation.Data, &read)
	if out = read.EvaluatorOutput; read.Data != nil {
		out = *read.Data
	}
	if err == nil && out.Type == "" {
		err = errors.New("it has no verification_type")
	}
	if err != nil {
		return out, &HintError{fmt.Errorf("%q is not what episodes loop eval --json prints: %w", r.Evaluation.Name, err),
			"episodes loop eval --json -- CMD >eval.json makes such a file"}
	}
	out.Clean()
	return out, nil
}

func (r *ReflectRequest) reflection(ctx context.Context, in reflexion.PromptInput) (s reflexion.SelfReflection, err error) {
	const unwritten = "nothing was written; ask again, or leave out --exec and --answer for a plain reflection"
	var answer []byte
	switch {
	case r.Answer.Name != "":
		answer = r.Answer.Data
	case r.Model != "":
		res, err := proc.Run(ctx, proc.Spec{Shell: r.Model, Dir: r.Dir, Stdin: []byte(reflexion.Prompt(in)), Timeout: r.Timeout})
		if err != nil {
			return s, err
		}
		if res.TimedOut {
			return s, &HintError{fmt.Errorf("--exec %q did not end within %s", r.Model, r.Timeout), unwritten}
		}
		if res.Exit != 0 {
			said := term.Line(reflexion.FirstLine(string(res.Stderr)))
			return s, &HintError{errors.New(strings.TrimSuffix(fmt.Sprintf("--exec %q ended with exit code %d: %s",
				r.Model, res.Exit, said), ": ")), unwritten}
		}
		answer = res.Stdout
	default:
		return reflexion.FromRulesOnly(in.Attempt, in.History, in.Advice), nil
	}
	if s, err = in.Reflection(answer, in.History); err != nil {
		return s, &HintError{err, unwritten}
	}
	s.By = reflexion.Program(r.Model)
	return s, nil
}

type RetryRequest struct {
	Loop   string
	Arm    string           // how much of memory to show; see reflexion.Arms
	Omega  int              // reflections in the window; 0: as in the loop
	Policy reflexion.Policy // of the window; "": as in the loop
}

func (r RetryRequest) Check() error {
	if _, ok := reflexion.ShowFor(r.Arm); !ok {
		return &ask.RequestError{Params: []string{"arm"}, Value: r.Arm, Message: "must be none, last, reflections, graph or all"}
	}
	return nil
}

func (f *Folder) Retry(ctx context.Context, r RetryRequest) (*reflexion.Context, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	history, err := f.Loop(r.Loop)
	if err != nil {
		return nil, err
	}
	c := &loop.Config{LoopID: r.Loop, Arm: r.Arm, Omega: r.Omega, Policy: r.Policy}
	if last := reflexion.Last(history); last != nil {
		c.Task, c.TaskType = last.Task, last.TaskType
	}
	next := f.runner(ctx, c).Context(history, nil, nil)
	next.Recorded = true
	return next, nil
}
