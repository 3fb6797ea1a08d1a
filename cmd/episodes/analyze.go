package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/analyze"
)

func (a *app) analyzeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "analyze [FILE.jsonl]...",
		Short: "Compare attempts with and without memory: did memory help?",
		Example: `  episodes loop analyze
  episodes loop analyze with-memory.jsonl without.jsonl`,
		Long: `Each file is an arm: one record of the reflection-memory schema a line. Without files the arms are
those of the memory's own loops, and "tasks" the attempts that agents stated with episodes record,
by the outcomes that they stated. Two arms are compared task by task where the task descriptions agree, at equal budget: by
what was solved in the end, by the area under the curve, and after every trial, with exact tests (sign,
signed-rank) and intervals. A loop that ended keeps its state. Where records do not say how many attempts were
allowed, those count that the longest loop of the arm with the shorter one has. Differences are claimed only
where they hold for all looks, and the interval does not contain 0;
where fewer than 6 tasks decide, no verdict is given. A file of - is standard input. --json --verbose lists every loop.`,
		Annotations: exits(memoryExits + "\n3    some lines or files are no record; the rest is analyzed"),
		RunE:        func(cmd *cobra.Command, args []string) error { return a.analyze(cmd, args) },
	}
}

func (a *app) analyze(cmd *cobra.Command, files []string) error {
	arms, bad, err := a.arms(cmd, files)
	if err != nil {
		return err
	}
	for _, err := range bad {
		a.warn("left out: " + err.Error())
	}
	found := analyze.Analyze(arms)
	empty := true
	for i := range found.Arms {
		empty = empty && found.Arms[i].Tasks == 0
		if !a.flags.verbose {
			found.Arms[i].Loops = []analyze.LoopReport{}
		}
	}
	text := analyze.Text(found)
	if empty {
		text = "no records of attempts\n"
	}
	if err := a.answer(cmd, result{data: found, text: a.budgeted(term.Lines(text)), empty: empty}); err != nil {
		return err
	}
	if len(bad) > 0 {
		return partly("%s left out", term.Plural(len(bad), "record"))
	}
	return nil
}

// arms reads an arm from each file, or the memory's own.
func (a *app) arms(cmd *cobra.Command, files []string) (arms []analyze.Arm, bad []error, err error) {
	if len(files) == 0 {
		f, err := a.learning(cmd)
		if err != nil {
			return nil, nil, err
		}
		return f.Arms()
	}
	names := map[string]int{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		if names[name]++; names[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, names[name])
		}
		rs, wrong, doubts, err := a.readArm(cmd.Context(), file)
		if err != nil {
			return nil, nil, err
		}
		bad = append(bad, wrong...)
		if len(doubts) > 0 {
			a.note(fmt.Sprintf("%s: %s contradict themselves, the first: %v", file, term.Plural(len(doubts), "record"), doubts[0]))
		}
		arms = append(arms, analyze.Arm{Name: name, Records: rs})
	}
	return arms, bad, nil
}

func (a *app) readArm(ctx context.Context, file string) (rs []*reflexion.Record, bad, doubts []error, err error) {
	data, err := a.readInput(ctx, file)
	if err != nil {
		return nil, nil, nil, err
	}
	if file == "-" {
		file = "standard input"
	}
	rs, bad, doubts = analyze.Read(file, data)
	return rs, bad, doubts, nil
}
