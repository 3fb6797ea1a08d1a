package loop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"episodes/internal/proc"
	"episodes/reflexion"
	"episodes/reflexion/evaluate"
)

// Processes implements Steps with command lines, each run durably. The evaluation is
// stored, since report files of verifiers cannot be trusted after a kill.
type Processes struct {
	Dir    *Dir
	Config *Config
	Work   string // the folder in which commands run
	Env    []string
}

// rel is the path of an iteration's step inside the loop's folder.
func rel(iteration int, step string) string {
	return filepath.Join(stepsDir, reflexion.Ordinal(iteration+1), step)
}

// Prompt implements Steps.
func (p *Processes) Prompt(i int, c *reflexion.Context) (Prompted, error) {
	name := rel(i, "prompt.json")
	kept, err := p.Dir.Prompted(i)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return kept, err
	}
	kept = Prompted{Text: c.Text(), Used: c.Used(), Strategy: c.Strategy}
	sub, err := p.Dir.Sub(filepath.Dir(name))
	if err != nil {
		return kept, err
	}
	defer sub.Close()
	data, err := reflexion.Encode(kept, "  ")
	if err != nil {
		return kept, err
	}
	return kept, sub.Write(filepath.Base(name), data)
}

// Prompted returns the prompt of an iteration's actor. Errors: fs.ErrNotExist where none
// is stored, since steps stay on the machine that ran them.
func (d *Dir) Prompted(iteration int) (Prompted, error) {
	var p Prompted
	err := load(d.Dir, rel(iteration, "prompt.json"), &p)
	return p, err
}

func (p *Processes) run(ctx context.Context, i int, step, line string, stdin []byte, timeout time.Duration) (*proc.Durable, error) {
	env := append([]string{"EPISODES_LOOP=" + p.Config.LoopID, fmt.Sprintf("EPISODES_ITERATION=%d", i)}, p.Env...)
	return proc.RunDurable(ctx, p.Dir.Path(rel(i, step)), proc.Spec{Shell: line, Dir: p.Work, Env: env, Stdin: stdin, Timeout: timeout})
}

// Exit codes of the shell for a command that cannot be run.
const (
	cannotExecute = 126
	notFound      = 127
)

// Act runs the actor with the prompt on its standard input.
func (p *Processes) Act(ctx context.Context, i int, prompt string) (*Acted, error) {
	r, err := p.run(ctx, i, "actor", p.Config.Actor, []byte(prompt), seconds(p.Config.ActorTimeout))
	if err != nil {
		return nil, err
	}
	a := &Acted{Output: ParseActor(r.Stdout, p.Config.Actor)}
	trouble := func(typ reflexion.ErrorType, format string, args ...any) {
		a.Trouble = &reflexion.Problem{Type: typ, Severity: "error", Rule: "actor", Message: strings.TrimSuffix(reflexion.Clean(fmt.Sprintf(format, args...)), ": ")}
		a.Trouble.Signature = reflexion.SignatureOf(*a.Trouble)
	}
	switch {
	case r.TimedOut:
		trouble(reflexion.Timeout, "the actor did not end within %s", seconds(p.Config.ActorTimeout))
	case r.Interrupted:
		trouble(reflexion.OtherError, "the actor was interrupted")
	case r.Exit == notFound || r.Exit == cannotExecute:
		trouble(reflexion.RuntimeError, "the actor could not be run: %s", lastLine(r.Stderr))
		a.Critical = true
	case r.Exit != 0:
		trouble(reflexion.RuntimeError, "the actor ended with exit code %d: %s", r.Exit, lastLine(r.Stderr))
	}
	return a, nil
}

func lastLine(b []byte) string {
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return lines[len(lines)-1]
}

// Lengths in bytes to which an actor's texts are cut.
const (
	maxRationale   = 2000
	maxDescription = 300
)

// ParseActor reads the output of an actor: a JSON object in the form of the schema's
// actor_output, alone or as the last line, or else text, which becomes its rationale.
// Texts are cleaned and never executed.
func ParseActor(stdout []byte, line string) reflexion.ActorOutput {
	for _, data := range [][]byte{stdout, []byte(lastLine(stdout))} {
		if out, ok := ReadActor(data); ok {
			return out
		}
	}
	text := reflexion.Clean(strings.TrimSpace(string(stdout)))
	if len(text) > maxRationale {
		text = strings.ToValidUTF8(text[len(text)-maxRationale:], "")
	}
	return reflexion.ActorOutput{Rationale: text, Actions: []reflexion.Action{{Type: "command_execution", Description: "ran the actor", Command: line}}}
}

