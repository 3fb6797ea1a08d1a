package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// alphabets of the random parts of planted secrets.
var alphabets = map[string]string{
	"A": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	"a": "abcdefghijklmnopqrstuvwxyz0123456789",
	"U": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	"h": "0123456789abcdef",
	"H": "0123456789ABCDEF",
	"b": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
	"d": "0123456789",
	"l": "abcdefghijklmnopqrstuvwxyz",
}

var randomPart = regexp.MustCompile(`\{([AaBUhHbdl])(\d+)\}`)

// invent fills the random parts of a template: secrets are made anew in each run of the
// test and stand in no file.
func invent(rnd *rand.Rand, template string) string {
	return randomPart.ReplaceAllStringFunc(template, func(m string) string {
		p := randomPart.FindStringSubmatch(m)
		n, _ := strconv.Atoi(p[2])
		b := make([]byte, n)
		for {
			for i := range b {
				b[i] = alphabets[p[1]][rnd.Intn(len(alphabets[p[1]]))]
			}
			if n < 12 || p[1] == "d" || p[1] == "l" || strings.ContainsAny(string(b), "0123456789") {
				return string(b)
			}
		}
	})
}

// pem makes a private key of so many lines.
func pem(rnd *rand.Rand, kind string, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-----BEGIN %sPRIVATE KEY-----\n", kind)
	for range lines {
		b.WriteString(invent(rnd, "{b64}") + "\n")
	}
	fmt.Fprintf(&b, "-----END %sPRIVATE KEY-----", kind)
	return b.String()
}

// tokens are secrets that must be found wherever they stand, whatever is around them.
var tokens = map[string]string{
	"aws access key":    "AKIA{U16}",
	"aws session key":   "ASIA{U16}",
	"github classic":    "ghp_{A36}",
	"github oauth":      "gho_{A36}",
	"github app":        "ghs_{A36}",
	"github fine":       "github_pat_{A22}_{A59}",
	"gitlab":            "glpat-{A20}",
	"slack bot":         "xoxb-{d12}-{d12}-{A24}",
	"slack user":        "xoxp-{d12}-{d12}-{d12}-{h32}",
	"slack app":         "xapp-1-A{U10}-{d13}-{h64}",
	"slack hook":        "https://hooks.slack.com/services/T{U10}/B{U10}/{A24}",
	"stripe live":       "sk_live_{A24}",
	"stripe restricted": "rk_live_{A24}",
	"stripe webhook":    "whsec_{A32}",
	"openai project":    "sk-proj-{A74}T3BlbkFJ{A74}",
	"openai old":        "sk-{A20}T3BlbkFJ{A20}",
	"openai other":      "sk-{A48}",
	"anthropic":         "sk-ant-api03-{A93}AA",
	"openrouter":        "sk-or-v1-{h64}",
	"google api":        "AIza{A35}",
	"google oauth":      "GOCSPX-{A28}",
	"google access":     "ya29.{A80}",
	"npm":               "npm_{A36}",
	"pypi":              "pypi-AgEIcHlwaS5vcmc{A70}",
	"huggingface":       "hf_{A34}",
	"groq":              "gsk_{A52}",
	"sendgrid":          "SG.{A22}.{A43}",
	"digitalocean":      "dop_v1_{h64}",
	"linear":            "lin_api_{A40}",
	"shopify":           "shpat_{h32}",
	"vault":             "hvs.{A95}",
	"docker":            "dckr_pat_{A27}",
	"databricks":        "dapi{h32}",
	"postman":           "PMAK-{h24}-{h34}",
	"grafana":           "glsa_{A32}_{h8}",
	"supabase":          "sbp_{h40}",
	"twilio":            "SK{h32}",
	"atlassian":         "ATATT3{A186}",
	"jwt":               "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI{A30}.{A43}",
	"age":               "AGE-SECRET-KEY-1{U58}",
	"discord hook":      "https://discord.com/api/webhooks/{d18}/{A68}",
	"telegram":          "{d10}:AA{A33}",
	"mailgun":           "key-{h32}",
	"rubygems":          "rubygems_{h48}",
	"planetscale":       "pscale_tkn_{A43}",
	"github refresh":    "ghr_{A36}",
	"gitlab deploy":     "gldt-{A20}",
	"gitlab runner":     "glrt-{A20}",
	"gitlab job":        "glcbt-64_{A20}",
	"slack legacy":      "xoxs-{d11}-{d11}-{d11}-{h10}",
	"xai":               "xai-{A80}",
	"sentry":            "sntrys_eyJ{A80}_{A43}",
	"langsmith":         "lsv2_sk_{h32}_{h10}",
}

