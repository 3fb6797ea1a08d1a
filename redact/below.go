package redact

import "strings"

// below takes the value of a name on the line after it, alone there: of YAML, of prompts, and of
// "the password to go on:".
func (v *value) below() {
	s := v.sc.s
	end := v.first + len(v.name)
	line := s[end:min(len(s), end+longestName)]
	i := strings.IndexByte(line, '\n')
	if i < 0 || v.class == weak {
		return
	}
	before := strings.TrimRight(line[:i], " \t\r*_`")
	at := skipAny(s, end+i, " \t\r\n>+|*`\"'", 40)
	stop := run(s, at, longestValue, &printed)
	v.start, v.end, v.form, v.closed = at, stop, beside, 0
	if strings.HasSuffix(before, ":") && !strings.ContainsAny(before, "{([,;") {
		v.form = told
	}
	after := strings.TrimLeft(s[stop:min(len(s), stop+8)], "\"'`, \t\r*")
	t := s[at:stop]
	if after != "" && after[0] != '\n' || strings.Count(s[end:at], "\n") > 2 || strings.HasSuffix(t, ":") || strings.ContainsAny(t, "(){};,") || wordy(t) {
		return
	}
	if v.form == told && v.secret() || v.form == beside && len(t) >= 12 && strings.ContainsAny(t, "0123456789") && random(t) &&
		!hexDigest(t) && !placeholder(t) && t[0] != '/' && entropy(t) > 3.3 && only(t, &base64Byte) && !strings.ContainsAny(t, "-_") {
		v.whole()
		v.sc.add(v.start, v.end, "assignment")
	}
}

// printed are the bytes of a value of a line of its own.
var printed = bytesOf("!~\x80\xf4", "")

// Bounds of a table, in bytes and lines.
const (
	longestHead = 1024
	longestRow  = 4096
	mostRows    = 256
)

// columns takes the values below the heads of a table that name secrets: in Markdown, as a database
// prints it, in CSV.
func (sc *scan) columns(at int) {
	s := sc.s
	if at < sc.seen[seenColumn] {
		return
	}
	line := func(at, most int) (string, int) {
		text := s[min(at, len(s)):min(len(s), at+most)]
		if i := strings.IndexByte(text, '\n'); i >= 0 {
			return text[:i], at + i + 1
		}
		return text, at + len(text)
	}
	first := max(0, at-longestHead)
	first += strings.LastIndexByte(s[first:at], '\n') + 1
	head, next := line(first, longestHead)
	sc.seen[seenColumn] = next
	separator := ","
	if strings.Contains(head, "|") {
		separator = "|"
	} else if strings.ContainsAny(head, " \t:=({") {
		return
	}
	cells := strings.Split(head, separator)
	classes := classesOf(cells)
	if separator == "|" {
		rule, after := line(next, longestRow)
		if strings.Trim(rule, "-+|: \t\r") != "" {
			return
		}
		next = after
	}
	for n := 0; n < mostRows && next < len(s) && len(cells) > 1; n++ {
		row, after := line(next, longestRow)
		values := strings.Split(row, separator)
		if len(values) != len(cells) {
			return
		}
		sc.row(classes, cells, values, next)
		next = after
		sc.seen[seenColumn] = next
	}
}

func classesOf(cells []string) []class {
	classes := make([]class, len(cells))
	for i, c := range cells {
		if c = strings.Trim(c, " \t\r*`\"'"); !bareWords()[strings.ToLower(c)] {
			classes[i] = classify(strings.ReplaceAll(c, " ", "_"))
		}
	}
	return classes
}

// row takes the values of a row that begins at an offset.
func (sc *scan) row(classes []class, cells, values []string, at int) {
	for i, c := range values {
		if t := strings.Trim(c, " \t\r*`\"'"); t != "" && classes[i] > weak {
			start := at + strings.Index(c, t)
			v := value{sc: sc, class: classes[i], form: told, name: cells[i], start: start, end: start + len(t)}
			if v.secret() && !wordy(t) {
				sc.add(v.start, v.end, "assignment")
			}
		}
		at += len(c) + 1
	}
}

// inserted takes the values that a statement of SQL gives to columns that name secrets.
func inserted(sc *scan, start, end int) {
	head, ok := strings.CutSuffix(strings.TrimRight(sc.s[max(0, start-longestHead):start], " \t\r\n"), ")")
	open := strings.LastIndexByte(head, '(')
	if !ok || open < 0 {
		return
	}
	cells := strings.Split(head[open+1:], ",")
	classes := classesOf(cells)
	for range mostRows {
		at := skipAny(sc.s, end, " \t\r\n,", 40)
		row := sc.s[at:min(len(sc.s), at+longestRow)]
		stop := strings.IndexByte(row, ')')
		if stop < 1 || row[0] != '(' {
			return
		}
		values := strings.Split(row[1:stop], ",")
		if len(values) != len(cells) {
			return
		}
		sc.row(classes, cells, values, at+1)
		end = at + stop + 1
	}
}
