package extract

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"episodes/episode"
)

// run is a piece of inline text of one kind on one line.
type run struct {
	s                  string
	line               int
	bold, code, struck bool
	tick               tick
	lineStart          bool
	broken             bool // a line break follows
}

// inlineWalk collects the runs of one node.
type inlineWalk struct {
	*reader
	runs    []run
	opening bool // the next run opens a line
}

// inline flattens the inline content of a node.
func (r *reader) inline(n ast.Node) []run {
	w := inlineWalk{reader: r, opening: true}
	w.walk(n, run{})
	if base := startOf(n); base >= 0 {
		line := r.lineOf(base)
		for i := range w.runs { // a run that does not know its line stands on that of the run before it
			if w.runs[i].line == 0 {
				w.runs[i].line = line
			}
			line = w.runs[i].line
		}
	}
	return w.runs
}

// walk adds the runs of what stands in n to those read so far.
func (w *inlineWalk) walk(n ast.Node, style run) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		st := style
		switch c := c.(type) {
		case *ast.Text:
			st.s, st.line, st.lineStart = string(unescape(c.Segment.Value(w.src), st.code)), w.lineOf(c.Segment.Start), w.opening
			w.opening = c.SoftLineBreak() || c.HardLineBreak()
			st.broken = w.opening
			w.runs = append(w.runs, st)
		case *ast.String:
			st.s, st.line = string(c.Value), w.lastLine()
			w.runs = append(w.runs, st)
		case *ast.CodeSpan:
			st.code = true
			w.walk(c, st)
		case *ast.Emphasis:
			st.bold = st.bold || c.Level == 2
			w.walk(c, st)
		case *ast.AutoLink:
			st.s, st.code, st.line = string(c.URL(w.src)), true, w.lastLine()
			st.lineStart, w.opening = w.opening, false
			w.runs = append(w.runs, st)
		case *east.Strikethrough:
			st.struck = true
			w.walk(c, st)
		case *east.TaskCheckBox:
			st.tick = openTick
			if c.IsChecked {
				st.tick = doneTick
			}
			w.runs = append(w.runs, st)
		case *ast.RawHTML:
		default:
			w.walk(c, st)
		}
	}
}

// lastLine is the line of the last run, 0 when there is none.
func (w *inlineWalk) lastLine() int {
	if len(w.runs) == 0 {
		return 0
	}
	return w.runs[len(w.runs)-1].line
}

// unescape is s without the backslashes that escape punctuation; code has none.
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
	var buf []byte
	var code, lines [][2]int // byte ranges of code; from which byte on which line it is
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
	t := r.lex.textWithCode(string(bytes.TrimRight(buf, " ")), code)
	at := 0
	for i := range t.words {
		for at+1 < len(lines) && lines[at+1][0] <= t.words[i].start {
			at++
		}
		t.words[i].line = lines[at][1]
	}
	return t
}

// flat is the string of runs.
func flat(runs []run) string {
	var buf []byte
	for _, x := range runs {
		buf = fold(buf, x.s)
		if x.broken {
			buf = fold(buf, " ")
		}
	}
	return string(bytes.TrimRight(buf, " "))
}

// fold appends s to buf with white space and control characters folded to single
// spaces.
func fold(buf []byte, s string) []byte {
	for _, r := range s {
		switch {
		case !unicode.IsSpace(r) && !unicode.IsControl(r):
			buf = utf8.AppendRune(buf, r)
		case len(buf) > 0 && buf[len(buf)-1] != ' ':
			buf = append(buf, ' ')
		}
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
			b.label = strings.TrimRight(flat(runs[:end]), " :：")
			if cut > 0 {
				runs[end].s = runs[end].s[cut:]
			}
			b.text = r.joinRuns(runs[end:])
			if b.label != "" {
				b.labelText = r.lex.text(b.label)
			}
			b.labelRole = r.lex.label(b.labelText)
		} else {
			b.lead = flat(runs[:end])
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
