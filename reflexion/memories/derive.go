package memories

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"episodes/keys"
	"episodes/reflexion"
	"episodes/stats"
)

// Derive makes the memories that the records of loops show: one episodic memory a
// loop, a semantic one for each lesson of two loops or more, a procedural one for
// each step after which the error that it was about was gone, a meta one for each
// task type.
func Derive(records []*reflexion.Record, now time.Time) []*Memory {
	loops := byLoop(records)
	var out []*Memory
	for _, id := range slices.Sorted(maps.Keys(loops)) {
		out = append(out, episodic(id, loops[id], now))
	}
	out = append(out, semantic(records, now)...)
	out = append(out, procedural(loops, now)...)
	for _, p := range Progress(records) {
		m := fresh(Meta, "progress "+p.TaskType, Content{Summary: p.Summary(), Lessons: p.KeyLessons, Scenarios: []string{p.TaskType}}, now)
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

// link connects what happened with what was learned from it: a lesson or a step that
// rests on a loop, and the memory of that loop, refer to each other.
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

func byLoop(records []*reflexion.Record) map[string][]*reflexion.Record {
	loops := map[string][]*reflexion.Record{}
	for _, r := range records {
		loops[r.LoopID] = append(loops[r.LoopID], r)
	}
	for _, rs := range loops {
		slices.SortFunc(rs, func(a, b *reflexion.Record) int { return cmp.Compare(a.Iteration, b.Iteration) })
	}
	return loops
}

func evidence(r *reflexion.Record) string { return fmt.Sprintf("%s#%d", r.LoopID, r.Iteration) }

func episodic(id string, rs []*reflexion.Record, now time.Time) *Memory {
	last := rs[len(rs)-1]
	word := "did not pass"
	if last.Evaluator.Passed {
		word = "passed"
	}
	c := Content{Summary: fmt.Sprintf("%s: %s after %d attempts", firstLine(last.Task), word, len(rs)), Context: last.Task}
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
	m := fresh(Episodic, id, c, now)
	m.Relevance, m.Metadata.TaskType = last.Evaluator.RewardOr(), last.TaskType
	return m
}

func lastReflection(rs []*reflexion.Record) *reflexion.Record {
	if all := reflexion.Reflections(rs); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// semantic memories are lessons that two loops or more learned. Their relevance
// is the middle of the Wilson interval of the loops that say so among all.
func semantic(records []*reflexion.Record, now time.Time) []*Memory {
	n := len(byLoop(records))
	var out []*Memory
	for _, l := range reflexion.Lessons(records, 2) {
		if len(l.Loops) < 2 {
			continue
		}
		m := fresh(Semantic, keys.Canonical(l.Text), Content{Summary: l.Text, Lessons: []string{l.Text}, Evidence: slices.Clone(l.Loops)}, now)
		m.Relevance = stats.WilsonCentre(len(l.Loops), n, 0.95)
		out = append(out, m)
	}
	return out
}

// procedural memories are steps that were taken because of a reflection, by
// whether the error that it was about was gone in the next attempt.
func procedural(loops map[string][]*reflexion.Record, now time.Time) []*Memory {
	type tried struct {
		text     string
		good, n  int
		evidence []string
		about    []string
	}
	all := map[string]*tried{}
	for _, id := range slices.Sorted(maps.Keys(loops)) {
		rs := loops[id]
		for i := 0; i+1 < len(rs); i++ {
			r, next := rs[i], rs[i+1]
			if !r.Reflected() || len(r.Reflection.Insights) == 0 || len(r.Evaluator.Errors) == 0 || !slices.Contains(next.Used, r.Iteration) {
				continue
			}
			step, first := r.Reflection.Insights[0], r.Evaluator.Errors[0]
			key := keys.Canonical(step)
			if all[key] == nil {
				all[key] = &tried{text: step}
			}
			t := all[key]
			t.n++
			t.evidence = append(t.evidence, evidence(next))
			if sig := reflexion.SignatureOf(first); len(reflexion.Recurring([]reflexion.Problem{first}, []*reflexion.Record{next})[sig]) == 0 {
				t.good++
			}
			if about := reflexion.Describe(first); !slices.Contains(t.about, about) {
				t.about = append(t.about, about)
			}
		}
	}
	var out []*Memory
	for _, key := range slices.Sorted(maps.Keys(all)) {
		t := all[key]
		if t.good == 0 || key == "" {
			continue
		}
		m := fresh(Procedural, key, Content{Summary: fmt.Sprintf("%s (the error was gone in %d of %d)", t.text, t.good, t.n), Lessons: []string{t.text}, Scenarios: t.about, Evidence: t.evidence}, now)
		m.Relevance = stats.Wilson(t.good, t.n, 0.95).Low // as much as is sure
		out = append(out, m)
	}
	return out
}

// LearningProgress is how the learning goes for one kind of task (design,
// LearningProgress).
type LearningProgress struct {
	TaskType         string   `json:"taskType"`
	TotalAttempts    int      `json:"totalAttempts"`
	Loops            int      `json:"loops"`
	SuccessRate      float64  `json:"successRate"`  // of loops
	AverageScore     float64  `json:"averageScore"` // mean of the last rewards
	ImprovementTrend *float64 `json:"improvementTrend"`
	LastImprovement  string   `json:"lastImprovement,omitempty"`
	KeyLessons       []string `json:"keyLessons"`
	PersistentIssues []string `json:"persistentIssues"`
	NextFocusAreas   []string `json:"nextFocusAreas"`
	// KnowledgeGaps are what the last reflections of loops that did not pass said to
	// be unknown, the newest first.
	KnowledgeGaps []string `json:"knowledgeGaps"`
}

// Loops of one type below which no trend is given, and how many items lists hold.
const (
	minTrend = 4
	maxItems = 5
)

// Untyped stands for the loops whose records name no type.
const Untyped = "untyped"

// Progress says how learning goes, by task type. The trend is Kendall's rank
// correlation, −1 to 1, of the order of the loops with their last rewards; it is
// null below four loops. A persistent issue is a category of failures that stood
// in two loops or more and still in the last; those are the next focus, the most
// frequent first.
func Progress(records []*reflexion.Record) []LearningProgress {
	types := map[string][]*reflexion.Record{}
	for _, r := range records {
		t := r.TaskType
		if t == "" {
			t = Untyped
		}
		types[t] = append(types[t], r)
	}
	out := []LearningProgress{}
	for _, t := range slices.Sorted(maps.Keys(types)) {
		out = append(out, progress(t, types[t]))
	}
	return out
}

func progress(taskType string, records []*reflexion.Record) LearningProgress {
	p := LearningProgress{TaskType: taskType, TotalAttempts: len(records), KeyLessons: []string{}, PersistentIssues: []string{}, NextFocusAreas: []string{}, KnowledgeGaps: openGaps(records)}
	loops := slices.SortedFunc(maps.Values(byLoop(records)), func(a, b []*reflexion.Record) int {
		return cmp.Or(cmp.Compare(a[0].Timestamp, b[0].Timestamp), cmp.Compare(a[0].LoopID, b[0].LoopID))
	})
	p.Loops = len(loops)
	var order, rewards []float64
	inLoops := map[reflexion.Category]int{}
	var lastSeen map[reflexion.Category]bool
	for i, rs := range loops {
		last := rs[len(rs)-1]
		order, rewards = append(order, float64(i)), append(rewards, last.Evaluator.RewardOr())
		if last.Evaluator.Passed {
			p.SuccessRate += 1 / float64(len(loops))
		}
		lastSeen = map[reflexion.Category]bool{}
		for _, r := range rs {
			if c := r.Reflection.Category(); c != "" && !lastSeen[c] {
				lastSeen[c] = true
				inLoops[c]++
			}
			if r.Performance != nil && r.Performance.IsImprovement {
				p.LastImprovement = max(p.LastImprovement, r.Timestamp)
			}
		}
	}
	p.AverageScore = stat.Mean(rewards, nil)
	p.SuccessRate = min(1, p.SuccessRate)
	if len(loops) >= minTrend {
		p.ImprovementTrend = reflexion.Ptr(stat.Kendall(order, rewards, nil))
	}
	for _, l := range reflexion.Lessons(records, 2) {
		p.KeyLessons = append(p.KeyLessons, l.Text)
	}
	p.KeyLessons = p.KeyLessons[:min(len(p.KeyLessons), maxItems)]
	var issues []reflexion.Category
	for c, n := range inLoops {
		if n >= 2 && lastSeen[c] {
			issues = append(issues, c)
		}
	}
	slices.SortFunc(issues, func(a, b reflexion.Category) int {
		return cmp.Or(cmp.Compare(inLoops[b], inLoops[a]), cmp.Compare(a, b))
	})
	for _, c := range issues {
		p.PersistentIssues = append(p.PersistentIssues, fmt.Sprintf("%s in %d of %d loops", c, inLoops[c], len(loops)))
		p.NextFocusAreas = append(p.NextFocusAreas, string(c))
	}
	return p
}

// openGaps are the knowledge gaps of loops that did not pass.
func openGaps(records []*reflexion.Record) []string {
	var open []*reflexion.Record
	for _, rs := range byLoop(records) {
		if r := lastReflection(rs); r != nil && !rs[len(rs)-1].Evaluator.Passed {
			open = append(open, r)
		}
	}
	slices.SortFunc(open, func(a, b *reflexion.Record) int {
		return cmp.Or(cmp.Compare(b.Timestamp, a.Timestamp), cmp.Compare(a.LoopID, b.LoopID))
	})
	out := []string{}
	said := map[string]bool{}
	for _, r := range open {
		for _, g := range r.Reflection.Gaps {
			if key := keys.Canonical(g); !said[key] && len(out) < maxItems {
				said[key] = true
				out = append(out, g)
			}
		}
	}
	return out
}

// Summary is the progress in a sentence.
func (p LearningProgress) Summary() string {
	loops := "1 loop"
	if p.Loops != 1 {
		loops = fmt.Sprintf("%d loops", p.Loops)
	}
	s := fmt.Sprintf("%s: %s, %.0f %% passed, mean reward %.2f", p.TaskType, loops, 100*p.SuccessRate, p.AverageScore)
	if p.ImprovementTrend != nil {
		s += fmt.Sprintf(", trend %+.2f", *p.ImprovementTrend)
	}
	if len(p.PersistentIssues) > 0 {
		s += "; persistent: " + p.PersistentIssues[0]
	}
	return s
}

func firstLine(s string) string {
	for i, r := range s {
		if r == '\n' {
			return s[:i]
		}
	}
	return s
}
