// Package analyze measures from records whether reflections and the other parts of a
// prompt helped: curves, rates, learning, and comparisons of arms by exact tests.
//
// Every figure is computed from the given records alone and does not depend on their order.
// With too few cases a figure is nil: see MinPairs and MinLoops.
package analyze

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"episodes/reflexion"
	"episodes/stats"
)

type Analysis struct {
	Arms     []ArmReport  `json:"arms"`
	Paired   []Pair       `json:"paired"`
	Compared []Comparison `json:"compared"`
	// Progress is by type of task, over all arms.
	Progress []LearningProgress `json:"progress"`
}

// ArmReport describes one arm. Rates are shares, 0 to 1.
type ArmReport struct {
	Name          string        `json:"name"`
	Tasks         int           `json:"tasks"`
	Records       int           `json:"records"`
	SolvedByTrial []int         `json:"solved_by_trial"` // in trial 0, in 0 or 1, and so on
	SuccessRate   *float64      `json:"success_rate"`    // of tasks, in the end
	SuccessLow    float64       `json:"success_low"`     // 95 % Wilson interval
	SuccessHigh   float64       `json:"success_high"`
	Retries       Retries       `json:"retries"`
	LearningRate  *float64      `json:"learning_rate"` // mean over loops of (last − first reward) / iterations
	LearningLow   *float64      `json:"learning_low"`  // 95 % interval of the mean (Student); null below MinLoops
	LearningHigh  *float64      `json:"learning_high"`
	AvgIterations *float64      `json:"avg_iterations"`
	ToSuccess     *Spread       `json:"iterations_to_success"` // of solved tasks, counted from 1
	RewardByTrial []*float64    `json:"reward_by_trial"`       // mean over tasks; see byTrial
	ErrorsByTrial []*float64    `json:"errors_by_trial"`       // mean count, of the records that list errors
	Categories    []Count       `json:"failure_categories"`
	Reflections   int           `json:"reflections"`
	LowQuality    int           `json:"low_quality_reflections"`
	LowReasons    []Count       `json:"low_quality_reasons"`
	Breakthroughs int           `json:"breakthroughs"` // records whose performance_delta says improvement
	Compared      int           `json:"compared"`      // records that have a performance_delta
	Reuse         Reuse         `json:"reuse"`
	Confidence    Confidence    `json:"confidence"`
	FalsePass     *FalsePass    `json:"evaluator_false_pass"` // null without manual reviews of passes
	FalseFail     *FalseFail    `json:"evaluator_false_fail"` // null without manual reviews of failures
	Usage         *Used         `json:"usage"`                // null where no record says what it took
	Repeats       *RepeatedType `json:"repeated_task_types"`  // null without loops of one type
	Loops         []LoopReport  `json:"loops"`
	AmbiguousName int           `json:"ambiguous_names"` // tasks of one name, left out of pairs
	Warnings      []string      `json:"warnings"`        // why its figures may mislead
}

type Count struct {
	Value string `json:"value"`
	N     int    `json:"n"`
}

// Retries are attempts after a failed one, to the last trial that all arms have.
type Retries struct {
	Succeeded int     `json:"succeeded"`
	Attempted int     `json:"attempted"`
	Through   int     `json:"through_trial"`
	Low       float64 `json:"low"` // 95 % Wilson interval of the rate
	High      float64 `json:"high"`
}

type Spread struct {
	N      int     `json:"n"`
	Mean   float64 `json:"mean"`
	Median float64 `json:"median"`
	Max    float64 `json:"max"`
}

// Analyze reports on arms and compares each pair of them, by tasks of one name.
func Analyze(arms []Arm) *Analysis {
	var in []*arm
	var all []*reflexion.Record
	through := math.MaxInt
	for _, a := range arms {
		x := newArm(a)
		in, all, through = append(in, x), append(all, a.Records...), min(through, x.last)
	}
	out := &Analysis{Arms: []ArmReport{}, Paired: []Pair{}, Compared: []Comparison{}}
	for i, a := range in {
		out.Arms = append(out.Arms, a.report(through))
		for _, b := range in[i+1:] {
			shared := sharedTasks(a, b)
			if c := compare(a, b, shared); c != nil {
				out.Compared = append(out.Compared, *c)
				out.Paired = append(out.Paired, comparePairs(a, b, shared, c.Attempts)...)
			}
		}
	}
	judge(out.Compared)
	out.Progress = Progress(all)
	return out
}

// task is one loop, with its records by iteration.
type task struct {
	id, name string
	records  []*reflexion.Record
	solvedAt int // trial; neverSolved
}

// arm is an Arm with its records grouped by task.
type arm struct {
	name      string
	tasks     []*task
	byName    map[string]*task // nil where two loops share a name
	last      int              // last trial, or -1
	n         int              // records
	ambiguous int
}

