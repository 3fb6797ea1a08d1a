package reflexion

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/plain"
	"episodes/keys"
)

// NewTask is a task that was not tried yet.
type NewTask struct {
	LoopID string // its own loop, which does not count
	Task   string
	Type   string    // the user's word for tasks of its kind
	Errors []Problem // what the verifiers found before the first attempt, if they ran
}

// PriorKnowledge is what other loops learned from failures like those of a new task
// (guide, "Learning from Past API Integration Failures").
type PriorKnowledge struct {
	// Lessons are those that at least two of their reflections have.
	Lessons []Lesson `json:"lessons"`
	// Successes are the attempts that passed after such a failure, of each loop one, those
	// of the likest tasks first.
	Successes []Overcome `json:"similar_successes"`
}

// Overcome is a failure of another loop, and the attempt that passed after it.
type Overcome struct {
	Failed *Record `json:"failed"`
	Passed *Record `json:"passed"`
}

// The guide's numbers: a reflection counts from this confidence, where it states one, and a
// lesson from this many reflections.
const (
	priorConfidence = 0.7
	priorFrequency  = 2
)

// likeTask is the similarity of words from which two tasks are alike.
const likeTask = 0.25

// maxPrior is how many lessons, and how many successes, of other loops a prompt has.
const maxPrior = 3

// Prior finds the prior knowledge for a task: it searches the failures of other loops that
// have one of its errors, or else whose tasks are of its type or in like words; takes the
// lessons that recur in their reflections; and the attempts that passed afterwards.
// Reflections by rules state nothing that was learned, so that only a model's have lessons.
func Prior(records []*Record, t NewTask) PriorKnowledge {
	want := map[string]bool{}
	for _, e := range t.Errors {
		want[SignatureOf(e)] = true
	}
	words := keys.Canonical(t.Task)
	type like struct {
		score          float64
		failed, passed *Record
	}
	var found []like
	var reflections []*Record
	for _, rs := range ByLoop(records) {
		if rs[0].LoopID == t.LoopID {
			continue
		}
		l := like{}
		for _, r := range rs {
			if r.Evaluator.Passed {
				if l.failed != nil && l.passed == nil {
					l.passed = r
				}
				continue
			}
			score := t.likeness(r, words, want)
			if score == 0 {
				continue
			}
			if r.Reflection.Source == FromModel && (r.Reflection.Confidence == nil || *r.Reflection.Confidence >= priorConfidence) {
				reflections = append(reflections, r)
			}
			if score >= l.score { // the last failure before the pass says most
				l.score, l.failed = score, r
			}
		}
		if l.passed != nil {
			found = append(found, l)
		}
	}
	slices.SortStableFunc(found, func(a, b like) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(b.passed.Timestamp, a.passed.Timestamp))
	})
	p := PriorKnowledge{Lessons: Lessons(reflections, priorFrequency)}
	p.Lessons = p.Lessons[:min(len(p.Lessons), maxPrior)]
	for _, l := range found[:min(len(found), maxPrior)] {
		p.Successes = append(p.Successes, Overcome{l.failed, l.passed})
	}
	return p
}

// likeness is how like a failure is to what a new task may meet, 0 to 1; 0: not at all.
func (t *NewTask) likeness(r *Record, words string, want map[string]bool) float64 {
	for _, e := range r.Evaluator.Errors {
		if want[SignatureOf(e)] {
			return 1
		}
	}
	score := keys.Similarity(words, keys.Canonical(r.Task))
	if t.Type != "" && r.TaskType == t.Type {
		score = max(score, 0.5)
	}
	if score < likeTask {
		return 0
	}
	return min(score, 0.99) // the same error says more than the same words
}

// maxPriorLine is the largest number of bytes of a line of prior knowledge.
const maxPriorLine = 200

// Lines are the knowledge for a prompt, each as information on others, with its source.
func (p *PriorKnowledge) Lines() []string {
	var out []string
	for _, s := range p.Successes {
		line := fmt.Sprintf("%s: failed with %s", s.Passed.LoopID, plain.Quote(failureOf(s.Failed), maxPriorLine/2))
		if did := whatWasDone(s.Passed); did != "" {
			line += "; passed after " + did
		} else {
			line += fmt.Sprintf("; passed with attempt %d", s.Passed.Iteration+1)
		}
		out = append(out, plain.Cut(line, 2*maxPriorLine))
	}
	for _, l := range p.Lessons {
		out = append(out, fmt.Sprintf("noted %d times in %s: %s", l.Frequency, strings.Join(l.Loops[:min(len(l.Loops), 2)], ", "), plain.Quote(FirstLine(l.Text), maxPriorLine)))
	}
	return out
}

// failureOf is the first error of an attempt.
func failureOf(r *Record) string {
	if len(r.Evaluator.Errors) == 0 {
		return "no error that is known"
	}
	return Describe(r.Evaluator.Errors[0])
}

// whatWasDone is what an attempt did to files; "" where that is not known.
func whatWasDone(r *Record) string {
	var files []string
	for _, a := range r.Actor.Actions {
		if a.FilePath != "" && slices.Contains([]string{"code_modification", "file_creation", "file_deletion"}, a.Type) && !slices.Contains(files, a.FilePath) {
			files = append(files, a.FilePath)
		}
	}
	if len(files) == 0 {
		files = r.Actor.FilesModified
	}
	if len(files) == 0 {
		return ""
	}
	return "changes of " + plain.Quote(strings.Join(files[:min(len(files), maxPrior)], ", "), maxPriorLine)
}

// priorPart is the prior knowledge in a prompt.
func (c *Context) priorPart() *part {
	return newPart("\n# What other loops did about like failures\n\n", "prior_knowledge", 110, c.Prior, 2*maxPrior, func(_ int, s string) string { return "- " + s })
}
