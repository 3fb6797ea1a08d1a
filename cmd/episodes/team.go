package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/term"
)

// teamAnnotation marks the commands that a team's store can answer; all others work on the
// memory of this machine.
const (
	teamAnnotation = "team"
	oneProject     = "project" // for one project
	oneAnswer      = "one"     // also for all projects together
	eachProject    = "each"    // for all projects an answer of each
)

func asksTeam(annotations map[string]string) map[string]string {
	return withTeam(annotations, oneAnswer)
}
func asksOne(annotations map[string]string) map[string]string {
	return withTeam(annotations, oneProject)
}
func asksEach(annotations map[string]string) map[string]string {
	return withTeam(annotations, eachProject)
}

func withTeam(annotations map[string]string, how string) map[string]string {
	out := maps.Clone(annotations)
	out[teamAnnotation] = how
	return out
}

// checkTeam refuses flags of a team's store that a command cannot heed. In the environment the
// store is for those that can.
func (a *app) checkTeam(cmd *cobra.Command) error {
	how := cmd.Annotations[teamAnnotation]
	switch {
	case how == "" && (a.flags.org || ask.IsTeam(a.flags.store) && cmd.Flags().Changed("store")):
		return usage("", "%s works on the memory of this machine, not on a team's store", name(cmd))
	case a.flags.org && !ask.IsTeam(a.flags.store):
		return usage(teamHint, "--org asks a team's store")
	case a.flags.org && how == oneProject:
		return usage("name the project: --store 'postgres://…?project=NAME'; episodes store lists them",
			"--org: %s is about one project", name(cmd))
	}
	return nil
}

// useTeam makes a command ask a team's store where one is named.
func (a *app) useTeam(cmd *cobra.Command, o *ask.Options) error {
	url := o.Store
	if !ask.IsTeam(url) {
		return nil
	}
	o.Store = ""
	if cmd.Annotations[teamAnnotation] == "" {
		return nil
	}
	if o.Org = a.flags.org; o.Org {
		o.Team = url
		return nil
	}
	var err error
	o.Team, err = ask.TeamURL(url, o.Location)
	return err
}

const teamHint = "name it: --store postgres://HOST/DATABASE, or EPISODES_STORE"

func (a *app) needTeam() error {
	if !ask.IsTeam(a.flags.store) {
		return usage(teamHint, "no team's store is named")
	}
	return nil
}

// projectAnswer is what one project answers.
type projectAnswer struct {
	Project string          `json:"project"`
	Answer  json.RawMessage `json:"answer"`

	text string
}

// questionEach puts a question to each project of a team's store, and shows what those answer
// that have something to say. What one project says is not evidence about another, so nothing
// is added up.
func questionEach[R any, A ask.Answer](a *app, cmd *cobra.Command, r R,
	method func(*ask.Memory, context.Context, R) (A, error)) error {
	o, err := a.options(cmd)
	if err != nil {
		return err
	}
	urls, err := ask.Projects(cmd.Context(), o)
	if err != nil {
		return err
	}
	answers, failed := []projectAnswer{}, 0
	for _, p := range urls {
		o.Team, o.Org = p.URL, false
		err := ask.Again(cmd.Context(), o, func() error {
			m, err := ask.Open(o)
			if err != nil {
				return err
			}
			defer m.Close()
			answer, err := method(m, cmd.Context(), r)
			if err != nil || answer.Empty() {
				return err
			}
			text, data, err := m.Render(answer, a.flags.maxTokens)
			if err == nil {
				answers = append(answers, projectAnswer{p.Name, data, text})
			}
			return err
		})
		switch {
		case err == nil, ask.NothingNamed(err):
		case cmd.Context().Err() != nil:
			return err
		default:
			failed++
			a.warn(fmt.Sprintf("project %s: %v", term.Line(p.Name), err))
		}
	}
	var b strings.Builder
	for _, p := range answers {
		fmt.Fprintf(&b, "project %s\n%s\n", term.Line(p.Project), strings.TrimRight(p.text, "\n"))
	}
	data := map[string]any{"projects": answers}
	if err := a.answer(cmd,
		result{data: data, text: a.paintOutcomes(term.Cut(b.String(), a.flags.maxTokens)), empty: len(answers) == 0}); err != nil {
		return err
	}
	if failed > 0 {
		return partly("%s did not answer", term.Plural(failed, "project"))
	}
	return nil
}
