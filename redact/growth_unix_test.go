//go:build unix

package redact

import (
	"maps"
	"math/rand"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostile are texts that are made to take long, of about so many bytes.
func hostile() map[string]func(size int) string {
	repeat := func(s string) func(int) string {
		return func(size int) string { return strings.Repeat(s, size/len(s)+1) }
	}
	all := map[string]func(int) string{
		"prose":    repeat("the token of the user is kept in the access key store, see api/keys.go and auth/session.go\n"),
		"one line": repeat("token api key secret password auth "),
	}
	for _, s := range []string{
		"a", " ", "\\", "\\n", "\\u0022", "\"", "@", "a@b.", "://", "a://b:c@", "eyJ", "eyJhbGciOiJ9.eyJ", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----",
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n-----END PRIVATE KEY-----\n", "Private-Lines: 99\n", "password=", "password=\"", "token: a1", "Cookie: a=1;", "kind: Secret\ndata:\n", "mysql -p ",
		"curl -u ", "echo aaaa | ", "Authorization: ", "Bearer ", "basic ", "[redacted ", "/home/", "C:\\Users\\", "%40", "sig=", ":5432:", "webhooks/", "1:AA", "mnemonic abc ", "identified by 'a", "sk-", "sk-a1b2", "ghp_", "xoxb-1", "AKIA",
		"s.", "key=", "IGFiY2RlZmdoaWprbG1ub3BxcnN0dXY", "QUFB", "$2b$10$", "{\"name\":\"TOKEN\",\"value\":",
		"a\" + \"", "a\\\n", "密码：a1", "htpasswd -b ", "net use \\\\a\\b ", "AKIAABCDEFGHIJKLMNOP ", "re_a", "a@tcp(", "password  a1\n", "password for a", "auth=(\"a\", \"", "a-us1 ", "snmp ", "%2f", "a%40", "\\u005f", "\\u001b[1m", "&#45;", "&amp;", "&", "\\_", "\u200b", "\x1b[", "\x1b]", "$", "$a", "$1$abcdefghijklmnop1q2w3e4r$",
		"\"kty\":\"d\":\"a\",", "x:a1b2c3d4@", "::", ":::", "{SSHA}", "true\t/\t", "/v1/", "://a/v2/", "password:\n", "token\n", "password,token\n", "|password|token|\n|--|--|\n|a1|b2|\n",
		"|token", "password,", "a-a_", "ab_Ab1Cd2Ef3", "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0 ", "a.b-", " -u a -p b1", "AUTH ", "recovery code 1-1 ", "{\"auth\":{\"a\":", "<a:password>", "secret 5 ", "-H 'a: ", "M", "key 1:",
		"(password) values ('a1'), ", "[users]\na = b\n", "wifi:t;", " login -p ", " -u a", "connect(\"a\", ", "<(echo a", "assword: send ", "://a/t/", "a:b:" + strings.Repeat("a1", 16) + "\n",
		strings.Repeat("a1b2", 4) + ".", "C(\"" + strings.Repeat("a1Bc", 8) + "\")", "snmp -a a1b2c3d4", "secret set ",
	} {
		all[s] = repeat(s)
	}
	set, err := readRules()
	if err != nil {
		panic(err)
	}
	var words, values, joined strings.Builder
	rnd := rand.New(rand.NewSource(1))
	for _, r := range set.Rules {
		for _, k := range r.Keywords {
			words.WriteString(k + " ")
			joined.WriteString(k)
			values.WriteString(invent(rnd, k+"_token = {h40} "))
		}
	}
	all["all keywords"] = repeat(words.String())
	all["all keywords, joined"] = repeat(joined.String())
	all["all keywords with values"] = repeat(values.String())
	secrets := ""
	for _, k := range slices.Sorted(maps.Keys(tokens)) {
		secrets += invent(rnd, tokens[k]) + " "
	}
	all["all tokens"] = repeat(secrets)
	return all
}

// The time for a text grows as its size, whatever is in it. What is compared is the time
// of the processor, the least of several runs where the first looks bad.
func TestTimeIsLinear(t *testing.T) {
	if os.Getenv("EPISODES_HEAVY") == "" {
		t.Skip("measures time, on texts of up to 1 MB (make test-heavy)")
	}
	const growth = 1.5 // of time that grows with the square it would be 4
	sizes := []int{256 << 10, 1 << 20}
	all := hostile()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		small, large := all[name](sizes[0]), all[name](sizes[1])
		before, now := perByte(small), perByte(large)
		for try := 0; now > growth*before && try < 5; try++ {
			now, before = min(now, perByte(large)), min(before, perByte(small))
		}
		t.Logf("%-30.30q %5.0f ns a byte, %.2f times that of 256 kB", name, now, now/before)
		if now > growth*before {
			t.Errorf("%q: %.0f ns a byte for 1 MB, %.0f for 256 kB", name, now, before)
		}
	}
}

// perByte is the time of the processor for a text, in nanoseconds for each byte, at least
// what a byte may cost whatever it costs elsewhere.
func perByte(text string) float64 {
	runtime.GC()
	start := processorTime()
	Default.Text(text)
	return max(20, float64(processorTime()-start)/float64(len(text)))
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
