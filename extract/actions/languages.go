package actions

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed words.txt
var wordsFile string

// foreign are the words of other languages than English, by class.
var foreign = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(wordsFile) {
		class, words, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		for w := range strings.SplitSeq(words, ", ") {
			out[class] = append(out[class], w)
		}
	}
	return out
})

// foreignAt finds the first word of a class in a text: where it begins and ends; -1: nowhere.
func foreignAt(class, text string) (from, to int) {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		lower = text
	}
	from = -1
	for _, w := range foreign()[class] {
		for at := strings.Index(lower, w); at >= 0; {
			if (from < 0 || at < from) && stands(lower, at, at+len(w)) {
				from, to = at, at+len(w)
			}
			next := strings.Index(lower[at+len(w):], w)
			if next < 0 {
				break
			}
			at += len(w) + next
		}
	}
	return from, to
}

// says reports whether a text has a word of a class.
func says(class, text string) bool {
	from, _ := foreignAt(class, text)
	return from >= 0
}

// stands reports whether no letter of an alphabet precedes what is between two places of a text, nor follows it
// where the alphabet is Latin: other scripts inflect words, or put no space between them.
func stands(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	first, _ := utf8.DecodeRuneInString(text[from:])
	last, _ := utf8.DecodeLastRuneInString(text[:to])
	behind, _ := utf8.DecodeRuneInString(text[to:])
	letters := func(a, b rune, scripts ...*unicode.RangeTable) bool {
		return unicode.In(a, scripts...) && unicode.In(b, scripts...)
	}
	return !letters(before, first, unicode.Latin, unicode.Cyrillic) && !letters(last, behind, unicode.Latin)
}

// spaceless reports whether a text is mostly written without spaces between its words.
func spaceless(text string) bool {
	n := 0
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			n++
		}
	}
	return n*4 > utf8.RuneCountInString(text)
}

// wordCount is how many words a text has, about.
func wordCount(text string) int {
	if spaceless(text) {
		return utf8.RuneCountInString(text) / 2
	}
	return len(strings.Fields(text))
}
