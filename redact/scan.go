package redact

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"episodes/internal/lazy"
)

// detector examines one occurrence of a keyword, and adds its findings to the scan.
type detector func(sc *scan, start, end int)

// engine has the tables that are built once: the keywords and their detectors.
type engine struct {
	words     *automaton
	lengths   []int
	detectors [][]detector
	rules     [][]int // rules of gitleaks, by keyword
	set       *ruleset
}

// theEngine is built on first use.
var theEngine = sync.OnceValue(func() *engine {
	set, err := readRules()
	if err != nil {
		panic(fmt.Sprintf("redact: %v", err)) // the file is part of the program, and a test reads it
	}
	e := &engine{set: set}
	number := map[string]int{}
	of := func(word string) int {
		n, ok := number[word]
		if !ok {
			n = len(number)
			number[word] = n
			e.lengths = append(e.lengths, len(word))
			e.detectors = append(e.detectors, nil)
			e.rules = append(e.rules, nil)
		}
		return n
	}
	for i, r := range set.Rules {
		for _, k := range r.Keywords {
			n := of(strings.ToLower(k))
			e.rules[n] = append(e.rules[n], i)
		}
	}
	for _, own := range ownDetectors() {
		for _, w := range strings.Split(own.words, "|") {
			n := of(w)
			e.detectors[n] = append(e.detectors[n], own.detect)
		}
	}
	words := make([]string, len(number))
	for w, n := range number {
		words[n] = w
	}
	e.words = newAutomaton(words)
	return e
})

// scan is the state of one pass over a text.
type scan struct {
	r *Redactor
	*engine
	orig  string // the text
	s     string // see unescape
	depth int    // number of encoded texts that this one is nested in
	spans []span
	// windows in which each rule of gitleaks is tried.
	windows map[int][]window
	token   window // the last measured run of token characters
	// ends of the parts that detectors have examined, so that none is examined twice.
	seen [numSeen + len(patterns) + len(commands)]int
}

// The detectors with an end of their own.
const (
	seenName = iota
	seenToken
	seenJWT
	seenKey
	seenLine
	seenManifest
	seenParted
	seenColumn
	seenHash
	numSeen
)

type window struct{ start, end int }

// maxDepth is the largest depth of nested base64 that is decoded.
const maxDepth = 2

// find returns the spans to be replaced, in order and without overlaps.
func (r *Redactor) find(s string, depth int) []span {
	if s == "" {
		return nil
	}
	return r.findWith(theEngine(), s, depth)
}

func (r *Redactor) findWith(e *engine, s string, depth int) []span {
	sc := &scan{r: r, engine: e, orig: s, s: unescape(s), depth: depth}
	sc.keywords(e)
	sc.providers(e)
	sc.project()
	sc.coded()
	return merge(sc.clear(sc.spans))
}

// keywords finds all keywords and calls their detectors.
func (sc *scan) keywords(e *engine) {
	a, s := e.words, sc.s
	state, encoded := 0, 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if base64Byte[c] {
			encoded++
		} else {
			if encoded >= minBase64 {
				sc.base64(i-encoded, i)
				sc.tokens(i-encoded, i)
			}
			encoded = 0
		}
		state = int(a.next[state>>1+int(a.class[c])])
		if state&1 == 0 {
			continue
		}
		for _, n := range a.found[state>>1/a.width] {
			start := i + 1 - e.lengths[n]
			for _, d := range e.detectors[n] {
				d(sc, start, i+1)
			}
			for _, rule := range e.rules[n] {
				sc.consider(e.set.Rules[rule], rule, start, i+1)
			}
		}
	}
	if encoded >= minBase64 {
		sc.base64(len(s)-encoded, len(s))
		sc.tokens(len(s)-encoded, len(s))
	}
}

// Bytes around a keyword that a rule of gitleaks is given: its expressions reach 50 bytes
// to the left of a name, and no value after a name is longer than 150. A longer token is
// taken to its end by add.
const (
	before      = 64
	after       = 256
	longestTail = 2048
)

