package snapshot

import (
	"fmt"
	"strconv"
	"strings"

	"episodes/internal/plain"
)

// Edit is a run of lines that was replaced: Old by New, either of which may be empty.
type Edit struct {
	Path          string
	Line, OldLine int // lines of New and Old, from 1
	Old, New      []string
}

// maxLine bounds a line in a patch, in bytes.
const maxLine = 400

// patchOf writes edits of a file as a unified diff without lines around, within a number of
// bytes; false when not all fit. Of a first edit that does not fit, its first lines stay.
func patchOf(path string, edits []Edit, most int) (string, bool) {
	var b strings.Builder
	for i, e := range edits {
		text, full := e.text(most-b.Len()), true
		if i == 0 {
			head := "--- " + path + "\n+++ " + path + "\n"
			text = e.text(most - len(head))
			for text == "" && len(e.Old)+len(e.New) > 1 {
				e.Old, e.New, full = e.Old[:(len(e.Old)+1)/2], e.New[:(len(e.New)+1)/2], false
				if len(e.Old)+len(e.New) == 2 && len(e.Old) == 1 {
					e.Old = nil
				}
				text = e.text(most - len(head))
			}
			if text != "" {
				b.WriteString(head)
			}
		}
		b.WriteString(text)
		if text == "" || !full {
			return b.String(), false
		}
	}
	return b.String(), true
}

// text is the edit in a patch; "" when it has more bytes than fit.
func (e *Edit) text(most int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "@@ -%s +%s @@\n", span(e.OldLine, len(e.Old)), span(e.Line, len(e.New)))
	writeLines(&b, "-", e.Old)
	writeLines(&b, "+", e.New)
	if b.Len() > most {
		return ""
	}
	return b.String()
}

func writeLines(b *strings.Builder, sign string, lines []string) {
	for _, l := range lines {
		l = strings.TrimRight(plain.Clip(strings.ReplaceAll(l, "\r", ""), maxLine), "\n")
		b.WriteString(sign + l + "\n")
	}
}

// span is a range of lines as unified diffs write it: of none, the line before counts.
func span(line, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", line-1)
	case 1:
		return strconv.Itoa(line)
	}
	return fmt.Sprintf("%d,%d", line, n)
}

// parseSpan reads what span wrote.
func parseSpan(s string) (line, n int) {
	at, count, more := strings.Cut(s, ",")
	line, _ = strconv.Atoi(at)
	if n = 1; more {
		n, _ = strconv.Atoi(count)
	}
	if n == 0 {
		line++
	}
	return line, n
}

// head reads the line that begins a hunk: where it begins in both files, and how many lines
// of each it has.
func head(text string) (e Edit, old, now int, ok bool) {
	f := strings.Fields(text)
	if !strings.HasPrefix(text, "@@ ") || len(f) < 4 || f[3] != "@@" || f[1][0] != '-' || f[2][0] != '+' {
		return e, 0, 0, false
	}
	e.OldLine, old = parseSpan(f[1][1:])
	e.Line, now = parseSpan(f[2][1:])
	return e, old, now, true
}

// Edits are what the patch holds.
func (c *Changes) Edits() (out []Edit) {
	if c == nil {
		return nil
	}
	path, old, now := "", 0, 0
	for text := range strings.SplitSeq(c.Patch, "\n") {
		if old > 0 && strings.HasPrefix(text, "-") {
			out[len(out)-1].Old = append(out[len(out)-1].Old, text[1:])
			old--
			continue
		}
		if old = 0; now > 0 && strings.HasPrefix(text, "+") {
			out[len(out)-1].New = append(out[len(out)-1].New, text[1:])
			now--
			continue
		}
		now = 0
		if e, o, n, ok := head(text); ok {
			e.Path, old, now = path, o, n
			out = append(out, e)
		} else if strings.HasPrefix(text, "+++ ") {
			path = text[4:]
		}
	}
	return out
}
