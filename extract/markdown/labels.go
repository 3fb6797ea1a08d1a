package markdown

import (
	"sort"
	"strings"
	"unicode/utf8"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// inlineRoles are the roles whose names also occur in the middle of a text:
// "… in the runner. Rationale: waiting longer never helped."
var inlineRoles lex.RoleSet = 1<<lex.RoleReason | 1<<lex.RoleProblem | 1<<lex.RoleCause | 1<<lex.RoleDecision | 1<<lex.RoleLesson | 1<<lex.RoleFix | 1<<lex.RoleContext |
	1<<lex.RoleRejected | 1<<lex.RoleOptions

// maxInlineLabels bounds how often one paragraph is cut: a text with more labels
// than that is data, not prose.
const maxInlineLabels = 64

// add puts b into the document, and after it what labels inside its text govern.
func (r *reader) add(b *doc.Block, parent *doc.Block) {
	first := b
	r.Add(b, parent)
	for n := 0; b.Kind != doc.Row && b.Kind != doc.Code; n++ {
		at, rest, label := r.inlineLabel(b.Text)
		roles := r.lex.Exact(label)
		if at < 0 {
			at, rest, label = b.Text.InlineFix()
			roles = 1 << lex.RoleFix
		}
		if at == 0 && parent != nil && b.Label == "" { // an item below the fault
			b.Label, b.LabelText, b.LabelRoles = label.Raw, label, roles
		}
		if at <= 0 || n == maxInlineLabels {
			break
		}
		next := &doc.Block{Label: label.Raw, LabelText: label, LabelRoles: roles, Text: rest}
		next.Span = rest.Span(b.Span)
		if label.Words[0].Line > 0 {
			next.Span[0] = int(label.Words[0].Line)
		}
		end := b.Span[1]
		b.Text = b.Text.Sub(0, at)
		b.Span[1] = b.Text.Span(b.Span)[1]
		next.Span[1] = max(next.Span[0], end)
		if parent == nil && first.Kind == doc.Item {
			r.Add(next, first)
		} else {
			r.Add(next, parent)
		}
		b = next
	}
}

// inlineLabel finds a known label inside a text and returns where it starts, the
// text it governs and its name; at is -1 if the text has no label.
func (r *reader) inlineLabel(t lex.Text) (at int, rest, label lex.Text) {
	for at := 0; ; {
		colon := strings.IndexByte(t.Raw[at:], ':')
		if colon < 0 {
			return -1, lex.Text{}, lex.Text{}
		}
		at += colon + 1
		if at < len(t.Raw) && t.Raw[at] != ' ' {
			continue // "issues:write" is a name
		}
		i := sort.Search(len(t.Words), func(i int) bool { return t.Words[i].End >= at-1 })
		if i == 0 || i+1 >= len(t.Words) || t.Words[i].End != at-1 || t.Words[i].Code {
			continue
		}
		w := t.Words[i]
		for n := 2; n >= 1; n-- {
			if i-n+1 < 1 {
				continue
			}
			start := t.Words[i-n+1].Start
			name := t.Sub(start, w.End)
			if len(name.Words) == n && r.lex.Exact(name)&inlineRoles != 0 && lex.StartsClause(t.Raw[:start]) {
				return start, t.Sub(w.End+1, len(t.Raw)), name
			}
		}
	}
}

// splitLabels splits the runs of a paragraph where a line opens with a bold label.
//
// A bold label that the lexicon knows splits in the middle of a line as well:
// "No load. **Decision:** purge the cache".
func (r *reader) splitLabels(runs []run) [][]run {
	var out [][]run
	from := 0
	for i := range runs {
		if i > from &&
			(runs[i].lineStart && (runs[i].opens && r.isLabel(runs[i:]) || isMarked(runs[i].s) || stamped(runs) && stamped(runs[i:])) ||
				runs[i].opens && !runs[i-1].bold && r.knownLabel(runs[i:])) {
			out = append(out, runs[from:i])
			from = i
		}
	}
	if from < len(runs) {
		out = append(out, runs[from:])
	}
	return out
}

func (r *reader) knownLabel(runs []run) bool {
	end, ok := boldEnd(runs)
	if !ok || r.labelEnd(runs, end) < 0 {
		return false
	}
	return r.lex.Exact(r.joinRuns(runs[:end])) != 0
}

// isMarked reports whether a line opens with a status mark, as in lists that
// are written without bullets.
func isMarked(s string) bool {
	r := lex.FirstRune(s)
	return r == '✅' || r == '❌' || r == '⚠' || r == '☑' || r == '☐'
}

// isLabel reports whether runs open with bold text that labels what follows.
func (r *reader) isLabel(runs []run) bool {
	end, ok := boldEnd(runs)
	return ok && r.labelEnd(runs, end) >= 0
}

// boldEnd is the number of leading runs that are bold.
func boldEnd(runs []run) (int, bool) {
	i := 0
	for i < len(runs) && runs[i].tick != doc.NoTick {
		i++
	}
	from := i
	for i < len(runs) && runs[i].bold && (i == from || !runs[i].opens) {
		i++
	}
	return i, i > from
}

// labelEnds part a label from its text.
var labelEnds = [...]string{":", "：", "- ", "— ", "– "}

// labelEnd is how many bytes of the run after the bold ones belong to the label
// (its colon or dash), 0 when the colon is inside the bold text, or -1 when
// the bold text is no label.
func (r *reader) labelEnd(runs []run, end int) int {
	bold := flat(runs[:end])
	if len(bold) == 0 || len(bold) > 120 {
		return -1
	}
	if strings.HasSuffix(bold, ":") || strings.HasSuffix(bold, "：") {
		return 0
	}
	if end == len(runs) {
		return -1
	}
	next := runs[end].s
	trimmed := strings.TrimLeft(next, " ")
	for _, sep := range labelEnds {
		if strings.HasPrefix(trimmed, sep) {
			return len(next) - len(trimmed) + len(sep)
		}
	}
	if strings.HasPrefix(trimmed, "(") { // "**Commit** (code): abc"
		if i := strings.Index(trimmed, "):"); i > 0 && i < 40 {
			return len(next) - len(trimmed) + i + 2
		}
	}
	return -1
}

// plainLabel takes "Word: text" for a label when the lexicon knows the word.
func (r *reader) plainLabel(b *doc.Block) {
	i := colonAt(b.Text.Raw[:min(len(b.Text.Raw), maxPlainLabel+len("："))])
	if i <= 0 || i > maxPlainLabel ||
		lex.IsDigit(b.Text.Raw[i-1]) && i+1 < len(b.Text.Raw) && lex.IsDigit(b.Text.Raw[i+1]) { // a time
		return
	}
	name := b.Text.Sub(0, i)
	if len(name.Words) == 0 || len(name.Words) > 4 {
		return
	}
	if roles := r.lex.Exact(name); roles != 0 {
		b.Label, b.LabelText, b.LabelRoles = name.Raw, name, roles
		b.Text = b.Text.Sub(i+utf8.RuneLen(lex.FirstRune(b.Text.Raw[i:])), len(b.Text.Raw))
	}
}

// maxPlainLabel is the longest such word, in bytes.
const maxPlainLabel = 40

// colonAt returns the index of the first colon, full-width ones included, or -1.
func colonAt(s string) int {
	i := strings.IndexByte(s, ':')
	if w := strings.Index(s, "："); w >= 0 && (i < 0 || w < i) {
		return w
	}
	return i
}
