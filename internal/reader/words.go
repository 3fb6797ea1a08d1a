package reader

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"episodes/episode"
	"episodes/internal/lazy"
)

// token is a word of a text in lower case, or a letter of a script without spaces.
type token struct {
	word  string
	start int // byte offsets in the text
	end   int
	size  int // less for a letter
}

// wordSize is the size of a word.
const wordSize = 4

// tokens finds the words of a text. Marks of Markdown, quotation marks, case and signs are
// no part of words, so that a quote need not repeat them.
func tokens(text string) []token {
	var out []token
	last := 0 // size of the token so far
	for i, r := range text {
		size := sizeOf(r)
		if starts := size < wordSize && !unicode.IsMark(r) || last == 0 || size != last; size > 0 && starts {
			out = append(out, token{start: i, size: size})
		}
		if last = size; size > 0 {
			out[len(out)-1].end = i + utf8.RuneLen(r)
		}
	}
	for i := range out {
		out[i].word = strings.ToLower(text[out[i].start:out[i].end])
	}
	return out
}

func wordRune(r rune) bool { return sizeOf(r) > 0 }

// sizeOf is the size of the token that a character is in, or 0. A word has about two letters in
// Chinese and Japanese, and four or more in Thai and its neighbours.
func sizeOf(r rune) int {
	switch {
	case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
		return 0
	case r < '\u0E00': // the first of these
		return wordSize
	case r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return wordSize / 2
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return wordSize / 4
	}
	return wordSize
}

// quoteWords is how many words of a quote must occur in the cited lines.
const quoteWords = 3

// opening is how many tokens of a quote that is; enough is false if it is shorter.
func opening(quote []token) (n int, enough bool) {
	size := 0
	for ; n < len(quote) && size < quoteWords*wordSize; n++ {
		size += quote[n].size
	}
	return n, size >= quoteWords*wordSize
}

// find returns the index of the first word of a quote in a text, or -1 if its first words
// do not occur there in sequence.
func find(text []token, quote []token) int {
	n, _ := opening(quote)
	for i := 0; n > 0 && i+n <= len(text); i++ {
		j := 0
		for j < n && text[i+j].word == quote[j].word {
			j++
		}
		if j == n {
			return i
		}
	}
	return -1
}

var (
	bold = lazy.Pattern(`\*\*(.+?)\*\*|__(.+?)__`)
	hash = lazy.Pattern(`^[0-9a-f]{7,40}$`)
)

// whole reports whether a short quote is all of a line, cell or bold label, or names a commit.
func whole(log []string, s episode.Span, quote string) bool {
	if words := tokens(quote); len(words) == 1 && hash().MatchString(words[0].word) && strings.ContainsAny(quote, "0123456789") {
		return true
	}
	parts := strings.Split(passage(log, s), "\n")
	for _, line := range log[s[0]-1 : s[1]] {
		text, _ := unmark(line)
		parts = append(parts, text)
		for _, m := range bold().FindAllStringSubmatch(line, -1) {
			parts = append(parts, m[1]+m[2])
		}
	}
	return slices.ContainsFunc(parts, func(part string) bool { return sameWords(part, quote) })
}

// passage is the text of cited lines as a fact can quote it: without marks of Markdown,
// with a line end wherever a new item, cell or paragraph begins.
func passage(log []string, s episode.Span) string {
	var b strings.Builder
	for _, line := range log[s[0]-1 : s[1]] {
		text, fresh := unmark(line)
		switch {
		case text == "":
			b.WriteByte('\n')
			continue
		case b.Len() > 0 && fresh:
			b.WriteByte('\n')
		case b.Len() > 0:
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return strings.Trim(b.String(), "\n ")
}

// marks matches emphasis and marks of code at the beginning or the end of words, but not within
// them, where they are a part of a name.
var marks = lazy.Pattern("(^|[^\\pL\\pN_*`])(?:\\*\\*|__|`)+|(?:\\*\\*|__|`)+($|[^\\pL\\pN_*`])")

// unmark takes the marks of Markdown from a line; fresh: they begin something new.
func unmark(line string) (text string, fresh bool) {
	t := strings.TrimSpace(line)
	for {
		before := t
		t = strings.TrimLeft(t, "#>")
		for _, mark := range []string{"- ", "* ", "+ ", "[ ] ", "[x] ", "[X] "} {
			t = strings.TrimPrefix(t, mark)
		}
		digits := strings.TrimLeft(t, "0123456789")
		if len(digits) < len(t) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) {
			t = digits[2:]
		}
		if t = strings.TrimSpace(t); t == before {
			break
		}
		fresh = true
	}
	if strings.HasPrefix(t, "|") {
		fresh = true
		t = strings.ReplaceAll(strings.Trim(t, "| "), "|", "\n")
	}
	t = marks().ReplaceAllString(t, "$1$2")
	if len(tokens(t)) == 0 {
		return "", fresh
	}
	return t, fresh
}

// take returns the words that a fact gets of the cited lines: the sentence, item or cell that has the
// quote; all of them when nothing is quoted. It is "" when the quote is not there.
func take(log []string, s episode.Span, quote string) string {
	before, text := around(log, s, quote)
	if quote == "" {
		return episode.Shorten(text, episode.MaxContent)
	}
	return shortened(before + text)
}

// takeFrom is take from the quote on, for a reason; "" where the words before turn its sense.
func takeFrom(log []string, s episode.Span, quote string) string {
	before, text := around(log, s, quote)
	if turned(before) {
		return ""
	}
	return shortened(text)
}

func shortened(text string) string {
	return episode.Shorten(strings.Trim(text, " \n-–—:;,|."), episode.MaxContent)
}

// around is the sentence, item or cell that has a quote, before the quote and from it on.
func around(log []string, s episode.Span, quote string) (before, from string) {
	text := passage(log, s)
	if quote == "" {
		return "", text
	}
	all, want := tokens(text), tokens(quote)
	at := find(all, want)
	if at < 0 {
		return "", ""
	}
	n, _ := opening(want)
	begin, start := all[at].start, 0
	for end := sentenceEnd(text, 0); end < begin; end = sentenceEnd(text, start) {
		start = end + len(text[end:]) - len(strings.TrimLeft(text[end:], "\n"))
	}
	return text[start:begin], text[begin:sentenceEnd(text, all[at+n-1].end)]
}

// turned reports whether the words before a quote may turn its sense.
func turned(before string) bool {
	return negation().MatchString(before[strings.LastIndexByte(before, ';')+1:])
}

// negation is a word that turns the sense of what follows it.
var negation = lazy.Pattern(`(?i)\b(?:not?|never|without|neither|nor|cannot|avoid(?:s|ed|ing)?|instead of|rather than|against|reject(?:s|ed|ing)?|refus(?:e|es|ed|ing)|nicht|kein\w*|nie|nunca|sin|jamais|sans)\b|n['’]t\b`)

// sentenceEnd is the end of the sentence, item or cell that goes on at an offset.
func sentenceEnd(text string, from int) int {
	if n := strings.IndexAny(text[from:], "。！？"); n >= 0 {
		text = text[:from+n+len("。")]
	}
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			return i
		case (c == '.' || c == '!' || c == '?') && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n'):
			next, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[i+1:], " \"'(*"))
			if c != '.' || unicode.IsUpper(next) || text[i+1] == '\n' {
				return i + 1
			}
		}
	}
	return len(text)
}
