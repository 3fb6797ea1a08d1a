package keys

import (
	"math/bits"
	"strings"
)

// masker finds masks in a text. Each has its regular expression in the tests,
// which hold that it matches the same.
type masker struct {
	s string
	// Runs that were looked at last, so that each is looked at once.
	pathFrom, pathEnd, slash int // of a path's characters; the last slash before one of them
	nameEnd                  int // of a file name's characters before the dot
}

// maskForms are the masks in the order in which they are tried at each place. What
// a mask matches differs between two tellings of the same fact, but for the first
// two, which are kept: a status says what went wrong, and so does a rule code such
// as MD032, E402, TS2304.
var maskForms = [...]struct {
	mark  string
	first string // the bytes that it may begin with
	edge  bool   // it stands at the edge of a run
	end   func(m *masker, i int) int
}{
	{"", "eEhHsScC", true, (*masker).status},
	{"", upperCase, true, (*masker).code},
	{"‹url›", lowerCase, true, (*masker).url},
	{"‹uuid›", decimals + "abcdefABCDEF", true, (*masker).uuid},
	{"‹time›", decimals, true, (*masker).time},
	{"‹path›", decimals + lowerCase + upperCase + `_.@~-/\`, false, (*masker).path},
	{"‹path›", decimals + lowerCase + upperCase + "_-", true, (*masker).file},
	{"‹ref›", "#", false, (*masker).ref},
	{"‹ver›", decimals + "v", true, (*masker).version},
	{"‹hash›", decimals + "abcdef", true, (*masker).hash},
	{"‹num›", decimals, true, (*masker).number},
}

const (
	decimals  = "0123456789"
	lowerCase = "abcdefghijklmnopqrstuvwxyz"
	upperCase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// at is the mask that starts at byte i and where it ends; 0 when there is none.
func (m *masker) at(i int) (mark string, end int) {
	forms := formsFrom[m.s[i]]
	if forms&^anywhere != 0 && !m.edge(i) {
		forms &= anywhere
	}
	for ; forms != 0; forms &= forms - 1 {
		f := &maskForms[bits.TrailingZeros16(forms)]
		if end := f.end(m, i); end > i {
			return f.mark, end
		}
	}
	return "", 0
}

// formsFrom are the masks that may begin with a byte, and anywhere those that need
// no edge, as bits in the order of maskForms.
var (
	formsFrom [256]uint16
	anywhere  uint16
)

func init() {
	for k, f := range maskForms {
		if !f.edge {
			anywhere |= 1 << k
		}
		for c := range 256 {
			b := byte(c)
			if strings.IndexByte(f.first, b) >= 0 {
				formsFrom[c] |= 1 << k
			}
		}
	}
}

// edge reports whether a run begins or ends at byte i, as \b does.
func (m *masker) edge(i int) bool {
	return (i > 0 && runByte[m.s[i-1]]) != (i < len(m.s) && runByte[m.s[i]])
}

// ifEdge is i where an edge is, else 0.
func (m *masker) ifEdge(i int) int {
	if m.edge(i) {
		return i
	}
	return 0
}

func (m *masker) is(i int, c byte) bool { return i < len(m.s) && m.s[i] == c }

func (m *masker) digit(i int) bool { return i < len(m.s) && m.s[i] >= '0' && m.s[i] <= '9' }

// digits is where the digits from i on end.
func (m *masker) digits(i int) int {
	for m.digit(i) {
		i++
	}
	return i
}

// group is where n digits that start at i end, 0 when there are fewer.
func (m *masker) group(i, n int) int {
	for k := range n {
		if !m.digit(i + k) {
			return 0
		}
	}
	return i + n
}

// word is where a word that starts at i ends, in any case; 0 when it does not.
func (m *masker) word(i int, w string) int {
	if n := len(w); i+n <= len(m.s) && strings.EqualFold(m.s[i:i+n], w) {
		return i + n
	}
	return 0
}

// status: "exit code 1", "HTTP 404", "status: 2".
func (m *masker) status(i int) int {
	if i == len(m.s) || strings.IndexByte("eEhHsScC", m.s[i]) < 0 {
		return 0
	}
	for _, w := range statusWords {
		at := m.word(i, w)
		if at == 0 {
			continue
		}
		from := at
		for at < len(m.s) && strings.IndexByte(" :=-", m.s[at]) >= 0 {
			at++
		}
		if end := m.digits(at); at > from && end > at && end <= at+5 && m.edge(end) {
			return end
		}
	}
	return 0
}

var statusWords = [...]string{"exited code", "exited status", "exited", "exit code", "exit status", "exit", "http", "status code", "status", "code"}

func (m *masker) code(i int) int {
	at := i
	for at < len(m.s) && m.s[at] >= 'A' && m.s[at] <= 'Z' {
		at++
	}
	if at == i || at > i+6 {
		return 0
	}
	if m.is(at, '-') {
		at++
	}
	if end := m.digits(at); end >= at+2 && end <= at+5 {
		return m.ifEdge(end)
	}
	return 0
}

func (m *masker) url(i int) int {
	at := i
	for at < len(m.s) && maskBytes[m.s[at]]&inScheme != 0 {
		at++
	}
	if at == i || m.s[i] < 'a' || !strings.HasPrefix(m.s[at:], "://") {
		return 0
	}
	from := at + len("://")
	end := from
	for end < len(m.s) && strings.IndexByte(" \t\n\f\r)]>\"'`", m.s[end]) < 0 {
		end++
	}
	if end == from {
		return 0
	}
	return end
}

