package redact

import (
	"regexp"
	"strings"

	"episodes/internal/lazy"
)

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

// command is a form of command lines and calls in which a place, and no flag's name, makes a word a password.
type command struct {
	words string // between |
	form  string // of what follows a word, in lower case; its last group is the password
}

// oneWord is a word of a command line, or several in quotes.
const oneWord = `("[^"\n]{4,128}"|'[^'\n]{4,128}'|["']?[^\s"'|;&<>()-][^\s"'|;&<>()]{3,127})`

// certainCommands is the number of commands, at first, whose password may consist of letters only.
const certainCommands = 4

var commands = [...]command{
	{"curl |http ", `(?:^| )(?:-u|--user|--proxy-user|-a|--auth)[ =]?["']?[^\s:"']*:([^\s"']{3,128})`},
	{"mysql|mariadb|sshpass |7z ", `(?:^| )-p("[^"\n]{4,128}"|'[^'\n]{4,128}'|[^\s"'|;&<>()=-][^\s"'|;&<>()]{3,127})`},
	{"redis-cli |docker login |sshpass |ssh-keygen ", `(?:^| )-[apn] ` + oneWord},
	{"openssl ", ` -(?:pass(?:in|out)? pass:|k )` + oneWord},
	{"mysql|mariadb|zip |unzip |useradd |ldapsearch |az login ", `(?:^| )-[pw] ` + oneWord},
	{"snmp", ` -[ax] ["']?([^\s"']{8,128})`},
	{"secret set |variable set |put-parameter |secretsmanager ", ` -(?:b|v|-body|-value|-secret-string)[ =]` + oneWord},
	{" -u | --user | -username | --username | -u=| login | /u | /ru ", `^(?:.{0,90} )?[-/]r?(?:p|pw|pass)[ =:]["']?([^\s"'|;&<>()/.-][^\s"'|;&<>()/]{5,127})`},
	{" init | login ", `^(?:--?\w+ )*(\w{24,128})\b`},
	{"snmp-server community |rocommunity |rwcommunity |/pass:|new value: ", `^` + oneWord},
	{"api-key store ", `^\S+ ` + oneWord},
	{"key content ", `^ *: ` + oneWord},
	{"lftp -u ", `^[^\s,]+,` + oneWord},
	{"nsupdate -y |dig -y ", `^(?:hmac-[\w-]+:)?[^:\s]+:` + oneWord},
	{"http-basic.", `^\S+ \S+ ` + oneWord},
	{"-setcookie ", `^` + oneWord},
	{"db2 connect to ", `^\S+ user \S+ using ` + oneWord},
	{"bundle config ", `^(?:set )?(?:--\w+ )?\S+ \S+?:` + oneWord},
	{"acl setuser ", `^\S+ .*?>` + oneWord},
	{"htpasswd -", `^(?:\w*n\w*b\w*|\w*b\w*n\w*|\w*b\w* (?:-\w+ )*\S+) \S+ ` + oneWord},
	{"net use ", `^(?:\S+ )?\\+\S+ ` + oneWord},
	{"net user ", `^\S+ ` + oneWord + `["']? /`},
	{"sqlplus |sqlldr |expdp |impdp |rman target ", `^(?:-\S+ )*["']?[\w$#]+/["']?([^@\s"'/]{4,64})`},
	{"jdbc:oracle:", `^\w+:[\w$#]+/([^@\s"'/]{4,64})@`},
	{"convertto-securestring ", `^(?:-string )?["']([^"'\n]{4,128})["'].{0,20}-asplaintext`},
	{"smbclient |rpcclient |smbmap ", `-u ["']?[^\s%"']+%([^\s"'|;&]{4,64})`},
	{"freerdp |rdesktop ", `[/-]p[: ]` + oneWord},
	{"rabbitmqctl add_user |rabbitmqctl change_password |glab variable set ", `^\S+ ` + oneWord},
	{"requirepass |masterauth |snyk auth |cargo login |add-authtoken |ngrok authtoken ", `^` + oneWord},
	{"login(|auth(|auth=(|auth = (|authenticate(|connect(|credential(|credentials(|pdo(|mysqli(|algoliasearch(",
		`^ ?(?:b?["'$][^,\n]*, ?){1,2}b?["']([^"'\n]{4,128})["']`},
	{"wifi:", `^\S*?\bp:([^;\s]{4,64});`},
	{"curl ", `(?:^| )-u ["']?([\w.-]{16,128}):x?["']?(?: |$)`},
	{"credentials: |creds: ", `^[\w.@-]+ ?[/:] ?["']?([^\s"'|;&<>()/][^\s"'|;&<>()]{3,127})`},
}

// detect finds the passwords of a command.
func (c command) detect(sc *scan, what func() *regexp.Regexp, seen *int, form form, start, end int) {
	const apart = 64 // bytes from one that has no password to the next that is looked at
	if start < *seen || start > 0 && wordByte[sc.s[start-1]] && wordByte[sc.s[start]] && sc.s[end-1] == ' ' && !containsFold(sc.s[start:end], "freerdp") {
		return
	}
	*seen = end + apart
	line := sc.s[end:min(len(sc.s), end+longestCommand)]
	for _, stop := range []string{"\n", " && ", " | ", "; "} {
		line, _, _ = strings.Cut(line, stop)
	}
	for _, m := range what().FindAllStringSubmatchIndex(lowerASCII(line), -1) {
		v := value{sc: sc, class: password, form: form, name: "password", first: start, start: end + m[2], end: end + m[3]}
		if sc.s[v.start] == sc.s[v.end-1] && strings.IndexByte(`"'`, sc.s[v.start]) >= 0 {
			v.start, v.end, v.form = v.start+1, v.end-1, quoted
		}
		if v.secret() {
			sc.add(v.start, v.end, "command-password")
			*seen = v.end
		}
	}
}

const longestCommand = 300 // bytes
