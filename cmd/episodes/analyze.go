package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/fsstore"
	"episodes/reflexion"
	"episodes/reflexion/analyze"
	"episodes/reflexion/task"
)

func (a *app) analyzeCommand() *cobra.Command {
	o := analyze.Options{Through: -1}
	var svg string
	cmd := &cobra.Command{
		Use:   "analyze [FILE.jsonl]...",
		Short: "Say from records of attempts whether trying again with memory helped",
		Example: `  episodes analyze
  episodes analyze with-memory.jsonl without.jsonl
  episodes analyze --svg curve.svg --through 6 with-memory.jsonl without.jsonl`,
		Long: `Each file is an arm: one record of the reflection-memory schema a line. Without files the arms are
those of the memory's own loops, and "tasks" the attempts of episodes task, by the outcomes that their
agents stated. Two arms are compared task by task where the task descriptions agree,
after every trial that both have, with the exact sign test; where fewer than 6 tasks decide, no verdict
is given. A file of - is standard input.`,
		Annotations: exits(memoryExits + "\n3    some lines or files are no record; the rest is analyzed"),
		RunE:        func(cmd *cobra.Command, args []string) error { return a.analyze(cmd, args, o, svg) },
	}
	cmd.Flags().IntVar(&o.Through, "through", -1, "leave out what comes after trial `N`; -1: nothing")
	cmd.Flags().BoolVar(&o.Loops, "loops", false, "list every loop (with --json)")
	cmd.Flags().StringVar(&svg, "svg", "", "also draw the curves into `FILE`")
	return cmd
}

func (a *app) analyze(cmd *cobra.Command, files []string, o analyze.Options, svg string) error {
	arms, bad, err := a.arms(cmd.Context(), files)
	if err != nil {
		return err
	}
	for _, err := range bad {
		a.warn("left out: " + err.Error())
	}
	found := analyze.Analyze(arms, o)
	if svg != "" {
		if err := fsstore.WriteOut(absoluteTo(a.cwd, svg), []byte(analyze.SVG(found))); err != nil {
			return err
		}
	}
	empty := true
	for i := range found.Arms {
		empty = empty && found.Arms[i].Tasks == 0
	}
	text := analyze.Text(found)
	if empty {
		text = "no records of attempts\n"
	}
	if err := a.answer(cmd, result{data: found, text: a.budgeted(printableLines(text)), empty: empty}); err != nil {
		return err
	}
	if len(bad) > 0 {
		return &failure{code: codePartly, err: fmt.Errorf("%s left out", plural(len(bad), "record")), told: true}
	}
	return nil
}

// arms reads an arm from each file, or the memory's own.
func (a *app) arms(ctx context.Context, files []string) (arms []analyze.Arm, bad []error, err error) {
	if len(files) == 0 {
		return a.ownArms()
	}
	names := map[string]int{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		if names[name]++; names[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, names[name])
		}
		rs, wrong, doubts, err := a.readArm(ctx, file)
		if err != nil {
			return nil, nil, err
		}
		bad = append(bad, wrong...)
		if len(doubts) > 0 {
			a.note(fmt.Sprintf("%s: %s contradict themselves, the first: %v", file, plural(len(doubts), "record"), doubts[0]))
		}
		arms = append(arms, analyze.Arm{Name: name, Records: rs})
	}
	return arms, bad, nil
}

func (a *app) readArm(ctx context.Context, file string) (rs []*reflexion.Record, bad, doubts []error, err error) {
	if file == "-" {
		data, err := a.readStdin(ctx)
		if err != nil {
			return nil, nil, nil, err
		}
		return analyze.Read("standard input", strings.NewReader(string(data)))
	}
	f, err := os.Open(absoluteTo(a.cwd, file))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("read %q: %w", file, bare(err))
	}
	defer f.Close()
	return analyze.Read(file, f)
}

// ownArms are the records of the memory, by the arm that their loop belongs to, and
// the tasks of agents that run by themselves as an arm of their own.
func (a *app) ownArms() (arms []analyze.Arm, bad []error, err error) {
	arms = []analyze.Arm{}
	s, err := a.openReflexion()
	if errors.Is(err, fs.ErrNotExist) {
		return arms, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	rs, bad, err := s.All()
	if err != nil {
		return nil, nil, err
	}
	at := map[string]int{}
	for _, r := range rs {
		name := r.Arm
		if name == "" {
			name = "memory"
		}
		i, ok := at[name]
		if !ok {
			i = len(arms)
			at[name] = i
			arms = append(arms, analyze.Arm{Name: name})
		}
		arms[i].Records = append(arms[i].Records, r)
	}
	arms, err = a.taskArm(arms)
	return arms, bad, err
}

// taskArm adds the ended attempts of tasks, whose outcomes are those that their
// agents stated.
func (a *app) taskArm(arms []analyze.Arm) ([]analyze.Arm, error) {
	var rs []*reflexion.Record
	err := a.readTasks(func(s *task.Store) error {
		all, err := s.Histories()
		for _, h := range all {
			rs = append(rs, task.Records(h)...)
		}
		return err
	})
	if len(rs) > 0 {
		arms = append(arms, analyze.Arm{Name: "tasks", Records: rs})
	}
	return arms, err
}

// readStdin reads standard input to its end, or until the user interrupts.
func (a *app) readStdin(ctx context.Context) ([]byte, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(a.stdin, 64<<20))
		done <- read{data, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, fmt.Errorf("read standard input: %w", r.err)
		}
		return r.data, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
