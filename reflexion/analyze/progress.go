package analyze

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"episodes/internal/plain"
	"episodes/keys"
	"episodes/reflexion"
	"episodes/stats"
)

// LearningProgress is the progress of learning for one task type (design).
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
	// KnowledgeGaps are those of the last reflections of loops that did not pass.
	KnowledgeGaps []string `json:"knowledgeGaps"`
}

const (
	minTrend = 4 // loops for a trend
	maxItems = 5 // of a list
)

// Untyped is the type of loops whose records name none.
const Untyped = "untyped"

// Progress returns the learning progress by task type. A persistent issue is a failure category of
// at least two loops, the last one among them, most frequent first.
func Progress(records []*reflexion.Record) []LearningProgress {
	types := map[string][]*reflexion.Record{}
	for _, r := range records {
		t := cmp.Or(r.TaskType, Untyped)
		types[t] = append(types[t], r)
	}
	out := []LearningProgress{}
	for _, t := range slices.Sorted(maps.Keys(types)) {
		out = append(out, progress(t, types[t]))
	}
	return out
}

func progress(taskType string, records []*reflexion.Record) LearningProgress {
	p := LearningProgress{TaskType: taskType, TotalAttempts: len(records), KeyLessons: []string{},
		PersistentIssues: []string{}, NextFocusAreas: []string{}, KnowledgeGaps: []string{}}
	loops := reflexion.ByLoop(records)
	slices.SortStableFunc(loops, func(a, b []*reflexion.Record) int { return cmp.Compare(a[0].Timestamp, b[0].Timestamp) })
	p.Loops = len(loops)
	var rewards []float64
	inLoops, lastSeen := map[string]int{}, map[string]bool{}
	passed := 0
	for _, rs := range loops {
		last := rs[len(rs)-1]
		rewards = append(rewards, last.Evaluator.RewardOr())
		passed += stats.Indicator(last.Evaluator.Passed)
		clear(lastSeen)
		for _, r := range rs {
			if c := string(r.Reflection.Category()); c != "" && !lastSeen[c] {
				lastSeen[c] = true
				inLoops[c]++
			}
			if r.Performance != nil && r.Performance.IsImprovement {
				p.LastImprovement = max(p.LastImprovement, r.Timestamp)
			}
		}
	}
	p.AverageScore = stat.Mean(rewards, nil)
	p.SuccessRate = float64(passed) / float64(len(loops))
	if len(loops) >= minTrend {
		p.ImprovementTrend = new(trend(rewards))
	}
	listed := map[string]bool{}
	for _, rs := range slices.Backward(loops) {
		all := reflexion.Reflections(rs)
		if len(all) == 0 || rs[len(rs)-1].Evaluator.Passed {
			continue
		}
		for _, g := range all[len(all)-1].Reflection.Gaps {
			if key := keys.Canonical(g); !listed[key] && len(listed) < maxItems {
				listed[key] = true
				p.KnowledgeGaps = append(p.KnowledgeGaps, g)
			}
		}
	}
	for _, l := range reflexion.Lessons(records, 2) {
		p.KeyLessons = append(p.KeyLessons, l.Text)
	}
	p.KeyLessons = p.KeyLessons[:min(len(p.KeyLessons), maxItems)]
	for _, c := range counts(inLoops) {
		if c.N >= 2 && lastSeen[c.Value] {
			p.PersistentIssues = append(p.PersistentIssues, fmt.Sprintf("%s in %d of %d loops", c.Value, c.N, len(loops)))
			p.NextFocusAreas = append(p.NextFocusAreas, c.Value)
		}
	}
	return p
}

// trend is Kendall's tau-a of a series with time. Source: Kendall 1938, Biometrika 30:81.
func trend(series []float64) float64 {
	up := 0
	for i, later := range series {
		for _, earlier := range series[:i] {
			up += cmp.Compare(later, earlier)
		}
	}
	n := len(series)
	return float64(up) / float64(n*(n-1)/2)
}

// Summary is the progress in a sentence.
func (p LearningProgress) Summary() string {
	s := fmt.Sprintf("%s: %s, %.0f %% passed, mean reward %.2f", p.TaskType, plain.Plural(p.Loops, "loop"),
		100*p.SuccessRate, p.AverageScore)
	if p.ImprovementTrend != nil && *p.ImprovementTrend != 0 {
		s += fmt.Sprintf(", trend %+.2f", *p.ImprovementTrend)
	}
	if len(p.PersistentIssues) > 0 {
		s += "; persistent: " + p.PersistentIssues[0]
	}
	return s
}

// text writes the progress, and what it says to look at next.
func (p LearningProgress) text(b *strings.Builder) {
	b.WriteString(p.Summary() + "\n")
	list := func(name string, items ...string) {
		for _, x := range items {
			fmt.Fprintf(b, "  %s: %s\n", name, reflexion.FirstLine(x))
		}
	}
	list("lesson", p.KeyLessons...)
	list("persistent", p.PersistentIssues...)
	list("next focus", p.NextFocusAreas...)
	list("not known yet", p.KnowledgeGaps...)
	if p.LastImprovement != "" {
		list("last improvement", p.LastImprovement)
	}
}
