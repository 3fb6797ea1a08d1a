package redact

import (
	"strings"

	"episodes/internal/lazy"
)

// form is the syntax that joins a value to its name.
type form uint8

const (
	bare   form = iota // code, YAML, prose: name = value, name: value
	quoted             // name = "value"
	env                // NAME=value
	flag               // --name value
	joined             // --name=value
	told               // name is value
	beside             // name value: it must look very random
)

// longestName bounds a name, and longestValue a value in quotes.
const (
	longestName  = 80
	longestValue = 1024
)

// assignment takes the value of a name that says it is a secret.
func assignment(sc *scan, start, end int) {
	if start < sc.seen[seenName] {
		return
	}
	first := back(sc.s, start, longestName, &nameByte)
	last := run(sc.s, end, longestName, &nameByte)
	sc.seen[seenName] = last
	for last > end && (sc.s[last-1] == '.' || sc.s[last-1] == '-') {
		last--
	}
	dashes := first
	for dashes < start && sc.s[dashes] == '-' {
		dashes++
	}
	name := sc.s[dashes:last]
	c := sc.classAt(name, first, last)
	if c == noName {
		return
	}
	v := value{sc: sc, class: c, name: name, first: first, at: last}
	if dashes > first {
		v.form = flag
	}
	if v.locate() && v.secret() {
		v.whole()
		sc.seen[seenName] = max(last, v.end)
		sc.add(v.start, v.end, "assignment")
		return
	}
	v.below()
	sc.columns(first)
}

// classAt classifies a name by the text around it as well.
func (sc *scan) classAt(name string, first, last int) class {
	c := classify(name)
	if strings.EqualFold(name, "key") {
		before := strings.TrimSuffix(sc.s[max(0, first-longestName):first], " ")
		if before != "" && qualifiers()[strings.ToLower(before[back(before, len(before), len(before), &letterByte):])] {
			return key
		}
		if strings.HasSuffix(before, "?") || strings.HasSuffix(before, "&") {
			return weak // of an address
		}
	}
	if capitals := name == strings.ToUpper(name); name == "_auth" || capitals && strings.HasSuffix(name, "_SESSION") { // of npm, of password managers
		return key
	}
	if strings.EqualFold(name, "key") && (strings.HasSuffix(sc.s[:first+2], "--") || last < len(sc.s) && sc.s[last] == '=' && (first == 0 || sc.s[first-1] == '\n')) {
		return key
	}
	if strings.EqualFold(name, "auth") && last < len(sc.s) && sc.s[last] == '(' {
		return password
	}
	if c == key && name == strings.ToUpper(name) && strings.HasSuffix(name, "SECRET") && last < len(sc.s) && sc.s[last] == '=' {
		return password // people choose these
	}
	return c
}

// value is what follows a name.
type value struct {
	sc         *scan
	class      class
	form       form
	name       string
	first, at  int // where the name begins, and how far was read
	start, end int
	closed     byte // the quote that closes the name
	colon      bool
}

func (v *value) peek() byte {
	if v.at < len(v.sc.s) {
		return v.sc.s[v.at]
	}
	return 0
}

func (v *value) skip(set string, most int) {
	for i := 0; i < most && v.at < len(v.sc.s) && strings.IndexByte(set, v.sc.s[v.at]) >= 0; i++ {
		v.at++
	}
}

func (v *value) take(s string) bool {
	if strings.HasPrefix(v.sc.s[v.at:], s) {
		v.at += len(s)
		return true
	}
	return false
}

// bareWords are names that are words of their own as well.
var bareWords = lazy.Words("pass pwd pat key auth credentials")

// locate finds the operator and the value after it.
func (v *value) locate() bool {
	s := v.sc.s
	v.skip(" \t", 8)
	v.numbered()
	spaced := v.at > v.first+len(v.name) && v.sc.orig[v.at-1] <= ' '
	if q := v.peek(); q == '"' || q == '\'' || q == '`' {
		v.closed = q
		v.at++
		v.skip("]*)", 3)
	} else {
		v.skip("*]", 2) // Markdown's bold type
	}
	v.skip(" \t", 40)
	switch {
	case v.operator():
	case v.take(" is ") || spaced && (v.take("is now ") || v.take("is ") || v.take("was ") || v.take("to ")):
		v.form = told
	case !spaced || !v.apart():
		return false
	}
	word := bareWords()[strings.ToLower(v.name)] && !(v.class == key && strings.EqualFold(v.name, "key")) && v.closed == 0 && (v.form == told && v.peek() != '"' || v.colon)
	v.skip(" \t", 40)
	if quote := v.peek(); word && quote != '"' && quote != '\'' {
		return false // "PASS | 3s", "pwd: /x"
	}
	v.typed()
	return v.bounds(s)
}

// numbered skips the number of one key of several: Unseal Key 1:
func (v *value) numbered() {
	if end := run(v.sc.s, v.at, 2, &digitByte); end > v.at && end < len(v.sc.s) && v.sc.s[end] == ':' && v.sc.s[v.at-1] == ' ' {
		v.at = end
	}
}

