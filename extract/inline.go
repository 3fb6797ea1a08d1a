package extract

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	gtext "github.com/yuin/goldmark/text"

	"episodes/episode"
)

// run is a stretch of inline text of one kind on one line.
type run struct {
	s                  string
	line               int
	bold, code, struck bool
	tick               tick
	lineStart          bool
	broken             bool // a line break follows
}

// inline flattens the inline content of a node. The runs are valid until it is
// called again.
func (r *reader) inline(n *node) []run {
	r.runs, r.opening = r.runs[:0], true
	if n.md == nil {
		return r.plainRuns(n)
	}
	r.walk(n.md, run{})
	if base := n.start(); base >= 0 {
		line := r.lineOf(base)
		for i := range r.runs { // runs without a place of their own stand where the last one stood
			if r.runs[i].line == 0 {
				r.runs[i].line = line
			}
			line = r.runs[i].line
		}
	}
	return r.runs
}

// walk adds the runs of what stands in n to those read so far.
func (r *reader) walk(n ast.Node, style run) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		st := style
		switch c := c.(type) {
		case *ast.Text:
			st.s, st.line, st.lineStart = r.unescape(c.Segment, st.code), r.lineOf(c.Segment.Start), r.opening
			r.opening = c.SoftLineBreak() || c.HardLineBreak()
			st.broken = r.opening
			r.runs = append(r.runs, st)
		case *ast.String:
			st.s, st.line = string(c.Value), r.lastLine()
			r.runs = append(r.runs, st)
		case *ast.CodeSpan:
			st.code = true
			r.walk(c, st)
		case *ast.Emphasis:
			st.bold = st.bold || c.Level == 2
			r.walk(c, st)
		case *ast.AutoLink:
			st.s, st.code, st.line = string(c.URL(r.src)), true, r.lastLine()
			st.lineStart, r.opening = r.opening, false
			r.runs = append(r.runs, st)
		case *east.Strikethrough:
			st.struck = true
			r.walk(c, st)
		case *east.TaskCheckBox:
			st.tick = openTick
			if c.IsChecked {
				st.tick = doneTick
			}
			r.runs = append(r.runs, st)
		case *ast.RawHTML:
		default:
			r.walk(c, st)
		}
	}
}

// lastLine is the line of the last run, 0 when there is none.
func (r *reader) lastLine() int {
	if len(r.runs) == 0 {
		return 0
	}
	return r.runs[len(r.runs)-1].line
}

// unescape is the text of a segment without the backslashes that escape
// punctuation; code has none.
func (r *reader) unescape(seg gtext.Segment, code bool) string {
	if seg.Padding != 0 {
		return string(unescape(seg.Value(r.src), code))
	}
	s := r.text[seg.Start:seg.Stop]
	if code || strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return string(unescape([]byte(s), code))
}

func unescape(s []byte, code bool) []byte {
	if code || bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && s[i+1] < utf8.RuneSelf && unicode.IsPunct(rune(s[i+1])) {
			continue
		}
		out = append(out, s[i])
	}
	return out
}

// joinRuns makes one text of runs, whose words know their lines.
func (r *reader) joinRuns(runs []run) text {
	if len(runs) == 1 && isFolded(runs[0].s) {
		return r.oneRun(runs[0])
	}
	buf, code, lines := r.buf[:0], r.quoted[:0], r.lineAt[:0]
	for _, x := range runs {
		from := len(buf)
		if n := len(lines); n == 0 || lines[n-1][1] != x.line {
			lines = append(lines, [2]int{from, x.line})
		}
		buf = fold(buf, x.s)
		if x.code {
			code = append(code, [2]int{from, len(buf)})
		}
		if x.broken {
			buf = fold(buf, " ")
		}
	}
	r.buf, r.quoted, r.lineAt = buf, code, lines
	t := text{}
	if buf = bytes.TrimRight(buf, " "); len(buf) > 0 {
		t = r.lexer.text(r.keep(buf), code, r.lex)
	}
	at := 0
	for i := range t.words {
		for at+1 < len(lines) && lines[at+1][0] <= t.words[i].start {
			at++
		}
		if len(lines) > 0 {
			t.words[i].line = int32(lines[at][1])
		}
	}
	return t
}

// oneRun makes a text of a run in which there is nothing to fold.
func (r *reader) oneRun(x run) text {
	var all [1][2]int
	code := all[:0]
	if x.code {
		code = append(code, [2]int{0, len(x.s)})
	}
	r.lexer.line = int32(x.line)
	t := r.lexer.text(x.s, code, r.lex)
	r.lexer.line = 0
	return t
}

// isFolded reports whether fold and a cut of spaces at the end leave s as it is.
func isFolded(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return !space
}

// flat is the string of runs.
func (r *reader) flat(runs []run) string {
	if len(runs) == 1 && isFolded(runs[0].s) {
		return runs[0].s
	}
	buf := r.buf[:0]
	for _, x := range runs {
		buf = fold(buf, x.s)
		if x.broken {
			buf = fold(buf, " ")
		}
	}
	r.buf = buf
	return r.keep(bytes.TrimRight(buf, " "))
}

