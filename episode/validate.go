package episode

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one violation of the rules for an episode. Needle is text near it in
// the file, from which its line can be found.
type Problem struct {
	Needle string
	Msg    string
}

// Validate checks the rules that the JSON schema cannot express: ids are unique,
// links, effects and spans refer to records that exist, no decision repeats its choice
// as its context, and spans are ranges of lines. It returns nothing for a valid episode.
func (e *Episode) Validate() []Problem {
	v := &validator{e: e, ids: map[string]bool{}}
	v.records()
	v.lessons()
	v.references()
	v.spans()
	slices.SortFunc(v.problems, func(a, b Problem) int { return strings.Compare(a.Needle+a.Msg, b.Needle+b.Msg) })
	return v.problems
}

type validator struct {
	e        *Episode
	ids      map[string]bool // of decisions and events
	problems []Problem
}

// add reports a problem near a quoted string of the file.
func (v *validator) add(near, format string, args ...any) {
	v.problems = append(v.problems, Problem{Needle: quoted(near), Msg: fmt.Sprintf(format, args...)})
}

func (v *validator) records() {
	claim := func(id string) {
		if v.ids[id] {
			v.add(id, "id %q is used twice", id)
		}
		v.ids[id] = true
	}
	for _, d := range v.e.Decisions {
		claim(d.ID)
		if d.Context != "" && strings.EqualFold(strings.TrimSpace(d.Context), strings.TrimSpace(d.Chosen)) {
			v.add(d.ID, "decision %s: context repeats what was chosen", d.ID)
		}
		if n := len(d.OptionKeys); n > 0 && n != len(d.Options) {
			v.add(d.ID, "decision %s: %d option keys for %d options", d.ID, n, len(d.Options))
		}
	}
	for _, x := range v.e.Events {
		claim(x.ID)
	}
	for i, r := range v.e.Records {
		if r.ID != RecordID(i+1) {
			v.add(r.ID, "record %d has the id %q, not %q", i+1, r.ID, RecordID(i+1))
		}
	}
}

// lessons: an id stands for one lesson, and a lesson says something.
func (v *validator) lessons() {
	seen := map[LessonRef]bool{}
	for _, l := range v.e.Taught {
		if seen[l.ID] || !ValidLessonID(l.ID) {
			v.add(string(l.ID), "the lesson %q has no id of its own", l.Say)
		}
		if seen[l.ID] = true; l.Say == "" || !slices.Contains(LessonKinds(), l.Kind) {
			v.add(string(l.ID), "lesson %s is of no kind, or says nothing", l.ID)
		}
	}
}

func (v *validator) references() {
	exists := func(id string) bool { return v.ids[id] || id == OutcomeRef }
	refs := func(owner string, list []string) {
		for _, id := range list {
			if !exists(id) {
				v.add(owner, "%s refers to %q, which does not exist", owner, id)
			}
		}
	}
	for _, d := range v.e.Decisions {
		refs(d.ID, d.Effects)
	}
	for _, x := range v.e.Events {
		refs(x.ID, slices.Concat(x.CausedBy, x.LeadsTo))
	}
	for _, l := range v.e.Links {
		if !v.ids[l.Source] {
			v.add(l.Source, "link source %q does not exist", l.Source)
		}
		if !exists(l.Target) {
			v.add(l.Target, "link target %q does not exist", l.Target)
		}
		if l.Source == l.Target {
			v.add(l.Source, "link from %q to itself", l.Source)
		}
	}
}

func (v *validator) spans() {
	links := map[string]bool{}
	for _, l := range v.e.Links {
		links[LinkID(l.Source, l.Target)] = true
	}
	for key, s := range v.e.Provenance.Spans {
		if s[0] < 1 || s[1] < s[0] {
			v.add(key, "span %q is [%d, %d], which is no range of lines", key, s[0], s[1])
		}
		if !links[key] && !v.spanTarget(key) {
			v.add(key, "span %q belongs to nothing in this episode", key)
		}
	}
}

// spanTarget reports whether key names a record, a lesson, the task or the outcome.
func (v *validator) spanTarget(key string) bool {
	taught := func(l Lesson) bool { return string(l.ID) == key }
	if key == "task" || key == OutcomeRef || v.ids[key] || slices.ContainsFunc(v.e.Taught, taught) {
		return true
	}
	var n int
	if _, err := fmt.Sscanf(key, "l%d", &n); err == nil {
		return n >= 1 && n <= len(v.e.Lessons) && key == LessonID(n)
	}
	return false
}

func quoted(s string) string { return `"` + s + `"` }

// Foreign returns the first type of a decision, event or link, or outcome, that is not one of
// the schema's, or nil.
func (e *Episode) Foreign() *Problem {
	wrong := func(what, value string) *Problem {
		return &Problem{Needle: quoted(value), Msg: fmt.Sprintf("%s has the type %q, which is not known here", what, value)}
	}
	for _, d := range e.Decisions {
		if !slices.Contains([]DecisionType{Design, Implementation, Testing, Recovery, Routing, ""}, d.Type) {
			return wrong("decision "+d.ID, string(d.Type))
		}
		if d.Outcome != "" && !slices.Contains(Outcomes(), d.Outcome) {
			return &Problem{Needle: quoted(string(d.Outcome)),
				Msg: fmt.Sprintf("decision %s has the outcome %q, which is not known here", d.ID, d.Outcome)}
		}
	}
	for _, v := range e.Events {
		if !slices.Contains(EventTypes(), v.Type) {
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
