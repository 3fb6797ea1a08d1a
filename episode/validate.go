package episode

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with an episode. Needle is text that
// stands near it in the file, to find its line.
type Problem struct {
	Needle string
	Msg    string
}

// Validate returns what the JSON schema cannot say: ids are unique and numbered
// by kind, links, effects and spans refer to records that exist, no decision
// gives its choice as its own context, and spans run forward. An empty result means it holds.
func (e *Episode) Validate() []Problem {
	var out []Problem
	add := func(needle, format string, args ...any) {
		out = append(out, Problem{Needle: needle, Msg: fmt.Sprintf(format, args...)})
	}
	ids := map[string]bool{}
	claim := func(id string) {
		if ids[id] {
			add(quoted(id), "id %q is used twice", id)
		}
		ids[id] = true
	}
	for _, d := range e.Decisions {
		claim(d.ID)
		if d.Context != "" && strings.EqualFold(strings.TrimSpace(d.Context), strings.TrimSpace(d.Chosen)) {
			add(quoted(d.ID), "decision %s: context repeats what was chosen", d.ID)
		}
		if n := len(d.OptionKeys); n > 0 && n != len(d.Options) {
			add(quoted(d.ID), "decision %s: %d option keys for %d options", d.ID, n, len(d.Options))
		}
	}
	for _, v := range e.Events {
		claim(v.ID)
	}
	exists := func(id string) bool { return ids[id] || id == OutcomeRef }
	refs := func(owner string, list []string) {
		for _, id := range list {
			if !exists(id) {
				add(quoted(owner), "%s refers to %q, which does not exist", owner, id)
			}
		}
	}
	for _, d := range e.Decisions {
		refs(d.ID, d.Effects)
	}
	for _, v := range e.Events {
		refs(v.ID, slices.Concat(v.CausedBy, v.LeadsTo))
	}
	for _, l := range e.Links {
		if !ids[l.Source] {
			add(quoted(l.Source), "link source %q does not exist", l.Source)
		}
		if !exists(l.Target) {
			add(quoted(l.Target), "link target %q does not exist", l.Target)
		}
		if l.Source == l.Target {
			add(quoted(l.Source), "link from %q to itself", l.Source)
		}
	}
	links := map[string]bool{}
	for _, l := range e.Links {
		links[LinkID(l.Source, l.Target)] = true
	}
	for key, s := range e.Provenance.Spans {
		if s[0] < 1 || s[1] < s[0] {
			add(quoted(key), "span %q is [%d, %d], which is no range of lines", key, s[0], s[1])
		}
		if !links[key] && !e.spanTarget(key, ids) {
			add(quoted(key), "span %q belongs to nothing in this episode", key)
		}
	}
	slices.SortFunc(out, func(a, b Problem) int { return strings.Compare(a.Needle+a.Msg, b.Needle+b.Msg) })
	return out
}

func (e *Episode) spanTarget(key string, ids map[string]bool) bool {
	if key == "task" || key == OutcomeRef || ids[key] {
		return true
	}
	var n int
	if _, err := fmt.Sscanf(key, "l%d", &n); err == nil {
		return n >= 1 && n <= len(e.Lessons) && key == LessonID(n)
	}
	return false
}

func quoted(s string) string { return `"` + s + `"` }

// Foreign finds the first value of a closed list that is none of its members: a
// type of decision, event or link, or an outcome. It is nil when there is none.
func (e *Episode) Foreign() *Problem {
	wrong := func(what, value string) *Problem {
		return &Problem{Needle: quoted(value), Msg: fmt.Sprintf("%s has the type %q, which is not known here", what, value)}
	}
	for _, d := range e.Decisions {
		if !slices.Contains([]DecisionType{Design, Implementation, Testing, Recovery, Routing, ""}, d.Type) {
			return wrong("decision "+d.ID, string(d.Type))
		}
		if d.Outcome != "" && !slices.Contains(Outcomes(), d.Outcome) {
			return &Problem{Needle: quoted(string(d.Outcome)), Msg: fmt.Sprintf("decision %s has the outcome %q, which is not known here", d.ID, d.Outcome)}
		}
	}
	for _, v := range e.Events {
		if !slices.Contains([]EventType{ToolCall, Error, Milestone, Handoff, Commit, Test}, v.Type) {
			return wrong("event "+v.ID, string(v.Type))
		}
	}
	for _, l := range e.Links {
		if !slices.Contains(LinkTypes(), l.Type) {
			return wrong("link "+LinkID(l.Source, l.Target), string(l.Type))
		}
	}
	if e.Outcome != "" && !slices.Contains(Outcomes(), e.Outcome) {
		return &Problem{Needle: quoted(string(e.Outcome)), Msg: fmt.Sprintf("the outcome %q is not known here", e.Outcome)}
	}
	return nil
}
