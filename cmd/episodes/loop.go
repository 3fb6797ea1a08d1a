package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"episodes/internal/learning"
	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/analyze"
	"episodes/reflexion/evaluate"
	"episodes/reflexion/loop"
)

type loopFlags struct {
	windowFlags
	verify                          []string
	task, tasks, actor, agent, exec string
	arm, resume, taskType, isolate  string
	max, promptTokens               int
	maxCost                         float64
	maxTime                         time.Duration
	testsToo, commit, wait          bool
}

func (a *app) loopCommand() *cobra.Command {
	var f loopFlags
	cmd := &cobra.Command{
		Use:   "loop --task WORDS --actor LINE --verify LINE...",
		Short: "Let an agent try, verify, reflect and try again with what was learned",
		Example: `  episodes loop --task 'make the cart tests pass' --actor 'agent --print' --verify 'go test -json ./...' --max 5
  episodes loop --task @task.md --actor ./agent.sh --verify 'npm test' --verify 'tsc --noEmit' --exec 'model --print'
  episodes loop --task @task.md --agent 'claude --model opus' --verify 'go test ./...' --max-cost 5 --max-time 1h
  episodes loop --tasks TODO.md --agent gemini --verify 'npm test' --commit
  episodes loop --resume ralph-make-the-cart-tests-pass
  episodes loop --resume ralph-make-the-cart-tests-pass --max 10 --max-cost 20`,
		Long: `The verifiers run first; if they pass, there is nothing to do. Each iteration then gives the actor a
prompt on its standard input, runs the verifiers, and reflects on a failure with the model of --exec, or by
rules. A pass that changed tests that were there, golden files, or what a verifier runs, is verified once
more without these changes; if that fails, the loop ends, unless --tests-too takes it.

--agent knows how to start an agent, and reads its actions, tokens and cost. Commands run in the root of the
repository, with EPISODES_LOOP and EPISODES_ITERATION (-1 before the first attempt). An actor is ended after
an hour and a verifier after 10 minutes, or after --max-time where that is longer.

--tasks takes a Markdown task list ("- [ ] words", with details indented below), or a task in each line. The
same command skips what passed, and goes on with the rest.

A killed or interrupted loop goes on with --resume, and so does one that ended without a pass when it may do
more, by --max, --max-cost or --max-time. One loop at a time works in a working tree.

A verifier that writes its report to a file, or whose lines are not known by its name, is run by loop eval:
  --verify 'episodes loop eval --json --report junit.xml -- mvn -q verify'`,
		Args: unknownCommand,
		Annotations: exits(strings.Replace(memoryExits, "1    failed",
			"1    the verifiers never passed; or failed",
			1) + "\n4    passed, but only by changing tests, golden files or the verifier\n11   another process runs it or works in the tree, or a command of it still runs"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.resumes(cmd); err != nil {
				return err
			}
			return a.loop(cmd, f)
		},
	}
	f.windowFlags.add(cmd)
	f.addAgent(cmd)
	fs := cmd.Flags()
	verifyFlag(cmd, &f.verify)
	fs.StringVar(&f.task, "task", "", "what is to be done, in `WORDS`; @FILE reads them from a file")
	fs.StringVar(&f.tasks, "tasks", "", "a loop for each open task of the list in `FILE`, up to the first that fails; FILE"+keepGoing+": all")
	fs.StringVar(&f.taskType, "task-type", "", "a `WORD` for tasks of this kind")
	fs.StringVar(&f.actor, "actor", "", "command `LINE` of the agent")
	fs.StringVar(&f.exec, "exec", "", "command `LINE` of a model that reflects")
	fs.StringVar(&f.arm, "arm", "all", armUse)
	fs.StringVar(&f.resume, "resume", "", "go on with the loop `ID`, which was begun here")
	fs.BoolVar(&f.wait, "wait-on-limit", false, "wait where the agent is at the limit of its plan")
	fs.IntVar(&f.max, "max", 5, "at most `N` iterations")
	fs.IntVar(&f.promptTokens, "prompt-tokens", reflexion.PromptTokens, "a prompt has at most `N` tokens of 4 bytes besides the task")
	fs.BoolVar(&f.testsToo, "tests-too", false, "a pass counts also when it changed tests that were there, golden files or the verifier")
	fs.BoolVar(&f.commit, "commit", false, "after a pass, commit what the attempts changed; the working tree must have no changes before")
	fs.StringVar(&f.isolate, "isolate", "",
		"work in copies of the repository, each attempt from the best so far, and bring back what the best changed; =discard: bring nothing back, as for comparisons")
	fs.Lookup("isolate").NoOptDefVal = "bring"
	completeValues(cmd, "arm", reflexion.Arms()...)
	cmd.Annotations[alone] = "yes"
	cmd.AddCommand(a.evalCommand(), a.reflectCommand(), a.retryCommand(), a.analyzeCommand(), a.historyCommand(),
		a.exportCommand(), a.importCommand(), a.reflectionsCommand())
	return cmd
}

