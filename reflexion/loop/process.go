package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"episodes/agents"
	"episodes/extract/actions"
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
	Memory string // the memory's folder: no work, restored if removed; or ""
	Env    []string
	// Note, if not nil, is called with what the user should know while the actor does not run.
	Note func(format string, args ...any)
	real string // the folder of which Work is a copy, or ""
}

// Steps of an iteration.
const (
	promptFile  = "prompt"
	beforeFile  = "before"  // the work tree before the actor
	memoryFile  = "memory"  // the memory before the actor
	changesFile = "changes" // what the actor changed
	foundFile   = "found-"  // what the verifiers found; it outlasts the steps, as prompts show it
)

func foundName(i int) string { return foundFile + reflexion.Ordinal(i+1) }

// Prompt implements Steps.
func (p *Processes) Prompt(i int, c *reflexion.Context) (Prompted, error) {
	var kept Prompted
	if ok, err := p.Dir.step(stepName(i, promptFile), &kept); ok || err != nil {
		return kept, err
	}
	kept = prompted(c, p.Config.PromptTokens)
	before := []int{baseline, i - 1}
	if kept.From != nil {
		before = append(before, *kept.From)
	}
	if err := p.Dir.forgetBut(before...); err != nil {
		return kept, err
	}
	return kept, p.Dir.keepStep(stepName(i, promptFile), kept)
}

// Found implements Steps.
func (p *Processes) Found(i int) (*evaluate.Evaluation, error) {
	e := &evaluate.Evaluation{}
	if ok, err := p.Dir.step(foundName(i), e); !ok || err != nil {
		return nil, err
	}
	return e, nil
}

func (p *Processes) run(ctx context.Context, i int, step string, s proc.Spec) (*proc.Durable, error) {
	d, err := p.Dir.SubPrivate(stepName(i, step))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	s.Dir, s.Env = cmp.Or(s.Dir, p.Work), append([]string{"EPISODES_LOOP=" + p.Config.LoopID, fmt.Sprintf("EPISODES_ITERATION=%d", i)},
		p.Env...) // -1 before the first attempt
	return proc.RunDurable(ctx, d, s)
}

// Exit codes of the shell for a command that cannot be run.
const (
	cannotExecute = 126
	notFound      = 127
)

// maxTrouble is to how many bytes a message about the actor is cut.
const maxTrouble = 600

// Act runs the actor with the prompt on its standard input, and looks at what changed in
// the work tree. What it removed of the memory is put back.
func (p *Processes) Act(ctx context.Context, i int, prompt string) (*Acted, error) {
	a, err := p.act(ctx, i, prompt)
	if err != nil {
		return nil, err
	}
	var seen measured
	if ok, err := p.Dir.step(stepName(i, changesFile), &seen); err != nil {
		return nil, err
	} else if !ok {
		if seen, err = p.measure(i, prompt); err != nil {
			return nil, err
		}
	}
	a.Output.Changed, a.Restored = seen.Changes, seen.Restored
	return a, nil
}

// act runs the actor, again after it was logged out or at a limit: what it did before is a part of the attempt.
func (p *Processes) act(ctx context.Context, i int, prompt string) (*Acted, error) {
	if err := p.before(i); err != nil {
		return nil, fmt.Errorf("look at the work tree: %w", err)
	}
	by, step := agents.ActorNamed(p.Config.Agent), "actor"
	var spent reflexion.Usage
	for n := 2; ; n++ {
		r, err := p.run(ctx, i, step, proc.Spec{Shell: p.Config.Actor, Stdin: []byte(prompt), Timeout: p.Config.actorTimeout()})
		if err != nil {
			return nil, err
		}
		a := ParseActor(r.Stdout)
		if by != nil {
			a = readAnswer(by.Actor, p.Work, r.Stdout)
		}
		a.Usage.DurationMS, a.Usage.Partial = r.Duration.Milliseconds(), r.Cut
		spent.Add(a.Usage)
		a.Usage = spent
		said := unavailable(by, a, r)
		switch {
		case said == "":
			a.ended(r, p.Config.actorTimeout())
			return a, nil
		case r.Again: // it ended before the loop went on
		case p.Config.Wait && aboutLimit().MatchString(said):
			err = p.wait(ctx, said)
		default:
			err = fmt.Errorf("%s is logged out or at the limit of its plan: %q", p.Config.Agent, said)
		}
		if err != nil {
			return nil, err
		}
		step = fmt.Sprintf("actor-%d", n)
	}
}

