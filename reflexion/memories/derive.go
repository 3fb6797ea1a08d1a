package memories

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"episodes/internal/plain"
	"episodes/keys"
	"episodes/reflexion"
	"episodes/stats"
)

// Derive derives memories from the records of loops: an episodic one for each loop, a
// semantic one for each lesson of at least two loops, a procedural one for each change
// after which its error was gone, and a meta one for each task type.
func Derive(records []*reflexion.Record, now time.Time) []*Memory {
	loops := reflexion.ByLoop(records)
	var out []*Memory
	for _, rs := range loops {
		out = append(out, episodic(rs, now))
	}
	out = append(out, semantic(records, now)...)
	out = append(out, procedural(loops, now)...)
	for _, p := range Progress(records) {
		m := fresh(Meta, "progress "+p.TaskType,
			Content{Summary: p.Summary(), Lessons: p.KeyLessons, Scenarios: []string{p.TaskType}}, now)
		m.Metadata.TaskType = p.TaskType
		m.Relevance = stats.WilsonCentre(p.TotalAttempts, p.TotalAttempts, 0.95)
		out = append(out, m)
	}
	link(out)
	for _, m := range out {
		m.Metadata.Derived = true
	}
	return out
}

// maxRelated bounds how many memories one refers to.
const maxRelated = 20

// link makes semantic and procedural memories, and the episodic memories of the loops
// they rest on, refer to each other.
func link(ms []*Memory) {
	loops := map[string]*Memory{}
	for _, m := range ms {
		if m.Type == Episodic {
			loops[m.Metadata.Key] = m
		}
	}
	relate := func(m, to *Memory) {
		if len(m.Content.Related) < maxRelated {
			m.Content.Related = union(m.Content.Related, []string{to.ID})
		}
	}
	for _, m := range ms {
		if m.Type != Semantic && m.Type != Procedural {
			continue
		}
		for _, e := range m.Content.Evidence {
			id, _, _ := strings.Cut(e, "#")
			if loop := loops[id]; loop != nil {
				relate(m, loop)
				relate(loop, m)
			}
		}
	}
}

func evidence(r *reflexion.Record) string { return fmt.Sprintf("%s#%d", r.LoopID, r.Iteration) }

func episodic(rs []*reflexion.Record, now time.Time) *Memory {
	last := rs[len(rs)-1]
	word := "did not pass"
	if last.Evaluator.Passed {
		word = "passed"
	}
	c := Content{Summary: fmt.Sprintf("%s: %s after %d attempts", reflexion.FirstLine(last.Task), word, len(rs)), Context: last.Task}
	for _, r := range rs {
		c.Evidence = append(c.Evidence, evidence(r))
		for _, l := range r.Reflection.Lessons {
			if !slices.Contains(c.Lessons, l) {
				c.Lessons = append(c.Lessons, l)
			}
		}
	}
	if r := lastReflection(rs); r != nil {
		c.Details = r.Reflection.Text
	}
	m := fresh(Episodic, last.LoopID, c, now)
	m.Relevance, m.Metadata.TaskType = last.Evaluator.RewardOr(), last.TaskType
	return m
}

func lastReflection(rs []*reflexion.Record) *reflexion.Record {
	if all := reflexion.Reflections(rs); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// semantic memories are lessons of at least two loops. Their relevance is the centre of
// the Wilson interval of the share of loops that have them.
func semantic(records []*reflexion.Record, now time.Time) []*Memory {
	n := len(reflexion.ByLoop(records))
	var out []*Memory
	for _, l := range reflexion.Lessons(records, 2) {
		if len(l.Loops) < 2 {
			continue
		}
		m := fresh(Semantic, keys.Canonical(l.Text),
			Content{Summary: l.Text, Lessons: []string{l.Text}, Evidence: slices.Clone(l.Loops)}, now)
		m.Relevance = stats.WilsonCentre(len(l.Loops), n, 0.95)
		out = append(out, m)
	}
	return out
}

// procedural memories are changes after which an error was gone, with how often it was, of
// the times that they were made about an error. Mere proposals of a reflection do not count.
func procedural(loops [][]*reflexion.Record, now time.Time) []*Memory {
	type tried struct {
		text     string
		good, n  int
		evidence []string
		about    []string
	}
	all := map[string]*tried{}
	add := func(t *reflexion.Turn, e reflexion.Problem, good int) {
		text := reflexion.ChangeText(t.Actor.Changed, &e)
		key := keys.Option(text)
		if all[key] == nil {
			all[key] = &tried{text: text}
		}
		x := all[key]
		x.n, x.good = x.n+1, x.good+good
		x.evidence = append(x.evidence, evidence(t.Record))
		if about := reflexion.Describe(e); !slices.Contains(x.about, about) {
			x.about = append(x.about, about)
		}
	}
	for _, rs := range loops {
		turns := reflexion.Turns(rs)
		for i := range turns {
			t := &turns[i]
			switch {
			case t.Actor.Changed.Empty() || t.Before == nil:
			case len(t.Gone) > 0:
				add(t, t.Gone[0], 1)
			case len(t.Still) > 0:
				add(t, t.Still[0], 0)
			}
		}
	}
	var out []*Memory
	for _, key := range slices.Sorted(maps.Keys(all)) {
		t := all[key]
		if t.good == 0 || key == "" {
			continue
		}
		m := fresh(Procedural, key,
			Content{Summary: fmt.Sprintf("%s (the error was gone in %d of %d)", plain.Quote(t.text, 300), t.good, t.n),
				Lessons: []string{t.text}, Scenarios: t.about, Evidence: t.evidence},
			now)
		m.Relevance = stats.Wilson(t.good, t.n, 0.95).Low
		out = append(out, m)
	}
	return out
}