// changing are the flags that change a loop that is resumed.
var changing = []string{"max", "max-cost", "max-time", "tests-too", "wait-on-limit"}

// resumes returns a usage error for flags that have no effect together with --resume.
func (f *loopFlags) resumes(cmd *cobra.Command) error {
	if f.resume == "" {
		return nil
	}
	var others []string
	cmd.LocalNonPersistentFlags().VisitAll(func(x *pflag.Flag) {
		if x.Changed && !slices.Contains(append([]string{"resume"}, changing...), x.Name) {
			others = append(others, "--"+x.Name)
		}
	})
	if len(others) > 0 {
		return usage("", "--resume goes on as the loop was begun: leave out %s", strings.Join(others, ", "))
	}
	return nil
}

// leastPromptTokens is what the frame of a prompt and one error need.
const leastPromptTokens = 300

func (f *loopFlags) check() error {
	if f.max < 1 {
		return usage("", "--max %d: must be 1 or more", f.max)
	}
	if f.resume != "" {
		return nil
	}
	_, known := reflexion.ShowFor(f.arm)
	switch {
	case f.task != "" && f.tasks != "":
		return usage("", "--task and --tasks: give one of them")
	case f.commit && (f.testsToo || f.isolate == "discard"):
		return usage("", "--commit: not with --tests-too or --isolate=discard")
	case f.commit && f.isolate == "" && strings.HasSuffix(f.tasks, keepGoing):
		return usage("", "--commit with %s takes --isolate: what a failed task changed would stay in the working tree", keepGoing[1:])
	case f.task+f.tasks == "" || f.actor == "" && f.agent == "" || len(f.verify) == 0:
		return usage("episodes help loop", "loop takes --task or --tasks, --actor or --agent, and --verify, or --resume")
	case f.promptTokens < leastPromptTokens:
		return usage("", "--prompt-tokens %d: must be %d or more", f.promptTokens, leastPromptTokens)
	case !known:
		return usage("", "--arm %q: must be %s", f.arm, strings.Join(reflexion.Arms(), ", "))
	case !slices.Contains([]string{"", "bring", "discard"}, f.isolate):
		return usage("", "--isolate=%s: takes nothing, or discard", f.isolate)
	}
	return nil
}

