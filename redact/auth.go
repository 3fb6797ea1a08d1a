package redact

import (
	"encoding/base64"
	"strings"

	"episodes/internal/lazy"
)

// urlPassword takes the password of a URL of any scheme, and a user name that is a token:
// https://TOKEN@host.
func urlPassword(sc *scan, start, end int) {
	if start == 0 || !wordByte[sc.s[start-1]] {
		return
	}
	stop := end
	at := -1
	for last := min(len(sc.s), end+1024); stop < last && urlByte[sc.s[stop]]; stop++ {
		if sc.s[stop] == '@' {
			at = stop // the last one: people forget to encode those in a password
		}
		if c := sc.s[stop]; at >= 0 && (c == '?' || c == '#' || c == ',') {
			break
		}
	}
	if at < 0 {
		return
	}
	user, pass, ok := strings.Cut(sc.s[end:at], ":")
	from := end + len(user) + 1
	switch {
	case portForm().MatchString(pass): // http://host:3000?mail=…
	case len(user) >= 16 && random(user) && shapeOf(user).digits > 1 && !placeholder(user) && (!ok || pass == "" || urlPlaceholder(pass) || wordy(pass)):
		sc.add(end, end+len(user), "url-password")
	case ok && pass != "" && !urlPlaceholder(pass):
		sc.add(from, at, "url-password")
	}
}

var portForm = lazy.Pattern(`^\d{1,5}[?#]`)

func urlPlaceholder(pass string) bool {
	lower := strings.ToLower(pass)
	switch lower {
	case "password", "pass", "pw", "passwd", "pwd", "secret", "token":
		return true
	}
	return placeholder(pass) || strings.HasPrefix(pass, "{") || strings.HasPrefix(pass, "[") ||
		allOf(pass, 'A', '_') &&
			(strings.Contains(pass, "PASS") || strings.Contains(pass, "TOKEN") || strings.Contains(pass, "SECRET"))
}

var authByte = bytesOf("azAZ09", "_-.+/=~:")

// authorization takes what follows "Authorization:", whole for Basic, and what follows
// "Bearer" or "Basic" elsewhere, where it looks random or decodes to user and password.
func authorization(sc *scan, start, end int) {
	if start < sc.seen[seenLine] {
		return
	}
	header := sc.s[start]|0x20 == 'a'
	if start > 0 && wordByte[sc.s[start-1]] && sc.s[start-1] != '_' {
		return
	}
	at := skipAny(sc.s, end, "\"' \t:=,>*`", 12)
	scheme := ""
	if header {
		if at == end {
			return
		}
		stop := run(sc.s, at, 32, &nameByte)
		next := skipAny(sc.s, stop, " \t+", 4)
		switch scheme = strings.ToLower(sc.s[at:stop]); scheme {
		case "bearer", "basic", "token", "apikey", "api-key", "digest", "negotiate", "bot", "key", "oauth", "splunk", "ssws":
			at = next
		default:
			if strings.HasPrefix(scheme, "aws4-hmac") {
				sc.fields(next, []string{"signature="})
				return
			}
			if after := run(sc.s, next, longestValue, &authByte); next > stop && only(scheme, &letterByte) && after-next >= 12 && random(sc.s[next:after]) {
				at = next // of a scheme that nobody listed
			}
		}
	} else {
		scheme = strings.TrimSpace(strings.ToLower(sc.s[start:end]))
	}
	stop := run(sc.s, at, longestValue, &authByte)
	v := strings.TrimRight(sc.s[at:stop], ".:")
	if len(v) < 6 || placeholder(v) || chainForm().MatchString(v) && !strings.ContainsAny(v, "0123456789") {
		return
	}
	if !credential(scheme, v, header) {
		return
	}
	sc.seen[seenLine] = at + len(v)
	sc.add(at, at+len(v), "authorization")
}

// credential reports whether a value behind a scheme is one; header: the scheme is named by one.
func credential(scheme, v string, header bool) bool {
	switch scheme {
	case "basic":
		sh := shapeOf(v)
		return userAndPassword(v) || header && len(v) >= 8 && sh.lower > 0 && sh.upper+sh.digits > 1
	case "bearer":
		return len(v) >= 8 && !wordy(v) && (random(v) || header && len(v) >= 16 && strings.ContainsAny(v, "0123456789"))
	}
	return len(v) >= 12 && !wordy(v) && random(v)
}

// userAndPassword reports whether base64 decodes to a user's name and a password.
func userAndPassword(v string) bool {
	text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
	user, pass, ok := strings.Cut(string(text), ":")
	return err == nil && ok && user != "" && pass != "" && printable(string(text))
}

// fields takes the values of names in a line.
func (sc *scan) fields(at int, names []string) {
	line := sc.s[at:min(len(sc.s), at+1024)]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	for _, n := range names {
		if i := strings.Index(lowerASCII(line), n); i >= 0 {
			from := at + i + len(n)
			sc.add(from, run(sc.s, from, 512, &authByte), "authorization")
		}
	}
}

