package redact

import (
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// telling are parts of prefixes of tokens, and of no ids: after them even a number or a UUID is a secret.
var telling = lazy.Words("pat key api sdk sk rk tok token secret access live production sandbox")

// bounds of a token, in bytes.
const (
	longestPrefix = 12
	digest        = 32
	shortToken    = 20 // least where a client is made with it
	mixedToken    = 28 // least of letters of both cases and digits: the ids of agents have fewer
	plainToken    = 24 // least after a telling prefix
	longPart      = 16 // least of one of its parts: the parts of names are shorter
	longestToken  = 100
)

var dashed = bytesOf("azAZ09", "_-")

// tokens finds tokens of providers that nobody listed, in a run of base64: what is too random for a
// name and too long for an id, and is no part of a path, an address or data.
func (sc *scan) tokens(start, end int) {
	if end-start >= digest && hex(sc.s[start+2:end]) {
		from := max(0, start-longestName)
		if m := hashed().FindStringSubmatch(sc.s[from:end]); m != nil && (m[1] == "" || random(m[1])) {
			sc.add(start, end, "password-hash")
			return
		}
	}
	for at := start; at < end; at++ {
		first := at
		at = run(sc.s, at, end-at, &dashed)
		v := sc.s[first:min(at, first+judged)]
		if len(v) < plainToken || placeholder(v) || digestForm().MatchString(v) {
			continue
		}
		body, sure := withoutPrefix(v)
		if whole := at == end && sc.alone(start, first); tokenBody(body, sure, sc.constructed(first)) && (len(body) < len(v) || whole && len(v) <= longestToken && len(v) != 64 && len(v) != 76) {
			sc.add(sc.dotted(first), at, "token")
		}
	}
}

// hashed matches a hash behind its user and realm or the mark of its scheme, and the secret of an id.
var hashed = lazy.Pattern(`(?m)(?:^[\w.@-]+:[^:\s\d]{1,40}:|\b[ST]:|\b0x0[12]00|\b(\w{14,})[.:])[0-9A-Fa-f]{32,}\z`)

// constructed reports whether what begins here is the argument of a constructor: Client("…").
func (sc *scan) constructed(first int) bool {
	if first < 3 || sc.s[first-2] != '(' || strings.IndexByte("\"'`", sc.s[first-1]) < 0 {
		return false
	}
	name := sc.s[back(sc.s, first-2, longestName, &wordByte) : first-2]
	return name != "" && name[0] >= 'A' && name[0] <= 'Z'
}

// dataForm is the beginning of public keys and certificates: ASN.1, and keys of SSH.
var dataForm = lazy.Pattern(`^(?:M[A-P]|AAAA)`)

// alone reports whether what begins at an offset, in a run of base64, is no part of something longer.
func (sc *scan) alone(start, first int) bool {
	if strings.IndexByte("MA", sc.s[first]) >= 0 && dataForm().MatchString(sc.s[first:]) {
		return false
	}
	if first > start { // NAME=…, but not in an address
		name := back(sc.s, first-1, longestName, &nameByte)
		return sc.s[first-1] == '=' && (name == 0 || strings.IndexByte("?&", sc.s[name-1]) < 0)
	}
	if strings.HasSuffix(sc.s[:first], "base64,") {
		return false
	}
	line := strings.TrimRight(sc.s[:first], " \t\r\n+>|\"',")
	return first == 0 || strings.IndexByte(`%@#&?\`, sc.s[first-1]) < 0 && len(line)-back(line, len(line), 40, &base64Byte) < 40
}

// dotted returns the start of a token of several parts with dots, the last of which begins at an offset.
func (sc *scan) dotted(first int) int {
	for first > 1 && sc.s[first-1] == '.' {
		before := back(sc.s, first-1, longestToken, &dashed)
		if first-1-before < 5 || wordy(sc.s[before:first-1]) {
			break
		}
		first = before
	}
	return first
}

// withoutPrefix returns what is after short parts with a - or _ after each, and whether one of them tells
// that it is a token.
func withoutPrefix(v string) (body string, sure bool) {
	for body = v; !uuidForm().MatchString(body); {
		i := strings.IndexAny(body, "-_")
		if i < 0 || i > longestPrefix || len(body) < len(v) && random(body[:i]) || !letterByte[v[0]] {
			break
		}
		sure = sure || telling()[lowerASCII(body[:i])] || i == 4 && allOf(body[:i], 'A', 'Z')
		body = body[i+1:]
	}
	return body, sure
}

func tokenBody(body string, sure, constructed bool) bool {
	least, chance := mixedToken, 4.0
	if constructed {
		least, chance = shortToken, 3.5
	}
	long := func(part string) bool { return len(part) >= longPart && random(part) }
	parts := strings.FieldsFunc(body, func(r rune) bool { return r == '-' || r == '_' })
	if !uuidForm().MatchString(body) && !slices.ContainsFunc(parts, long) {
		return false
	}
	body = strings.Join(parts, "")
	switch sh := shapeOf(body); {
	case hex(body):
		return sure && len(body) >= plainToken && sh.digits > 2
	case sh.upper > 0 && sh.lower > 0:
		return len(body) >= least && sh.digits > 1 && sh.turns > 3 && entropy(body) >= chance && !identifierLike(body)
	default:
		return len(body) >= mixedToken && sh.turns > 5 && entropy(body) >= 3.8
	}
}
