package reader

import (
	"regexp"
	"strings"

	"episodes/internal/corrections"
	"episodes/internal/lazy"
	"episodes/internal/lesson"
)

func hasWords(text string) bool { return word().MatchString(text) }

var (
	heading = lazy.Pattern(`^#{1,6} +\S`)
	// itemMark is what begins something new: an item, a quotation, a box, whoever speaks in a transcript.
	itemMark = lazy.Pattern(`^(?:(?:[#>]+|[-*+•]|\[[ xX]\]|\d+[.)])\s+|(?:user|agent): )+`)
	emphasis = lazy.Pattern(`\*\*(\S.*?)\*\*`)
	// ends matches the end of a sentence, item or cell.
	ends = lazy.Pattern("([.!?][\"'”)*]*)\\s+[\"'“(*`]*\\p{Lu}|([。！？])|\n")
	word = lazy.Pattern(`[\pL\pN\pM]+`)
)

// passage is the text of lines without headings and marks of Markdown, with a line end wherever a new item, cell or
// paragraph begins.
func passage(log corrections.Lines, at lesson.Lines) string {
	var b strings.Builder
	for _, s := range at {
		fresh := true
		for raw := range strings.SplitSeq(log.Of(s), "\n") {
			raw = strings.TrimSpace(raw)
			text, cells := itemMark().ReplaceAllString(raw, ""), strings.HasPrefix(raw, "|")
			if cells {
				text = strings.ReplaceAll(text, "|", "\n")
			}
			none := !hasWords(text) || strings.HasPrefix(text, "```") || heading().MatchString(raw)
			switch {
			case none:
			case fresh, cells, text != raw:
				b.WriteString("\n" + text)
			default:
				b.WriteString(" " + text)
			}
			fresh = none || cells
		}
	}
	return strings.TrimSpace(emphasis().ReplaceAllString(b.String(), "$1"))
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