// ReadActor reads a JSON object in the form of the schema's actor_output, with a list of
// actions; false for anything else. Texts are cleaned, and unknown action types become
// other.
func ReadActor(data []byte) (reflexion.ActorOutput, bool) {
	var out reflexion.ActorOutput
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' || json.Unmarshal(data, &out) != nil || out.Actions == nil {
		return reflexion.ActorOutput{}, false
	}
	return cleaned(out), true
}

func cleaned(out reflexion.ActorOutput) reflexion.ActorOutput {
	known := map[string]bool{}
	for _, t := range reflexion.ActionTypes() {
		known[t] = true
	}
	for i := range out.Actions {
		a := &out.Actions[i]
		if !known[a.Type] {
			a.Type = "other"
		}
		if _, err := time.Parse(time.RFC3339, a.Timestamp); err != nil {
			a.Timestamp = ""
		}
		a.Description, a.FilePath, a.Command = short(a.Description, maxDescription), short(a.FilePath, maxDescription), short(a.Command, maxDescription)
	}
	out.Rationale, out.Strategy = short(out.Rationale, maxRationale), short(out.Strategy, maxDescription)
	for i := range out.FilesModified {
		out.FilesModified[i] = short(out.FilesModified[i], maxDescription)
	}
	return out
}

func short(s string, n int) string { return reflexion.Shorten(reflexion.Clean(s), n) }

// maxVerifyTries bounds how often an interrupted verifier or model is started again.
const maxVerifyTries = 100

// Verify implements Steps. An interrupted verifier is run again, in a folder of its own.
func (p *Processes) Verify(ctx context.Context, i int) (*evaluate.Evaluation, error) {
	kept := rel(i, "evaluation.json")
	var e evaluate.Evaluation
	if err := load(p.Dir.Dir, kept, &e); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return &e, err
	}
	var lines []proc.Spec
	for _, line := range p.Config.Verify {
		lines = append(lines, proc.Spec{Shell: line})
	}
	verifiers := evaluate.Verifiers(lines, p.Config.Format, p.Config.Report, p.Config.Type, seconds(p.Config.VerifyTimeout))
	found, err := evaluate.RunWith(p.Work, verifiers, p.Config.Type, func(n int, v evaluate.Verifier) (evaluate.Finished, error) {
		return p.verify(ctx, i, n, v)
	})
	if err != nil {
		return nil, err
	}
	data, err := reflexion.Encode(found, "  ")
	if err != nil {
		return nil, err
	}
	return found, p.Dir.Write(kept, data)
}

func (p *Processes) verify(ctx context.Context, i, n int, v evaluate.Verifier) (evaluate.Finished, error) {
	for try := range maxVerifyTries {
		step := fmt.Sprintf("verify-%d-%d", n+1, try+1)
		before := v.Stamp(p.Work)
		r, err := p.run(ctx, i, step, v.Command.Shell, nil, v.Command.Timeout)
		if err != nil {
			return evaluate.Finished{}, err
		}
		if r.Interrupted || r.Again && v.Report != "" { // its report file may have changed since
			continue
		}
		f := evaluate.Finished{Result: &r.Result}
		if r.Exit == notFound || r.Exit == cannotExecute {
			f = evaluate.Finished{Err: errors.New(reflexion.Clean(lastLine(r.Stderr)))}
		} else if v.Report != "" {
			f.Report, f.ReportErr = v.ReadReport(p.Work, before)
		}
		return f, nil
	}
	return evaluate.Finished{}, fmt.Errorf("cut off %d times", maxVerifyTries)
}

// Reflect implements Steps: it gives the prompt to the model's command line. A model that
// fails counts as none.
func (p *Processes) Reflect(ctx context.Context, i, attempt int, prompt string) ([]byte, error) {
	if p.Config.Reflect == "" {
		return nil, nil
	}
	for try := range maxVerifyTries {
		r, err := p.run(ctx, i, fmt.Sprintf("reflect-%d-%d", attempt+1, try+1), p.Config.Reflect, []byte(prompt), seconds(p.Config.ActorTimeout))
		if err != nil {
			return nil, err
		}
		if r.Interrupted {
			continue
		}
		if r.Exit != 0 || r.TimedOut {
			return nil, nil
		}
		return r.Stdout, nil
	}
	return nil, nil
}
