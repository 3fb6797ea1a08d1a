package reflexion

import (
	"strings"
	"testing"
)

// What each arm shows (row G22).
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