// consider records a window for a rule, unless a match there is impossible.
func (sc *scan) consider(r *rule, n, start, end int) {
	r.compile()
	w := window{max(0, start-before), min(len(sc.s), end+after)}
	switch {
	case r.named && sc.valueAfter(end, r.run):
	case r.run < 8:
		w.end = min(len(sc.s), end+1024)
	default:
		if end > sc.token.end { // a run of such characters is measured once
			sc.token = window{back(sc.s, start, len(sc.s), &tokenByte), run(sc.s, end, len(sc.s), &tokenByte)}
		}
		if sc.token.end-max(sc.token.start, start-r.run) < r.run {
			return
		}
		w.end = min(sc.token.end+16, end+longestTail, len(sc.s))
	}
	if sc.windows == nil {
		sc.windows = map[int][]window{}
	}
	list := sc.windows[n]
	if k := len(list); k > 0 && w.start <= list[k-1].end {
		list[k-1].end = max(list[k-1].end, w.end)
		return
	}
	sc.windows[n] = append(list, w)
}

// valueAfter reports whether an operator follows, and after it n characters of a token.
func (sc *scan) valueAfter(at, n int) bool {
	s := sc.s
	for i := 0; i < 26 && at < len(s) && (nameByte[s[at]] || strings.IndexByte(" \t\r\n'\"", s[at]) >= 0); i++ {
		at++
	}
	if at == len(s) || strings.IndexByte("=>:|?,", s[at]) < 0 {
		return false
	}
	for i := 0; i < 9 && at < len(s) && strings.IndexByte("=>:|?,` \t\r\n'\"", s[at]) >= 0; i++ {
		at++
	}
	for i := range n {
		if at+i >= len(s) || !tokenByte[s[at+i]] {
			return false
		}
	}
	return true
}

// providers runs the rules of gitleaks over their windows. A text can be made so that
// all of them run over all of it; what is left of it then is taken out unread.
func (sc *scan) providers(e *engine) {
	budget := 2*len(sc.s) + 1<<16
	for n := range e.set.Rules {
		r := e.set.Rules[n]
		for _, w := range sc.windows[n] {
			for w.start < w.end {
				part := w
				if part.end-part.start > 2*longestTail {
					part.end = part.start + 2*longestTail
				}
				if budget -= part.end - part.start; budget < 0 {
					sc.spans = append(sc.spans, span{start: part.start, end: part.end, kind: "unread"})
				} else {
					r.match(e.set, sc.s[part.start:part.end], func(start, end int) {
						sc.provider(r, part.start+start, part.start+end)
					})
				}
				if part.end == w.end {
					break
				}
				w.start = part.end - longestTail/2 // a secret may extend across the cut
			}
		}
	}
}

// provider adds a finding of a rule of gitleaks.
func (sc *scan) provider(r *rule, start, end int) {
	v := sc.s[start:end]
	switch {
	case r.ID == "sourcegraph-access-token" && !strings.HasPrefix(strings.ToLower(v), "sgp_"):
		return // any commit's hash in a text that names the tool
	case allOf(v, '0', '9') && start > 0 && sc.jsonNumber(start):
		return
	}
	sc.add(start, sc.wordEnd(end), r.ID)
}

// jsonNumber reports whether what begins here is a number that a JSON object holds: a
// marker in its place would be no JSON.
func (sc *scan) jsonNumber(start int) bool {
	before := strings.TrimRight(sc.s[max(0, start-8):start], " \t")
	return strings.HasSuffix(before, `":`)
}

// wordEnd returns the end of the word at end, so that no rest of a secret is kept.
func (sc *scan) wordEnd(end int) int {
	for end < len(sc.s) && wordByte[sc.s[end]] && end > 0 && wordByte[sc.s[end-1]] {
		end++
	}
	return end
}

// add adds a finding, without white space and parts of escapes at its ends.
func (sc *scan) add(start, end int, kind string) {
	for start < end {
		if n := sc.escape(start); n > start {
			start = n
		} else if c := sc.s[start]; c > ' ' && c != '\\' {
			break
		} else {
			start++
		}
	}
	for end > start {
		if n := sc.escape(end); n > end {
			end-- // within an escape
		} else if c := sc.s[end-1]; c > ' ' && c != '\\' && c == sc.orig[end-1] {
			break
		} else {
			end--
		}
	}
	for start < end {
		quote := sc.quote(start, end)
		inside := kind == "private-key" && quote < end // a line in quotes
		if quote > start && (!inside || keyText(sc.s[start:quote])) {
			sc.spans = append(sc.spans, span{start: start, end: quote, kind: kind})
		}
		if !inside {
			return
		}
		start = quote + 1
	}
}

