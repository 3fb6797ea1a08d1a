package redact

import (
	"slices"
	"strings"
)

// telling are parts of prefixes of tokens, and of no ids: after them even a number or a UUID is a secret.
var telling = map[string]bool{"pat": true, "key": true, "api": true, "sdk": true, "sk": true, "rk": true, "tok": true, "token": true,
	"secret": true, "access": true, "live": true, "production": true, "sandbox": true}

// bounds of a token with a prefix, in bytes.
const (
	longestPrefix = 12
	mixedToken    = 28 // least of letters of both cases and digits: the ids of agents have fewer
	plainToken    = 24 // least after a telling prefix
	longPart      = 16 // least of one of its parts: the parts of names are shorter
)

var dashed = bytesOf("azAZ09", "_-")

// prefixed finds tokens of providers that nobody listed, in a run of base64: short parts, a - or _ after
// each, and then more random characters than an id has.
func (sc *scan) prefixed(start, end int) {
	for at := start; at < end; at++ {
		first := at
		at = run(sc.s, at, end-at, &dashed)
		if v := sc.s[first:min(at, first+judged)]; len(v) > plainToken && letterByte[v[0]] && prefixedToken(v) && !placeholder(v) {
			sc.add(first, at, "api-key")
		}
	}
}

func separates(r rune) bool { return r == '-' || r == '_' }

func prefixedToken(v string) bool {
	body, sure := v, false
	for {
		i := strings.IndexAny(body, "-_")
		if i < 0 || i > longestPrefix || len(body) < len(v) && (random(body[:i]) || uuidForm().MatchString(body)) {
			break
		}
		sure = sure || telling[lowerASCII(body[:i])] || i == 4 && allOf(body[:i], 'A', 'Z')
		body = body[i+1:]
	}
	long := func(part string) bool { return len(part) >= longPart && random(part) }
	if len(body) == len(v) || digestForm().MatchString(v) || !uuidForm().MatchString(body) && !slices.ContainsFunc(strings.FieldsFunc(body, separates), long) {
		return false
	}
	body = strings.NewReplacer("-", "", "_", "").Replace(body)
	switch sh := shapeOf(body); {
	case hex(body):
		return sure && len(body) >= plainToken && sh.digits > 2
	case sh.upper > 2 && sh.lower > 2 && sh.digits > 1:
		return len(body) >= mixedToken && entropy(body) >= 4
	default:
		return len(body) >= mixedToken && sh.turns > 5 && entropy(body) >= 3.8
	}
}
