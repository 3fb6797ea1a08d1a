package redact

import (
	"regexp"
	"strings"
)

// pattern is a form by which secrets are known whatever is around them: an expression, and words that are in
// all that it matches.
type pattern struct {
	words         string // between |
	before, after int    // bytes around a word that the expression is given
	form          string // its groups are the secrets, or all of it
	kind          string
	random        bool // a secret must look random
}

var patterns = [...]pattern{
	{"re_|sqp_|squ_|oy2", 1, 48, `\b(?:re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}|sq[pu]_[0-9a-f]{40}|oy2[a-z0-9]{43})\b`, "api-key", false},
	{":aa", 13, 40, `\b\d{6,12}:AA[\w-]{32,36}`, "telegram-token", false},
	{"-us", 33, 4, `\b[0-9a-f]{32}-us\d{1,3}\b`, "mailchimp-key", false},
	{"k10", 1, 160, `\bK10[0-9a-f]{64}(?:::\w+:\w+)?`, "api-key", false},
	{":apa91b", 16, 200, `\b[\w-]{8,}:APA91b[\w-]{60,}`, "google-api-key", false},
	{":::", 100, 0, `:\d+:([0-9a-fA-F]{32}):([0-9a-fA-F]{32}):::`, "password-hash", false},
	{"{ssha|{sha|{smd5|{md5|{crypt|{plain|{cleartext|{pbkdf2", 10, judged,
		`\{(?:SSHA|SHA|SMD5|MD5|CRYPT|PLAIN|CLEARTEXT|PBKDF2)[\w.-]*\}([^\s"',:;\\]{6,})`, "password-hash", false},
	{"true\t|false\t|true \t|false \t", 0, 512, `^\s?/\S*\s{1,2}(?i:true|false)\s{1,2}\d+\s{1,2}\S+\s{1,2}([^\s"']{8,})`, "cookie", false},
	{`"kty`, 1 << 11, 1 << 12, `"(?:d|dp|dq|p|q|qi|k) ?"\s?:\s? ?"([\w-]{16,})`, "private-key", false},
	{"/v1/|/v2/|/v3/", 80, 100, `://[\w.-]+/v\d/([\w-]{32,80})(?:[\s"'<>)\]?#,]|$)`, "api-key", true},
	{"/t/|/token/", 80, 100, `://[\w.-]+/t(?:oken)?/([\w-]{20,80})`, "api-key", true},
	{"<(echo |<(printf ", 0, judged, `^["']?([^\s"')]{6,})`, "command-password", true},
	{"assword:|assphrase:", 0, judged, `^["') {]*\s*(?:\w+\.)?send\w*[ (](?:-- )?["']([^"'\\\n]{4,64})`, "command-password", false},
	{"recovery code|backup code|scratch code|recovery key|backup key|product key|activation key", 0, judged, `^s?["'*\x60 ]*[:=]?\s*((?:[\w-]*\d[\w-]*-[\w-]+[\s,]*){1,20})`, "assignment", false},
	{"'*", 2, 42, `'\*([0-9A-F]{40})'`, "password-hash", false},
	{"::", 0, 256, `^[\w.-]*:[0-9a-fA-F]{16}:([0-9a-fA-F]{32}:[0-9a-fA-F]{16,})`, "password-hash", false},
	{"00d", 1, judged, `\b00D[A-Za-z0-9]{12,15}![\w.]{60,}`, "api-key", false},
	{"@", 80, 1, `(?:^|[\s"'/,>])[\w.-]+:([^\s@:"'/\\%&]{8,})@\S$`, "url-password", true},
	{"app password|specific password", 0, 40, `^s?\W{1,4}((?:[a-z]{4}[ -]){3}[a-z]{4})\b`, "assignment", false},
	{"appid=|app_id=", 0, 40, `^[0-9a-f]{32}\b`, "api-key", false},
	{`-h '|-h "|-header '|-header "`, 0, judged, `^[\w-]+: ?([\w.+/=~-]{20,})["']`, "api-key", true},
	{"]:25|]:465|]:587|]:2525", 0, judged, `^\s+[^\s:]+:([^\s"']{6,})`, "url-password", false},
	{"pass |auth |login ", 16, judged, `(?:^|[\n>] ?)(?:PASS|AUTH(?: PLAIN| LOGIN)?|\w+ LOGIN \S+) ([^\s"'./]*\d[^\s"'./]*)\s*(?:\n|$)`, "assignment", true},
}

// detect takes what matches around a word.
func (p *pattern) detect(sc *scan, form func() *regexp.Regexp, seen *int, start, end int) {
	if start < *seen {
		return
	}
	first, last := max(0, start-p.before), min(len(sc.s), end+p.after)
	if p.before == 0 {
		first = end
	}
	*seen = end + max(p.before, p.after)/8 // so that a text full of such words takes no longer
	for _, m := range form().FindAllStringSubmatchIndex(sc.s[first:last], -1) {
		for g := min(2, len(m)-2); g < len(m); g += 2 {
			if v := sc.s[first+m[g] : first+m[g+1]]; !placeholder(strings.TrimSpace(v)) && (!p.random || random(v)) {
				sc.add(first+m[g], sc.wordEnd(first+m[g+1]), p.kind)
			}
		}
	}
}
