package actions

import (
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
	"episodes/keys"
)

// turnsAround is what the human at step i corrects, as what surrounds the words shows: the agent then changed what it
// had done. "": nothing.
func (d *drafting) turnsAround(i int) string {
	s := d.steps[i]
	words := ownWords(s.text)
	if len(s.text) > mostTyped || s.answers != nil || words == "" || template().MatchString(s.text) ||
		goesOn().MatchString(words) || says("goon", words) && wordCount(words) < leastWords || d.repeated(i) {
		return ""
	}
	stopped := d.interrupted(i)
	if !stopped && d.askedBefore(i) {
		return ""
	}
	if at, _ := foreignAt("wrong", words); at >= 0 && d.acted(i) && !asks(words) {
		return sentenceAt(s.text, words, at)
	}
	states := slices.ContainsFunc(sentences(words), func(sentence string) bool {
		return !asks(sentence) &&
			wordCount(sentence) >= leastWords-1
	})
	if s.refused && states || (stopped || troubled().MatchString(spelled(words)) || says("trouble", words)) && d.redone(i) {
		return firstSentence(s.text)
	}
	return ""
}

// mostTyped is how long a turn is with which somebody turns the agent around, in bytes.
const mostTyped = 1000

var (
	// goesOn begins words of somebody who lets the agent go on, or goes on himself.
	goesOn = lazy.Pattern(`(?i)^(?:I'll|I will|I've|I already)\b|^(?:please |ok(?:ay)?,? |yes,? )*(?:continue|proceed|go on|go ahead|resume|keep going|commit|push)\b`)
	// troubled are words with which somebody reports that something is not as it should be, or asks for more.
	troubled = lazy.Pattern(`(?i)\b(?:is|does|did|are|was|were|has|have|had|ca|wo|can|could|would|should)(?:n't| not)\b|\bcannot\b|\bI'm not\b|\bI am not\b|\bno longer\b|\bstill\b|\b(?:get|got|getting|see|seeing|had|have|has|'ve|following|this|same)(?: \w+){0,2} (?:error|exception|warning|crash|problem|issue)s?\b|\bfails?\b|\bbroken?\b|\bwhy (?:is|are|do|does|can|was|did)\b|\bshould be\b|\bnothing (?:happens|changed)\b`)
)

// sameWords is how similar two prompts are that are the same.
const sameWords = 0.8

// repeated reports whether the human said nearly the same before step i.
func (d *drafting) repeated(i int) bool {
	return slices.ContainsFunc(d.steps[:i], func(s *step) bool {
		return s.role == turns.User && keys.Similarity(s.text, d.steps[i].text) >= sameWords
	})
}

// interrupted reports whether the human spoke at step i because he stopped the agent or refused a call.
func (b *Builder) interrupted(i int) bool {
	for k := i - 1; k >= 0; k-- {
		switch s := b.steps[k]; {
		case s.role == turns.Stop, s.role == turns.Call && s.result.State == turns.Refused:
			return true
		case s.role == turns.User && strings.HasPrefix(s.text, "/"): // a command of the agent's program
		case s.role != turns.Call || s.result.State != turns.NotRun:
			return false
		}
	}
	return false
}

// acted reports whether the agent did something between step i and what the human said before.
func (d *drafting) acted(i int) bool {
	for k := i - 1; k >= 0 && d.steps[k].role != turns.User; k-- {
		if d.steps[k].role == turns.Call {
			return true
		}
	}
	return false
}

// redone reports whether the first edits after step i, before the human speaks again, are of files that the agent had
// edited before.
func (d *drafting) redone(i int) bool {
	left := firstEdits
	for _, s := range d.steps[i+1:] {
		if s.role == turns.User || left == 0 {
			return false
		}
		if !s.edits() || s.failed {
			continue
		}
		left--
		if slices.ContainsFunc(d.steps[:i], func(e *step) bool {
			return e.edits() && !e.failed &&
				len(e.call.Files) > 0 && sharesFile(e, s)
		}) && !s.writesProse() {
			return true
		}
	}
	return false
}

// firstEdits is how many edits after what somebody said still answer it.
const firstEdits = 3
