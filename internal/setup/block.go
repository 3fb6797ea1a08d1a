package setup

import (
	"bytes"
	"strings"
)

// block is a marked part of a text: AGENTS.md, or a TOML file. It comes last, after an empty
// line. How the text ended before shows in whether a line end follows the block, so that to
// take it out gives the text as it was.
type block struct {
	begin, end string // the first and the last line of it
	body       string
}

// lineEnd is that of a text.
func lineEnd(text []byte) string {
	if line, _, _ := bytes.Cut(text, []byte("\n")); bytes.HasSuffix(line, []byte("\r")) {
		return "\r\n"
	}
	return "\n"
}

// whole is the block with some line end.
func (b block) whole(nl string) string {
	return strings.ReplaceAll(b.begin+"\n"+b.body+b.end, "\n", nl)
}

// add puts the block at the end of a text that does not have it.
func (b block) add(text []byte) []byte {
	nl := lineEnd(text)
	full := b.whole(nl)
	out := bytes.Clone(text)
	switch {
	case len(text) == 0:
		return []byte(full + nl)
	case bytes.HasSuffix(text, []byte(nl)):
		return append(out, nl+full+nl...)
	}
	return append(out, nl+nl+full...)
}

// find returns the start and end of the block in a text, without the line end after it. A first line
// that has no last line before the next first line begins no block.
func (b block) find(text []byte) (from, to int, ok bool) {
	last := -1
	for at := lineIs(text, 0, b.begin); at >= 0; at = lineIs(text, at+1, b.begin) {
		if last = lineIs(text, at, b.end); last < 0 {
			return 0, 0, false
		}
		from = at
		if next := lineIs(text, at+1, b.begin); next < 0 || next > last {
			return from, last + len(b.end), true
		}
	}
	return 0, 0, false
}

// closed returns an error for a first line of the block without a last line: what it holds is not known.
func (b block) closed(text []byte) error {
	for at := lineIs(text, 0, b.begin); at >= 0; {
		last, next := lineIs(text, at, b.end), lineIs(text, at+1, b.begin)
		if last < 0 || next >= 0 && next < last {
			return &SyntaxError{Line: 1 + bytes.Count(text[:at], []byte("\n")), Column: 1,
				Message: "a section of episodes begins here and does not end; remove this line, or the section, by hand"}
		}
		at = next
	}
	return nil
}

// lineIs is the offset of the first line, from an offset on, that is nothing else; -1: none.
func lineIs(text []byte, from int, line string) int {
	for at := from; at < len(text); {
		length := bytes.IndexByte(text[at:], '\n')
		if length < 0 {
			length = len(text) - at
		}
		if string(bytes.TrimRight(text[at:at+length], " \t\r")) == line {
			return at
		}
		at += length + 1
	}
	return -1
}

// current reports whether the block in a text is this one.
func (b block) current(text []byte) bool {
	from, to, ok := b.find(text)
	return ok && strings.ReplaceAll(string(text[from:to]), "\r\n", "\n") == b.whole("\n")
}

// drop takes the block out of a text.
func (b block) drop(text []byte) []byte {
	from, to, ok := b.find(text)
	if !ok {
		return text
	}
	nl := lineEnd(text)
	before, after := text[:from], text[to:]
	if rest, more := bytes.CutPrefix(after, []byte(nl)); more {
		after = rest
		if bytes.HasSuffix(before, []byte("\n"+nl)) {
			before = before[:len(before)-len(nl)]
		}
	} else {
		before = bytes.TrimSuffix(bytes.TrimSuffix(before, []byte(nl)), []byte(nl))
	}
	return append(bytes.Clone(before), after...)
}
