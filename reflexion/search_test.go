package reflexion

import (
	"slices"
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

// Reflections are found by category, confidence and words, across loops, and
// successes beside them (rows G23, G25).
//
// Rows G23 G25.
func TestSearch(t *testing.T) {
	for _, tt := range []struct {
		name string
		q    Query
		want []string
	}{
		{"all", Query{}, []string{"ralph-api/0", "ralph-cart/0", "ralph-cart/2"}},
		{"categories", Query{Categories: []Category{EdgeCaseMiss, IntegrationError}, MinConfidence: 0.7}, []string{"ralph-api/0", "ralph-cart/0"}},
		{"confidence", Query{MinConfidence: 0.8}, []string{"ralph-api/0"}},
		{"words", Query{Words: "empty webhooks"}, []string{"ralph-api/0", "ralph-cart/0"}},
		{"a way out that is called otherwise", Query{Successes: true, Categories: []Category{EdgeCaseMiss}, Words: "mend"}, []string{"ralph-cart/1"}},
		{"no such words", Query{Words: "database"}, nil},
		{"successes", Query{Successes: true}, []string{"ralph-cart/1"}},
		{"no way out of others", Query{Successes: true, Categories: []Category{IntegrationError}}, nil},
		{"nor of surer ones", Query{Successes: true, MinConfidence: 0.8}, nil},
	} {
		var got []string
		rs := slices.DeleteFunc(searched(), func(r *Record) bool { // as All does
			data, err := Encode(r, "")
			may := tt.q.May()
			return err != nil || may != nil && !may(data)
		})
		if tt.q.Words == "database" && len(rs) > 0 {
			t.Errorf("%d records are read in vain", len(rs))
		}
		for _, f := range Search(rs, tt.q) {
			got = append(got, f.Record.LoopID+"/"+string(rune('0'+f.Record.Iteration)))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// Lessons that recur are one whatever their numbers, counted by reflection, and
// those below the frequency are left out (row G24).
//
// Rows G24 M4.
func TestLessons(t *testing.T) {
	want := []Lesson{{Text: "check 12 tokens first", Frequency: 3, Voices: 1, Loops: []string{"ralph-api", "ralph-cart"}}}
	if diff := cmp.Diff(want, Lessons(searched(), 2)); diff != "" {
		t.Error(diff)
	}
}