// escape returns the end of the escape that contains an offset, or the offset.
func (sc *scan) escape(at int) int {
	s := sc.orig
	for first := max(0, at-5); first < at; first++ {
		if s[first] != '\\' {
			continue
		}
		last := first
		for last < len(s) && s[last] == '\\' && last < first+64 {
			last++
		}
		end := last + 1
		if last < len(s) && s[last] == 'u' {
			end = last + 5
		}
		if at < end {
			return min(end, len(s))
		}
		first = last
	}
	return at
}

// quote returns the offset of the first unescaped quotation mark, or end. In JSON that mark
// ends the string and must be kept.
func (sc *scan) quote(start, end int) int {
	for i := start; i < end; i++ {
		if sc.orig[i] == '"' && (i == 0 || sc.orig[i-1] != '\\') {
			return i
		}
	}
	return end
}

// allowable are the kinds that Config.Allow applies to.
var allowable = lazy.Words("assignment email home cookie url-password project password-hash token")

// clear drops spans inside markers of before, and those that the project allows.
func (sc *scan) clear(spans []span) []span {
	out := spans[:0]
	for _, sp := range spans {
		if allowable()[sp.kind] && sc.allowed(sc.orig[sp.start:sp.end]) {
			continue
		}
		if sc.marked(sp) {
			continue
		}
		out = append(out, sp)
	}
	return out
}

func (sc *scan) allowed(v string) bool {
	return slices.ContainsFunc(sc.r.allow, func(re *regexp.Regexp) bool { return re.MatchString(v) })
}

// longestMarker bounds a marker: kinds are short.
const longestMarker = 64

// marked reports whether a span is a marker or inside of one.
func (sc *scan) marked(sp span) bool {
	from := max(0, sp.start-longestMarker)
	at := strings.LastIndex(sc.orig[from:min(len(sc.orig), sp.start+len(opening))], opening)
	if at < 0 {
		return false
	}
	end := strings.IndexByte(sc.orig[from+at:min(len(sc.orig), from+at+longestMarker)], ']')
	return end >= 0 && sp.start <= from+at+end && sp.end <= from+at+end+1
}

// project finds matches of the project's patterns. A malicious pattern can make each search
// read a line to its end; the rest of such a line is redacted without a search.
func (sc *scan) project() {
	if len(sc.r.patterns) == 0 {
		return
	}
	for at := 0; at < len(sc.orig); {
		end := len(sc.orig)
		if i := strings.IndexByte(sc.orig[at:], '\n'); i >= 0 {
			end = at + i
		}
		end = min(end, at+longestTail)
		for _, re := range sc.r.patterns {
			budget := 8 * longestTail
			for from := at; from < end; {
				if budget -= end - from; budget < 0 {
					sc.spans = append(sc.spans, span{start: from, end: end, kind: "unread"})
					break
				}
				m := re.FindStringIndex(sc.orig[from:end])
				if m == nil {
					break
				}
				sc.add(from+m[0], from+m[1], "project")
				from += max(m[1], 1)
			}
		}
		if at = end; at < len(sc.orig) && sc.orig[at] == '\n' {
			at++
		}
	}
}

// unescape returns a text of the same length in which escapes for line ends, tabs and quotes
// are replaced by spaces and these characters, since a secret may start after "\n" as after
// a line end.
func unescape(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	b := []byte(s)
	for i < len(b) {
		if b[i] != '\\' {
			next := strings.IndexByte(s[i:], '\\')
			if next < 0 {
				break
			}
			i += next
		}
		j := i
		for j < len(b) && b[j] == '\\' {
			j++
		}
		if j == len(b) {
			break
		}
		c := byte(0)
		switch b[j] {
		case 'n', 'r':
			c = '\n'
		case 't':
			c = '\t'
		case '"', '\'', '`':
			c = b[j]
		}
		if c != 0 {
			for k := i; k < j; k++ {
				b[k] = ' '
			}
			b[j] = c
		}
		i = j + 1
	}
	return string(b)
}
