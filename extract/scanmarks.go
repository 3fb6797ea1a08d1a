package extract

import (
	"bytes"

	"github.com/yuin/goldmark/util"
)

// underlines reports whether a line may make a heading of the paragraph before it.
func underlines(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && len(bytes.Trim(line, "=-")) == 0
}

// isRule reports whether a line is a rule across the page: three marks of one
// kind or more, and nothing else.
func isRule(line []byte) bool {
	n := 0
	for _, c := range line {
		switch {
		case c == line[0]:
			n++
		case !util.IsSpace(c):
			return false
		}
	}
	return n >= 3 && (line[0] == '-' || line[0] == '*' || line[0] == '_')
}

// listMark returns how many bytes the mark of a list item takes, with the space
// after it, and by which byte of it items of one list are known. It is 0 for
// another line, and refuse for an item that opens in an unusual way.
func listMark(line []byte) (n int, mark byte) {
	switch c := line[0]; {
	case c == '-', c == '*', c == '+':
		n = 1
	case isDigit(c):
		for n < len(line) && isDigit(line[n]) {
			n++
		}
		if n > 9 || n == len(line) || line[n] != '.' && line[n] != ')' {
			return 0, 0
		}
		n++
	default:
		return 0, 0
	}
	if n < len(line) && !util.IsSpace(line[n]) {
		return 0, 0
	}
	text := n
	for text < len(line) && line[text] == ' ' {
		text++
	}
	if text == len(line) || util.IsSpace(line[text]) || text-n > 4 {
		return refuse, 0
	}
	return text, line[n-1]
}

// isOne reports whether a line opens with the number one.
func isOne(line []byte) bool {
	line = bytes.TrimLeft(line, "0")
	return len(line) > 1 && line[0] == '1' && !isDigit(line[1])
}

// closesFence reports whether a line closes code that a fence of n marks opened.
func closesFence(line []byte, mark byte, n int) bool {
	k := 0
	for k < len(line) && line[k] == mark {
		k++
	}
	return k >= n && util.IsBlank(line[k:])
}

// delimiters is the number of columns that the line under their names gives, 0
// when it is no such line.
func delimiters(line []byte) int {
	if c := line[0]; c != '|' && c != '-' && c != ':' || len(bytes.Trim(line, " \t|:-")) > 0 {
		return 0
	}
	cols := bytes.Split(line, []byte{'|'})
	if util.IsBlank(cols[0]) {
		cols = cols[1:]
	}
	if len(cols) > 0 && util.IsBlank(cols[len(cols)-1]) {
		cols = cols[:len(cols)-1]
	}
	for _, c := range cols {
		c = bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(c), []byte(":")), []byte(":"))
		if len(c) == 0 || len(bytes.Trim(c, "-")) > 0 {
			return 0
		}
	}
	return len(cols)
}
