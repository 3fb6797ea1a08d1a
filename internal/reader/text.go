package reader

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"episodes/internal/corrections"
	"episodes/internal/lazy"
	"episodes/internal/lesson"
)

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func hasWords(text string) bool { return strings.ContainsFunc(text, wordRune) }

var (
	heading = lazy.Pattern(`^#+ `)
	// itemMark is what begins something new: an item, a quotation, a box, whoever speaks in a transcript.
	itemMark = lazy.Pattern(`^(?:(?:[#>]+|[-*+•]|\[[ xX]\]|\d+[.)])\s+|(?:user|agent): )+`)
	// marks matches emphasis at the beginning or the end of words, but not within them, where it is a part of a name.
	marks = lazy.Pattern(`(^|[^\pL\pN_*])(?:\*\*|__)+|(?:\*\*|__)+($|[^\pL\pN_*])`)
	// ends matches the end of a sentence, item or cell.
	ends = lazy.Pattern("([.!?][\"'”)*]*)\\s+[\"'“(*`]*\\p{Lu}|([。！？])|\n")
	word = lazy.Pattern(`[\pL\pN\pM]+`)
)

// passage is the text of lines without marks of Markdown, with a line end wherever a new item, cell or paragraph begins. A
// heading counts where there is nothing else.
func passage(log corrections.Lines, at lesson.Lines) string {
	var out, headings []string
	for _, s := range at {
		fresh := true
		for raw := range strings.SplitSeq(log.Of(s), "\n") {
			raw = strings.TrimSpace(raw)
			mark := itemMark().FindString(raw)
			text := strings.TrimSpace(marks().ReplaceAllString(raw[len(mark):], "$1$2"))
			switch {
			case !hasWords(text) || strings.HasPrefix(text, "```"):
				fresh = true
				continue
			case heading().MatchString(raw):
				headings, fresh = append(headings, text), true
				continue
			case text[0] == '|':
				cells := strings.Split(text, "|")
				slices.SortStableFunc(cells, func(a, b string) int { return len(b) - len(a) }) // labels are short
				for _, cell := range cells {
					if hasWords(cell) {
						out = append(out, strings.TrimSpace(cell))
					}
				}
				fresh = true
				continue
			case fresh || mark != "":
				out = append(out, text)
			default:
				out[len(out)-1] += " " + text
			}
			fresh = false
		}
	}
	if out == nil {
		out = headings
	}
	return strings.Join(out, "\n")
}

// take finds words in a text: the sentence, item or cell that has them, and from them on. Both are "" where they are not.
// Without words it is the first sentence that is no remnant of one.
func take(text, quote string) (sentence, from string) {
	at := []int{0, 0}
	if words := word().FindAllString(quote, -1); len(words) > 0 {
		if at = regexp.MustCompile("(?i)" + strings.Join(words, `[^\pL\pN]*`)).FindStringIndex(text); at == nil {
			return "", ""
		}
	}
	start, end := 0, len(text)
	for _, m := range ends().FindAllStringSubmatchIndex(text, -1) {
		cut := max(m[0], m[3], m[5])
		if cut <= at[0] || at[1] == 0 && cut-start < fewLetters {
			start = cut
		} else if cut >= at[1] {
			end = cut
			break
		}
	}
	return strings.TrimSpace(text[start:end]), strings.TrimSpace(text[at[0]:end])
}
