package redact

import (
	"strconv"
	"strings"
)

// keyByte has the bytes of the lines of a key, including what precedes a line in a diff, a
// quotation or indented YAML.
var keyByte = bytesOf("azAZ09", "+/= \t\r>|-.:\"',\\")

// privateKey finds private keys in PEM (RFC 7468) and of PGP and SSH, from the BEGIN line to
// the END line. Without an END line it finds the lines of base64 that follow, and without
// a BEGIN line those before.
func privateKey(sc *scan, start, end int) {
	if start < sc.seen[seenKey] {
		return
	}
	head := sc.s[end:min(len(sc.s), end+100)]
	if i := strings.IndexByte(head, '\n'); i >= 0 {
		head = head[:i]
	}
	name, _, closed := strings.Cut(head, "-----")
	if !closed || !containsFold(name, "private key") && !containsFold(name, "static key") {
		return
	}
	body := end + len(name) + 5
	if sc.s[end-1]|0x20 == 'd' && sc.s[end-2]|0x20 == 'n' && sc.s[end-3]|0x20 == 'e' { // END
		if first := sc.keyLinesBefore(start); first < start {
			sc.add(first, body, "private-key")
		}
		return
	}
	stop := sc.keyLines(body)
	if rest := sc.s[stop:min(len(sc.s), stop+100)]; strings.HasPrefix(strings.ToLower(strings.TrimLeft(rest, "- \t+>|\"',")),
		"end ") ||
		strings.HasPrefix(rest, "-----") {
		if i := strings.Index(rest[min(5, len(rest)):], "-----"); i >= 0 {
			stop += min(5, len(rest)) + i + 5
		}
	}
	sc.seen[seenKey] = stop
	sc.add(start, stop, "private-key")
}

// keyLines returns the end of the lines of a key that start at an offset.
func (sc *scan) keyLines(at int) int {
	for at < len(sc.s) {
		end := at
		for end < len(sc.s) && keyByte[sc.s[end]] && (sc.s[end] != '-' || !strings.HasPrefix(sc.s[end:], "-----")) {
			end++
		}
		if strings.HasPrefix(sc.s[end:], "-----") {
			return end
		}
		line := sc.s[at:end]
		whole := end == len(sc.s) || sc.s[end] == '\n'
		if !whole || !keyLine(line) {
			if !whole && keyText(line) { // the last line of a text in quotes
				return at + len(strings.TrimRight(line, " \t\"',"))
			}
			return at
		}
		at = min(end+1, len(sc.s))
	}
	return at
}

// keyLinesBefore returns the start of the lines of a key that end before an offset.
func (sc *scan) keyLinesBefore(at int) int {
	first := back(sc.s, at, longestTail, &keyByte)
	for first < at && (sc.s[first] == '"' || sc.s[first] == '\'' || sc.s[first] == ',' || sc.s[first] == ':') {
		first++
	}
	if first > 0 && sc.s[first-1] != '\n' {
		if keyText(sc.s[first:at]) {
			return first
		}
		return at
	}
	for first > sc.seen[seenKey] {
		prev := max(0, first-longestTail)
		line := strings.LastIndexByte(sc.s[prev:first-1], '\n') + prev + 1
		if l := sc.s[line : first-1]; !keyText(l) {
			break
		}
		first = line
	}
	return first
}

// keyLine reports whether a line may be part of a key: base64, a header, or empty.
func keyLine(line string) bool {
	t := strings.Trim(line, " \t\r+>|-\"',\\")
	return t == "" || keyText(line) || strings.Contains(t, ": ") && len(t) < 100 || len(t) < 16 && !strings.Contains(t, " ")
}

// keyText reports whether a line consists of base64.
func keyText(line string) bool {
	t := strings.Trim(line, " \t\r>|-\"',\\")
	return len(t) >= 16 && !strings.Contains(t, " ") && only(t, &base64Byte)
}

// puttyKey finds the lines after "Private-Lines: N" of PuTTY's key files.
func puttyKey(sc *scan, _, end int) {
	number, _, _ := strings.Cut(sc.s[end:min(len(sc.s), end+16)], "\n")
	at := end + len(number) + 1
	lines, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || lines < 1 || lines > 100 {
		return
	}
	for range lines {
		stop := run(sc.s, at, 100, &keyByte)
		if stop == at || !keyText(sc.s[at:stop]) {
			return
		}
		sc.add(at, stop, "private-key")
		at = skipAny(sc.s, stop, "\n", 1)
	}
}
