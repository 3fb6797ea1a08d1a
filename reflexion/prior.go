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
	Errors []Problem // found before the first attempt, if verified
}

// PriorKnowledge is what other loops learned from failures like those of a new task
// (guide, "Learning from Past API Integration Failures").
type PriorKnowledge struct {
	// Lessons are those that at least two of their reflections have.
	Lessons []Lesson `json:"lessons"`
	// Successes are the attempts with which such a failure went in a loop that passed, of
	// each loop the last one: those of the likest failures first.
	Successes []Overcome `json:"similar_successes"`
}

// Overcome is a failure of another loop, and the attempt with which it went.
type Overcome struct {
	LoopID    string  `json:"loop_id"`
	Iteration int     `json:"iteration"`
	Failure   Problem `json:"failure"`
	Done      string  `json:"done"` // what the attempt changed; "": not known
	score     float64
	date      string
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
// have one of its errors, or else whose tasks are alike; takes the lessons that recur in their
// reflections by a model, and the attempts with which these failures went.
func Prior(records []*Record, t NewTask) PriorKnowledge {
	q := priorQuery{t: t, words: keys.Canonical(t.Task), want: map[string]bool{}}
	for _, e := range t.Errors {
		q.want[likeFailure(e)] = true
	}
	p := PriorKnowledge{Successes: []Overcome{}}
	var reflections []*Record
	for _, rs := range ByLoop(records) {
		if rs[0].LoopID == t.LoopID {
			continue
		}
		if o := q.overcome(rs); o != nil {
			p.Successes = append(p.Successes, *o)
		}
		for _, r := range rs {
			if r.Reflected() && r.Reflection.Source == FromModel &&
				(r.Reflection.Confidence == nil || *r.Reflection.Confidence >= priorConfidence) &&
				q.likeness(r, r.Evaluator.Errors) > 0 {
				reflections = append(reflections, r)
			}
		}
	}
	slices.SortStableFunc(p.Successes,
		func(a, b Overcome) int { return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(b.date, a.date)) })
	p.Successes = p.Successes[:min(len(p.Successes), maxPrior)]
	p.Lessons = Lessons(reflections, priorFrequency)
	p.Lessons = p.Lessons[:min(len(p.Lessons), maxPrior)]
	return p
}

// priorQuery is what a new task asks of other loops.
type priorQuery struct {
	t     NewTask
	words string
	want  map[string]bool // its errors
}

// overcome returns the attempt, in a loop that passed, after which the most similar failure
// disappeared, or nil.
func (q *priorQuery) overcome(rs []*Record) *Overcome {
	turns := Turns(rs)
	if len(turns) == 0 || !turns[len(turns)-1].Evaluator.Passed {
		return nil
	}
	var best *Overcome
	for i := range turns {
		t := &turns[i]
		gone := t.Gone
		if len(gone) == 0 && t.Evaluator.Passed && t.Before != nil { // what it was is not listed
			gone = t.Before.Errors
		}
		for _, e := range gone {
			if score := q.likeness(t.Record, []Problem{e}); score > 0 && (best == nil || score >= best.score) {
				best = &Overcome{t.LoopID, t.Iteration, e,
					cmp.Or(ChangeText(t.Actor.Changed, &e), whatWasDone(t.Record)), score, t.Timestamp}
			}
		}
	}
	return best
}

// likeFailure identifies a failure across loops: a failed test by its name, regardless of its
// message, and any other error by its signature.
func likeFailure(p Problem) string {
	if p.Type == TestFailure {
		return failure(p)
	}
	return SignatureOf(p)
}

// likeness is how like errors of an attempt are to what the new task has or may meet, 0 to
// 1; 0: not at all.
func (q *priorQuery) likeness(r *Record, errors []Problem) float64 {
	if slices.ContainsFunc(errors, func(e Problem) bool { return q.want[likeFailure(e)] }) {
		return 1
	}
	score := keys.Similarity(q.words, keys.Canonical(r.Task))
	if q.t.Type != "" && r.TaskType == q.t.Type {
		score = max(score, 0.5)
	}
	if score < likeTask {
		return 0
	}
	return min(score, 0.99) // the same error says more than the same words
}

// Lengths in bytes: of the texts in a line of prior knowledge, and of all of it in a prompt,
// which it shares with what else memory knows.
const (
	maxPriorFailure = 60
	maxPriorDone    = 130
	maxPriorKnown   = 300
)

// Lines are the knowledge for a prompt, each as information on others, with its source.
func (p *PriorKnowledge) Lines() []string {
	var out []string
	for _, s := range p.Successes {
		what := "the same failure"
		if s.score < 1 {
			what = plain.Quote(FirstLine(Describe(s.Failure)), maxPriorFailure)
		}
		after := fmt.Sprintf("attempt %d", s.Iteration+1)
		if s.Done != "" {
			after = plain.Quote(s.Done, maxPriorDone)
		}
		out = append(out, fmt.Sprintf("%s: %s was gone after %s", Shorten(s.LoopID, maxPriorFailure), what, after))
	}
	for _, l := range p.Lessons {
		out = append(out,
			fmt.Sprintf("noted %d times in %s: %s", l.Frequency,
				strings.Join(l.Loops[:min(len(l.Loops), 2)], ", "), plain.Quote(FirstLine(l.Text), maxPriorDone)))
	}
	return out
}

// whatWasDone is what an attempt says that it did to files, where nobody looked; "" where it
// does not say.
func whatWasDone(r *Record) string {
	var files []string
	for _, a := range r.Actor.Actions {
		if a.FilePath != "" &&
			slices.Contains([]string{"code_modification", "file_creation", "file_deletion"}, a.Type) &&
			!slices.Contains(files, a.FilePath) {
			files = append(files, a.FilePath)
		}
	}
	if len(files) == 0 {
		files = r.Actor.FilesModified
	}
	if len(files) == 0 {
		return ""
	}
	return "changes of " + strings.Join(files[:min(len(files), maxPrior)], ", ")
}

// priorPart is the prior knowledge in a prompt.
func (c *Context) priorPart() *part {
	return newPart("\n# What other loops did\n\n", "prior_knowledge", 110, c.Prior, 2*maxPrior,
		func(_ int, s string) string { return "- " + s })
}
