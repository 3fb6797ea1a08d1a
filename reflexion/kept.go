package reflexion

import (
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// Records are in git, where others read them. So of an attempt they hold what was done
// and what was found: no command line, no output of a command and no trace, which stay
// with the run of the attempt. Of the diff they hold the beginning.

func keptActor(a ActorOutput) ActorOutput {
	a.Actions = slices.Clone(a.Actions)
	for i := range a.Actions {
		x := &a.Actions[i]
		x.Command = ""
		if x.Changes != nil {
			x.Changes = &Changes{Additions: x.Changes.Additions, Deletions: x.Changes.Deletions}
		}
	}
	if c := a.Changed; c != nil { // what was measured, not what was said
		a.FilesModified = nil
		for _, f := range c.Files {
			a.FilesModified = append(a.FilesModified, f.Path)
		}
		a.TotalChanges = &TotalChanges{FilesChanged: c.Count(), LinesAdded: c.Additions, LinesDeleted: c.Deletions}
	}
	return a
}

// keptFound is what a record keeps of an evaluation.
func keptFound(e EvaluatorOutput) EvaluatorOutput {
	e.Results, e.Errors = slices.Clone(e.Results), slices.Clone(e.Errors)
	for i := range e.Results {
		r := &e.Results[i]
		r.Tool, r.Stdout, r.Stderr = Program(r.Tool), "", ""
	}
	for i := range e.Errors {
		p := &e.Errors[i]
		p.Signature = SignatureOf(*p)                       // of the whole message
		if p.Type == OtherError || p.Type == RuntimeError { // then lines below the first are what was printed before
			p.Message = FirstLine(p.Message)
		}
		p.Message, p.StackTrace = Middle(p.Message, maxKept), ""
	}
	if e.Metrics != nil && e.Metrics.Tests != nil {
		m := *e.Metrics
		e.Metrics, m.Tests = &m, nil
	}
	return e
}

// A record keeps so many bytes of a message, and the names of so many tests, with so many bytes.
const maxKept, maxNamed, maxNamedBytes = 600, 200, 8000

func keptBaseline(e EvaluatorOutput) *EvaluatorOutput {
	kept := keptFound(e)
	if m := e.Metrics; m != nil && len(m.Tests) <= maxNamed && len(strings.Join(m.Tests, "")) <= maxNamedBytes {
		kept.Metrics = m
	}
	return &kept
}

var program = lazy.Pattern(`^\s*(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"$` + "`" + `\\]*"|[\w./:,@%+-])*\s+)*(?:[\w.+-]*/)*([\w.+-]{1,60})(?:\s+(test|vet|build|check|lint|run)\b)?(?:$|[\s;&|])`)

// Program is the name of the program that a command line begins with, for some with its
// subcommand: all that a record keeps of the line. It is "command" when the line begins
// with something else.
func Program(line string) string {
	m := program().FindStringSubmatch(line)
	if m == nil {
		return "command"
	}
	return strings.TrimSpace(m[1] + " " + m[2])
}

// below are the numbers of a list from 0 that are less than n.
func below(n int, list []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return i < 0 || i >= n })
}

// Imported is a record of another tool as this one keeps records: without command lines,
// outputs and traces, and without references that lead nowhere. Its texts were cleaned when
// it was parsed.
func Imported(r *Record) *Record {
	c := *r
	c.Recalled, c.Followed = nil, nil // of another memory
	c.Actor, c.Evaluator = keptActor(r.Actor), keptFound(r.Evaluator)
	c.Used, c.Reflection.Related = below(r.Iteration, r.Used), below(r.Iteration, r.Reflection.Related)
	if credit := r.Reflection.Credit; credit != nil {
		kept := *credit
		kept.FailingActions = below(len(r.Actor.Actions), credit.FailingActions)
		c.Reflection.Credit = &kept
	}
	m := &c.Memory
	m.InContext = below(r.Iteration+1, m.InContext)
	if m.InContext = m.InContext[max(0, len(m.InContext)-m.Omega):]; r.Memory.InContext != nil {
		m.Size = len(m.InContext)
	}
	if m.Size = min(m.Size, m.Omega); m.Total != nil {
		m.Total = new(max(*m.Total, m.Size))
	}
	if x := c.Evaluator.Metrics; x != nil && x.TestsPassed != nil && x.TestsFailed != nil {
		kept := *x
		kept.TestsTotal = new(*x.TestsPassed + *x.TestsFailed)
		c.Evaluator.Metrics = &kept
	}
	return &c
}
