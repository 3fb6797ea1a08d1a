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
	Pairs   map[[2]string]bool // adjacent terms
	Telling string             // the key line: the first one of the highest weight
	Told    []string           // terms of the key line

	command string          // what was run
	printed map[string]bool // terms that are not from commands only
	output  []string        // the lines that it printed, without the places in front of them
}

var (
	ansi   = lazy.Pattern("\x1b\\[[0-9;?]*[A-Za-z]")
	lead   = lazy.Pattern(`^\s*(?:\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?|\[?\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\]?)\s?`)
	prompt = lazy.Pattern(`^(?:\([\w.-]+\) )?(?:[\w.-]+@[\w.-]+:[^$#]*[$#]|PS [^>]*>|[A-Z]:\\[^>]*>|[$❯➜])\s+(\S.*)$`)
	marker = lazy.Pattern(`^##\[(\w+)\]`)
)

// line is a line of a question without time stamp, prompt and colours.
type line struct {
	text    string
	level   telling.Level
	command bool
	end     bool // a tool or runner reports an exit state
	weight  float64
}

// lines splits a pasted output into lines, without time stamps, prompts, empty lines and
// groups that a runner folds.
func lines(text string) []line {
	var out []line
	folded := false
	for s := range strings.Lines(text) {
		s = strings.TrimRight(ansi().ReplaceAllString(s, ""), "\r\n\t ")
		s = lead().ReplaceAllString(s, "")
		l := line{text: s}
		if m := marker().FindStringSubmatch(s); m != nil {
			l.text = s[len(m[0]):]
			switch m[1] {
			case "group":
				folded = true
				if run, ok := strings.CutPrefix(l.text, "Run "); ok {
					l.text, l.command = run, true
				} else {
					continue
				}
			case "endgroup":
				folded = false
				continue
			case "error":
				l.level = telling.Reported
			case "debug", "section":
				continue
			case "command":
				l.command = true
			}
		} else if folded {
			continue
		}
		if m := prompt().FindStringSubmatch(s); m != nil {
			l.text, l.command = m[1], true
		}
		if strings.TrimSpace(l.text) == "" {
			continue
		}
		if of := telling.Of(l.text); of == telling.Noise {
			l.end, l.level = l.level == telling.Reported || strings.Contains(l.text, "exit"), of
		} else {
			l.level = max(l.level, of)
		}
		out = append(out, l)
	}
	return out
}

// Analyse turns a text into a question of the given kind.
func Analyse(want Want, text string) *Question {
	q := &Question{Want: want, Weights: map[string]float64{}, Pairs: map[[2]string]bool{}, printed: map[string]bool{}}
	ls := lines(text)
	if want == AnError && Guess(text) == AnError { // an output, not a description in somebody's words
		weigh(ls)
	} else {
		for i := range ls {
			ls[i].weight = 1
		}
	}
	best := -1.0
	for _, l := range ls {
		if l.weight > best {
			best, q.Telling = l.weight, l.text
		}
		q.take(l)
		if !l.command {
			terms(l.text, want != AnError, func(t term) { q.printed[t.text] = true })
		}
		switch {
		case want != AnError:
		case l.command:
			q.command += l.text + "\n"
		case l.level != telling.Noise && len(q.output) < mostOutput:
			q.output = append(q.output, strings.TrimSpace(l.text))
			if m := located().FindString(l.text); m != "" {
				q.output = append(q.output, l.text[len(m):])
			}
		}
	}
	terms(q.Telling, want != AnError, func(t term) {
		if !slices.Contains(q.Told, t.text) {
			q.Told = append(q.Told, t.text)
		}
	})
	return q
}

// mostOutput is how many lines of an output are compared with errors.
const mostOutput = 400

// located matches a place in front of a message.
var located = lazy.Pattern(`^\s*\S+:\d+(?::\d+)?:? `)

// The weights of the lines of an output.
const (
	floor          = 0.1 // any line
	said           = 0.6 // a command
	earlier        = 0.4 // factor for each later command before the first line of failure
	runLines       = 2.0 // number of lines that such a command counts for
	lower          = 0.7 // factor for each level below the highest one, see telling.Level
	further        = 0.7 // factor for each line of distance from a line of failure
	reach          = 7   // largest such distance that matters
	evidenceWeight = 0.3 // below it, the terms of a line are not evidence
)

// weigh sets the weight of each line of an output: 1 for lines of the highest level, less
// with the distance from them. Output of earlier commands weighs less than that of the one
// that failed.
func weigh(ls []line) {
	top := telling.Complaint
	runs := make([]int, len(ls)) // which command each line belongs to
	for i, l := range ls {
		top = max(top, l.level)
		if i > 0 {
			runs[i] = runs[i-1]
		}
		if l.command {
			runs[i]++
		}
	}
	tells := func(l line) bool { return l.level >= telling.Complaint || l.end }
	first := slices.IndexFunc(ls, tells)
	for i := range ls {
		w := floor
		if ls[i].command && first >= 0 {
			w = max(w, said*math.Pow(earlier, float64(max(runs[first]-runs[i], 0))))
		}
		for j := max(0, i-reach); j < min(len(ls), i+reach+1); j++ {
			if l := ls[j]; tells(l) {
				near := math.Pow(lower, float64(top-max(l.level, telling.Complaint)))
				w = max(w, near*math.Pow(further, math.Abs(float64(i-j))+runLines*float64(max(runs[j]-runs[i], 0))))
			}
		}
		if ls[i].level == telling.Noise || ls[i].end {
			w = floor
		}
		ls[i].weight = w
	}
}

func (q *Question) take(l line) {
	last := term{}
	terms(l.text, q.Want != AnError, func(t term) {
		q.Weights[t.text] = max(q.Weights[t.text], l.weight)
		if !t.name {
			if last.text != "" && last.text != t.text && l.weight >= 0.5 {
				q.Pairs[[2]string{last.text, t.text}] = true
			}
			last = t
		}
	})
}

// About adds the terms of a file's path to the question, with weight 1.
func (q *Question) About(path string) {
	terms(path, true, func(t term) { q.Weights[t.text] = 1 })
}

var (
	choosing = lazy.Pattern(`(?i)\bor\b[^?]*\?\s*$|^(?:should|which|whether)\b`)
	acting   = lazy.Pattern("(?m)^(?:edit|write|create|delete|run|apply) \\S*[./]|^[+-] {2,}\\S|^\\$ |(?:^|\\s)--?[a-z][\\w-]*(?:[ =]|$)|[|&;{}]\\s|\\$\\w|^[a-z][\\w.-]* [a-z][\\w-]*(?: \\S*[./:]\\S*)+$")
)

// Guess returns the most likely kind of a question.
func Guess(text string) Want {
	text = strings.TrimSpace(text)
	told, n := telling.Plain, 0
	for _, l := range lines(text) {
		told = max(told, l.level)
		n++
	}
	switch {
	case choosing().MatchString(text) && n <= 3:
		return AChoice
	case told >= telling.Reported, told == telling.Complaint && n > 2:
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
