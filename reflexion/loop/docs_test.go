package loop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/internal/snapshot"
	"episodes/reflexion"
)

// example returns the JSON example of docs/loop.md that a test is named at.
func example(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "loop.md"))
	must(t, err)
	_, rest, ok := strings.Cut(string(data), "<!-- checked by "+t.Name()+" -->\n```json\n")
	text, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		t.Fatal("docs/loop.md has no such example")
	}
	return []byte(text)
}

// sameJSON compares two values as JSON, so that a field that was lost shows.
func sameJSON(t *testing.T, want []byte, got any) {
	t.Helper()
	data, err := json.Marshal(got)
	must(t, err)
	var w, g map[string]any
	must(t, json.Unmarshal(want, &w))
	must(t, json.Unmarshal(data, &g))
	if diff := cmp.Diff(w, g); diff != "" {
		t.Error(diff)
	}
}

// The documented form of an actor's output is read without loss, alone and as the last
// line, and makes a valid record.
func TestDocumentedActor(t *testing.T) {
	text := example(t)
	out, ok := ReadActor(text)
	if !ok {
		t.Fatal("not read")
	}
	sameJSON(t, text, out.Output)
	line := strings.Join(strings.Fields(string(text)), " ")
	sameJSON(t, text, ParseActor([]byte("I think it is the lock.\n"+line+"\n")).Output)
	r := reflexion.Compose(nil, reflexion.Attempt{Record: reflexion.Record{LoopID: "ralph-cart", Task: "fix the race", Actor: out.Output, Evaluator: reflexion.EvaluatorOutput{Passed: true, Type: reflexion.UnitTests}}}, reflexion.SelfReflection{})
	if _, err := reflexion.Marshal(r); err != nil {
		t.Error(err)
	}
}

// The documented answer of a model is read without loss, and accepted.
func TestDocumentedAnswer(t *testing.T) {
	text := example(t)
	s := reflexion.ParseAnswer(text, 1)
	if err := reflexion.Accept(&s, []reflexion.Problem{{Type: reflexion.TestFailure, Message: "items lost", File: "cart/cart_test.go"}},
		&snapshot.Changes{Files: []snapshot.FileChange{{Path: "cart/store.go", Kind: snapshot.Changed}}}, nil); err != nil {
		t.Error(err)
	}
	s.Source = "" // not part of the form
	sameJSON(t, text, s)
}
