package reflexion

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"episodes/keys"
)

type Policy string

// The policies that the schema names, and does not define.
const (
	FIFO Policy = "fifo" // the last Ω reflections, as the guide's slice(-Ω)
	// Recency keeps those made or referred to last: a reflection that a later one lists in
	// related_reflections is as recent as that one.
	Recency           Policy = "recency"
	RelevanceWeighted Policy = "relevance_weighted" // the newest, and the most relevant to the errors
)

func Policies() []Policy { return []Policy{FIFO, Recency, RelevanceWeighted} }

// MinOmega and MaxOmega bound the capacity Ω; DefaultOmega is the schema's.
const (
	MinOmega     = 1
	MaxOmega     = 10
	DefaultOmega = 3
)

// OmegaFor returns the capacity for a verification type: the guide's, or the schema's default.
func OmegaFor(t VerificationType) int {
	switch t {
	case UnitTests, TypeCheck, Lint:
		return 1
	case ManualReview:
		return 5
	}
	return DefaultOmega
}

// DynamicOmega is the capacity by the number of different failure categories (calculateOptimalOmega).
func DynamicOmega(records []*Record) int {
	seen := map[Category]bool{}
	for _, r := range Reflections(records) {
		seen[r.Reflection.Category()] = true
	}
	delete(seen, "")
	switch n := len(seen); {
	case n >= 5:
		return 5
	case n >= 3:
		return 3
	}
	return 1
}

// Reflections returns the records with a reflection, by iteration.
func Reflections(records []*Record) []*Record {
	out := slices.DeleteFunc(slices.Clone(records), func(r *Record) bool { return !r.Reflected() })
	sortBy(out, func(r *Record) int { return r.Iteration })
	return out
}

func sortBy[N cmp.Ordered](records []*Record, by func(*Record) N) {
	slices.SortStableFunc(records, func(a, b *Record) int { return cmp.Compare(by(a), by(b)) })
}

// Window returns the reflections for the next attempt: at most omega, by iteration, of all records
// of the loop (the guide's filter by what records say of themselves would return all of them).
// errors are those of the last attempt, for RelevanceWeighted.
func Window(records []*Record, omega int, p Policy, errors []Problem) []*Record {
	all := Reflections(records)
	if len(all) <= omega {
		return all
	}
	switch p {
	case Recency:
		last := map[int]int{} // iteration in which each was made or referred to
		for _, r := range all {
			for _, i := range slices.Concat(r.Reflection.Related, []int{r.Iteration}) {
				last[i] = r.Iteration
			}
		}
		sortBy(all, func(r *Record) int { return last[r.Iteration] })
	case RelevanceWeighted:
		score := relevance(all, errors)
		score[all[len(all)-1].Iteration] = math.Inf(1)
		sortBy(all, func(r *Record) float64 { return score[r.Iteration] })
	}
	return Reflections(all[len(all)-omega:])
}

// relevance scores reflections by iteration: how many of the current errors its own attempt had too,
// and the similarity of its words to theirs, 0 to 1. Of equal ones the newest counts.
func relevance(all []*Record, errors []Problem) map[int]float64 {
	var words []string
	for _, e := range errors {
		words = append(words, e.Message)
	}
	about, out := keys.Canonical(strings.Join(words, "\n")), map[int]float64{}
	for _, r := range all {
		out[r.Iteration] = keys.Similarity(about, keys.Canonical(r.Reflection.Text))
	}
	for _, iterations := range Recurring(errors, all) {
		for _, i := range iterations {
			out[i]++
		}
	}
	return out
}

// OmegaForTask returns the guide's capacity for a type of task ("Choosing Ω based on task
// complexity"), however its words are put together; 0 for other types.
func OmegaForTask(taskType string) int {
	words := strings.FieldsFunc(strings.ToLower(taskType), func(r rune) bool { return strings.ContainsRune(" _-", r) })
	return map[string]int{"simple-programming": 1, "complex-programming": 3, "decision-making": 3,
		"reasoning": 3, "research": 5, "exploration": 5}[strings.Join(words, "-")]
}
