package recall

import (
	"math"
	"slices"
	"strings"

	"episodes/internal/lazy"
)

var (
	// answerHead matches the headings under which logs answer questions.
	answerHead = lazy.Pattern(`(?i)\b(?:root causes?|causes?|why|diagnosis|fix(?:e[sd])?|resolution|solutions?|workarounds?|lessons?|learned|learnings|decisions?|decided|rationale|recommend(?:ation|ed)s?|conclusion|findings?|key insights?|what (?:did|does|do)(?:n[o'’]?t| not)|rejected|gotchas?|pitfalls?)\b|原因|根因|解決|対処|対策|決定|結論|教訓|解决|修复|结论|决策|决定|원인|해결|수정|결정|결론|교훈|причин|рішення|решени|виправлення|исправлени|висновк|вывод`)
	decides    = lazy.Pattern(`(?i)\bdeci(?:sions?|ded)\b|chosen|recommendation|決定|结论|决策|决定|결정|рішення|решение`)
	// answerLabel matches the labels of lines that answer questions.
	answerLabel = lazy.Pattern(`(?im)^[^\pL\pN\n]*(?:(?:the|final|actual|real|likely|recommended|immediate) )?(?:root cause|cause|reason|why|fix(?:ed)?|resolution|solution|workaround|lesson|decision|recommendation|rationale|conclusion|[\p{Han}\p{Hangul}]{0,4} ?(?:原因|根因|解決策?|対処|対策|決定|結論|修正|解决(?:方案)?|修复|结论|决策|원인|해결|수정|결정|결론)|причина|рішення|решение|виправлення|исправление)\b?[^:：\n]{0,90}[:：]`)
	// finding matches how people say what they found out.
	finding = lazy.Pattern(`(?i)\b(?:I (?:see|found|understand) the (?:issue|problem)|the (?:actual |real |underlying |root )?(?:issue|problem|cause|bug|reason) (?:is|was)|turn(?:s|ed) out|this (?:is|was) because|that(?:'s|’s| is) why|I(?:'ve|’ve| have)? (?:now )?(?:fixed|replaced|changed)|the fix (?:is|was))\b|(?m)^\W*(?:Fixed|Resolved|Solved|Changed|Replaced|Decided|Dismissed|Confirmed|Root cause)\b`)
)

// answering returns the passage at a place, or near it in its log, that answers the question best,
// by its words and marks of an answer, or nil.
func (f *found) answering(p *Place) (best *Document) {
	top, own := 0.0, 0.0
	if p.advises() && f.q.Want == AnError {
		return nil
	}
	value := func(d *Document, far float64) {
		words := f.informs(d)
		if far == 0 {
			own = max(own, words)
		}
		v := sameWords*math.Sqrt(min(words/max(own, 1e-9), 1)) + marks(d) - far
		if f.q.Want == AChoice && decides().MatchString(d.last()) {
			v += decided
		}
		elsewhere := far > 0 && marks(d) < leastMarks
		if len(d.Text) >= shortest && !elsewhere && (best == nil || v > top) {
			best, top = d, v
		}
	}
	for _, d := range p.Docs {
		if d.Kind.prose() {
			value(d, 0)
			if d == p.Docs[0] && d == best && f.q.Want == AnError {
				top += stays / 2 // it matched best
			}
		}
	}
	if best == nil {
		return nil
	}
	top += stays
	if f.q.Want == AnError { // it shows the error, and says more than that or not
		top += stays - 2*stays*f.repeated(p)
	}
	for _, side := range [][]*Document{p.After, p.Before} {
		for i, d := range side {
			if p.sameSection(f.q, d) {
				value(d, perPassage*float64(1+i))
			}
		}
	}
	return best
}

// How much better another passage must be than the one that was found, and how much the worth
// falls with each passage between.
const (
	stays      = 0.35
	perPassage = 0.03
	sameWords  = 0.7
	decided    = 0.3
	leastMarks = 0.4 // of a passage elsewhere
	dullness   = 0.6
)

// last returns the heading that a passage is directly under.
func (d *Document) last() string { return d.Heading[strings.LastIndex(d.Heading, "› ")+1:] }

// informs sums the inverse document frequencies of the question's words in a passage and its
// heading.
func (f *found) informs(d *Document) (sum float64) {
	seen := map[string]bool{}
	terms(d.Heading+"\n"+d.Text, true, func(t term) {
		if w := f.q.Weights[t.text]; w >= evidenceWeight && !seen[t.text] {
			seen[t.text] = true
			sum += w * f.info(t.text)
		}
	})
	return sum
}

// marks is the worth of what shows that a passage answers something.
func marks(d *Document) (v float64) {
	if answerHead().MatchString(d.last()) {
		v += 0.5
	}
	if solvingHead().MatchString(d.last()) {
		v += 0.2
	}
	if answerLabel().MatchString(d.Text) {
		v += 0.4
	}
	if finding().MatchString(d.Text) {
		v += 0.2
	}
	return v - dullness*d.dull()
}

// dull is the share of code, tables and names among the sentences of a passage.
func (d *Document) dull() float64 {
	all := sentences(d)
	dull := slices.DeleteFunc(slices.Clone(all), func(s sentence) bool { return !s.code && !s.lists() })
	return float64(len(dull)) / float64(max(1, len(all)))
}

// lists reports whether a passage has little but code, tables and names, and says nothing about them.
func (d *Document) lists() bool { return d.dull() > 0.7 && !d.tells() }

// tells reports whether a passage says what was found out or done.
func (d *Document) tells() bool {
	return answerLabel().MatchString(d.Text) || finding().MatchString(d.Text) || d.cued()
}

// onlySaid reports whether a place is of a transcript, and no fact was made of it.
func (p *Place) onlySaid() bool {
	return !slices.ContainsFunc(p.Docs, func(d *Document) bool { return d.Kind != Said })
}

// listed matches rows of tables, and lines that consist of a path or a file.
var (
	listed = lazy.Pattern(`^\W*[\w()@:-]*[./_][\w./()@:-]*\W*$| \| |^\W*$`)
	naming = lazy.Pattern("`[^`]*`|\\S*/\\S+|\\S+\\.\\w{1,5}\\b")
)

// lists reports whether a sentence is a row of a table or consists mostly of names.
func (s *sentence) lists() bool {
	names := 0
	for _, at := range naming().FindAllStringIndex(s.text, -1) {
		names += at[1] - at[0]
	}
	return listed().MatchString(s.text) || len(s.text) > wrapped && 3*names > 2*len(s.text)
}

// elsewhere reports whether the passage that answers the question is not one that matched it.
func (p *Place) elsewhere() bool { return p.answers != nil && !slices.Contains(p.Docs, p.answers) }

// answer returns the passage that answers the question, if there is one.
func (p *Place) answer() []*Document {
	if p.answers == nil {
		return nil
	}
	return []*Document{p.answers}
}
