package reflexion

import (
	"strings"
	"testing"
)

// What each arm shows (row G22).
//
// Rows A2 G22.
func TestArms(t *testing.T) {
	rs := history(2)
	rs[0].Evaluator.Errors[0].Message = "only in the first"
	advice := []Known{{About: "x", Text: "set a busy timeout"}}
	for arm, want := range map[string][5]bool{ // task, errors, actions, reflections, graph
		"none": {true, false, false, false, false}, "last": {true, true, true, false, false}, "reflections": {true, true, true, true, false},
		"graph": {true, true, true, false, true}, "all": {true, true, true, true, true}} {
		show, ok := ShowFor(arm)
		if !ok {
			t.Fatal(arm)
		}
		text := BuildContext("ralph-h", "", rs, ContextOptions{Show: show, Advice: advice}).Text()
		got := [5]bool{strings.Contains(text, "mend the cache"), strings.Contains(text, "want 1"), strings.Contains(text, "changed cache.go"), strings.Contains(text, "I failed in try 1"), strings.Contains(text, "busy timeout")}
		if got != want {
			t.Errorf("%s shows %v, want %v", arm, got, want)
		}
	}
	if len(Arms()) != 5 {
		t.Error(Arms())
	}
	if _, ok := ShowFor("nosuch"); ok {
		t.Error("an arm of no name")
	}
}

// Errors of the last attempt that earlier ones had are marked as recurring.
//
// Rows G37.
func TestRepeatedErrors(t *testing.T) {
	rs := history(4)
	for _, i := range []int{0, 2, 3} {
		rs[i].Evaluator.Errors[0].Rule = "TestX"
	}
	c := BuildContext("ralph-h", "", rs, ContextOptions{Show: Show{Errors: true}})
	if len(c.Repeated) != 2 || c.Repeated[0] != 0 || c.Repeated[1] != 2 || !strings.Contains(c.Text(), "already after attempts 1 and 3") {
		t.Errorf("repeated in %v", c.Repeated)
	}
}
