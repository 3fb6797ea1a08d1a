package extract

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// firstMark is where the first mark of a line stands, its length when none does.
func firstMark(line []byte) int {
	for i, c := range line {
		if marks[c] {
			return i
		}
	}
	return len(line)
}

// isPlain reports whether a line holds nothing but text, code between single
// backticks and strong text between pairs of asterisks. Brackets are text, unless
// a link's address follows, or the log gives addresses elsewhere.
func isPlain(line []byte, addresses bool) bool {
	before, strong := ' ', false
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case !marks[c]:
			i++
		case c == '`':
			end := codeEnd(line, i)
			if end < 0 {
				return false
			}
			i = end
		case c == '*':
			if i > 0 {
				before, _ = utf8.DecodeLastRune(line[:i])
			}
			if !isPair(line, i) || !flanks(before, line[i+2:], strong) {
				return false
			}
			strong = !strong
			i += 2
		case c == '[' && !addresses && !(i > 0 && line[i-1] == '!'), c == ']' && !addresses && !(i+1 < len(line) && line[i+1] == '('):
			i++
		default:
			return false
		}
	}
	return !strong
}

// marks are the bytes that may have a meaning in the middle of a text.
var marks = func() (t [256]bool) {
	for c := range ' ' {
		t[c] = true
	}
	for _, c := range "`[]<*_~\\" {
		t[c] = true
	}
	return t
}()

// codeEnd is where the code ends that starts at byte i, -1 when it is not simple.
func codeEnd(line []byte, i int) int {
	n := bytes.IndexByte(line[i+1:], '`')
	if n <= 0 {
		return -1
	}
	code, end := line[i+1:i+1+n], i+n+2
	if end < len(line) && line[end] == '`' || code[0] <= ' ' || code[n-1] <= ' ' || bytes.IndexByte(code, '\\') >= 0 {
		return -1
	}
	return end
}

// isPair reports whether two asterisks, no more, stand at byte i.
func isPair(line []byte, i int) bool {
	return i+1 < len(line) && line[i+1] == '*' && (i+2 == len(line) || line[i+2] != '*')
}

// flanks reports whether a pair of asterisks may open strong text or, when it is
// open, close it, by what stands on both sides of it (CommonMark 6.2).
func flanks(before rune, rest []byte, open bool) bool {
	after := ' '
	if len(rest) > 0 {
		after, _ = utf8.DecodeRune(rest)
	}
	if open {
		before, after = after, before
	}
	return !util.IsSpaceRune(after) && (!util.IsPunctRune(after) || util.IsSpaceRune(before) || util.IsPunctRune(before))
}

// checkbox reads the box that opens a list item, and returns what follows it.
func checkbox(line []byte) (tick, []byte) {
	if len(line) < 5 || line[0] != '[' || line[2] != ']' || line[3] != ' ' || line[4] == ' ' {
		return noTick, line
	}
	switch line[1] {
	case ' ':
		return openTick, line[4:]
	case 'x', 'X':
		return doneTick, line[4:]
	}
	return noTick, line
}

// plainRuns are the runs of plain lines. They are cut where goldmark cuts its
// texts, as far as that shows: beside marks, and within what follows strong text,
// where a label may end.
func (r *reader) plainRuns(n *node) []run {
	strong := false // there was strong text
	for i, l := range n.lines {
		last := i+1 == len(n.lines)
		line, from := r.src[l.from:l.to], 0
		style := run{line: r.lineOf(l.from), lineStart: true}
		put := func(from, to int) {
			style.s = r.text[l.from+from : l.from+to]
			r.runs = append(r.runs, style)
			style.lineStart = false
		}
		if i == 0 && n.box {
			box, rest := checkbox(line)
			r.runs = append(r.runs, run{line: style.line, tick: box})
			from = len(line) - len(rest)
		}
		for at := from; at < len(line) && !n.bare; {
			switch c := line[at]; {
			case !marks[c] || c == ']' || c == '[' && !strong:
				at++
			case c == '[':
				put(from, at+1)
				at++
				from = at
			case c == '*':
				if at > from {
					put(from, at)
				}
				style.bold, strong = !style.bold, true
				at += 2
				from = at
			default:
				if at > from {
					put(from, at)
				}
				end := codeEnd(line, at)
				style.code = true
				put(at+1, end-1)
				style.code = false
				at, from = end, end
			}
		}
		if strong {
			if p := bytes.LastIndexAny(line[from:], "!]"); p > 0 {
				put(from, from+p)
				from += p
			}
		}
		if style.broken = !last; !last || from < len(line) {
			put(from, len(line))
		}
	}
	return r.runs
}
