package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
)

// ruleCase is a short log and all the facts that it shows, one a line, as
// factLines writes them.
type ruleCase struct {
	name, log, want string
}

var ruleCases = concat(decisionCases, errorCases, testCases, commitCases, workCases, lessonCases, outcomeCases, linkCases, silentCases, languageCases)

func concat(lists ...[]ruleCase) []ruleCase {
	var out []ruleCase
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range ruleCases {
		if seen[c.name] {
			t.Fatalf("two cases are named %q", c.name)
		}
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			res := read(t, Source{Path: "log.md"}, []byte(c.log))
			sound(t, res, []byte(c.log))
			want := strings.Join(strings.FieldsFunc(strings.ReplaceAll(c.want, "\t", ""), func(r rune) bool { return r == '\n' }), "\n")
			if diff := cmp.Diff(want, strings.Join(factLines(res.Episode), "\n")); diff != "" {
				t.Errorf("facts of\n%s\n(-want +got):\n%s", c.log, diff)
			}
		})
	}
}

// factLines writes the facts of an episode for people, without what is usual: a
// design decision, an unknown outcome.
func factLines(ep *episode.Episode) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, d := range ep.Decisions {
		s := "decision"
		if d.Type != episode.Design {
			s += ", " + string(d.Type)
		}
		if d.Outcome.Known() {
			s += ", " + string(d.Outcome)
		}
		s += ": " + d.Chosen
		if d.Context != "" {
			s += " <- " + d.Context
		}
		if d.Rationale != "" {
			s += " // " + d.Rationale
		}
		if len(d.Options) > 0 {
			s += " [" + strings.Join(d.Options, " / ") + "]"
		}
		out = append(out, s)
	}
	for _, v := range ep.Events {
		add("%s: %s", v.Type, v.Content)
	}
	for _, l := range ep.Lessons {
		add("lesson: %s", l)
	}
	for _, l := range ep.Links {
		said := "implied"
		if l.Explicit {
			said = "explicit"
		}
		add("link: %s %s %s, %s", l.Source, l.Type, l.Target, said)
	}
	if ep.Outcome.Known() {
		add("outcome: %s, %s", ep.Outcome, ep.OutcomeSource)
	}
	return out
}
