package redact

import (
	"encoding/base64"
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// own is a detector with its keywords in lower case, between |.
type own struct {
	words  string
	detect detector
}

func ownDetectors() []own {
	list := []own{
		{"://", urlPassword},
		{"-----begin|-----end", privateKey},
		{"private-lines:", puttyKey},
		{"eyj", jwt},
		{"$", passwordHash},
		{"authorization|bearer|basic |ssws ", authorization},
		{"cookie|phpsessid|jsessionid|connect.sid|sessionid|session_id|_session|asp.net_sess|csrftoken|xsrf-token",
			cookie},
		{"passw|pass|pw|secret|token|key|cred|auth|jwt|pat|psk|salt|_session", assignment},
		{"mnemonic|seed phrase|seed_phrase|recovery phrase", phrase},
		{"--password-stdin|sudo -s|chpasswd|identified by|--passphrase-fd|cryptsetup |kinit|--stdin|smbpasswd|vncpasswd", piped},
		{"sig=|signature=|code=", signature},
		{":5432:|:3306:|:1433:|:*:", passFile},
		{`kind: secret|kind: "secret|[admins]|[users]|[auth]|[passwords]|[credentials]|[secrets]`, manifest},
		{"values", inserted},
		{"webhooks/|incomingwebhook/|/hooks/catch/", webhook},
		{"@tcp(|@unix(", dataSource},
		{"akia|asia", secretBeside},
		{"\" +|\"+|' +|'+|+ \"|+\"|+ '|+'|\\\n|\\\r\n|   \n", parted},
		{abroad, foreign},
		{"@", email},
		{`/home/|/users/|\home|\users|-home-|-users-`, home},
	}
	for p := range strings.FieldsSeq(prefixes) {
		list = append(list, own{strings.ToLower(p), prefix(p).detect})
	}
	for i, p := range patterns {
		form := lazy.Pattern(p.form)
		list = append(list, own{p.words, func(sc *scan, start, end int) { p.detect(sc, form, &sc.seen[numSeen+i], start, end) }})
	}
	for i, c := range commands {
		how, form := flag, lazy.Pattern(c.form)
		if i < certainCommands {
			how = joined
		}
		list = append(list, own{c.words, func(sc *scan, start, end int) {
			c.detect(sc, form, &sc.seen[numSeen+len(patterns)+i], how, start, end)
		}})
	}
	return list
}

// prefix is one of a provider's tokens, for which gitleaks has no rule or one that misses tokens of other
// lengths, and which are too short, too regular or too often part of an address for the rule of all tokens.
type prefix string

const (
	leastAfter = 20 // characters after a prefix
	certain    = 7  // of a prefix that no word has, without a _ after it
)

const prefixes = `
	sk- sk_ sk_live_ sk_test_ rk_live_ rk_test_ whsec_ xoxp- xoxa- xoxr- xoxc- xoxd- AIza ya29. GOCSPX- 1//0 npm_ hf_
	tvly- fw_ lsv2_ e2b_ sbp_ dckr_pat_ tskey- figd_ dop_v1_ hvs. hvb. hvr. ATATT3 glsa_ vercel_ sq0csp- secret_ rnd_
	SG. dp.st. ctx7sk- pul- eyJrIjoi NRAK- ATBB bkua_ fm2_ fc- ATTA KEY0 ops_ xprv zprv doppler_ CCIPAT_ xai- sntrys_
	AGE-SECRET-KEY-1`

var prefixByte = bytesOf("azAZ09", "_-.+/=")

// detect finds a token of the provider in any context. The part after the prefix must look
// random, since some words have the same prefix, such as "sk-learn-…".
func (p prefix) detect(sc *scan, start, end int) {
	if start < sc.seen[seenToken] ||
		start > 0 && (letterByte[sc.s[start-1]] || digitByte[sc.s[start-1]]) && !strings.Contains(string(p), "_") {
		return
	}
	if sc.s[start:end] != string(p) || start > 1 && sc.s[start-1] == '+' && wordByte[sc.s[start-2]] {
		return
	}
	stop := run(sc.s, end, judged, &prefixByte)
	more := stop == end+judged
	for stop > end && strings.IndexByte(".-/+=", sc.s[stop-1]) >= 0 {
		stop--
	}
	if v := sc.s[end:stop]; len(v) < leastAfter || placeholder(v) || len(strings.TrimRight(string(p), "_")) < certain && wordy(v) || !random(v) {
		return
	}
	if more {
		stop = run(sc.s, stop, len(sc.s), &prefixByte)
	}
	sc.seen[seenToken] = stop
	sc.add(start, stop, "api-key")
}

// secretBeside takes the id of an access key of AWS, and its secret, which has 40 characters, from the
// text after it.
func secretBeside(sc *scan, start, end int) {
	const near, size, rest = 120, 40, 16
	at := run(sc.s, end, rest+1, &wordByte)
	if at != end+rest || sc.s[start:at] != strings.ToUpper(sc.s[start:at]) {
		return
	}
	if v := sc.s[end:at]; random(v) && !placeholder(v) {
		sc.add(start, at, "aws-access-key")
	}
	for last := min(len(sc.s), at+near); at < last; at++ {
		end := run(sc.s, at, near, &base64Byte)
		if v := sc.s[at:end]; end-at == size && shapeOf(v).upper > 4 && shapeOf(v).lower > 4 && !placeholder(v) {
			sc.add(at, end, "aws-secret-key")
			return
		}
		at = end
	}
}

// judged is the number of bytes of a value that decide whether it is a secret. Nearly all
// values are shorter; the limit bounds the time for a text full of prefixes.
const judged = 128

var jwtByte = bytesOf("azAZ09", "_-.+/=")

// jwt finds JSON web tokens (RFC 7519), also encrypted ones, and those truncated in the
// second part.
func jwt(sc *scan, start, _ int) {
	if start < sc.seen[seenJWT] ||
		start > 0 && base64Byte[sc.s[start-1]] && sc.s[start-1] != '=' && sc.s[start-1] != '-' && sc.s[start-1] != '_' {
		return
	}
	end := run(sc.s, start, len(sc.s), &jwtByte)
	sc.seen[seenJWT] = end
	parts := strings.Split(sc.s[start:end], ".")
	if len(parts) < 2 || len(parts[0]) < 10 || len(parts[1]) < 10 {
		return
	}
	head, _ := base64.RawURLEncoding.DecodeString(parts[0][:len(parts[0])/4*4])
	if len(head) < 2 || head[0] != '{' || head[1] != '"' {
		return
	}
	sc.add(start, end, "jwt")
}

var hashByte = bytesOf("azAZ09", "$./+=,-_")

// passwordHash finds hashes in the format of crypt(3) and similar: $id$…$hash.
func passwordHash(sc *scan, start, end int) {
	if start < sc.seen[seenHash] {
		return
	}
	stop := run(sc.s, end, judged, &hashByte)
	sc.seen[seenHash] = stop
	long := func(part string) bool {
		return len(part) >= longPart && random(part) && entropy(part) >= 3 && !wordy(part)
	}
	if parts := strings.Split(sc.s[end:stop], "$"); slices.ContainsFunc(parts[1:], long) {
		sc.add(start, stop, "password-hash")
	}
}

// minBase64 is the shortest base64 that is decoded.
const minBase64 = 24

// base64 searches the decoded content of a run of base64 for secrets if it is text.
func (sc *scan) base64(start, end int) {
	if sc.depth >= maxDepth {
		return
	}
	v := sc.s[start:end]
	if i := strings.LastIndexByte(strings.TrimRight(v, "="), '='); i >= 0 { // NAME=…
		start += i + 1
		v = v[i+1:]
	}
	v = strings.TrimRight(v, "=")
	if len(v) < minBase64-4 {
		return
	}
	if walletKey(v) {
		sc.add(start, start+len(v), "wallet-key")
		return
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(v, "-_") {
		enc = base64.RawURLEncoding
	}
	var head [12]byte
	if n, err := enc.Decode(head[:], []byte(v[:16])); err != nil || !printable(string(head[:n])) {
		return
	}
	if len(v)%4 == 1 {
		v = v[:len(v)-1]
	}
	text, err := enc.DecodeString(v)
	if err != nil || !printable(string(text)) {
		return
	}
	for _, sp := range sc.r.findWith(sc.engine, string(text), sc.depth+1) {
		if sp.kind != "email" && sp.kind != "home" {
			sc.add(start, end, sp.kind)
			if sp.kind == "private-key" {
				sc.add(end, sc.keyLines(end), sp.kind)
			}
			return
		}
	}
}

func printable(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\r' && c != '\t' || c > '~' {
			return false
		}
	}
	return true
}

