package recall

import (
	"maps"
	"math"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/telling"
)

// Want is the kind of a question.
type Want string

// The kinds of questions: an error that occurred, an action about to be taken, a task, and
// a choice between several ways.
const (
	AnError  Want = "error"
	AnAction Want = "action"
	ATask    Want = "task"
	AChoice  Want = "choice"
)

// Question is an analysed question. Its terms have the weight, above 0 and at most 1, of the
// best line that contains them.
type Question struct {
	Want    Want
	Weights map[string]float64
	KeyLine string   // the key line: the first one of the highest weight
	Key     []string // terms of the key line

	output []string        // printed lines without places in front
	known  map[string]bool // of the output
}

// Analyse turns a text into a question of the given kind.
func Analyse(want Want, text string) *Question {
	q := &Question{Want: want, Weights: map[string]float64{}}
	lines := telling.Read(text)
	weights, best := slices.Repeat([]float64{1}, len(lines)), -1
	if want == AnError {
		if Guess(text) == AnError { // an output, not a description in somebody's words
			weights = weigh(lines)
		}
		best = telling.Best(lines)
	}
	for i, l := range lines {
		if i == max(best, 0) {
			weights[i], q.KeyLine = 1, l.Text
		}
		terms(l.Task+" "+l.Text, want != AnError, func(t string) { q.Weights[t] = max(q.Weights[t], weights[i]) })
		if want == AnError && !l.Command && l.Level > telling.Stop && len(q.output) < mostOutput {
			q.output = append(q.output, l.Text)
			if m := located().FindString(l.Text); m != "" {
				q.output = append(q.output, l.Text[len(m):])
			}
		}
	}
	terms(q.KeyLine, want != AnError, func(t string) {
		if !slices.Contains(q.Key, t) {
			q.Key = append(q.Key, t)
		}
	})
	q.known = q.failures()
	return q
}

// mostOutput is how many lines of an output are compared with errors.
const mostOutput = 400

// located matches a place in front of a message.
var located = lazy.Pattern(`^\s*\S+:\d+(?::\d+)?:? `)

// The weights of the lines of an output. Of the given questions a right place is among the lines of 33 %.
const (
	floor          = 0.1 // any line
	said           = 0.6 // a command; as any line: 31 %
	lower          = 0.7 // factor for each level below the highest one, see telling.Level; half: 31 %
	further        = 0.7 // factor for each line of distance from a line of failure; half: 28 %
	reach          = 7   // largest such distance that matters
	evidenceWeight = 0.3 // below it, the terms of a line are not evidence; twice: 27 %
)

// weigh sets the weight of each line of an output: 1 for lines of the highest level, less with the distance from them.
func weigh(lines []telling.Line) (weights []float64) {
	top := telling.Complaint
	for _, l := range lines {
		top = max(top, l.Level)
	}
	tells := func(l telling.Line) bool { return l.Level >= telling.Vague || l.Level == telling.Stop }
	fails := slices.ContainsFunc(lines, tells)
	for i, l := range lines {
		w := floor
		if fails && l.Command && l.Level > telling.Noise {
			w = said
		}
		for j := max(0, i-reach); j < min(len(lines), i+reach+1); j++ {
			if l := lines[j]; tells(l) {
				near := math.Pow(lower, float64(top-max(l.Level, telling.Complaint)))
				w = max(w, near*math.Pow(further, math.Abs(float64(i-j))))
			}
		}
		if l.Level <= telling.Stop {
			w = floor
		}
		weights = append(weights, w)
	}
	return weights
}

// About adds the terms of a file's path to the question, with weight 1.
func (q *Question) About(path string) {
	terms(path, true, func(t string) { q.Weights[t] = 1 })
}

var (
	choosing = lazy.Pattern(`(?i)\bor\b[^?]*\?\s*$|^(?:should|which|whether)\b|どちら|どっち|べきか|까요[^?]*까요|还是|(?:^|\s)(?:чи|или)\s[^?]*\?`)
	// coded matches an error with a name of its own: "SQLITE_BUSY: ", "ENOENT: ".
	coded  = lazy.Pattern(`\b(?:E(?:ACCES|ADDR|AGAIN|CONN|EXIST|INVAL|MFILE|NO|PERM|PIPE|TIMEDOUT)[A-Z]*|[A-Z]+(?:_[A-Z]+)+): \S`)
	acting = lazy.Pattern("(?m)^(?:edit|write|create|delete|run|apply) \\S*[./]|^[+-] {2,}\\S|^\\$ |(?:^|\\s)--?[a-z][\\w-]*(?:[ =]|$)|[|&;{}]\\s|\\$\\w|^[a-z][\\w.-]* [a-z][\\w-]*(?: \\S*[./:]\\S*)+$")
)

// Guess returns the most likely kind of a question.
func Guess(text string) Want {
	text = strings.TrimSpace(text)
	n, marked, complains := 0, false, false
	for _, l := range telling.Read(text) {
		n++
		marked = marked || l.Level == telling.Vague || l.Level == telling.Warning || l.Level >= telling.Reported
		complains = complains || l.Level == telling.Complaint
	}
	switch {
	case choosing().MatchString(text) && n <= 3:
		return AChoice
	case marked, coded().MatchString(text), complains && n > 2:
		return AnError
	case acting().MatchString(text):
		return AnAction
	case n > 4:
		return AnError
	}
	return ATask
}

// terms returns the terms of the question, sorted.
func (q *Question) terms() []string { return slices.Sorted(maps.Keys(q.Weights)) }