// What a byte may be a part of.
const (
	inScheme = 1 << iota // of a URL
	inHex                // of a number to the base 16, in lower case
	inAnyHex             // the same, in any case
	inPath
	inName
	inVersion
)

var maskBytes = func() (t [256]uint8) {
	for c := range 128 {
		b := byte(c)
		low, up, num := b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9'
		set := func(in bool, k uint8) {
			if in {
				t[c] |= k
			}
		}
		set(low || num || strings.IndexByte("+.-", b) >= 0, inScheme)
		set(num || b >= 'a' && b <= 'f', inHex)
		set(num || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F', inAnyHex)
		set(low || up || num || strings.IndexByte("_.@~-", b) >= 0, inPath)
		set(low || up || num || strings.IndexByte("_-", b) >= 0, inName)
		set(low || up || num || strings.IndexByte("_.", b) >= 0, inVersion)
	}
	return t
}()

// run is where the bytes of a kind from i on end.
func (m *masker) run(i int, kind uint8) int {
	for i < len(m.s) && maskBytes[m.s[i]]&kind != 0 {
		i++
	}
	return i
}

func (m *masker) uuid(i int) int {
	for k, n := range [...]int{8, 4, 4, 4, 12} {
		if k > 0 {
			if !m.is(i, '-') {
				return 0
			}
			i++
		}
		for range n {
			if i == len(m.s) || maskBytes[m.s[i]]&inAnyHex == 0 {
				return 0
			}
			i++
		}
	}
	return m.ifEdge(i)
}

// time: a date, with or without a time, or a time.
func (m *masker) time(i int) int {
	if !m.digit(i) {
		return 0
	}
	if y := m.group(i, 4); y > 0 && m.is(y, '-') {
		if mo := m.group(y+1, 2); mo > 0 && m.is(mo, '-') {
			if d := m.group(mo+1, 2); d > 0 {
				if end := m.clockOfDate(d); end > 0 {
					return end
				}
				if m.edge(d) {
					return d
				}
			}
		}
	}
	for n := 2; n > 0; n-- {
		h := m.group(i, n)
		if h == 0 || !m.is(h, ':') {
			continue
		}
		min := m.group(h+1, 2)
		if min == 0 {
			return 0
		}
		if m.is(min, ':') {
			if sec := m.group(min+1, 2); sec > 0 && m.edge(sec) {
				return sec
			}
		}
		return m.ifEdge(min)
	}
	return 0
}

// clockOfDate is where the time ends that follows a date.
func (m *masker) clockOfDate(i int) int {
	if !m.is(i, 'T') && !m.is(i, ' ') {
		return 0
	}
	h := m.group(i+1, 2)
	if h == 0 || !m.is(h, ':') {
		return 0
	}
	min := m.group(h+1, 2)
	if min == 0 {
		return 0
	}
	if m.is(min, ':') {
		if sec := m.group(min+1, 2); sec > 0 {
			if end := m.fraction(sec); end > 0 {
				return end
			}
		}
	}
	return m.fraction(min)
}

// fraction is where the fraction and the zone of a time end.
func (m *masker) fraction(i int) int {
	if m.is(i, '.') && m.digit(i+1) {
		if end := m.zone(m.digits(i + 1)); end > 0 {
			return end
		}
	}
	return m.zone(i)
}

func (m *masker) zone(i int) int {
	switch {
	case m.is(i, 'Z') && m.edge(i+1):
		return i + 1
	case m.is(i, '+') || m.is(i, '-'):
		if h := m.group(i+1, 2); h > 0 {
			at := h
			if m.is(at, ':') {
				at++
			}
			if end := m.group(at, 2); end > 0 && m.edge(end) {
				return end
			}
		}
	}
	return m.ifEdge(i)
}

func (m *masker) path(i int) int {
	if isLetter(m.s[i]) && m.is(i+1, ':') {
		if end := m.folders(i + 2); end > 0 {
			return end
		}
	}
	return m.folders(i)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// folders is where the path ends that starts at i, with up to two numbers of line
// and column.
func (m *masker) folders(i int) int {
	if i < m.pathFrom || i >= m.pathEnd {
		m.pathFrom, m.slash = i, -1
		for m.pathEnd = i; m.pathEnd < len(m.s); m.pathEnd++ {
			c := m.s[m.pathEnd]
			if maskBytes[c]&inPath != 0 {
				if m.pathEnd > i && isSlash(m.s[m.pathEnd-1]) {
					m.slash = m.pathEnd - 1
				}
			} else if !isSlash(c) {
				break
			}
		}
	}
	if m.slash < i {
		return 0
	}
	end := m.run(m.slash+1, inPath)
	for range 2 {
		if m.is(end, ':') && m.digit(end+1) {
			end = m.digits(end + 1)
		} else {
			break
		}
	}
	return end
}

// file: a file with its line.
func (m *masker) file(i int) int {
	if i >= m.nameEnd {
		m.nameEnd = m.run(i, inName)
	}
	at := m.nameEnd
	if at == i || !m.is(at, '.') {
		return 0
	}
	from := at + 1
	at = from
	for at < len(m.s) && (m.s[at] >= 'a' && m.s[at] <= 'z' || at > from && m.digit(at)) {
		at++
	}
	if at == from || at > from+5 || !m.is(at, ':') || !m.digit(at+1) {
		return 0
	}
	end := m.digits(at + 1)
	if m.is(end, ':') && m.digit(end+1) {
		if col := m.digits(end + 1); m.edge(col) {
			return col
		}
	}
	return m.ifEdge(end)
}

func (m *masker) ref(i int) int {
	if end := m.digits(i + 1); m.is(i, '#') && end > i+1 {
		return m.ifEdge(end)
	}
	return 0
}

func (m *masker) version(i int) int {
	if m.is(i, 'v') && m.digit(i+1) {
		end := m.digits(i + 1)
		for m.is(end, '.') && m.digit(end+1) {
			end = m.digits(end + 1)
		}
		for end > i {
			if tail := m.release(end); tail > 0 {
				return tail
			}
			end = strings.LastIndexByte(m.s[i:end], '.') + i // with a number less
		}
		return 0
	}
	at := i
	for k := range 3 {
		if k > 0 {
			if !m.is(at, '.') {
				return 0
			}
			at++
		}
		from := at
		if at = m.digits(at); at == from {
			return 0
		}
	}
	return m.release(at)
}

// release is where a version ends whose numbers end at i, with what may follow
// them after a hyphen.
func (m *masker) release(i int) int {
	if m.is(i, '-') {
		for end := m.run(i+1, inVersion); end > i+1; end-- {
			if m.edge(end) {
				return end
			}
		}
	}
	return m.ifEdge(i)
}

func (m *masker) hash(i int) int {
	if end := m.run(i, inHex); end >= i+7 && end <= i+64 {
		return m.ifEdge(end)
	}
	return 0
}

// number: a number, with its unit.
func (m *masker) number(i int) int {
	if !m.digit(i) {
		return 0
	}
	end := m.digits(i)
	for (m.is(end, '.') || m.is(end, ',')) && m.digit(end+1) {
		end = m.digits(end + 1)
	}
	for end > i {
		if m.is(end, '%') && m.edge(end+1) {
			return end + 1
		}
		if u := m.runEnd(end); u > end && isUnit(m.s[end:u], false) {
			return u
		}
		if m.is(end, ' ') {
			if u := m.runEnd(end + 1); u > end+1 && isUnit(m.s[end+1:u], true) {
				return u
			}
		}
		if m.edge(end) {
			return end
		}
		end = strings.LastIndexAny(m.s[i:end], ".,") + i
	}
	return 0
}

func (m *masker) runEnd(i int) int {
	for i < len(m.s) && runByte[m.s[i]] {
		i++
	}
	return i
}

// isUnit reports whether u is the unit of a number; apart says that a space stands
// between them.
func isUnit(u string, apart bool) bool {
	switch u {
	case "ms", "s", "h", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB":
		return true
	case "m", "d", "x", "k", "K", "M", "G":
		return !apart
	case "sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks", "percent":
		return apart
	}
	return false
}
