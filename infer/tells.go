package infer

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"episodes/episode"
	"episodes/keys"
)

// mostSessions is the share of sessions from which an event is part of how sessions are
// run or written, such as a command that starts them all or the line of a template.
const mostSessions = .8

// work are words that name any step of any session, as keys.Words gives them.
var work = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, w := range keys.Words(`implement implementation test tests fix fixed bug code change changes changed update updated add added create created
		remove removed refactor build run ran start started stop finish finished done complete completed commit committed push pushed pull merge merged
		review reviewed check checks verify verified validate validation pass passed passing fail failed failing failure success error errors issue issues
		task step phase session work status summary result results file files all next continue ok yes`) {
		out[w] = true
	}
	return out
})

// tellsFact reports whether the event at a node is a fact that an edge can be about: not a
// single word, not only words for work itself, not a command to the agent, and not in nearly
// all sessions. An event with a key from its log always is.
func (s *Study) tellsFact(n *node) bool {
	if float64(n.n) > mostSessions*float64(s.totals.Sessions) {
		return false
	}
	text := strings.TrimSpace(n.label)
	if strings.HasPrefix(text, "<") || command(text) {
		return false
	}
	head, rest, typed := strings.Cut(n.key, ": ")
	if kind, _, _ := strings.Cut(head, " "); !typed || !slices.Contains(eventTypes, episode.EventType(kind)) {
		return true
	}
	words, telling := strings.Fields(rest), 0
	for _, w := range words {
		if !work()[w] {
			telling++
		}
	}
	return telling > 0 && (len(words) > 1 || identifier(text, words[0]))
}

// command reports whether a text is a command to the agent, such as "/review 12", and no path.
func command(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return len(first) > 1 && first[0] == '/' && !strings.ContainsAny(first[1:], "/.")
}

// identifier reports whether a word occurs in a text as a name: with a digit, a punctuation
// mark or an upper-case letter inside.
func identifier(text, word string) bool {
	for _, token := range strings.FieldsFunc(text, unicode.IsSpace) {
		if keys.Word(token) != word {
			continue
		}
		token = strings.TrimFunc(token, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for i, r := range token {
			if i > 0 && (unicode.IsUpper(r) || !unicode.IsLetter(r)) || unicode.IsDigit(r) {
				return true
			}
		}
	}
	return false
}