func (a *app) loop(cmd *cobra.Command, f loopFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	l, err := a.learning(cmd)
	if err != nil {
		return err
	}
	if file, ok := strings.CutPrefix(f.task, "@"); ok && f.resume == "" {
		data, err := a.readInput(cmd.Context(), file)
		if err != nil {
			return err
		}
		f.task = string(data)
	}
	w, err := f.window()
	if err != nil {
		return err
	}
	request := learning.LoopRequest{Resume: f.resume, OnIteration: a.reportIteration, Config: loop.Config{
		Task: f.task, TaskType: f.taskType, Actor: f.actor, Verify: f.verify, Reflect: f.exec,
		Max: f.max, Omega: w.omega, Dynamic: w.dynamic, Policy: w.policy, Arm: f.arm,
		PromptTokens: f.promptTokens, Stuck: loop.DefaultStuck, TestsToo: f.testsToo, Wait: f.wait, Isolate: f.isolate != "", Commit: f.commit,
		Discard:      f.isolate == "discard" || f.commit && strings.HasSuffix(f.tasks, keepGoing), // of a task that failed nothing is left for the next commit
		ActorTimeout: max(time.Hour, f.maxTime).Seconds(), VerifyTimeout: max(evaluate.DefaultTimeout, f.maxTime).Seconds()}}
	if err := f.applyAgent(&request.Config); err != nil {
		return err
	}
	if given := cmd.Flags().Changed; slices.ContainsFunc(changing, given) {
		request.Change = func(c *loop.Config) {
			if given("max") {
				c.Max = f.max
			}
			if given("max-cost") {
				c.MaxCost = f.maxCost
			}
			if given("max-time") {
				c.MaxTime = f.maxTime.Seconds()
			}
			c.TestsToo, c.Wait = c.TestsToo || f.testsToo, c.Wait || f.wait
		}
	}
	holdLittle()
	if f.tasks != "" {
		return a.loopTasks(cmd, l, request, f.tasks)
	}
	ended, err := l.RunLoop(cmd.Context(), request)
	if err != nil {
		return err
	}
	r, failed := a.loopResult(ended)
	if failed != nil {
		return failed
	}
	return a.answer(cmd, r)
}

// broken says how to go on after what kept a loop from ending.
func (a *app) broken(cmd *cobra.Command, e *learning.BrokenError) *failure {
	f := *a.classify(cmd, e.Err)
	on := a.again("loop --resume "+e.LoopID) + " goes on with it"
	if _, ok := errors.AsType[*reflexion.DamageError](e); ok {
		on = f.hint + "; " + on
	}
	f.hint = on
	return &f
}

func (a *app) reportIteration(r *reflexion.Turn) {
	line := fmt.Sprintf("iteration %d %s, reward %.2f, %s; ", r.Iteration, r.Evaluator.Verdict(),
		r.Evaluator.RewardOr(), term.Plural(len(r.Evaluator.Errors), "error"))
	var fails string
	var first *reflexion.Problem
	if len(r.Evaluator.Errors) > 0 {
		first = &r.Evaluator.Errors[0]
		fails = "fails: " + reflexion.Shorten(reflexion.FirstLine(reflexion.Describe(*first)), 160) + "; "
	}
	did := cmp.Or(reflexion.ChangeText(r.Actor.Changed, first), "changed no file")
	a.note(term.Line(line + did + "; " + fails + usageText(r.Record)))
	if r.Shortfall != "" {
		a.warn("no improvement: " + term.Line(r.Named()))
	}
	switch {
	case r.Evaluator.Passed && r.Notes != "":
		a.warn("the verifiers passed, but " + term.Line(r.Notes))
	case r.Notes != "" && r.Notes != string(loop.Critical):
		a.warn(term.Line(r.Notes))
	}
}

// loopResult is what a loop that ended says: a failure unless it passed, and was committed if asked for.
func (a *app) loopResult(ended *learning.LoopAnswer) (result, *failure) {
	c, end, history := ended.Config, ended.End, ended.History
	rewards := []float64{}
	for _, r := range history {
		rewards = append(rewards, r.Evaluator.RewardOr())
	}
	data := map[string]any{"end": end, "rewards": rewards, "episode": ended.Episode, "arm": c.Arm}
	if total, known := reflexion.Used(history); known > 0 {
		data["usage"] = total
	}
	if b := ended.Brought; b != nil {
		data["brought_back"] = b
		a.note(broughtBack(b))
	}
	if x := ended.Committed; x != nil {
		data["committed"] = x
		a.note(committed(x))
	}
	after := term.Plural(end.Iterations, "iteration")
	f := &failure{code: codeFailed, hint: a.onward(c, end.Reason), data: data, verdict: true}
	switch {
	case ended.Uncommitted != nil:
		f.err, f.hint = fmt.Errorf("%s: passed after %s, but not committed: %w", c.LoopID, after, ended.Uncommitted), "commit what it changed yourself"
		return result{data: data}, f
	case end.Reason == loop.Nothing:
		return result{data: data, text: c.LoopID + ": the verifiers pass already, there is nothing to do"}, nil
	case end.Success:
		return result{data: data, text: fmt.Sprintf("%s: passed after %s\n%s", c.LoopID, after, learned(history))}, nil
	}
	message := fmt.Sprintf("%s: not passed after %s (%s)", c.LoopID, after, end.Reason)
	if end.Reason == loop.Changing {
		f.code, message = codeChanging, fmt.Sprintf("%s: passed after %s, %s", c.LoopID, after, end.Detail)
	} else if end.Detail != "" {
		message += ": " + end.Detail
	}
	f.err = errors.New(term.Line(message))
	for line := range strings.Lines(learned(history)) {
		a.note(strings.TrimSpace(line))
	}
	return result{data: data}, f
}

