package reflexion

import (
	"strings"
	"testing"
)

// A record is in git: of an attempt it holds what was done and found, and neither command
// lines nor what commands printed.
func TestRecordsKeepNoOutput(t *testing.T) {
	a := Attempt{Record: Record{LoopID: "ralph-a", Task: "x", Actor: ActorOutput{Actions: []Action{{Type: "test_execution", Description: "ran the tests", Command: "SECRET", Changes: &Changes{Additions: 1, Diff: "SECRET"}}}}, Evaluator: EvaluatorOutput{Type: Heuristic, Results: []Result{{Tool: "KEY=SECRET ./bin/deploy --to SECRET", Status: Fail, Stdout: "SECRET", Stderr: "SECRET"}},
		Errors: []Problem{{Type: OtherError, Message: "exit code 1: no such host\nSECRET\nno such host", StackTrace: "SECRET", Rule: "deploy"},
			{Type: TestFailure, Message: "want 1\ngot 2"}}}}}
	want := SignatureOf(a.Evaluator.Errors[0])
	r := Compose(nil, a, SelfReflection{Text: "x"})
	data, err := Marshal(r)
	must(t, err)
	if strings.Contains(string(data), "SECRET") {
		t.Errorf("%s", data)
	}
	if r.Evaluator.Results[0].Tool != "deploy" || r.Evaluator.Errors[0].Message != "exit code 1: no such host" || r.Evaluator.Errors[1].Message != "want 1\ngot 2" {
		t.Errorf("%+v", r.Evaluator)
	}
	if got := SignatureOf(r.Evaluator.Errors[0]); got != want {
		t.Errorf("the error is another: %s, was %s", got, want)
	}
	if a.Evaluator.Results[0].Stdout == "" || a.Actor.Actions[0].Command == "" {
		t.Error("the attempt itself has lost them")
	}
}

func TestProgram(t *testing.T) {
	for line, want := range map[string]string{
		"go test -json ./...": "go test", "npm run deploy": "npm run", "sh verify.sh": "sh", " /opt/x/tool --key k": "tool", "./run.sh; true": "run.sh",
		"A=b C='d e' go vet ./...": "go vet", `TOKEN="a b" x`: "x", "TOKEN=$(cat k) x": "command", `TOKEN="$(cat k)" x`: "command", "'my tool' x": "command", "": "command",
		"curl https://k@x": "curl", "true": "true", "manual_review": "manual_review", "(x)": "command", "x>y": "command"} {
		if got := Program(line); got != want || Program(got) != got {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}
