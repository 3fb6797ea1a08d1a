package recall

import (
	"fmt"
	"slices"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/risk"
)

// Budget is the default size limit of advice in bytes: 180 tokens of four bytes.
const Budget = 180 * 4

// Line is what one is told who is about to act: what ended the very error before, or did not, or a quotation.
type Line struct {
	Cited
	Text     string // what is quoted, in one line
	Held, Of int    // of what ended an error: sessions in which it did, of those that tried it
	State    State  // of the lines that it put into a file
	Risk     string // the remark on a command that it has, see MarkRisks
	Vouched  bool   // the user or two sessions say it, or there is no such command
}

// State is what became of the lines that a fix put into the files of the work tree; "" if that is not known.
type State string

// The values of State.
const (
	Fresh   State = "lines still there"
	Drifted State = "changed since"
	Gone    State = "file gone"
)

// MostLines is how many lines advice has, mostSaid how many quotations, and margin the bytes around one.
const (
	MostLines = 3
	mostSaid  = 2
	margin    = 120
)

// Advise returns lines for one who is about to act, best first: measured ways out of the very error, then quotations
// of passages that are about the question for certain. There may be none.
func (x *Index) Advise(q *Question) (out []Line, err error) {
	if out, err = x.direct(q); err != nil {
		return nil, err
	}
	list, err := x.Ask(Filter{Limit: 2 * MostLines}, q)
	if err != nil {
		return nil, err
	}
	n := 0 // quotations
	for _, c := range list {
		if !c.answers(q) {
			continue
		}
		if q.Want == AnError && c.Class == Nothing {
			switch after, err := x.after(&c); {
			case err != nil:
				return nil, err
			case after != nil:
				c = *after
			case c.Who == ATool: // an error by itself says nothing new
				continue
			}
		}
		if n < mostSaid && !slices.ContainsFunc(out, func(l Line) bool { return c.same(l.Cited) }) {
			out, n = append(out, Line{Cited: c}), n+1
		}
	}
	out = out[:min(MostLines, len(out))]
	for i := range out {
		if l := &out[i]; l.Text == "" {
			l.Text = l.Line(q, Budget/len(out)-margin)
		}
	}
	return out, nil
}

// MarkRisks marks the lines with a command that nobody should run because a log says so. Unless the user or two sessions
// say it, a marked one is no fix, and comes after the others.
func MarkRisks(lines []Line, known func(name string) bool) {
	for i := range lines {
		l := &lines[i]
		l.Risk = risk.Of(l.Text, known)
		if l.Vouched = l.Vouched || l.Risk == "" || l.demand && l.By.own(); !l.Vouched && l.Class == Fix {
			l.Class = Nothing
		}
	}
	rank := map[bool]int{true: 1}
	slices.SortStableFunc(lines, func(x, y Line) int { return rank[!x.Vouched] - rank[!y.Vouched] })
}

// below is how many lines below an error its cause and what was done about it are looked for.
const below = 40

// after is the passage in which a log says what was done about an error that it shows, or why it came about, below it; nil
// if nothing is known.
func (x *Index) after(c *Cited) (*Cited, error) {
	f, value, top := &found{x: x}, map[Class]int{Fix: 4, Learned: 3, Cause: 2, Choice: 1}, 0
	var best *Document
	_, at, err := f.in(c.ref, func(d *Document) bool {
		if v := value[d.Class]; v > top && d.Lines[0] > c.Lines[1] && d.Lines[0] <= c.Lines[1]+below {
			best, top = d, v
		}
		return false
	})
	if best == nil || err != nil {
		return nil, err
	}
	whole, _, err := f.from(at, best)
	if whole == nil || err != nil {
		return nil, err
	}
	next := *c
	next.Text, next.Lines, next.At = whole.Text, whole.Lines, whole.Lines
	return &next, nil
}

// What is quoted unasked has most of the question's key line, or so much of the question as only few passages have by chance.
// Of 141 questions with an answer to a memory of 900 logs a right place is among the lines of 33 %, of 184 without 3 % are
// answered: these are the given questions of other comments.
const (
	leastKey, leastTerms  = 0.7, 3 // half of the share: 5 % without an answer are answered
	leastInfo             = 20     // nats; half: 29 % are
	leastWords, wordsInfo = 5, 10
	mostUnknown           = 0.4
	mostShared            = 0.6 // half: 14 % are
	leastNew              = 0.3 // share of the words of a passage about an error that the question does not have
)

// answers reports whether a passage is about the question for certain, and says more than that something failed.
func (c *Cited) answers(q *Question) bool {
	if c.info < leastInfo {
		if q.Want == AnError && (c.key < leastKey || c.keyTerms < max(leastTerms, len(q.Key)/2+1)) {
			return false
		}
		many := c.Telling >= leastWords && c.info >= wordsInfo && c.unknown <= mostUnknown
		most := c.Share >= mostShared && (c.shared >= leastWords || c.shared >= leastTerms && c.Telling > 0)
		if q.Want != AnError && !many && !most {
			return false
		}
	}
	if q.Want != AnError {
		return true
	}
	n, other := 0.0, 0.0
	seen := map[string]bool{}
	terms(c.Text, true, func(t string) {
		if !seen[t] {
			seen[t] = true
			if n++; q.Weights[t] == 0 {
				other++
			}
		}
	})
	return other >= leastNew*n
}

// sentenceEnd matches where a sentence of a text ends.
var sentenceEnd = lazy.Pattern(`[.!?]["')\x60*]*\s|[。！？]|\n`)

// Line is the fact that was found, or a quotation of the passage, on one line of at most most bytes.
func (c *Cited) Line(q *Question, most int) string {
	if c.Fact == "" || c.Class == Nothing && c.Fact != c.Text { // that something failed says nothing by itself
		return q.quote(c.Text, most)
	}
	return Cut(c.Fact, most)
}

// quote quotes a text on one line, from the sentence that has most of the question's words on.
func (q *Question) quote(text string, most int) string {
	starts := []int{0}
	for _, at := range sentenceEnd().FindAllStringIndex(text, -1) {
		starts = append(starts, at[1])
	}
	best, top := 0, -1.0
	for i, from := range starts {
		to := len(text)
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		sum, in, n := 0.0, 0.0, 0.0
		terms(text[from:to], true, func(t string) {
			if n++; q.Weights[t] > 0 {
				in++
			}
			sum += q.Weights[t]
		})
		if sum *= 1 - in/max(n, 1); sum > top { // what only repeats the question says nothing
			best, top = i, sum
		}
	}
	for best > 0 && len(text)-starts[best-1] <= most { // what fits is not cut at its head
		best--
	}
	return Cut(plain.Words(text[starts[best]:]), most)
}

// Kind is the word for what a line is.
func (l *Line) Kind() string {
	switch {
	case l.Held > 0 && l.Class == Fix:
		return "fix"
	case l.Class == Failed:
		return "trap"
	case l.Class == Choice && l.Fact != "":
		return "choice"
	case l.Class == Learned && l.Fact != "":
		return "rule"
	}
	return "line"
}

// Result is how what ended an error worked out, "" where one session says so.
func (l *Line) Result() string {
	if l.Of > 1 {
		return fmt.Sprintf("held %d of %d", l.Held, l.Of)
	}
	return ""
}

func overlap(a, b episode.Span) bool { return a[0] <= b[1] && b[0] <= a[1] }
