package actions

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// phrase is a pattern for prose with cue words in lower case; every match contains at least
// one of them. Looking for the words first is ten times as fast as the pattern.
type phrase struct {
	cues    []string
	pattern func() *regexp.Regexp
}

func phraseOf(cues, expr string) phrase {
	return phrase{strings.Split(cues, "|"), lazy.Pattern(expr)}
}

// in reports whether a sentence has the phrase; lower is the sentence in lower case.
func (p phrase) in(sentence, lower string) bool {
	return containsAny(lower, p.cues) && p.pattern().MatchString(sentence)
}

func containsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// cueLines leaves the lines of an output that contain one of some words, in any case: most
// outputs have few of them, and patterns are slow.
func cueLines(text string, cues []string) string {
	lower := strings.ToLower(text)
	if !containsAny(lower, cues) {
		return ""
	}
	if len(lower) != len(text) { // lower case of another length; such letters are rare
		lower = text
	}
	var b strings.Builder
	for len(text) > 0 {
		end := cmp.Or(strings.IndexByte(text, '\n')+1, len(text))
		if containsAny(lower[:end], cues) {
			b.WriteString(text[:end])
		}
		text, lower = text[end:], lower[end:]
	}
	return b.String()
}

var (
	// failureCues: every line that shows a failure contains one of them.
	failureCues = strings.Split("err|fail|fatal|panic|exception|traceback|not found|no matches|exit|usage:|unrecognized|not recognized|***|syntax|(eval)|✖|✗|problem|issues|offense|e   |x ", "|")
	// testCues: every summary line of a test runner contains one of them.
	testCues = strings.Split("test|pass|fail|error|ok|ran |example|run|executed|summary|collected|---|build|all ", "|")
)