func newArm(a Arm) *arm {
	out := &arm{name: a.Name, byName: map[string]*task{}, last: -1}
	for _, rs := range reflexion.ByLoop(a.Records) {
		t := &task{id: rs[0].LoopID, name: rs[0].LoopID, records: rs, solvedAt: neverSolved}
		for _, r := range rs {
			t.name = cmp.Or(r.Task, t.name)
			if r.Evaluator.Passed {
				t.solvedAt = min(t.solvedAt, r.Iteration)
			}
		}
		out.tasks, out.last, out.n = append(out.tasks, t), max(out.last, t.last()), out.n+len(rs)
		if _, twice := out.byName[t.name]; twice {
			out.byName[t.name] = nil
			out.ambiguous++
		} else {
			out.byName[t.name] = t
		}
	}
	return out
}

func (a *arm) report(through int) ArmReport {
	r := ArmReport{Name: a.name, Tasks: len(a.tasks), Records: a.n, SolvedByTrial: make([]int, a.last+1),
		RewardByTrial: []*float64{}, ErrorsByTrial: []*float64{}, AmbiguousName: a.ambiguous, Warnings: []string{}, Loops: []LoopReport{}}
	var ends, toSuccess, rates, iterations []float64
	categories, reasons := map[string]int{}, map[string]int{}
	for _, t := range a.tasks {
		for i := t.solvedAt; i <= a.last; i++ {
			r.SolvedByTrial[i]++
		}
		ends = append(ends, float64(stats.Indicator(t.solvedAt != neverSolved)))
		if t.solvedAt != neverSolved {
			toSuccess = append(toSuccess, float64(t.solvedAt+1))
		}
		l := t.report()
		rates = append(rates, l.LearningRate)
		iterations = append(iterations, float64(l.Iterations))
		for _, c := range l.FailureCategories {
			categories[c]++
		}
		r.Loops = append(r.Loops, l)
		for _, rec := range t.records {
			if rec.Reflected() {
				r.Reflections++
				low := reflexion.LowQuality(rec)
				r.LowQuality += stats.Indicator(len(low) > 0)
				for _, why := range low {
					reasons[why]++
				}
			}
			if rec.Performance != nil {
				r.Compared++
				r.Breakthroughs += stats.Indicator(rec.Performance.IsImprovement)
			}
		}
	}
	a.byTrial(&r, through)
	solved := len(toSuccess)
	w := stats.Wilson(solved, len(a.tasks), level)
	r.SuccessLow, r.SuccessHigh = w.Low, w.High
	r.LearningRate, r.LearningLow, r.LearningHigh = meanInterval(rates)
	r.SuccessRate, r.AvgIterations, r.ToSuccess = mean(ends), mean(iterations), spread(toSuccess)
	r.Categories, r.LowReasons = counts(categories), counts(reasons)
	r.Reuse, r.Confidence = a.reuse(), a.confidence()
	r.FalsePass, r.FalseFail = a.reviews()
	r.Repeats, r.Usage = a.repeatedTypes(), a.usage(solved)
	r.Warnings = r.warnings(solved)
	return r
}

// byTrial counts retries, and averages rewards and errors. A task that ended keeps its last value,
// so that every point is a mean over the same tasks.
func (a *arm) byTrial(r *ArmReport, through int) {
	r.Retries.Through = max(0, min(through, a.last))
	for trial := 0; trial <= a.last; trial++ {
		var rewards, errors []float64
		for _, t := range a.tasks {
			var at *reflexion.Record
			for _, rec := range t.records {
				if rec.Iteration <= trial {
					at = rec
				}
			}
			if at == nil {
				continue
			}
			rewards = append(rewards, at.Evaluator.RewardOr())
			if at.Evaluator.Errors != nil || at.Evaluator.Passed {
				errors = append(errors, float64(len(at.Evaluator.Errors)))
			}
			if at.Iteration == trial && t.solvedAt >= trial && trial > 0 && trial <= r.Retries.Through {
				r.Retries.Attempted++
				r.Retries.Succeeded += stats.Indicator(at.Evaluator.Passed)
			}
		}
		r.RewardByTrial, r.ErrorsByTrial = append(r.RewardByTrial, mean(rewards)), append(r.ErrorsByTrial, mean(errors))
	}
	w := stats.Wilson(r.Retries.Succeeded, r.Retries.Attempted, level)
	r.Retries.Low, r.Retries.High = w.Low, w.High
}

func mean(xs []float64) *float64 {
	if len(xs) == 0 {
		return nil
	}
	return new(stat.Mean(xs, nil))
}

func spread(xs []float64) *Spread {
	if len(xs) == 0 {
		return nil
	}
	slices.Sort(xs)
	n := len(xs)
	return &Spread{N: n, Mean: stat.Mean(xs, nil), Median: (xs[(n-1)/2] + xs[n/2]) / 2, Max: xs[n-1]}
}

func counts(m map[string]int) []Count {
	out := []Count{}
	for _, v := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Count{v, m[v]})
	}
	slices.SortStableFunc(out, func(a, b Count) int { return b.N - a.N })
	return out
}
