package reflexion

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/internal/plain"
)

func iterations(rs []*Record) string {
	var out []string
	for _, r := range rs {
		out = append(out, fmt.Sprint(r.Iteration))
	}
	return strings.Join(out, " ")
}

func history(n int) []*Record {
	var out []*Record
	for i := range n {
		out = append(out, failed("ralph-h", i, fmt.Sprintf("I failed in try %d at cache.go:%d", i, i)))
	}
	return out
}

// The policies differ, as they are defined here (row R17): recency keeps what was
// referred to lately, relevance what is about the current errors.
func TestPolicies(t *testing.T) {
	rs := history(6)
	rs[4].Reflection.Related = []int{0, 99}
	want := []Problem{rs[1].Evaluator.Errors[0]}
	want[0].File = "other_test.go" // only the words are alike
	exact := []Problem{rs[2].Evaluator.Errors[0]}
	exact[0].Rule = "TestX"
	rs[2].Evaluator.Errors[0].Rule = "TestX"
	for _, tt := range []struct {
		name   string
		policy Policy
		errors []Problem
		want   string
	}{
		{"fifo", FIFO, exact, "3 4 5"},
		{"recency", Recency, exact, "0 4 5"},
		{"relevance: the same error", RelevanceWeighted, exact, "2 4 5"},
		{"relevance: no error", RelevanceWeighted, nil, "3 4 5"},
	} {
		if got := iterations(Window(rs, 3, tt.policy, tt.errors)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Whatever the records and the policy: at most Ω, in order, with the newest, and
// nothing but reflections; all of them when they fit.
func TestWindowProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rs := history(rapid.IntRange(0, 30).Draw(t, "n"))
		for _, r := range rs {
			r.Evaluator.Passed = rapid.IntRange(0, 4).Draw(t, "passed") == 0
			if r.Iteration > 0 {
				r.Reflection.Related = rapid.SliceOfN(rapid.IntRange(0, r.Iteration-1), 0, 3).Draw(t, "related")
			}
			r.Evaluator.Errors[0].Rule = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "rule")
		}
		omega := rapid.IntRange(MinOmega, MaxOmega).Draw(t, "omega")
		policy := rapid.SampledFrom(Policies()).Draw(t, "policy")
		var errors []Problem
		if last := Last(rs); last != nil {
			errors = last.Evaluator.Errors
		}
		all := Reflections(rs)
		w := Window(rapid.Permutation(rs).Draw(t, "order"), omega, policy, errors)
		if len(w) != min(omega, len(all)) {
			t.Fatalf("%d of %d with Ω %d", len(w), len(all), omega)
		}
		for i, r := range w {
			if !r.Reflected() || i > 0 && w[i-1].Iteration >= r.Iteration {
				t.Fatalf("window %q", iterations(w))
			}
		}
		if policy != Recency && len(w) > 0 && w[len(w)-1] != all[len(all)-1] {
			t.Fatalf("without the newest: %q", iterations(w))
		}
	})
}

// Whatever the texts and the budget: the prompt is within it, and has the newest reflections of the
// window, as whole texts and in their order, up to the first that does not fit.
func TestBudgetProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rs := history(rapid.IntRange(1, 12).Draw(t, "n"))
		text := rapid.StringOfN(rapid.RuneFrom([]rune("aé日 .")), 1, 900, -1)
		for _, r := range rs {
			r.Reflection.Text, r.Reflection.Insights = "I "+text.Draw(t, "text"), rapid.SliceOfN(text, 0, 3).Draw(t, "insights")
			r.Reflection.clean()
		}
		omega, budget := rapid.IntRange(MinOmega, MaxOmega).Draw(t, "omega"), rapid.IntRange(200, 2000).Draw(t, "budget")
		c := BuildContext("ralph-h", "", rs, ContextOptions{Omega: omega, Show: Show{Reflections: true}})
		prompt := c.Within(budget)
		if len(prompt) > 4*budget+len(c.Task) {
			t.Fatalf("%d bytes for %d tokens", len(prompt), budget)
		}
		window := Window(rs, omega, FIFO, nil)
		at, used := 0, c.Used()
		for _, r := range window[len(window)-len(used):] { // the newest, without a gap
			i := strings.Index(prompt[at:], strings.TrimSuffix(plain.Block(r.Reflection.Text, MaxItem), "\n"))
			if i < 0 {
				t.Fatalf("the reflection of iteration %d is missing, or out of order, of %v", r.Iteration, used)
			}
			at += i
		}
	})
}
