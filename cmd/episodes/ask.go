package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) askCommand() *cobra.Command {
	var r ask.AskRequest
	values := map[string]*string{}
	cmd := &cobra.Command{
		Use:   "ask TEXT...",
		Short: "Ask what is known about something, and get whole passages of the logs",
		Example: `  episodes ask "why are releases tagged by hand?"
  episodes ask "upload hangs" "request times out behind the proxy"
  go test ./... 2>&1 | episodes ask -
  episodes ask --choice "retry with backoff, or a longer timeout?"
  episodes ask --since 30d --file db/schema.sql "may I change the schema?"`,
		Long: `TEXT is words, a pasted text, - for standard input, or @FILE; so is the value of each flag. Several
quoted texts are phrasings of one question. The answer is at most 900 tokens: passages with their
source and who said it, best first; later: names what a later session says about the same, for
episodes show.`,
		Annotations: asksTeam(takesText(graphExits)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, " ") }) && len(args) > 1 {
				args = []string{strings.Join(args, " ")}
			}
			for _, k := range questionKinds {
				if v := *values[k.name]; v != "" {
					if r.Kind != "" {
						return usage(seeHelp(cmd), "ask takes one kind of question")
					}
					args, r.Kind = append([]string{v}, args...), k.name
				}
			}
			for _, arg := range args {
				text, err := a.given(cmd, arg)
				if err != nil {
					return err
				}
				r.Texts = append(r.Texts, text)
			}
			r.Limit = a.flags.limit
			return a.asked(cmd, r)
		},
	}
	f := cmd.Flags()
	for _, k := range questionKinds {
		values[k.name] = f.String(k.name, "", k.use)
	}
	f.StringVar(&r.File, "file", "", "`PATH` that it is about")
	f.StringVar(&r.Since, "since", "", "sessions since `WHEN`: an age such as 7d, a date or a time")
	f.StringVar(&r.Of, "kind", "", "only passages with a `KIND`: "+strings.Join(ask.SearchKinds(), ", "))
	completeValues(cmd, "kind", ask.SearchKinds()...)
	return cmd
}

// asked prints the answer to a question.
func (a *app) asked(cmd *cobra.Command, r ask.AskRequest) error {
	return question(a, cmd, r, func(m *ask.Memory, ctx context.Context, r ask.AskRequest) (*ask.AskAnswer, error) {
		found, err := m.Ask(ctx, r)
		if err == nil && found.Empty() && !a.flags.json && !a.flags.emptyFails {
			a.note("nothing is known about this")
		}
		return found, err
	})
}
