package analyze

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"episodes/keys"
	"episodes/reflexion"
)

// LearningProgress is the progress of learning for one task type (design,
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
	// KnowledgeGaps are those of the last reflections of loops that did not pass, the
	// newest first.
	KnowledgeGaps []string `json:"knowledgeGaps"`
}

// The least number of loops for a trend, and the largest length of lists.
const (
	minTrend = 4
	maxItems = 5
)

// Untyped is the type of loops whose records name none.
const Untyped = "untyped"

// Progress returns the learning progress by task type. The trend is Kendall's rank
// correlation, −1 to 1, of the order of the loops with their last rewards, in which loops
// with equal rewards count as neither better nor worse (tau-a), so that it is 0 where
// nothing changed; it is null below four loops. A persistent issue is a failure category of at least two loops, the
// last one among them; these are the next focus, the most frequent first.
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
	p := LearningProgress{TaskType: taskType, TotalAttempts: len(records), KeyLessons: []string{},
		PersistentIssues: []string{}, NextFocusAreas: []string{}, KnowledgeGaps: openGaps(records)}
	loops := reflexion.ByLoop(records)
	slices.SortStableFunc(loops, func(a, b []*reflexion.Record) int { return cmp.Compare(a[0].Timestamp, b[0].Timestamp) })
	p.Loops = len(loops)
	var rewards []float64
	inLoops := map[reflexion.Category]int{}
	var lastSeen map[reflexion.Category]bool
	for _, rs := range loops {
		last := rs[len(rs)-1]
		rewards = append(rewards, last.Evaluator.RewardOr())
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
		p.ImprovementTrend = reflexion.Ptr(trend(rewards))
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
		p.PersistentIssues = append(p.PersistentIssues, fmt.Sprintf("%s in %d of %d loops", c,
			inLoops[c], len(loops)))
		p.NextFocusAreas = append(p.NextFocusAreas, string(c))
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

// openGaps are the knowledge gaps of loops that did not pass.
func openGaps(records []*reflexion.Record) []string {
	var open []*reflexion.Record
	for _, rs := range reflexion.ByLoop(records) {
		if all := reflexion.Reflections(rs); len(all) > 0 && !rs[len(rs)-1].Evaluator.Passed {
			open = append(open, all[len(all)-1])
		}
	}
	slices.SortFunc(open, func(a, b *reflexion.Record) int {
		return cmp.Or(cmp.Compare(b.Timestamp, a.Timestamp), cmp.Compare(a.LoopID, b.LoopID))
	})
	out := []string{}
	listed := map[string]bool{}
	for _, r := range open {
		for _, g := range r.Reflection.Gaps {
			if key := keys.Canonical(g); !listed[key] && len(out) < maxItems {
				listed[key] = true
				out = append(out, g)
			}
		}
	}
	return out
}

// Summary is the progress in a sentence.
func (p LearningProgress) Summary() string {
	s := fmt.Sprintf("%s: %s, %.0f %% passed, mean reward %.2f", p.TaskType, plural(p.Loops, "loop"),
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
	for _, part := range []struct {
		name string
		list []string
	}{{"lesson", p.KeyLessons}, {"persistent", p.PersistentIssues}, {"next focus",
		p.NextFocusAreas},
		{"not known yet", p.KnowledgeGaps}} {
		for _, x := range part.list {
			fmt.Fprintf(b, "  %s: %s\n", part.name, reflexion.FirstLine(x))
		}
	}
	if p.LastImprovement != "" {
		fmt.Fprintf(b, "  last improvement: %s\n", p.LastImprovement)
	}
}
