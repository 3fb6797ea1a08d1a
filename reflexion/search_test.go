package reflexion

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func searched() []*Record {
	a := failed("ralph-api", 0, "I called the webhook without a token")
	a.Task, a.Reflection.Confidence, a.Reflection.Credit.Category = "Integrate the webhook API", new(0.9), IntegrationError
	a.Reflection.Lessons, a.Reflection.Insights = []string{"Check 3 tokens first"}, []string{"send the token"}
	b := failed("ralph-cart", 0, "I forgot the empty cart")
	b.Reflection.Confidence, b.Reflection.Lessons, b.Reflection.Insights = new(0.7), []string{"check 12 tokens first"}, nil
	c := failed("ralph-cart", 1, "")
	c.Task, c.Evaluator.Passed = "mend it", true
	d := failed("ralph-cart", 2, "I do not know")
	d.Reflection.Confidence, d.Reflection.Lessons = nil, []string{"check 12 tokens first"}
	return []*Record{a, b, c, d}
}

// Lessons that recur are one whatever their numbers, counted by reflection, and
// those below the frequency are left out (row G24).
func TestLessons(t *testing.T) {
	want := []Lesson{{Text: "check 12 tokens first", Frequency: 3, Voices: 1, Loops: []string{"ralph-api", "ralph-cart"}}}
	if diff := cmp.Diff(want, Lessons(searched(), 2)); diff != "" {
		t.Error(diff)
	}
}
