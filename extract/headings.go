package extract

import (
	"strings"
	"unicode"

	"episodes/extract/internal/doc"
)

// notUnderstood lists the headings that no table of names knows and under which nothing was
// taken: a project may have words of its own for them. Headings with digits or of many
// words are of one log.
func notUnderstood(d *doc.Document, taken []Taken) (out []string) {
	const mostWords = 4
	took := make([]bool, d.Lines+2)
	for _, t := range taken {
		for line := max(t.Span[0], 0); line <= t.Span[1] && line < len(took); line++ {
			took[line] = true
		}
	}
	for _, s := range d.Sections {
		title := strings.Trim(s.Title.Raw, " :*_#")
		if s.Roles != 0 || s.Level < 2 || s.Parent != nil && s.Parent.Level > 1 || len(s.Blocks) == 0 ||
			title == "" || len(title) > 60 ||
			strings.ContainsFunc(title, unicode.IsDigit) || len(strings.Fields(title)) > mostWords {
			continue
		}
		known := false
		for _, b := range s.Blocks {
			for line := b.Span[0]; line <= b.Span[1] && line < len(took); line++ {
				known = known || took[line]
			}
		}
		if !known {
			out = append(out, title)
		}
	}
	return out
}
