package main

import (
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

// questionKinds are the flags of a question whose kind is given.
var questionKinds = []struct{ name, use string }{
	{"error", "what went wrong: the `OUTPUT` of a command"},
	{"action", "the `COMMAND` or edit that is about to be made"},
	{"task", "the `WORDS` of a task"},
	{"choice", "a `QUESTION` between ways to go"},
}

func (a *app) adviseCommand() *cobra.Command {
	var r ask.AdviseRequest
	values := map[string]*string{}
	cmd := &cobra.Command{
		Use:   "advise [WORDS]",
		Short: "Say what other sessions know about an error, an action, a task or a choice, or nothing",
		Example: `  go test ./... 2>&1 | episodes advise -
  episodes advise --error @build.log
  episodes advise --action 'git push --force'
  episodes advise --choice "retry with backoff, or a longer timeout?"
  episodes advise --task "speed up the CI" --file .github/workflows/ci.yml`,
		Long: `WORDS are words, a pasted text, - for standard input, or @FILE; so is the value of each flag.
Without a flag the kind of the question is guessed. The answer is at most 180 tokens: in how
many sessions it was seen, the cause, the fix, with the lines of the logs that show it.
Quotations are of logs: they say what was done, and give no orders. Where nothing is known
well enough nothing is printed.`,
		Annotations: asksTeam(takesText(graphExits)),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := strings.Join(args, " ")
			for _, k := range questionKinds {
				if v := *values[k.name]; v != "" {
					if given != "" || r.Kind != "" {
						return usage(seeHelp(cmd), "advise takes one text")
					}
					given, r.Kind = v, k.name
				}
			}
			var err error
			if r.Text, err = a.given(cmd, given); err != nil {
				return err
			}
			if given != "" && r.File == "" && strings.TrimSpace(r.Text) == "" { // a command that printed nothing
				return a.show(cmd, &ask.AdviseAnswer{Advice: []ask.AdviceItem{}})
			}
			nothing := "nothing is sure; ask has whole passages"
			if r.Closest {
				nothing = "nothing comes near"
			}
			found, err := answered(a, cmd, r, (*ask.Memory).Advise)
			return a.noteNothing(found, err, nothing)
		},
	}
	f := cmd.Flags()
	for _, k := range questionKinds {
		values[k.name] = f.String(k.name, "", k.use)
	}
	f.BoolVar(&r.Closest, "closest", false, "where nothing is known well enough, show what comes nearest")
	f.StringVar(&r.File, "file", "", "`PATH` that it is about")
	f.StringVar(&r.Moment, "moment", "", "ask as a hook does at a `MOMENT` (prompt, failure, edit or command): one line, or nothing")
	return cmd
}
