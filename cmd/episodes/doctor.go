package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/doctor"
	"episodes/internal/hook"
	"episodes/internal/learning"
	"episodes/internal/setup"
	"episodes/internal/term"
)

func (a *app) doctorCommand() *cobra.Command {
	var fix, secrets bool
	cmd := &cobra.Command{
		Use:     "doctor [FILE]...",
		Aliases: []string{"validate"}, // of FILEs, or of all episodes
		Short:   "Check episodes, graph, lock and disk, and say what to do",
		Example: `  episodes doctor
  episodes doctor --fix
  episodes doctor --secrets
  episodes doctor .agents/memory/episodes/*.json   # these files, each against its schema`,
		Long: `Checked too: whether what is derived was made here by this user, or came with the
repository, and whether settings of agents are of another version of this program.

--fix mends only what can be made anew: the graph, the .gitignore, and files that a
killed writer left. Episodes are never touched.

--secrets looks through all files of the memory for passwords, keys, tokens, e-mail
addresses and home folders, and lists the kinds, never the values. With --fix they are taken out.
git keeps what it has already seen: change passwords that it has.

With FILEs only these are checked, against the schema of episodes or that of the records of loops. Each
problem is a line: file:line: message.`,
		Annotations: exits(memoryExits + "\n1    problems remain\n11   locked by another process for longer than --lock-timeout"),
		RunE: func(cmd *cobra.Command, files []string) error {
			switch only := len(files) > 0 || cmd.CalledAs() == "validate"; {
			case only && (fix || secrets):
				return usage("", "--fix and --secrets are about the whole memory: leave out the files")
			case only:
				return a.validate(cmd, files)
			}
			return a.doctor(cmd, fix, secrets)
		},
	}
	cmd.Flags().BoolVar(&secrets, "secrets", false, "look for secrets and personal data")
	cmd.Flags().BoolVar(&fix, "fix", false, "mend what is safe to mend")
	return cmd
}

func (a *app) doctor(cmd *cobra.Command, fix, secrets bool) error {
	o, err := a.options(cmd)
	if err != nil {
		return err
	}
	rep, err := ask.Doctor(cmd.Context(), o, ask.DoctorRequest{Fix: fix, Secrets: secrets,
		Free: a.free, Command: a.again})
	if err != nil {
		return err
	}
	if !secrets {
		a.checkLoops(cmd, rep)
		a.checkConfig(o, rep)
		a.checkSettings(o, rep)
	}
	const days = 7
	if path, lines := hook.Recent(a.now().AddDate(0, 0, -days)); lines > 0 && !secrets {
		rep.Note("hooks", fmt.Sprintf("%s of the last %d days in %q", term.Plural(lines, "line"), days, path), "")
	}
	report := a.doctorText(rep)
	if rep.Problems > 0 {
		return a.wrong(report, failure{err: errors.New(term.Plural(rep.Problems, "problem")), data: rep})
	}
	return a.answer(cmd, result{data: rep, text: report})
}

// checkLoops adds what is wrong with records of loops and tasks.
func (a *app) checkLoops(cmd *cobra.Command, rep *doctor.Report) {
	const check, shown = "loops", 3
	add := func(state doctor.State, text, todo string) {
		rep.Findings = append(rep.Findings, doctor.Finding{Check: check, State: state, Text: text, Todo: todo})
	}
	var c *learning.Checked
	f, err := a.learning(cmd)
	if err == nil {
		c, err = f.Check()
	}
	if err != nil {
		c = &learning.Checked{Problems: []error{err}}
	}
	for i, p := range c.Problems {
		rep.Problems++
		if i == shown {
			add(doctor.Problem, fmt.Sprintf("and %d more of this kind", len(c.Problems)-shown), "")
		}
		if i < shown {
			add(doctor.Problem, p.Error(),
				"correct the file or remove it: it is left out of all answers")
		}
	}
	if c.Records+c.Tasks > 0 && len(c.Problems) == 0 {
		add(doctor.OK, fmt.Sprintf("%s and %s are valid", term.Plural(c.Records, "record"),
			term.Plural(c.Tasks, "task")), "")
	}
}

// checkSettings adds what agents have of earlier versions of this program.
func (a *app) checkSettings(o ask.Options, rep *doctor.Report) {
	r := setup.Request{Action: setup.Check, Root: o.Location.Root}
	if o.Location.Bare {
		r.Root = ""
	}
	got, err := setup.Run(a.setupEnvironment(), r)
	if err != nil {
		return // setup --check says so
	}
	for _, old := range got.Outdated() {
		rep.Note("agents", old[0], old[1])
	}
}

func (a *app) doctorText(rep *doctor.Report) string {
	colours := map[doctor.State]string{doctor.OK: green, doctor.Fixed: green, doctor.Note: yellow,
		doctor.Problem: red}
	var b strings.Builder
	findings := slices.Clone(rep.Findings)
	if a.flags.maxTokens > 0 { // what matters most must survive the cut
		slices.SortStableFunc(findings, func(x, y doctor.Finding) int { return rank(x) - rank(y) })
	}
	for _, f := range findings {
		pad := strings.Repeat(" ", max(1, 9-len(f.State)))
		fmt.Fprintf(&b, "%s%s%-10s %s\n", a.paint(colours[f.State], string(f.State)), pad,
			f.Check, term.Line(f.Text))
		if f.Todo != "" {
			fmt.Fprintf(&b, "%20sto do: %s\n", "", term.Line(f.Todo))
		}
	}
	return a.budgeted(b.String())
}

func rank(f doctor.Finding) int {
	if f.State == doctor.Problem {
		return 0
	}
	return 1
}
