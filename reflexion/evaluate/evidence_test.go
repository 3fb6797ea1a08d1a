package evaluate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/internal/proc"
	"episodes/reflexion"
)

// leastShown is the share of the lines of assertions that prompts have.
const leastShown = 0.95

// Each failed test is in a prompt with its name, the place of its assertion, which is not that of a
// helper or of a log line, and the assertion as it was printed: whole, or of one too long for the
// prompt the beginning and the end.
func TestEvidence(t *testing.T) {
	files, err := filepath.Glob("testdata/evidence/*.txtar")
	if err != nil || len(files) < 9 {
		t.Fatal(files, err)
	}
	lines, shown := 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		data, err := os.ReadFile(file)
		output, want, ok := strings.Cut(strings.TrimPrefix(string(data), "-- output --\n"), "-- want --\n")
		if err != nil || !ok {
			t.Fatal(file, err)
		}
		r, _ := judge(Verifier{Command: proc.Spec{Shell: "check"}}, "/nowhere", Finished{Result: &proc.Result{Stdout: []byte(output), Exit: 1}})
		c := reflexion.BuildContext("ralph-e", "mend it", nil, reflexion.ContextOptions{Show: reflexion.Show{Errors: true},
			Baseline: &reflexion.EvaluatorOutput{Errors: r.Problems}})
		prompt := c.Text()
		of := r.Problems // those of the name under way
		for line := range strings.Lines(want) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case strings.HasPrefix(line, "at "):
				if i := strings.TrimPrefix(line, "at "); !hasPlace(of, i) {
					t.Errorf("%s: nothing is at %s: %+v", name, i, of)
				}
			case strings.HasPrefix(line, "| "):
				lines++
				if text := line[2:]; inPrompt(prompt, text) {
					shown++
				} else {
					t.Logf("%s: the prompt lacks %q", name, text)
				}
			default:
				if of = named(r.Problems, line); len(of) == 0 {
					t.Fatalf("%s: no problem is named %q: %+v", name, line, r.Problems)
				}
			}
		}
		if t.Failed() {
			t.Logf("%s: %s", name, prompt)
		}
	}
	share := float64(shown) / float64(lines)
	t.Logf("%d of %d lines of assertions, %.3f", shown, lines, share)
	if share < leastShown {
		t.Errorf("prompts have %.3f of the lines of assertions, want %.2f", share, leastShown)
	}
}

func named(problems []reflexion.Problem, name string) (out []reflexion.Problem) {
	for _, p := range problems {
		if p.Rule == name || name == "" {
			out = append(out, p)
		}
	}
	return out
}

func hasPlace(problems []reflexion.Problem, at string) bool {
	for _, p := range problems {
		if reflexion.At(p) == at {
			return true
		}
	}
	return false
}

// inPrompt reports whether a prompt has a line, but for its indentation, or its beginning and end
// around a mark.
func inPrompt(prompt, text string) bool {
	const part = 100
	for line := range strings.Lines(prompt) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "> "))
		line = strings.TrimPrefix(line, "- test_failure: ")
		if strings.HasSuffix(line, strings.TrimSpace(text)) {
			return true
		}
		if len(text) > 4*part && strings.Contains(prompt, text[:part]) && strings.Contains(prompt, text[len(text)-part:]) &&
			strings.Contains(prompt, " bytes left out) ") {
			return true
		}
	}
	return false
}

// The two values of an assertion are shown as the lines in which they differ.
func TestDifference(t *testing.T) {
	long := strings.Repeat("same ", 100)
	for _, tt := range []struct{ want, have, out string }{
		{"4", "3", "- 4\n+ 3"},
		{"a\nb\nc\n", "a\nx\ny\nc\n", "- b\n+ x\n+ y"},
		{"a", "a", ""},
		{"", "x", "- \n+ x"},
	} {
		if got := difference(tt.want, tt.have); got != tt.out {
			t.Errorf("%q, %q: %q", tt.want, tt.have, got)
		}
	}
	got := difference(long+"é"+long, long+"è"+long)
	if len(got) > 3*maxShownValue || !strings.Contains(got, "same é") || !strings.Contains(got, "same è") {
		t.Errorf("%q", got)
	}
}