// apart reads what is between a name and its value where that is white space.
func (v *value) apart() bool {
	again := func(most int) { // the quote is of the value
		v.at, v.closed = v.first+len(v.name), 0
		v.skip(" \t", most)
	}
	switch {
	case v.form == flag:
		if v.closed != 0 {
			v.at, v.closed = v.first+2+len(strings.TrimLeft(v.name, "-")), 0
		}
	case v.class == password && v.prompt():
	case v.netrc(), v.aligned():
		if v.closed != 0 {
			again(40)
		}
		v.form = env
	case v.typedSecret():
	case v.class != weak && v.closed != 0: // SQL: WITH PASSWORD '…'
		again(8)
		v.form = told
	case (v.class == key || v.class == password) && v.closed == 0: // the token abc… was used
		v.skip("(`", 2)
		v.form = beside
	default:
		return false
	}
	return true
}

// typedSecret reads what devices of a network write before a secret: the number of its form, or ENC.
func (v *value) typedSecret() bool {
	at := run(v.sc.s, v.at, 2, &digitByte)
	if at == v.at && strings.HasPrefix(v.sc.s[at:], "ENC") {
		at += len("ENC")
	}
	if at == v.at || v.closed != 0 || at == len(v.sc.s) || v.sc.s[at] != ' ' {
		return false
	}
	v.at, v.form = at+1, flag
	return true
}

// operator reads what joins a name and its value.
func (v *value) operator() bool {
	switch {
	case v.take(":="), v.take("=>"), v.take("==="), v.take("=="), v.take("!=="), v.take("!="), v.take("?="),
		v.take("||="), v.take("->"):
	case v.take("="):
		if v.form == flag {
			v.form = joined
		} else if v.closed == 0 && strings.IndexByte(" \t", v.peek()) < 0 {
			v.form = env
		}
	case v.take("**:"), v.take(":**"), v.take(":"), v.take("："):
		v.colon = true
		if v.take("**") || v.take(" **") { // bold
			return true
		}
		if v.peek() == ':' || v.peek() == '/' {
			return false
		}
	case v.take("|"):
		v.form = told
	case v.take(">"):
		prefix := back(v.sc.s, v.first, 40, &prefixByteXML)
		return prefix > 0 && v.sc.s[prefix-1] == '<'
	case v.take("("):
		q := v.peek()
		if strings.EqualFold(v.name, "auth") {
			v.form = told
		}
		return q == '"' || q == '\''
	case v.take(","):
		v.skip(" \t\r\n", 40)
		if v.field() {
			return true
		}
		return v.argument()
	case v.take("</key>"): // a property list
		v.skip(" \t\r\n", 40)
		return v.take("<string>")
	case v.nextLine():
	default:
		if v.closed != 0 { // <add key="Password" value="…"/>, variable "password" { default = "…" }
			return v.take("value=") || v.take("{ default = ")
		}
		return false
	}
	return true
}

// field reads the next field of an object, when that is the value: {"name": "TOKEN",
// "value": "…"}.
func (v *value) field() bool {
	at := v.at
	v.skip(`"'`, 1)
	if v.take("value") || v.take("Value") {
		v.skip(" ", 4)
		v.skip(`"'`, 1)
		v.skip(" \t", 4)
		if v.take(":") {
			return true
		}
	}
	v.at = at
	return false
}

// argument reports whether the name and what comes next are arguments of a call, or
// elements of a list: set("TOKEN", "…"). In an object the name would be a value.
func (v *value) argument() bool {
	q := v.peek()
	if q != '"' && q != '\'' || v.closed == 0 || bareWords()[strings.ToLower(v.name)] {
		return false
	}
	before := strings.TrimRight(v.sc.s[max(0, v.first-24):v.first], "\"'`-")
	before = strings.TrimRight(before, " \t\r\n")
	n := len(before)
	return n > 0 && strings.IndexByte("([,", before[n-1]) >= 0
}

// nextLine reads "value:" on the line after a name, as manifests of Kubernetes have it.
func (v *value) nextLine() bool {
	at := v.at
	v.skip("\r\n", 2)
	if v.at > at {
		v.skip(" \t+>|-", 40)
		if v.take("value:") {
			return true
		}
	}
	v.at = at
	return false
}

// netrc reports whether the value follows its name after white space only, as in a .netrc
// file, a Dockerfile and after "config set".
func (v *value) netrc() bool {
	line := v.sc.s[max(0, v.first-200):v.first]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if i := strings.Index(line, "setx "); i >= 0 && (line[i+5:] == "" || strings.EqualFold(line[i+5:], "/m ")) {
		return true
	}
	return strings.HasSuffix(line, "ENV ") || strings.HasSuffix(line, "#define ") || strings.HasSuffix(line, " set ") ||
		strings.HasSuffix(line, "/:") && strings.Contains(line, " set ") || strings.Contains(line, "login ") ||
		strings.Contains(line, "machine ")
}