// walletKey reports whether a value has the form of a private key of Bitcoin for import (WIF).
func walletKey(v string) bool {
	sh := shapeOf(v)
	return (len(v) == 51 || len(v) == 52) && strings.IndexByte("5KL9c", v[0]) >= 0 && sh.lower >= 8 && sh.upper >= 8 && sh.digits >= 2 &&
		!strings.ContainsAny(v, "0OIl+/-_") && sh.turns >= 6
}

// webhook finds the secret paths of webhooks of chat services.
func webhook(sc *scan, start, end int) {
	if sc.s[start]|0x20 == 'w' && !containsFold(sc.s[max(0, start-32):start], "/api/") {
		return
	}
	path := bytesOf("azAZ09", "_-/")
	stop := run(sc.s, end, 256, &path)
	if v := sc.s[end:stop]; len(v) >= 40 && random(v) || sc.s[start] == '/' && len(v) >= 12 {
		sc.add(end, stop, "webhook")
	}
}

// dataSource finds the password in the name of a data source of Go: user:password@tcp(host).
func dataSource(sc *scan, start, _ int) {
	first := back(sc.s, start, judged, &urlByte)
	user, pass, ok := strings.Cut(sc.s[first:start], ":")
	if ok && len(pass) >= 4 && !urlPlaceholder(pass) {
		sc.add(first+len(user)+1, start, "url-password")
	}
}

// abroad are words for a password in other languages.
const abroad = "contraseña|senha|mot de passe|kennwort|wachtwoord|hasło|heslo|parola|lösenord|" +
	"salasana|jelszó|adgangskode|şifre|Şifre|mật khẩu|пароль|Пароль|κωδικός|סיסמה|" +
	"كلمة المرور|密码|密碼|口令|パスワード|비밀번호|암호|पासवर्ड"

var valueAbroad = lazy.Pattern(`^[\pL' ]{0,12}["'\x60*|)）]{0,3}\s{0,8}(?:[:=：＝|]|は|是|为|為|\b(?:es|é|est|ist|is|jest)\s)[\s"'\x60*「『“«|]{0,6}([!#-&(-_a-~]{4,64})`)

// foreign finds the value after a word for a password in another language.
func foreign(sc *scan, start, end int) {
	m := valueAbroad().FindStringSubmatchIndex(sc.s[end:min(len(sc.s), end+160)])
	if m == nil || !slices.Contains(strings.Split(abroad, "|"), lowerASCII(sc.s[start:end])) {
		return
	}
	v := value{sc: sc, class: password, form: told, name: "password", first: start, start: end + m[2], end: end + m[3]}
	v.end = v.start + len(strings.TrimRight(sc.s[v.start:v.end], ".,;:?*)]}"))
	if v.secret() {
		sc.add(v.start, v.end, "assignment")
	}
}