// places put a token into a text.
var places = map[string]func(secret string) string{
	"prose": func(s string) string { return "I used " + s + " and it worked." },
	"line":  func(s string) string { return "before\n" + s + "\nafter" },
	"JSON": func(s string) string {
		return quoteJSON(map[string]any{"text": "the token is\n" + s + "\nthanks", "n": 1})
	},
	"JSON in JSON": func(s string) string {
		return quoteJSON(map[string]any{"o": quoteJSON(map[string]any{"t": "x\n" + s + "\ty"})})
	},
	"header": func(s string) string { return `curl -H "X-Api-Key: ` + s + `" https://api.test.dev/v1` },
	"base64": func(s string) string {
		return "header: " + base64.StdEncoding.EncodeToString([]byte("Authorization: Bearer "+s+"\n"))
	},
	"base64 in URL": func(s string) string {
		return "?state=" + base64.RawURLEncoding.EncodeToString([]byte(`{"token":"`+s+`"}`))
	},
	"command":     func(s string) string { return "$ ./deploy --region eu --token " + s + " --wait" },
	"environment": func(s string) string { return "HOME=/root\nSERVICE_TOKEN=" + s + "\nTERM=xterm" },
	"diff":        func(s string) string { return "@@ -1,2 +1,2 @@\n-const k = \"" + s + "\"\n+const k = load()\n" },
	"YAML":        func(s string) string { return "service:\n  apiToken: " + s + "\n  region: eu\n" },
	"URL": func(s string) string {
		return "GET https://api.test.dev/v1/items?page=2&access_token=" + url.QueryEscape(s) + "&x=1"
	},
	"table": func(s string) string { return "| name | value |\n|---|---|\n| token | " + s + " |\n" },
	"code":  func(s string) string { return "client := New(`" + s + "`)" },
	"link":  func(s string) string { return "see [here](https://x.dev/a) `" + s + "`, then go on" },
}

func quoteJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// planted are secrets with what must stand around them for a person to see that they are
// some: «…» marks what must go.
var planted = []string{
	"DATABASE_URL=postgres://app:«{A12}»@db.internal:5432/app",
	"mysql://root:«p%40ss{a6}»@127.0.0.1/shop",
	"redis://:«{A16}»@cache:6379/0",
	"amqp://svc:«{A8}!x»@mq:5672",
	"mongodb+srv://u1:«{A10}»@cluster0.mongodb.net/?retryWrites=true",
	`"url": "postgres:\/\/app:«{A12}»@db\/app"`,
	"https://oauth2:«{A20}»@gitlab.corp.dev/x.git",
	"https://«{h40}»@github.com/o/r.git",
	"cloning postgresql://me:«hunter{d3}»@h/d failed",
	"redirect=postgres%3A%2F%2Fapp%3A«{A12}»%40db",
	"smtp://mailer:«{A9}#{a3}»@smtp.corp.dev:587",
	"Authorization: Bearer «{A40}»",
	"authorization: Basic «dXNlcjp{A14}»",
	`"Authorization": "Bearer «{A32}»"`,
	`-H 'Authorization: token «{h40}»'`,
	"Proxy-Authorization: Basic «{A24}»",
	"Authorization: AWS4-HMAC-SHA256 Credential=X/20260101/eu/s3/aws4_request, SignedHeaders=host, Signature=«{h64}»",
	"Authorization=Bearer%20«{A40}»",
	"API_KEY=«{A32}»",
	`"apiKey": "«{A24}»"`,
	`"apiKey":"«{h32}»"`,
	`{\"api_key\":\"«{h32}»\"}`,
	"export TOKEN=«{a40}»",
	"export GITHUB_TOKEN='«{h40}»'",
	"set -x\n+ SECRET_KEY=«{A50}»",
	"$env:CLIENT_SECRET = \"«{A8}~{A20}»\"",
	"DB_PASSWORD=«S3cret{a4}!»",
	"POSTGRES_PASSWORD=«{l9}»",
	"PGPASSWORD=«{a10}» psql -h db",
	"MYSQL_ROOT_PASSWORD: «{a10}1»",
	"password = \"«{A8}9»\"",
	"password: 'tr0ub4dor&{a3}'",
	"self.password = '«{a6}$7{a3}»'",
	"admin_password: «{A9}3»",
	"--password «{a8}4»",
	"--password=«{l10}»",
	`["--password", "«{A10}2»"]`,
	"--api-key «{A30}»",
	"--secret «{A30}»",
	"mysql -u root -p«{A8}» shop",
	"mysql -uroot -p '«{A8}»' shop",
	"mysqldump --user=root -p«{a9}» shop > x.sql",
	"sshpass -p '«{A9}»' ssh root@h",
	"redis-cli -h x -a «{A11}2» ping",
	"docker login -u me -p «{A14}3» registry.corp.dev",
	"curl -u admin:«{A9}» https://api.corp.dev",
	"curl --user 'svc:«{A9}»' https://api.corp.dev",
	"openssl rsa -in k.pem -passin pass:«{A9}»",
	"<password>«{A10}5»</password>",
	`<add key="Password" value="«{A10}5»" />`,
	"AccountName=store;AccountKey=«{b86}==»;EndpointSuffix=core.windows.net",
	"Server=tcp:x.database.windows.net;User ID=app;Password=«{A12}!2»;Encrypt=True",
	"Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«{b43}=»",
	"https://x.blob.core.windows.net/c?sv=2022-11-02&sr=b&sig=«{A30}%2B{A10}%3D»",
	"https://b.s3.amazonaws.com/k?X-Amz-Expires=3600&X-Amz-Signature=«{h64}»",
	"aws_secret_access_key = «{b40}»",
	"AWS_SECRET_ACCESS_KEY=«{b40}»",
	`"SecretAccessKey": "«{b40}»",`,
	"Set-Cookie: sid=«{A32}»; Path=/; HttpOnly",
	"Cookie: theme=dark; session=«{A40}»; lang=en",
	"PHPSESSID=«{a26}»; path=/",
	"JSESSIONID=«{H32}»",
	"connect.sid=s%3A«{A32}.{A43}»",
	"user:$2b$12$«{A53}»",
	"root:$6$«{A8}${A86}»:19000:0:99999:7:::",
	"machine api.corp.dev login ci password «{A14}1»",
	"db.corp.dev:5432:app:svc:«{A10}»",
	"//registry.npmjs.org/:_authToken=«{h36}»",
	`"auth": "«c3ZjOmFiY2RlZjEyMzQ1Njc4»"`,
	"| DB_PASSWORD | «{A10}4» |",
	"| `API_TOKEN` | `«{A30}»` |",
	"- name: DB_PASSWORD\n  value: \"«{A10}4»\"",
	`{"name":"API_TOKEN","value":"«{A30}»"}`,
	"apiVersion: v1\nkind: Secret\ndata:\n  user: «{A10}==»\n  cert: «{A40}»\n",
	"the password is «{a6}{d2}!x», do not tell",
	"os.environ['API_TOKEN'] = '«{A30}»'",
	`os.Setenv("API_TOKEN", "«{A30}»")`,
	"const clientSecret: string = '«{A32}»'",
	"token := \"«{A32}»\"",
	"if token == \"«{A32}»\" {",
	"-e STRIPE_WEBHOOK_SECRET=«{A32}»",
	"ENV APP_SECRET «{A32}»",
	"GET /v1?api_key=«{h32}»&q=x",
	"GET /v1?q=x&token=«{a32}» 200",
	"client_secret=«{A32}»&grant_type=client_credentials",
	"refresh_token: 1//0«{A60}»",
	"PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 2\n«{b64}\n{b40}»\nPrivate-MAC: x",
	"kubeconfig: client-key-data: «LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0tLS0tCk1IY0{A80}»",
	"Server=x;Pwd=«{l9}»;Encrypt=True",
	"GET /login?user=x&password=«{l9}»",
	"SESSION_SECRET=«abc1{h2}»",
	"ALTER USER app WITH PASSWORD '«{a8}1x2»'",
	"CREATE USER app IDENTIFIED BY '«{l9}»'",
	"echo '«{A9}»' | docker login -u me --password-stdin",
	"echo «{A9}» | sudo -S apt install x",
	"echo 'root:«{A9}»' | chpasswd",
	"npm config set //registry.npmjs.org/:_authToken «{A36}»",
	"aws configure set aws_secret_access_key «{b40}»",
	"https://maps.test.dev/api?q=x&key=«{A30}5a7b8»",
	"otpauth://totp/x?secret=«{U32}»&issuer=y",
	"file:///c%3A/Users/«{l8}»/code",
	"mnemonic: \"«{l5} {l4} {l6} {l3} {l5} {l4} {l6} {l3} {l5} {l4} {l6} {l3}»\"",
	"secret_key_base: «{h128}»",
	"https://«{h32}»@o12.ingest.sentry.io/34",
	"AWS_SESSION_TOKEN=IQoJb3Jp«{b200}»",
	"kubectl create secret generic x --from-literal=password=«{a9}7»",
	"ansible_become_pass=«{a9}7»",
	"the API key («{h32}») was used",
	"using token «{A24}5a7b8», as asked",
	"psql \"host=db password=«{l9}» user=app\"",
	"--passphrase 'open «{a6}x1» now'",
	"JWT_SECRET=«{l12}»",
	"redis-cli -a «{l9}»",
	"pw=«{a6}7x»",
	"token=«abcdef{d6}»",
	"my password is Tr0ub4dor&«3{a4}»",
	"jdbc:postgresql://h/db?user=app&password=«{A8}1x»",
	"mail «{l6}.{l7}@{l8}.org» about it",
	"Author: A B <«{l6}{d2}@{l8}.co.uk»>",
	"?to={l6}%40{l8}.de",
	`"email":"«{l8}@{l9}.io»"`,
	"cd /home/«{l8}»/src && ls",
	"/Users/«{l8}»/Library",
	`C:\Users\«{l8}»\AppData`,
	`"C:\\Users\\«{l8}»\\AppData"`,
	"file:///home/«{l8}»/x.go",
	"path=%2Fhome%2F«{l8}»%2Fsrc",
	"~/.claude/projects/-home-«{l8}»-src-app/x.jsonl",
	"/mnt/c/Users/«{l8}»/code",
	"HOME=/home/«{l8}»",
}