// aligned reports whether the name and the value are the two columns of a line.
func (v *value) aligned() bool {
	const apart = 2
	s, end := v.sc.s, v.first+len(v.name)
	if v.form == flag || v.closed != 0 || v.at < end+apart || bareWords()[strings.ToLower(v.name)] {
		return false
	}
	line := s[max(0, v.first-24):v.first]
	if strings.Trim(line[strings.LastIndexByte(line, '\n')+1:], " \t+->|") != "" {
		return false
	}
	stop := v.at
	for stop < len(s) && s[stop] > ' ' && stop < v.at+judged {
		stop++
	}
	return stop > v.at && strings.Trim(s[stop:min(len(s), stop+1)], "\r\n") == "" && shapeOf(s[v.at:stop]).digits > 0
}

// prompt reads what a program asks for and for whom: Password for 'https://a@b':
func (v *value) prompt() bool {
	if !v.take("for ") {
		return false
	}
	rest := v.sc.s[v.at:min(len(v.sc.s), v.at+longestName)]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	i := strings.Index(rest, ": ")
	if i <= 0 {
		v.at -= len("for ")
		return false
	}
	v.at += i + 1
	return true
}

// typed skips a type between the colon and the equals sign: token: string = "…".
func (v *value) typed() {
	if !v.colon {
		return
	}
	at := run(v.sc.s, v.at, 24, &nameByte)
	for at < len(v.sc.s) && v.sc.s[at] == ' ' {
		at++
	}
	if at > v.at && at+1 < len(v.sc.s) && v.sc.s[at] == '=' && v.sc.s[at+1] == ' ' {
		v.at = at + 2
	}
}

var prefixByteXML = bytesOf("azAZ09", "_.:-")

var bareStop = bytesOf("", " \t\r\n\"'`,;|<>(){}[]\\&")

// bounds finds where the value begins and ends.
func (v *value) bounds(s string) bool {
	if v.form == flag && (v.take(`",`) || v.take(`',`)) { // ["--password", "…"]
		v.skip(" \t\r\n", 40)
	}
	for v.take("b'") || v.take("r'") || v.take("f'") || v.take("b\"") { // Python
		v.at--
	}
	if v.take(`"""`) || v.take("'''") {
		v.at--
	}
	v.start = v.at
	switch v.peek() {
	case '"', '\'', '`':
		return v.inQuotes(s)
	}
	if v.closed == '"' && v.colon {
		return v.take("{") && v.ofOneHost(s) // else a number, an object: JSON
	}
	last := min(len(s), v.at+judged)
	for v.end = v.at; v.end < last && (!bareStop[s[v.end]] || s[v.end] == '&' && v.form != env); v.end++ {
	}
	if v.form == env && v.lineOfItsOwn() { // all up to white space
		for v.end < last && s[v.end] > ' ' && strings.IndexByte("\"'`", s[v.end]) < 0 {
			v.end++
		}
	}
	if v.end < len(s) && strings.IndexByte("([{", s[v.end]) >= 0 && v.form != env && v.form != flag {
		return false // a call
	}
	if v.form == bare || v.form == told {
		v.end = v.start + len(strings.TrimRight(s[v.start:v.end], ".:!?*"))
	}
	return v.end > v.start
}

// ofOneHost finds the first value of a JSON object of names and passwords.
func (v *value) ofOneHost(s string) bool {
	v.skip(" \t\r\n\"", 40)
	v.at = run(s, v.at, longestName, &nameByte)
	if v.skip("\" \t", 4); !v.take(":") {
		return false
	}
	v.skip(" \t", 4)
	v.start = v.at
	return v.peek() == '"' && v.inQuotes(s)
}

// inQuotes finds the end of a value in quotes.
func (v *value) inQuotes(s string) bool {
	q := s[v.at]
	v.start = v.at + 1
	last := min(len(s), v.start+longestValue)
	for v.end = v.start; v.end < last && s[v.end] != q && s[v.end] != '\n'; v.end++ {
	}
	if v.form != told {
		v.form = quoted
	}
	after := strings.TrimLeft(s[min(v.end+1, len(s)):min(v.end+8, len(s))], " ")
	return v.end > v.start && !strings.HasPrefix(after, ":") // the name of the next field
}

// whole moves the end to that of a value of which only the beginning was looked at.
func (v *value) whole() {
	s := v.sc.s
	switch {
	case v.form == quoted && v.end == v.start+longestValue:
		for v.end < len(s) && s[v.end] != s[v.start-1] && s[v.end] != '\n' {
			v.end++
		}
	case v.form != quoted && v.end == v.start+judged:
		v.end = run(s, v.end, len(s), &tokenByte)
	}
}

// lineOfItsOwn reports whether only a name in capitals precedes the value on its line.
func (v *value) lineOfItsOwn() bool {
	if v.name != strings.ToUpper(v.name) {
		return false
	}
	line := v.sc.s[max(0, v.first-24):v.first]
	line = strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " \t+->$#")
	return line == "" || line == "export " || line == "set " || line == "ENV " || line == "- "
}