// ended notes how the actor ended, if not normally.
func (a *Acted) ended(r *proc.Durable, timeout time.Duration) {
	trouble := func(typ reflexion.ErrorType, format string, args ...any) {
		message := short(strings.TrimSuffix(fmt.Sprintf(format, args...), ": "), maxTrouble)
		a.Trouble = &reflexion.Problem{Type: typ, Severity: "error", Rule: "actor", Message: message}
		a.Trouble.Signature = reflexion.SignatureOf(*a.Trouble)
	}
	switch {
	case r.TimedOut:
		trouble(reflexion.Timeout, "the actor did not end within %s", timeout)
	case r.Interrupted:
		trouble(reflexion.OtherError, "the actor was interrupted")
	case r.Exit == notFound || r.Exit == cannotExecute:
		trouble(reflexion.RuntimeError, "the actor could not be run: %s", lastLine(r.Stderr))
		a.Critical = true
	case r.Exit != 0:
		trouble(reflexion.RuntimeError, "the actor ended with exit code %d: %s", r.Exit, cmp.Or(a.failed, lastLine(r.Stderr)))
	case a.failed != "":
		trouble(reflexion.RuntimeError, "the agent gave up: %s", a.failed)
	}
}

// Verifiers are those for some commands. The first writes the report; a single one has the type. What a run
// shows is decided as for transcripts: an exit code that is not that of the check proves nothing.
func Verifiers(commands []proc.Spec, format, report string, typ reflexion.VerificationType, timeout time.Duration) (out []evaluate.Verifier) {
	for n, c := range commands {
		c.Timeout = timeout
		v := evaluate.Verifier{Command: c, Format: format, Hidden: actions.Hidden}
		if n == 0 {
			v.Report = report
		}
		if len(commands) == 1 {
			v.Type = typ
		}
		out = append(out, v)
	}
	return out
}

// Verify implements Steps. A verifier that was interrupted, or outlived the process that
// started it, is run again: only what this process saw it print decides.
func (p *Processes) Verify(ctx context.Context, i int) (*evaluate.Evaluation, error) {
	if e, err := p.Found(i); e != nil || err != nil {
		return e, err
	}
	found, err := p.verifyIn(ctx, i, p.Work)
	if err == nil && found.Passed && i != baseline && !p.Config.TestsToo {
		err = p.verifyWithout(ctx, i, found)
	}
	if err != nil {
		return nil, err
	}
	return found, p.Dir.keepStep(foundName(i), found)
}

// verifyIn runs the verifiers in a folder: the work tree, or a copy of it.
func (p *Processes) verifyIn(ctx context.Context, i int, dir string) (*evaluate.Evaluation, error) {
	var lines []proc.Spec
	for _, line := range p.Config.Verify {
		lines = append(lines, proc.Spec{Shell: moved(line, p.Work, dir), Volatile: true})
	}
	verifiers := Verifiers(lines, evaluate.Auto, "", "", seconds(p.Config.VerifyTimeout))
	return evaluate.RunWith(dir, verifiers, "", func(n int, v evaluate.Verifier) (evaluate.Finished, error) {
		v.Command.Dir = dir
		return p.verify(ctx, i, n, v)
	})
}

// moved is a command line with the paths in one folder as they are in another.
func moved(line, from, to string) string {
	path := regexp.MustCompile(regexp.QuoteMeta(from) + `([^\w.-]|$)`)
	return path.ReplaceAllString(line, strings.ReplaceAll(to, "$", "$$")+"${1}")
}

func (p *Processes) verify(ctx context.Context, i, n int, v evaluate.Verifier) (evaluate.Finished, error) {
	r, err := p.repeated(ctx, i, fmt.Sprintf("verify-%d", n+1), v.Command)
	switch {
	case err != nil:
		return evaluate.Finished{}, err
	case r == nil:
		return evaluate.Finished{}, fmt.Errorf("cut off %d times", maxTries)
	case r.Exit == notFound || r.Exit == cannotExecute:
		return evaluate.Finished{Err: errors.New(reflexion.Clean(lastLine(r.Stderr)))}, nil
	}
	return evaluate.Finished{Result: &r.Result}, nil
}

// Reflect implements Steps: it gives the prompt to the model's command line. A model that
// fails counts as none; one that was interrupted is asked again.
func (p *Processes) Reflect(ctx context.Context, i, attempt int, prompt string) ([]byte, error) {
	if p.Config.Reflect == "" {
		return nil, nil
	}
	r, err := p.repeated(ctx, i, fmt.Sprintf("reflect-%d", attempt+1),
		proc.Spec{Shell: p.Config.Reflect, Stdin: []byte(prompt), Timeout: seconds(p.Config.ActorTimeout)})
	if err != nil || r == nil || r.Exit != 0 || r.TimedOut {
		return nil, err
	}
	return r.Stdout, nil
}

// maxTries bounds how often a command that something killed is started again.
const maxTries = 3

// repeated runs a command that may run again: after it was interrupted, or where its outputs were lost.
// It returns nil if that happens again and again.
func (p *Processes) repeated(ctx context.Context, i int, step string, s proc.Spec) (*proc.Durable, error) {
	for range maxTries {
		r, err := p.run(ctx, i, step, s)
		if err != nil || !r.Interrupted && (!s.Volatile || !r.Again) {
			return r, err
		}
		if err := p.Dir.RemoveAll(stepName(i, step)); err != nil {
			return nil, err
		}
	}
	return nil, nil
}