// onward says how to go on after a loop that did not pass.
func (a *app) onward(c *loop.Config, r loop.Reason) string {
	resume := a.again("loop --resume " + c.LoopID)
	switch {
	case r == loop.Critical:
		return "correct the command line and start the loop again"
	case !c.CanGoOn(r):
		return a.again("loop retry "+c.LoopID) + " shows what the next attempt should know"
	case r == loop.Changing:
		return "put them back, and " + resume + " tries again; if the change is right, begin anew with --tests-too"
	case r == loop.Blocked:
		return resume + " goes on when that was done"
	case r == loop.Limit:
		return fmt.Sprintf("%s --max %d goes on with it", resume, 2*c.Max)
	case r == loop.Cost:
		return resume + " --max-cost USD goes on with it; 0: without a limit"
	case r == loop.Time:
		return resume + " --max-time TIME goes on with it; 0: without a limit"
	}
	return resume + " goes on with it all the same"
}

// committed says what was committed after a pass.
func committed(c *loop.Committed) string {
	s := "nothing to commit"
	if c.Commit != "" {
		s = fmt.Sprintf("committed %s as %s", term.Line(strings.Join(c.Files, ", ")), c.Commit)
	}
	return s + but("not committed, since no attempt changed them or they were there before", c.Left)
}

// broughtBack says what an isolated loop changed in the work tree.
func broughtBack(b *loop.Brought) string {
	if b.Attempt == 0 {
		return "nothing is brought back: no attempt came further than what was there"
	}
	return fmt.Sprintf("brought back from attempt %d: %s", b.Attempt, cmp.Or(term.Line(strings.Join(b.Files, ", ")), "nothing")) +
		but("left as they are, since they changed meanwhile or are too large", b.Left)
}

// but lists files of which another thing is true; "" without any.
func but(what string, files []string) string {
	if len(files) == 0 {
		return ""
	}
	return "; " + what + ": " + term.Line(strings.Join(files, ", "))
}

// learned renders the analysis of a finished loop: its rewards, and whether the reflections
// helped. It is empty for a loop of one iteration.
func learned(history []*reflexion.Record) string {
	if len(history) < 2 {
		return ""
	}
	var b strings.Builder
	var rewards []float64
	b.WriteString("reward by iteration:")
	for _, r := range history {
		rewards = append(rewards, r.Evaluator.RewardOr())
		fmt.Fprintf(&b, " %.2f", r.Evaluator.RewardOr())
	}
	fmt.Fprintf(&b, ", learning rate %.3f\n", analyze.LearningRate(rewards))
	if took := usageText(history...); took != "" {
		fmt.Fprintf(&b, "used: %s\n", took)
	}
	poor := 0
	var why []string
	reflections := reflexion.Reflections(history)
	for _, r := range reflections {
		low := reflexion.LowQuality(r)
		poor += min(1, len(low))
		why = append(why, slices.DeleteFunc(low, func(x string) bool { return slices.Contains(why, x) })...)
	}
	fmt.Fprintf(&b, "%s, %d of low quality", term.Plural(len(reflections), "reflection"), poor)
	if poor > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(why, "; "))
	}
	return b.String()
}
