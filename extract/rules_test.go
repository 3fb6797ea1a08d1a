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

// A task that opens a list is told with it, however it is marked.
func TestTaskWithList(t *testing.T) {
	for name, c := range map[string]struct{ log, want string }{
		"label":   {"**Objective**: Mend the importer:\n\n1. dates\n2. zones\n", "Mend the importer: dates; zones"},
		"heading": {"## Objective\n\nReview the importer with focus on:\n- dates\n- zones\n\nThen write it down.\n", "Review the importer with focus on: dates; zones"},
		"many":    {"## Task\n\nLook at all of these parts:\n" + strings.Repeat("- a part\n", 12), "Look at all of these parts: " + strings.TrimSuffix(strings.Repeat("a part; ", 12), "; ")},
		"a table": {"**Task**: Mend it:\n\n| x | y |\n|---|---|\n| z | w |\n", "Mend it"},
		"no list": {"## Objective\n\nMend the importer:\n\n## Work\n\n- Read it\n", "Mend the importer"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := read(t, Source{Path: "log.md"}, []byte(c.log)).Episode.Task; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
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
		if d.Superseded != nil {
			s += strings.TrimRight(", superseded by "+*d.Superseded, " ")
			s = strings.TrimSuffix(s, " by")
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
