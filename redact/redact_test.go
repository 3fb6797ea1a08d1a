package redact

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// What must stay: it looks like a secret and is none.
var harmlessTexts = []string{
	`{"apiCallId":"chatcmpl-9a8b7c6d5e4f3a2b1c0d9e8f","interactionId":"3f2b1c0d"}`,
	"commit 8603a00792511f3b4e5d6c7b8a9f0e1d2c3b4a59",
	"key: 8603a00792511f3b4e5d6c7b8a9f0e1d2c3b4a59",
	"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"token sha256-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
	"id: 550e8400-e29b-41d4-a716-446655440000",
	"token: 550e8400-e29b-41d4-a716-446655440000",
	"github.com/BurntSushi/toml v1.6.0 h1:dRaEfpa2VI55EwlIW72hMRHdWouJeRF7TPYhI+AUQjk=",
	`"integrity": "sha512-9Qx0j3kVN0b8oZ4p1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d=="`,
	"API_KEY=\nOTHER=1",
	"API_KEY=YOUR_API_KEY",
	"api_key: xxxx",
	"api_key: xxxxxxxxxxxxxxxxxxxxxxxx",
	"token: <token>",
	"password: REDACTED",
	"postgres://user:REDACTED@host/db",
	"postgres://user:$DB_PASSWORD@host/db",
	"postgres://user:${DB_PASSWORD}@host/db",
	"postgres://user:<password>@host/db",
	"postgres://user:****@host/db",
	"postgres://localhost:5432/db",
	"https://github.com/owner/repo@v1.2.3",
	"const token = await getToken(request)",
	"token := strings.TrimPrefix(header, \"Bearer \")",
	"password = user.password",
	"apiKey: config.apiKey,",
	"apiKey: process.env.API_KEY2,",
	"api_key = os.environ[\"API_KEY\"]",
	"Authorization: Bearer $TOKEN",
	"Authorization: Bearer ${TOKEN}",
	"Authorization: Bearer <token>",
	"if err := checkToken(t); err != nil {",
	"input_tokens: 12345, output_tokens: 678",
	`"max_tokens": 4096, "total_tokens": 1234567890`,
	"the token is expired, the password is wrong",
	"token is invalid; the secret is missing",
	"| Tests | PASS | 3.52s |",
	"--- PASS: TestPasswordReset/case_01 (0.00s)",
	"pass: 12, fail: 0",
	"password must be at least 8 characters",
	`"password": "must be at least 8 characters"`,
	`<input type="password" name="password">`,
	"--password-stdin",
	"use --token to pass it, or --password for the other",
	"--token string   the token to use",
	"secretRef:\n  name: db-credentials",
	"import sk-learn-contrib-estimators",
	"task-runner-for-all-things-2 risk-of-a-thing-like-this-1",
	"npm install @scope/package@1.2.3",
	"icon@2x.png and logo@3x.webp",
	"git clone git@github.com:owner/repo.git",
	"noreply@anthropic.com 1234+someone@users.noreply.github.com user@example.com",
	"@pytest.fixture and n@AGENTS.md",
	"GET /api/users/1234/tokens",
	"https://example.com/home/page and https://x.com/users/settings",
	"/home/ is a folder, /Users/Shared is another",
	"keyboard: qwerty2, monkey=1a2b3c4d5e6f, cacheKey=linux-x64-9a8b7c6d5e4f3a2b",
	"primary_key=1234abcd5678efgh, foreign_key: user_2id",
	"public_key = MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9a8b7c6d",
	"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
	"-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END CERTIFICATE-----",
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d",
	"SHA256:9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8",
	"call_9a8b7c6d5e4f3a2b1c0d9e8f toolu_01A9B8C7D6E5F4G3H2 msg_01XFDUDYJgAACzvnptvVoYEL",
	`"sessionId":"0199a8b7-c6d5-7e4f-3a2b-1c0d9e8f7a6b"`,
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
	"mysql -h db -P 3306 -p shop; psql -p 5432",
	"curl -u $USER:$PASS https://x.dev; docker run -p 8080:80 x",
	"AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
	"v1.2.3-0.20240706181042-81dcd7d73e45",
	"login: http://localhost:8080/x", "fix login: auth/session2 failing", "credentials: http://localhost:8080/x",
}

func TestHarmless(t *testing.T) {
	for _, text := range harmlessTexts {
		for _, text := range []string{text, "a\n" + text + "\nb", quoteJSON([]string{text})} {
			if out, counts := Default.Text(text); out != text {
				t.Errorf("%q became %q (%s)", text, out, counts)
			}
		}
	}
}

