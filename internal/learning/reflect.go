package learning

import (
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

// Input is something that is read when it is needed.
type Input struct {
	Name string // "": not given
	Read func(ctx context.Context, name string) ([]byte, error)
}

// ReflectRequest describes an attempt of a loop.
type ReflectRequest struct {
	Loop     string
	Task     string // "": as in the iteration before
	Omega    int    // 0: as in the iteration before
	Policy   reflexion.Policy
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

// Reflected is the record that was written.
type Reflected struct {
	File   string            `json:"file"`
	Record *reflexion.Record `json:"record"`
}

// Prompt is what a model is asked for the reflection of an attempt.
func (f *Folder) Prompt(ctx context.Context, r ReflectRequest) (string, error) {
	_, in, err := f.prompt(ctx, r)
	if err != nil {
		return "", err
	}
	return reflexion.Prompt(in), nil
}

// Reflect writes the record of an attempt, with a reflection when it failed.
func (f *Folder) Reflect(ctx context.Context, r ReflectRequest) (*Reflected, error) {
	history, in, err := f.prompt(ctx, r)
	if err != nil {
		return nil, err
	}
	var s reflexion.SelfReflection
	if !in.Found.Passed {
		if s, err = reflection(ctx, r, history, in); err != nil {
			return nil, err
		}
	}
	rec := reflexion.Compose(history, in.Attempt, s)
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

// prompt collects what a reflection is made from.
func (f *Folder) prompt(ctx context.Context, r ReflectRequest) ([]*reflexion.Record, reflexion.PromptInput, error) {
	at, history, err := f.attempt(ctx, r)
	if err != nil {
		return nil, reflexion.PromptInput{}, err
	}
	if r.Review != "" {
		evaluate.Review(&at.Found, r.Review)
	}
	return history, at.PromptInput(history, f.advice(ctx, at.Found.Errors, "", reflexion.Tried(history))), nil
}

// attempt collects the result of the iteration, and the loop's history.
func (f *Folder) attempt(ctx context.Context, r ReflectRequest) (at reflexion.Attempt, history []*reflexion.Record, err error) {
	if history, err = f.Loop(r.Loop); err != nil && !errors.Is(err, reflexion.ErrNoLoop) {
		return at, nil, err
	}
	at = reflexion.Attempt{LoopID: r.Loop, Task: r.Task, Omega: r.Omega, Policy: r.Policy, Now: f.Now()}
	if last := reflexion.Last(history); last != nil {
		if at.Task == "" {
			at.Task, at.Recorded = last.Task, true
		}
		at.TaskType, at.Arm = last.TaskType, last.Arm
		if r.Informed {
			shown := reflexion.BuildContext(r.Loop, at.Task, history, reflexion.ContextOptions{Omega: r.Omega, Policy: r.Policy,
				Show: reflexion.Show{Errors: true, Reflections: true}})
			shown.Text() // which decides what has room
			at.Used = shown.Used()
		}
		if at.Policy == "" {
			at.Policy = last.Memory.Policy
		}
		if at.Omega == 0 {
			at.Omega = last.Memory.Omega
		}
	}
	if at.Task == "" {
		return at, nil, &ask.RequestError{Message: fmt.Sprintf("the loop %q is new: say with --task what is to be done", r.Loop)}
	}
	if r.Actions.Name != "" {
		data, err := r.Actions.Read(ctx, r.Actions.Name)
		if err != nil {
			return at, nil, err
		}
		stated, ok := loop.ReadActor(data)
		if !ok {
			return at, nil, &HintError{fmt.Errorf("--actions %q: no JSON object with a list of actions", r.Actions.Name),
				`such as {"actions":[{"type":"code_modification","description":"…","file_path":"…"}],"rationale":"…"}`}
		}
		at.Actor = stated.Output
	}
	at.Found, err = found(ctx, r)
	return at, history, err
}

// found is what the evaluator found.
func found(ctx context.Context, r ReflectRequest) (reflexion.EvaluatorOutput, error) {
	if r.Evaluation.Name == "" {
		e, err := evaluate.Run(ctx, r.Dir, r.Verifiers, "")
		if err != nil {
			return reflexion.EvaluatorOutput{}, err
		}
		return e.EvaluatorOutput, nil
	}
	var read struct { // the envelope, or its data alone
		Data *reflexion.EvaluatorOutput `json:"data"`
		reflexion.EvaluatorOutput
	}
	data, err := r.Evaluation.Read(ctx, r.Evaluation.Name)
	if err != nil {
		return reflexion.EvaluatorOutput{}, err
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return reflexion.EvaluatorOutput{}, notEvaluation(r.Evaluation.Name, err.Error())
	}
	out := read.EvaluatorOutput
	if read.Data != nil {
		out = *read.Data
	}
	if out.Type == "" {
		return out, notEvaluation(r.Evaluation.Name, "it has no verification_type")
	}
	out.Clean()
	return out, nil
}

func notEvaluation(file, why string) error {
	return &HintError{fmt.Errorf("%q is not what episodes loop eval --json prints: %s", file, why),
		"episodes loop eval --json -- CMD >eval.json makes such a file"}
}

// reflection gets a reflection from a model, or from the rules.
func reflection(ctx context.Context, r ReflectRequest, history []*reflexion.Record,
	in reflexion.PromptInput) (s reflexion.SelfReflection, err error) {
	const unwritten = "nothing was written; ask again, or leave out --exec and --answer for a plain reflection"
	var answer []byte
	switch {
	case r.Answer.Name != "":
		answer, err = r.Answer.Read(ctx, r.Answer.Name)
	case r.Model != "":
		answer, err = r.answer(ctx, reflexion.Prompt(in), unwritten)
	default:
		return reflexion.FromRulesOnly(in.Attempt, history, in.Advice), nil
	}
	if err != nil {
		return s, err
	}
	if s, err = in.Reflection(answer, history); err != nil {
		return s, &HintError{err, unwritten}
	}
	s.By = reflexion.Program(r.Model)
	return s, nil
}

// answer gives the prompt to the model.
func (r ReflectRequest) answer(ctx context.Context, prompt, hint string) ([]byte, error) {
	res, err := proc.Run(ctx, proc.Spec{Shell: r.Model, Dir: r.Dir, Stdin: []byte(prompt), Timeout: r.Timeout})
	switch {
	case err != nil:
		return nil, err
	case res.TimedOut:
		return nil, &HintError{fmt.Errorf("--exec %q did not end within %s", r.Model, r.Timeout), hint}
	case res.Exit != 0:
		line, _, _ := strings.Cut(strings.TrimSpace(string(res.Stderr)), "\n")
		return nil, &HintError{errors.New(strings.TrimSuffix(fmt.Sprintf("--exec %q ended with exit code %d: %s",
			r.Model, res.Exit, term.Line(line)),
			": ")),
			hint}
	}
	return res.Stdout, nil
}
