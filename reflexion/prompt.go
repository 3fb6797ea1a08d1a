package reflexion

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/plain"
	"episodes/internal/snapshot"
	"episodes/redact"
)

// PromptInput is the input of the self-reflection model: the trajectory, the evaluation,
// and the reflections of the window (guide, "Self-Reflection Model": τ, r, mem).
type PromptInput struct {
	Attempt
	Memory    []*Record // the window
	History   []*Record // all before
	Advice    []Known
	Refused   []string // why an earlier answer was rejected
	Quotation Quotation
}

// PromptInput is the input for the reflection on an attempt that follows the records of
// its loop.
func (a Attempt) PromptInput(history []*Record, advice []Known) PromptInput {
	omega := cmp.Or(a.Memory.Omega, OmegaFor(a.Evaluator.Type))
	return PromptInput{Attempt: a, Memory: Window(history, omega, a.Memory.Policy, a.Evaluator.Errors), History: history, Advice: advice}
}

// Reflection reads a model's answer to the prompt. Errors: *Refusal, with the reflection
// that is not acceptable.
func (in PromptInput) Reflection(answer []byte, history []*Record) (SelfReflection, error) {
	s := ParseAnswer(answer, len(in.Actor.Actions))
	for _, m := range in.Memory {
		s.Related = append(s.Related, m.Iteration)
	}
	return s, Accept(&s, in.Evaluator.Errors, in.Actor.Changed, Reflections(history))
}

const promptHead = `You are the Self-Reflection component in a Reflexion-based learning system.

You will be given:
1. Your previous implementation attempt (actions taken)
2. Verification results from external tools (tests, linters, type checker)
3. Your past reflections from similar failures (if any)

Your task is to analyze what went wrong and provide actionable guidance for the next attempt.

## Reflection Structure

Write a first-person narrative reflection that includes:

1. **Credit Assignment**: Which specific actions or code changes caused the failure?
2. **Causal Reasoning**: Why did these actions lead to failure? What was the underlying issue?
3. **Actionable Insights**: What concrete steps should be taken in the next attempt?

Be specific. Avoid generic advice like "be more careful": identify exact code patterns, missing checks, or logic errors. Name files, lines and functions. Do not repeat an earlier reflection: if it did not help, say why.

## Example Reflection

"In my previous attempt, I read the price list before the lock was taken. Two workers wrote prices.json at once, so the second one saw half a file. I should take the lock in loadPrices before the read. In the next attempt, I will move the call of lock() above the read and add a test with two workers."
`

const promptForm = `
Now write your reflection following the structure above, as one JSON object and nothing else. The next attempt gets at most 1600 bytes of the text and 400 of each step. A step names a file, line or symbol of the errors or of the diff, and a lesson the line, command or value that it is about:

{"reflection_text": "I …", "credit_assignment": {"failing_action_indices": [0], "root_cause": "…", "failure_category": "%s"}, "causal_reasoning": "…", "actionable_insights": ["…"], "lessons_learned": ["…"], "knowledge_gaps": ["what you would have to know and do not"], "confidence": 0.5}
`

// Prompt is the guide's reflection prompt, filled in, with the causal graph's advice on
// the errors. Source: reflection-memory guide, "Reflection Prompt Template".
func Prompt(in PromptInput) string {
	q := &in.Quotation
	head := q.Notice() + "\n" + promptHead
	end := ""
	if len(in.Refused) > 0 {
		end = fmt.Sprintf("\nYour last answer was not taken: %s.\n", plain.Words(strings.Join(in.Refused, "; ")))
	}
	var names []string
	for _, c := range Categories() {
		names = append(names, string(c))
	}
	end += fmt.Sprintf(promptForm, strings.Join(names, "|"))
	return redact.Default.String(head + fit(q, in.parts(q), 4*ModelTokens-len(head+end)+len(in.Task)) + end)
}