// keep copies s; many copies share one piece of memory.
func (r *reader) keep(s []byte) string {
	if r.kept.Cap()-r.kept.Len() < len(s) {
		r.kept.Reset() // the strings in the old piece keep it
		r.kept.Grow(max(len(s), keptPiece))
	}
	from := r.kept.Len()
	r.kept.Write(s)
	return r.kept.String()[from:]
}

// keptPiece is the size of such a piece, in bytes.
const keptPiece = 4096

// fold appends s to buf with white space and control characters folded to single
// spaces.
func fold(buf []byte, s string) []byte {
	space := len(buf) == 0 || buf[len(buf)-1] == ' '
	for i := 0; i < len(s); {
		c := s[i]
		if c > ' ' && c < 0x7f {
			j := i + 1
			for j < len(s) && s[j] > ' ' && s[j] < 0x7f {
				j++
			}
			buf = append(buf, s[i:j]...)
			i, space = j, false
			continue
		}
		n, white := 1, true
		if c >= utf8.RuneSelf {
			var r rune
			r, n = utf8.DecodeRuneInString(s[i:])
			white = unicode.IsSpace(r) || unicode.IsControl(r)
		}
		switch {
		case !white:
			buf = append(buf, s[i:i+n]...)
			space = false
		case !space:
			buf = append(buf, ' ')
			space = true
		}
		i += n
	}
	return buf
}

// fill sets label, lead, tick, text and span of b from its runs.
func (r *reader) fill(b *block, runs []run) {
	if len(runs) == 0 {
		return
	}
	b.span = episode.Span{runs[0].line, runs[len(runs)-1].line}
	b.struck = true
	for _, x := range runs {
		if x.tick != noTick {
			b.tick, b.box = x.tick, true
		} else if b.struck && !x.struck && strings.TrimSpace(x.s) != "" {
			b.struck = false
		}
	}
	if end, ok := boldEnd(runs); ok {
		if cut := r.labelEnd(runs, end); cut >= 0 {
			b.label = strings.TrimRight(r.flat(runs[:end]), " :：")
			if cut > 0 {
				runs[end].s = runs[end].s[cut:]
			}
			b.text = r.joinRuns(runs[end:])
			if b.label != "" {
				b.labelText = r.lexer.text(b.label, nil, r.lex)
			}
			b.labelRole = r.lex.label(b.labelText)
		} else {
			b.lead = r.flat(runs[:end])
		}
	}
	if b.label == "" {
		b.text = r.joinRuns(runs)
		r.plainLabel(b)
	}
	if b.tick == noTick {
		b.box = strings.HasPrefix(b.text.s, "[")
		b.tick = tickOf(&b.text)
		b.box = b.box && b.tick != noTick
	} else {
		b.text = b.text.sub(0, len(b.text.s))
	}
	r.dropClock(b)
}

// dropClock takes the time that opens a line of a running log off its text: it
// says when, not what.
func (r *reader) dropClock(b *block) {
	if b.label != "" && b.labelRole == 0 && isClock(b.label) {
		b.label, b.labelText = "", text{}
	}
	if i := clockEnd(b.text.s); i > 0 && i < len(b.text.s) && b.lead == "" && b.label == "" {
		b.text = b.text.sub(i, len(b.text.s))
	}
}

// isClock reports whether s is a date or a time and nothing else.
func isClock(s string) bool { return clockEnd(s) == len(s) && s != "" }

// clockEnd is the end of the date or time that opens s, brackets around it
// included; 0 when there is none.
func clockEnd(s string) int {
	if len(s) < 2 || !isDigit(s[0]) && !(s[0] == '(' || s[0] == '[') || !isDigit(s[1]) && s[1] != ':' {
		return 0
	}
	m := clockPattern.FindStringIndex(s)
	if m == nil {
		return 0
	}
	return m[1]
}

var clockPattern = regexp.MustCompile(`^[(\[]?(?:20\d{2}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2}(?::\d{2})?)(?: ?(?:Z|UTC|GMT|CET|CEST|[AP]M|[+-]\d{2}:?\d{2}))?[)\]]?(?:[:：]|$| +[-–—]| |,)`)

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// tickOf reads and removes a status mark that opens a text: an emoji or "[x]".
func tickOf(t *text) tick {
	if t.s == "" || t.s[0] < utf8.RuneSelf && t.s[0] != '[' {
		return noTick
	}
	for _, m := range []struct {
		mark string
		tick tick
	}{
		{"[x]", doneTick}, {"[X]", doneTick}, {"[ ]", openTick}, {"✅", doneTick}, {"✓", doneTick}, {"✔️", doneTick}, {"✔", doneTick},
		{"☑", doneTick}, {"🔴", badTick}, {"⚠️", openTick}, {"⚠", openTick}, {"🟢", doneTick}, {"👍", doneTick}, {"❌", badTick}, {"✗", badTick}, {"✘", badTick}, {"☐", openTick}, {"⏳", openTick}, {"🔄", openTick}, {"🚧", openTick}, {"⬜", openTick},
	} {
		if strings.HasPrefix(t.s, m.mark) {
			*t = t.sub(len(m.mark), len(t.s))
			return m.tick
		}
	}
	return noTick
}
