package extract

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// inlineRoles are the roles whose names also stand in the middle of a text:
// "… in the runner. Rationale: waiting longer never helped."
const inlineRoles = 1<<roleReason | 1<<roleProblem | 1<<roleCause | 1<<roleDecision | 1<<roleLesson | 1<<roleFix | 1<<roleContext

// maxInlineLabels bounds how often one paragraph is cut: a text with more labels
// than that is data, not prose.
const maxInlineLabels = 64

// add puts b into the document, and after it what labels inside its text govern.
func (r *reader) add(b *block, parent *block) {
	first := b
	r.put(b, parent)
	for n := 0; b.kind != rowBlock && b.kind != codeBlock; n++ {
		at, rest, label := r.inlineLabel(b.text)
		if at < 0 || n == maxInlineLabels {
			break
		}
		next := &block{label: label.s, labelText: label, labelRole: r.lex.exact(label), text: rest}
		next.span = rest.span(b.span)
		if label.words[0].line > 0 {
			next.span[0] = int(label.words[0].line)
		}
		end := b.span[1]
		b.text = b.text.sub(0, at)
		b.span[1] = b.text.span(b.span)[1]
		next.span[1] = max(next.span[0], end)
		if parent == nil && first.kind == itemBlock {
			r.put(next, first)
		} else {
			r.put(next, parent)
		}
		b = next
	}
}

// inlineLabel finds a known label inside a text and returns where it starts, the
// text it governs and its name; at is -1 when there is none.
func (r *reader) inlineLabel(t text) (at int, rest, label text) {
	for at := 0; ; {
		colon := strings.IndexByte(t.s[at:], ':')
		if colon < 0 {
			return -1, text{}, text{}
		}
		at += colon + 1
		if at < len(t.s) && t.s[at] != ' ' {
			continue // "issues:write" is a name
		}
		i := sort.Search(len(t.words), func(i int) bool { return t.words[i].end >= at-1 })
		if i == 0 || i+1 >= len(t.words) || t.words[i].end != at-1 || t.words[i].code {
			continue
		}
		w := t.words[i]
		for n := 2; n >= 1; n-- {
			if i-n+1 < 1 {
				continue
			}
			start := t.words[i-n+1].start
			name := t.sub(start, w.end)
			if len(name.words) == n && r.lex.exact(name)&inlineRoles != 0 && startsClause(t.s[:start]) {
				return start, t.sub(w.end+1, len(t.s)), name
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
		if i > from && (runs[i].lineStart && (r.isLabel(runs[i:]) || isMarked(runs[i].s)) || runs[i].bold && !runs[i-1].bold && r.knownLabel(runs[i:])) {
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
	return r.lex.exact(r.joinRuns(runs[:end])) != 0
}

// isMarked reports whether a line opens with a status mark, as in lists that
// are written without bullets.
func isMarked(s string) bool {
	r := firstRune(s)
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
	for i < len(runs) && runs[i].tick != noTick {
		i++
	}
	from := i
	for i < len(runs) && runs[i].bold && (i == from || !runs[i].lineStart) {
		i++
	}
	return i, i > from
}

// labelEnds part a label from its text.
var labelEnds = [...]string{":", "：", "- ", "— ", "– "}

// labelEnd is how many bytes of the run after the bold ones belong to the label
// (its colon or dash), 0 when the colon stands inside the bold text, or -1 when
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
func (r *reader) plainLabel(b *block) {
	i := colonAt(b.text.s[:min(len(b.text.s), maxPlainLabel+len("："))])
	if i <= 0 || i > maxPlainLabel || isDigit(b.text.s[i-1]) && i+1 < len(b.text.s) && isDigit(b.text.s[i+1]) { // a time
		return
	}
	name := b.text.sub(0, i)
	if len(name.words) == 0 || len(name.words) > 4 {
		return
	}
	if roles := r.lex.exact(name); roles != 0 {
		b.label, b.labelText, b.labelRole = name.s, name, roles
		b.text = b.text.sub(i+utf8.RuneLen(firstRune(b.text.s[i:])), len(b.text.s))
	}
}

// maxPlainLabel is the longest such word, in bytes.
const maxPlainLabel = 40

// colonAt is where the first colon stands, also a wide one, or -1.
func colonAt(s string) int {
	i := strings.IndexByte(s, ':')
	if w := strings.Index(s, "："); w >= 0 && (i < 0 || w < i) {
		return w
	}
	return i
}