func skipAny(s string, at int, set string, most int) int {
	for i := 0; i < most && at < len(s) && strings.IndexByte(set, s[at]) >= 0; i++ {
		at++
	}
	return at
}

var (
	cookieByte = bytesOf("azAZ09", "_-.+/=~:%!*|$&@^#?")
	crumbByte  = bytesOf("azAZ09", "_-.$")
)

// cookie takes the values of cookies that look random: in a header, and after names that
// frameworks give to sessions.
func cookie(sc *scan, start, end int) {
	if start < sc.seen[seenLine] {
		return
	}
	name := run(sc.s, end, longestName, &crumbByte)
	header := containsFold(sc.s[start:end], "cookie")
	at := skipAny(sc.s, name, "\"'", 1)
	op := skipAny(sc.s, at, " \t", 2)
	if op == len(sc.s) || sc.s[op] != ':' && sc.s[op] != '=' {
		return
	}
	if !header || sc.s[op] == '=' && name > end {
		if sc.s[op] == '=' {
			sc.crumb(op + 1)
		}
		return
	}
	at = skipAny(sc.s, op+1, " \t\"'", 4)
	for crumbs := 0; crumbs < 50 && at < len(sc.s); crumbs++ {
		eq := run(sc.s, at, longestName, &crumbByte)
		if eq == at || eq == len(sc.s) || sc.s[eq] != '=' {
			break
		}
		if at = sc.crumb(eq + 1); at == len(sc.s) || sc.s[at] != ';' {
			break
		}
		at = skipAny(sc.s, at, "; ", 4)
	}
	sc.seen[seenLine] = at
}

// crumb takes the value of one cookie, and returns its end.
func (sc *scan) crumb(at int) int {
	stop := run(sc.s, at, longestValue, &cookieByte)
	if v := sc.s[at:stop]; len(v) >= 12 && !placeholder(v) && !uuidForm().MatchString(v) && !wordy(v) &&
		random(v) && entropy(v) >= 3 {
		sc.add(at, stop, "cookie")
	}
	return stop
}

// signature takes the signature of a signed URL.
func signature(sc *scan, start, end int) {
	before := strings.TrimRight(sc.s[max(0, start-24):start], " ")
	before = strings.TrimRight(before, "xXaAmMzZ-gGoO") // X-Amz-Signature, X-Goog-Signature
	if n := len(before); n == 0 || strings.IndexByte("?&;", before[n-1]) < 0 {
		return
	}
	set := bytesOf("azAZ09", "_-.+/=~%")
	stop := run(sc.s, end, 1024, &set)
	if v := sc.s[end:stop]; len(v) >= 16 && random(v) && !placeholder(v) {
		sc.add(end, stop, "url-signature")
	}
}

var passLine = lazy.Pattern(`^[ \t+>|-]*[\w.*-]+:(?:\d+|\*):[^:\s]+:[^:\s]+:(\S+)$`)

// passFile takes the password of a line of a .pgpass file.
func passFile(sc *scan, start, _ int) {
	first := max(0, start-200)
	first += strings.LastIndexByte(sc.s[first:start], '\n') + 1
	line := sc.s[first:min(len(sc.s), start+400)]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	line = strings.TrimRight(line, "\r ")
	if m := passLine().FindStringSubmatchIndex(line); m != nil && !urlPlaceholder(line[m[2]:m[3]]) {
		sc.add(first+m[2], first+m[3], "assignment")
	}
}

var entry = lazy.Pattern(`^[ \t+>|-]*[\w.-]+(?::[ \t]+| ?= ?)["']?([A-Za-z0-9+/=_!@#$%^&*.-]{6,})["']?[ \t\r]*$`)

// manifest takes the values of a Secret of Kubernetes, all of its data, and the passwords of a section of
// users.
func manifest(sc *scan, start, end int) {
	if start < sc.seen[seenManifest] {
		return
	}
	section := sc.s[start] == '['
	data, at := section, end
	for range 60 {
		i := strings.IndexByte(sc.s[at:min(len(sc.s), at+longestValue)], '\n')
		if i < 0 {
			i = min(len(sc.s), at+longestValue) - at
		}
		line := sc.s[at : at+i]
		switch t := strings.Trim(line, " \t+>|\r"); {
		case t == "data:" || t == "stringData:":
			data = true
		case strings.HasPrefix(t, "---"), strings.HasPrefix(t, "```"), section && at > end && strings.HasPrefix(t, "["):
			return
		case t == "":
		case strings.HasSuffix(t, ":"):
			data = false
		case data:
			m := entry().FindStringSubmatchIndex(line)
			if data = m != nil; !data {
				break
			}
			v := value{sc: sc, class: password, form: told, start: at + m[2], end: at + m[3]}
			if section && v.secret() || !section && !placeholder(line[m[2]:m[3]]) {
				sc.add(v.start, v.end, "assignment")
			}
		}
		if at += i + 1; at >= len(sc.s) {
			return
		}
		sc.seen[seenManifest] = at
	}
}
