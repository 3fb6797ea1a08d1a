package extract

import (
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/extract/markdown"
	"episodes/extract/rules"
	"episodes/extract/sessionjson"
)

// FormatMarkdown is the format of logs that people and agents write as prose.
const FormatMarkdown = "markdown"

// format is a kind of log. A new one is a package that makes a document, or facts
// directly, of its bytes, and a line in the table below.
type format struct {
	name    string                 // in the provenance
	matches func(data []byte) bool // whether the bytes are of this format; nil: any text is
	read    func(l *lex.Lexicon, src Source, data []byte) contents
}

// contents are what was read in a log.
type contents struct {
	draft       *facts.Draft
	doc         *doc.Document
	diagnostics []Diagnostic
	passedOver  func(taken []Taken) []Taken  // what no fact was taken from, and why; may be nil
	unknown     func(taken []Taken) []string // headings that are not understood; may be nil
}

// formats are tried in this order.
var formats = []format{
	{name: sessionjson.Name, matches: sessionjson.Detect, read: func(l *lex.Lexicon, src Source, data []byte) contents {
		draft, d := sessionjson.Read(l, src.Path, data)
		return contents{draft: draft, doc: d, diagnostics: d.Diagnostics}
	}},
	{name: FormatMarkdown, read: func(l *lex.Lexicon, src Source, data []byte) contents {
		d := markdown.Parse(l, data)
		r := rules.Read(l, d, src.Path)
		return contents{draft: &r.Draft, doc: d, diagnostics: d.Diagnostics, passedOver: r.PassedOver,
			unknown: func(taken []Taken) []string { return notUnderstood(d, taken) }}
	}},
}

// formatOf is the format of a name, or the first one that the bytes are of.
func formatOf(name string, data []byte) format {
	for _, f := range formats {
		if f.name == name {
			return f
		}
	}
	for _, f := range formats[:len(formats)-1] {
		if f.matches(data) {
			return f
		}
	}
	return formats[len(formats)-1]
}