// parts are what the prompt quotes, in its order.
func (in PromptInput) parts(q *Quotation) (parts []*part) {
	for i, r := range in.Memory {
		p := r.Reflection.part("\n## Previous Reflections\n\n", r.Iteration, 100-i)
		p.head = fmt.Sprintf("### Iteration %d\n", r.Iteration)
		parts = append(parts, p)
	}
	task := "**Task**: " + strings.TrimSpace(Clean(in.Task)) + "\n"
	if in.Recorded {
		task = "**Task**:\n" + q.between("task", "", plain.Block(in.Task, maxTask))
	}
	parts = append(parts, &part{head: "\n## Current Failure\n\n" + task, always: true})
	did := in.Actor.Actions
	actions := newPart("\n**Actions Taken**:\n", "actions", 200, did, maxActionsAsked, actionLine)
	if in.Actor.Strategy != "" {
		actions.items = append([]string{plain.Block("Strategy: "+in.Actor.Strategy, maxStep)}, actions.items...)
	}
	if len(did) == 0 {
		actions.head, actions.always = actions.head+"(not recorded)\n", true
	}
	c, now := &Context{}, Compose(in.History, in.Attempt, SelfReflection{})
	now.Evaluator.Errors = in.Evaluator.Errors // with their whole messages
	last := c.addTurns(append(slices.Clone(in.History), now), true, now.Iteration, &now.Evaluator)
	changed := newPart("\n**What it changed** (measured):\n", "diff", 100, patchLines(in.Actor.Changed), 1, itself)
	earlier := c.attempts("\n**What was changed so far, and what came of it**:\n")
	closing := newPart("\n**What you said at the end**:\n", "closing", 130, notEmpty(c.Closing), 1, itself)
	errors := func(head string, list []Problem) *part {
		return newPart(head, "errors", 0, list, maxErrorsShown, func(_ int, e Problem) string {
			return errorText(e, min(maxReflection, maxErrors/len(list)), maxErrors/len(list))
		})
	}
	known := newPart("\n**What this repository's memory knows of these errors**:\n", "memory", 150,
		in.Advice, maxAdviceShown, knownLine)
	known.most = maxKnown
	return append(parts, actions, closing, changed, earlier, &part{head: in.measured(c, last.Before), always: true},
		newPart("\n**Verification Results**:\n", "results", 50, in.Evaluator.Results, maxErrorsShown,
			func(_ int, r Result) string { return resultLine(r) }),
		errors("\n**Errors** that its change broke:\n", c.Broken), errors("\n**Errors**:\n", c.Errors), known)
}

// measured is how far the attempt came, against what was before it.
func (in *PromptInput) measured(c *Context, before *EvaluatorOutput) string {
	s := fmt.Sprintf("\n**Reward**: %.2f of 1", in.Evaluator.RewardOr())
	if before != nil {
		s += fmt.Sprintf(" (before it: %.2f)", before.RewardOr())
	}
	s += ".\n"
	if c.Best != "" {
		s += "The best so far is " + c.Best + ".\n"
		if in.From != nil {
			s += "The next attempt begins from it, without what this one changed.\n"
		}
	}
	if c.Warning != "" {
		s += "It is no improvement: " + c.Warning + ".\n"
	}
	return s
}

// patchLines is the patch of a change, as one item.
func patchLines(c *snapshot.Changes) []string {
	if c == nil {
		return nil
	}
	return []string{cmp.Or(c.Patch, ChangeText(c, nil), "no file")}
}

// Limits of the prompt: actions, and the bytes of all errors.
const maxActionsAsked, maxErrors = 100, 8000

// resultLine is the result of a verifier, with the end of what it wrote.
func resultLine(r Result) string {
	s := fmt.Sprintf("- %s: %s", plain.Cut(r.Tool, maxPathShown), r.Status)
	if wrote := strings.TrimSpace(plain.Text(r.Stderr)); wrote != "" {
		if n := len(wrote) - maxOutput; n > 0 {
			wrote = "…" + strings.ToValidUTF8(wrote[n:], "")
		}
		s += "\n  Error: " + strings.ReplaceAll(wrote, "\n", "\n  ")
	}
	return s
}