func TestMarkers(t *testing.T) {
	text := "postgres://app:s3cr3tx9@db/app by bob.miller@corp.dev in /home/bob/src"
	out, counts := Default.Text(text)
	if want := "postgres://app:[redacted url-password]@db/app by [redacted email] in ~/src"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
	if got, want := counts.String(), "1 email, 1 home, 1 url-password"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestConfig(t *testing.T) {
	r, err := New(Config{Patterns: []string{`ACME-\d{4}`}, Allow: []string{`hunter2x`, `.*@corp\.dev`, `AKIA.*`, `(?s).*KEY.*`}})
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewSource(1))
	aws, key := invent(rnd, "AKIA{U16}"), pem(rnd, "", 3)
	for text, want := range map[string]string{
		"see ACME-1234 there":    "see [redacted project] there",
		"password: hunter2x":     "password: hunter2x",
		"password: hunter2y":     "password: [redacted assignment]",
		"mail bob@corp.dev now":  "mail bob@corp.dev now",
		"mail bob@other.dev now": "mail [redacted email] now",
	} {
		if got := r.String(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := r.String(aws + "\n" + key); strings.Contains(got, aws) || strings.Contains(got, "BEGIN") {
		t.Errorf("tokens of providers and private keys were allowed: %q", got)
	}
	for _, bad := range []Config{
		{Patterns: []string{"("}},
		{Allow: []string{"["}},
		{Patterns: slices.Repeat([]string{"a"}, MaxEntries+1)},
		{Allow: []string{strings.Repeat("a", MaxPattern+1)}},
		{Patterns: []string{"(a?){1000}"}},
		{Patterns: slices.Repeat([]string{"[a-z]{0,60}x"}, 3)},
	} {
		if r, err := New(bad); err == nil || r == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}

// TestRules reads gitleaks' rules as they are: all compile, and have the group they name. Their ids are
// short, as a marker is recognised by them.
func TestRules(t *testing.T) {
	id := regexp.MustCompile(`^[a-z0-9-]{2,50}$`)
	set, err := readRules()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(set.Rules); n < 200 {
		t.Errorf("%d rules", n)
	}
	for _, r := range set.Rules {
		r.compile()
		if r.SecretGroup > r.re.NumSubexp() {
			t.Errorf("%s has no group %d", r.ID, r.SecretGroup)
		}
		if !id.MatchString(r.ID) {
			t.Errorf("the id %q", r.ID)
		}
	}
}

// drawText puts secrets, near misses and what was redacted before together at random.
func drawText(t *rapid.T) string {
	rnd := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
	var all []string
	for _, template := range tokens {
		all = append(all, template)
	}
	slices.Sort(all)
	for _, p := range planted {
		all = append(all, strings.NewReplacer("«", "", "»", "").Replace(p))
	}
	all = append(all, harmlessTexts...)
	all = append(all, "[redacted email]", "[redacted url-password]", "[redacted assignment]", "~", "password=", "token: ", "\"", "'", "\\n", "\\\"", "://", "@", ":", "\n", " ", "|", "Authorization: ", "Bearer ", "Cookie: a=", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----", "/home/", "[redacted ")
	var b strings.Builder
	for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(all)-1), 1, 8).Draw(t, "parts") {
		b.WriteString(invent(rnd, all[i]))
		b.WriteString(rapid.SampledFrom([]string{"", " ", "\n", "\r\n", ", "}).Draw(t, "between"))
	}
	return b.String()
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { laws(t, drawText(t)) })
}

type failer interface {
	Fatalf(format string, args ...any)
}

// laws hold for every text.
func laws(t failer, text string) {
	out, counts := Default.Text(text)
	if (out == text) != (counts.Total() == 0) {
		t.Fatalf("%q became %q with %v", text, out, counts)
	}
	if again, more := Default.Text(out); again != out {
		t.Fatalf("not the same again: %q, %q, %q (%v)", text, out, again, more)
	}
	if strings.Count(out, "\n") != strings.Count(text, "\n") {
		t.Fatalf("other lines: %q, %q", text, out)
	}
	object := quoteJSON(map[string]string{"a": text, "b": "c"})
	if out := Default.String(object); !json.Valid([]byte(out)) {
		t.Fatalf("no JSON any more: %q became %q", object, out)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range harmlessTexts {
		f.Add(s)
	}
	rnd := rand.New(rand.NewSource(1))
	for _, s := range planted {
		f.Add(invent(rnd, strings.NewReplacer("«", "", "»", "").Replace(s)))
	}
	for _, s := range tokens {
		f.Add(invent(rnd, s))
	}
	f.Add(pem(rnd, "RSA ", 4))
	f.Fuzz(func(t *testing.T, s string) { laws(t, s) })
}

// TestJSONStaysJSON redacts a JSON log as bytes.
func TestJSONStaysJSON(t *testing.T) {
	rnd := rand.New(rand.NewSource(7))
	object := map[string]any{"asana": 1234567890123456, "token": 12345678901234567, "nested": map[string]any{"password": nil, "secret": true, "apiKey": invent(rnd, "{A32}")}}
	for i, p := range planted {
		object[fmt.Sprintf("k%d", i)] = invent(rnd, strings.NewReplacer("«", "", "»", "").Replace(p))
	}
	for _, indent := range []string{"", "  "} {
		data, err := json.MarshalIndent(object, "", indent)
		if err != nil {
			t.Fatal(err)
		}
		out := Default.String(string(data))
		var bad *json.SyntaxError
		if err := json.Unmarshal([]byte(out), new(any)); errors.As(err, &bad) {
			t.Errorf("%v: %s", err, out[max(0, int(bad.Offset)-400):bad.Offset])
		}
	}
}

func TestAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, p := range planted {
				Default.Text(p)
			}
		})
	}
	wg.Wait()
}
