package redact

import (
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// tools are programs with the flags that a password follows. With joined flags it may follow
// without a space, as with mysql's -p.
var tools = map[string]struct {
	flags   []string
	joined  bool
	pair    bool // the value is user:password
	certain bool // even a value of letters only is a password
}{
	"mysql": {[]string{"-p"}, true, false, false}, "mariadb": {[]string{"-p"}, true, false, false},
	"mongo": {[]string{"-p"}, false, false, false}, "psql": {[]string{"-W"}, false, false, false},
	"sshpass":   {[]string{"-p"}, true, false, true},
	"redis-cli": {[]string{"-a"}, false, false, true}, "docker login": {[]string{"-p"}, false, false, true},
	"podman login":        {[]string{"-p"}, false, false, true},
	"helm registry login": {[]string{"-p"}, false, false, false}, "sqlcmd": {[]string{"-P"}, true, false, false},
	"twine upload": {[]string{"-p"}, false, false, false},
	"az login":     {[]string{"-p"}, false, false, false}, "ldapsearch": {[]string{"-w"}, false, false, false},
	"mosquitto_pub": {[]string{"-P"}, false, false, false},
	"clickhouse":    {[]string{"--password"}, false, false, false}, "htpasswd -b": {nil, false, false, false},
	"curl ": {[]string{"-u", "--user", "--proxy-user"}, true, true, false},
	"http ": {[]string{"-a", "--auth"}, false, true, false}, "wget ": {[]string{"--user"}, false, true, false},
	"openssl ": {[]string{"-passin", "-passout", "-pass", "-k"}, false, false, false},
}

// toolPassword finds passwords after the short flags of programs.
func toolPassword(sc *scan, start, end int) {
	if start > 0 && (wordByte[sc.s[start-1]] || sc.s[start-1] == '-') || start < sc.seen[seenTool] {
		return
	}
	tool := tools[strings.ToLower(sc.s[start:end])]
	line := sc.s[end:min(len(sc.s), end+512)]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	sc.seen[seenTool] = end
	next := false
	for at, n := 0, 0; at < len(line) && n < 40; n++ {
		at = skipAny(line, at, " \t", 80)
		stop := at
		for stop < len(line) && line[stop] > ' ' {
			stop++
		}
		word := line[at:stop]
		sc.seen[seenTool] = end + at
		if word == "|" || word == "&&" || word == ";" {
			return
		}
		switch {
		case next:
			sc.toolValue(end+at, word, tool.pair, false, tool.certain)
			next = false
		case slices.Contains(tool.flags, word):
			next = true
		default:
			for _, f := range tool.flags {
				if v, ok := strings.CutPrefix(word, f); ok && (strings.HasPrefix(v, "=") || tool.joined && len(f) == 2) {
					v = strings.TrimPrefix(v, "=")
					sc.toolValue(end+stop-len(v), v, tool.pair, true, true)
				}
			}
		}
		at = stop
	}
}

// toolValue adds the word after a flag.
func (sc *scan) toolValue(at int, word string, pair, joined, certain bool) {
	v := strings.TrimLeft(word, "\"'`")
	at += len(word) - len(v)
	if i := strings.IndexAny(v, "\"'`"); i >= 0 {
		v = v[:i]
	}
	v = strings.TrimRight(v, ";,)")
	if p, ok := strings.CutPrefix(v, "pass:"); ok { // openssl's
		at, v, joined = at+len("pass:"), p, true
	}
	if pair {
		_, pass, ok := strings.Cut(v, ":")
		if !ok || len(pass) < 3 || urlPlaceholder(pass) {
			return
		}
		at, v = at+len(v)-len(pass), pass
	}
	quoted := len(word) > 0 && (word[0] == '\'' || word[0] == '"')
	sh := shapeOf(v)
	switch {
	case len(v) < 3, placeholder(v), strings.HasPrefix(v, "-"), strings.HasPrefix(v, "/"),
		strings.HasPrefix(v, "file:"), strings.HasPrefix(v, "env:"):
		return
	case !pair && numberForm().MatchString(v):
		return // a port
	case joined && !pair &&
		(strings.HasPrefix(v, "ort") || strings.HasPrefix(v, "ass") || strings.HasPrefix(v, "rotocol") ||
			strings.HasPrefix(v, "rint")):
		return // -port
	case !pair && !joined && !quoted && sh.digits == 0 && only(v, &identifier) && !(certain && len(v) >= 6):
		return // a word
	}
	sc.add(at, at+len(v), "command-password")
}

var (
	echoed     = lazy.Pattern(`\b(?:echo|printf)(?: -\w+)? ["']?([^"'|\s]{4,})["']? *\| *[^|]*$`)
	identified = lazy.Pattern(`(?i)^ (?:password )?["']([^"']{4,})["']`)
)

// piped finds passwords that are piped into a program, and those of SQL users.
func piped(sc *scan, start, end int) {
	if i := sc.s[start] | 0x20; i == 'i' {
		if m := identified().FindStringSubmatchIndex(sc.s[end:min(len(sc.s), end+200)]); m != nil &&
			!placeholder(sc.s[end+m[2]:end+m[3]]) {
			sc.add(end+m[2], end+m[3], "command-password")
		}
		return
	}
	first := max(0, start-300)
	first += strings.LastIndexByte(sc.s[first:start], '\n') + 1
	if m := echoed().FindStringSubmatchIndex(sc.s[first:start]); m != nil && !placeholder(sc.s[first+m[2]:first+m[3]]) {
		sc.add(first+m[2], first+m[3], "command-password")
	}
}

var seedWords = lazy.Pattern(`^["'\x60]?\s{0,4}[:=]?\s{0,4}["'\x60]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b`)

// phrase finds the seed phrases of wallets (BIP 39).
func phrase(sc *scan, _, end int) {
	if m := seedWords().FindStringSubmatchIndex(sc.s[end:min(len(sc.s), end+300)]); m != nil {
		switch strings.Count(sc.s[end+m[2]:end+m[3]], " ") + 1 {
		case 12, 15, 18, 21, 24:
			sc.add(end+m[2], end+m[3], "seed-phrase")
		}
	}
}
