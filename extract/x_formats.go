package extract

import "path"

// FormatMarkdown is the format of logs that people and agents write as prose.
const FormatMarkdown = "markdown"

// format is a kind of log. A new one is a package that makes a document, or facts
// directly, of its bytes, and a line in the table below.
type format struct {
	name   string                 // as it stands in the provenance
	detect func(data []byte) bool // by content
	read   func(l *lexicon, src Source, data []byte) log
}

// log is what was read in a log.
type log struct {
	draft       *draft
	diagnostics []Diagnostic
	passedOver  func(taken []Taken) []Taken // what no fact was taken from, and why; may be nil
}

// formats are tried in this order; the last one takes every text.
var formats = []format{
	{FormatMarkdown, anyText, byRules(parse)},
}

func anyText([]byte) bool { return true }

// detect finds the format of a log.
func detect(data []byte) format {
	for _, f := range formats {
		if f.detect(data) {
			return f
		}
	}
	return formats[len(formats)-1]
}

// byRules reads a log whose parser makes a document of it.
func byRules(parse func(*lexicon, []byte) *document) func(*lexicon, Source, []byte) log {
	return func(l *lexicon, src Source, data []byte) log {
		d := parse(l, data)
		r := readDocument(l, d, path.Base(src.Path))
		return log{draft: &r.draft, diagnostics: d.diags, passedOver: r.passedOver}
	}
}