var mark = regexp.MustCompile(`«([^»]+)»`)

// gone fails when a part of a secret that would be of use is left.
func gone(t *testing.T, text, secret string) {
	t.Helper()
	out, counts := Default.Text(text)
	if strings.Count(out, "\n") != strings.Count(text, "\n") {
		t.Errorf("%q became %q: the lines are others", text, out)
	}
	for _, line := range strings.Split(secret, "\n") {
		if strings.Contains(out, line) || len(line) >= 24 && (strings.Contains(out, line[:12]) || strings.Contains(out, line[len(line)-12:])) {
			t.Errorf("%q is left of %q: %q (%v)", line, text, out, counts)
			return
		}
	}
	if len(secret) < 24 && len(secret) >= 5 && (strings.Contains(out, "]"+secret[len(secret)-1:]) || strings.Contains(out, secret[:3]+"[")) {
		t.Errorf("an end is left of %q: %q", text, out)
	}
	if counts.Total() == 0 {
		t.Errorf("nothing was counted in %q", text)
	}
	if again, _ := Default.Text(out); again != out {
		t.Errorf("not the same again: %q, then %q", out, again)
	}
}

func TestPlantedTokens(t *testing.T) {
	n := 0
	for seed := range int64(3) {
		rnd := rand.New(rand.NewSource(seed))
		for name, template := range tokens {
			secret := invent(rnd, template)
			for place, put := range places {
				n++
				t.Run(fmt.Sprintf("%s in %s %d", name, place, seed), func(t *testing.T) {
					text := put(secret)
					left := secret
					if i := strings.Index(secret, "://"); i >= 0 { // of a webhook the path is the secret
						left = secret[strings.LastIndex(secret, "/")+1:]
					}
					if strings.HasPrefix(place, "base64") {
						left = text[strings.LastIndexAny(text, " =")+1:]
						if place == "base64" {
							left = strings.TrimPrefix(text, "header: ")
						}
					}
					if place == "URL" {
						left = url.QueryEscape(left)
					}
					gone(t, text, left)
				})
			}
		}
	}
	t.Logf("%d secrets in %d places, %d texts", len(tokens), len(places), n)
}

