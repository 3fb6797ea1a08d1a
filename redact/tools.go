package redact

import (
	"regexp"
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
	"clickhouse":    {[]string{"--password"}, false, false, false},
	"mosquitto_sub": {[]string{"-P"}, false, false, false}, "cqlsh": {[]string{"-p"}, false, false, false},
	"ssh-keygen": {[]string{"-N", "-P"}, false, false, true}, "snmp": {[]string{"-A", "-X"}, false, false, false},
	"gh secret set": {[]string{"-b", "--body"}, false, false, true}, "az keyvault secret set": {[]string{"--value"}, false, false, true},
	"aws ssm put-parameter": {[]string{"--value"}, false, false, false}, "aws secretsmanager": {[]string{"--secret-string"}, false, false, true},
	"zip ": {[]string{"-P"}, false, false, false}, "unzip ": {[]string{"-P"}, false, false, false}, "7z ": {[]string{"-p"}, true, false, false},
	"useradd ": {[]string{"-p"}, false, false, false}, "usermod ": {[]string{"-p"}, false, false, false},
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
		if quote := stop; next && quote < len(line) && strings.IndexByte("\"'", line[quote]) >= 0 {
			stop += 1 + max(0, strings.IndexByte(line[quote+1:], line[quote]))
		}
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

// command is a form of command lines and calls in which a place, and no flag, makes a word a password.
type command struct {
	words []string
	form  func() *regexp.Regexp // of what follows a word; its last group is the password
}

// oneWord is a word of a command line, with or without quotes.
const oneWord = `["']?([^\s"'|;&<>()]{4,128})`

var commands = []command{
	{[]string{" -u ", " --user ", " -username "}, lazy.Pattern(`^["']?[\w.@\\-]+["']? (?:.{0,60} )?-(?:p|pw|pass) ["']?([^\s"'|;&<>()/.-][^\s"'|;&<>()/]{5,127})`)},
	{[]string{" init ", " login "}, lazy.Pattern(`^(?:--?\w+ )*(\w{24,128})\b`)},
	{[]string{"snmp-server community ", "rocommunity ", "rwcommunity ", "/pass:", "new value: "}, lazy.Pattern(`^` + oneWord)},
	{[]string{"api-key store "}, lazy.Pattern(`^\S+ ` + oneWord)},
	{[]string{"key content "}, lazy.Pattern(`^ *: ` + oneWord)},
	{[]string{"lftp -u "}, lazy.Pattern(`^[^\s,]+,` + oneWord)},
	{[]string{"nsupdate -y ", "dig -y "}, lazy.Pattern(`^(?:hmac-[\w-]+:)?[^:\s]+:` + oneWord)},
	{[]string{"http-basic."}, lazy.Pattern(`^\S+ \S+ ` + oneWord)},
	{[]string{"-setcookie "}, lazy.Pattern(`^` + oneWord)},
	{[]string{"db2 connect to "}, lazy.Pattern(`^\S+ user \S+ using ` + oneWord)},
	{[]string{"bundle config "}, lazy.Pattern(`^(?:set )?(?:--\w+ )?\S+ \S+?:` + oneWord)},
	{[]string{"acl setuser "}, lazy.Pattern(`^\S+ .*?>` + oneWord)},
	{[]string{"htpasswd -"}, lazy.Pattern(`^(?:\w*n\w*b\w*|\w*b\w*n\w*|\w*b\w* (?:-\w+ )*\S+) \S+ ` + oneWord)},
	{[]string{"net use "}, lazy.Pattern(`^(?:\S+ )?\\+\S+ ` + oneWord)},
	{[]string{"net user "}, lazy.Pattern(`^\S+ ` + oneWord + `["']? /`)},
	{[]string{"sqlplus ", "sqlldr ", "expdp ", "impdp ", "rman target "}, lazy.Pattern(`^(?:-\S+ )*["']?[\w$#]+/["']?([^@\s"'/]{4,64})`)},
	{[]string{"jdbc:oracle:"}, lazy.Pattern(`^\w+:[\w$#]+/([^@\s"'/]{4,64})@`)},
	{[]string{"convertto-securestring "}, lazy.Pattern(`^(?:-string )?["']([^"'\n]{4,128})["'].{0,20}-asplaintext`)},
	{[]string{"smbclient ", "rpcclient ", "smbmap "}, lazy.Pattern(`-u ["']?[^\s%"']+%([^\s"'|;&]{4,64})`)},
	{[]string{"freerdp ", "rdesktop "}, lazy.Pattern(`[/-]p[: ]` + oneWord)},
	{[]string{"rabbitmqctl add_user ", "rabbitmqctl change_password ", "glab variable set "}, lazy.Pattern(`^\S+ ` + oneWord)},
	{[]string{"requirepass ", "masterauth ", "snyk auth ", "cargo login ", "add-authtoken ", "ngrok authtoken "}, lazy.Pattern(`^` + oneWord)},
	{[]string{"new pdo("}, lazy.Pattern(`^[^,\n]{1,100}, ?["'][^"'\n]*["'], ?["']([^"'\n]{4,128})["']`)},
	{[]string{"mysqli(", "mysqli_connect(", "mysql_connect("}, lazy.Pattern(`^["'$][^,\n]*, ?["'$][^,\n]*, ?["']([^"'\n]{4,128})["']`)},
	{[]string{"auth=(", "auth = (", "basicauth("}, lazy.Pattern(`^ ?b?["'][^"'\n]*["'], ?b?["']([^"'\n]{4,128})["']`)},
	{[]string{"credentials: "}, lazy.Pattern(`^[\w.@-]+ ?[/:] ?["']?([^\s"'|;&<>()/][^\s"'|;&<>()]{3,127})`)},
	{[]string{"algoliasearch("}, lazy.Pattern(`^["']\w+["'], ?["'](\w{20,64})["']`)},
}

// detect finds the password of a command.
func (c command) detect(sc *scan, start, end int) {
	const apart = 64 // bytes from one that has no password to the next that is looked at
	if start < sc.seen[seenCommand] || start > 0 && wordByte[sc.s[start-1]] && wordByte[sc.s[start]] && sc.s[end-1] == ' ' && !containsFold(sc.s[start:end], "freerdp") {
		return
	}
	sc.seen[seenCommand] = end + apart
	line := sc.s[end:min(len(sc.s), end+longestCommand)]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if m := c.form().FindStringSubmatchIndex(lowerASCII(line)); m != nil {
		v := value{sc: sc, class: password, form: flag, name: "password", first: start, start: end + m[2], end: end + m[3]}
		if v.secret() {
			sc.add(v.start, v.end, "command-password")
			sc.seen[seenCommand] = v.end
		}
	}
}

const longestCommand = 300 // bytes