func TestPlantedAssignments(t *testing.T) {
	for seed := range int64(5) {
		rnd := rand.New(rand.NewSource(seed))
		for _, template := range planted {
			text := invent(rnd, template)
			secrets := mark.FindAllStringSubmatch(text, -1)
			text = strings.NewReplacer("«", "", "»", "").Replace(text)
			around := []string{text, "x\n" + text + "\ny", "  " + text}
			if !strings.Contains(text, `\"`) {
				around = append(around, quoteJSON(map[string]string{"out": "x\n" + text + "\ny"}), "+"+strings.ReplaceAll(text, "\n", "\n+"))
			}
			for _, text := range around {
				for _, s := range secrets {
					left := s[1]
					if strings.HasPrefix(text, "{\"out\"") {
						b, _ := json.Marshal(left)
						left = strings.Trim(string(b), `"`)
					}
					gone(t, text, left)
				}
			}
		}
	}
}

func TestPlantedKeys(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	for _, kind := range []string{"", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "} {
		key := pem(rnd, kind, 12)
		body := strings.Split(key, "\n")[1:13]
		texts := map[string]string{
			"alone":    key,
			"text":     "see\n\n" + key + "\nand so on\n",
			"JSON":     quoteJSON(map[string]string{"private_key": key + "\n", "client": "x"}),
			"twice":    quoteJSON(map[string]string{"o": quoteJSON(map[string]string{"k": key})}),
			"diff":     "+" + strings.ReplaceAll(key, "\n", "\n+") + "\n+x = 1",
			"YAML":     "key: |\n    " + strings.ReplaceAll(key, "\n", "\n    ") + "\nnext: 1",
			"CRLF":     strings.ReplaceAll(key, "\n", "\r\n") + "\r\nnext",
			"env":      `KEY="` + strings.ReplaceAll(key, "\n", `\n`) + `"`,
			"cut off":  strings.Join(strings.Split(key, "\n")[:9], "\n"),
			"tail":     "$ tail k.pem\n" + strings.Join(strings.Split(key, "\n")[6:], "\n") + "\n$",
			"quoted":   "> " + strings.ReplaceAll(key, "\n", "\n> "),
			"base64":   "data: " + base64.StdEncoding.EncodeToString([]byte(key)),
			"numbered": quoteJSON([]string{"cat k", key}),
		}
		for name, text := range texts {
			out, _ := Default.Text(text)
			for _, line := range body {
				if strings.Contains(out, line) || strings.Contains(out, line[:20]) || strings.Contains(out, base64.StdEncoding.EncodeToString([]byte(line))[:20]) {
					t.Errorf("%s%s: left: %q", kind, name, out)
					break
				}
			}
			if strings.Count(out, "\n") != strings.Count(text, "\n") || strings.Count(out, "\r") != strings.Count(text, "\r") {
				t.Errorf("%s%s: other lines: %q", kind, name, out)
			}
			if json.Valid([]byte(text)) && !json.Valid([]byte(out)) {
				t.Errorf("%s%s: no JSON any more: %q", kind, name, out)
			}
			for _, rest := range []string{"and so on", "x = 1", "next", "client"} {
				if strings.Contains(text, rest) && !strings.Contains(out, rest) {
					t.Errorf("%s%s: %q is gone: %q", kind, name, rest, out)
				}
			}
		}
	}
}
