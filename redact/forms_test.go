package redact

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// forms are further ways to write secrets, by kind: «…» marks what must go. WIF and xprv are
// keys of wallets.
var forms = map[string]string{
	"vault batch token":        "VAULT: «hvb.{A90}»",
	"vault recovery token":     "login with «hvr.{A60}» worked",
	"discord webhook":          "POST https://discordapp.com/api/v10/webhooks/{d18}/«{A68}»",
	"discord webhook, escaped": `"url":"https:\/\/discord.com\/api\/webhooks\/{d18}\/«{A68}»"`,
	"teams webhook":            "https://corp.webhook.office.com/webhookb2/{h8}-{h4}-{h4}-{h4}-{h12}@{h8}-{h4}-{h4}-{h4}-{h12}/IncomingWebhook/«{h32}»/{h8}-{h4}-{h4}-{h4}-{h12}",
	"teams workflow":           "https://prod-12.westeurope.logic.azure.com:443/workflows/{h32}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=«{A43}»",
	"zapier hook":              "curl -d @x https://hooks.zapier.com/hooks/catch/{d8}/«{a7}5»/",
	"okta":                     "Authorization: SSWS «00{A40}»",
	"okta, in words":           "with SSWS «00{A40}» it answers 200",
	"gh secret":                "gh secret set DEPLOY_PW --body «{a9}7»",
	"gh secret, short":         "gh secret set DEPLOY --repo o/r -b '«{A12}4»'",
	"gh variable":              "glab variable set DEPLOY_PASS «{A12}4»",
	"setx":                     `setx DB_PASSWORD "«{A9}7»"`,
	"setx, machine":            "setx /M API_TOKEN «{A24}5b7»",
	"oracle url":               "jdbc:oracle:thin:scott/«{A8}7»@//db.corp.dev:1521/orcl",
	"sqlplus":                  "sqlplus scott/«{a8}7»@orcl @x.sql",
	"sqlplus, quiet":           "sqlplus -S system/«{a8}7»@//db:1521/xe",
	"htpasswd":                 "htpasswd -b .htpasswd bob «{a8}7»",
	"htpasswd, new":            "htpasswd -nbB bob '«{A9}7»'",
	"htpasswd, in a sentence":  "htpasswd -b .htpasswd bob «{a8}7» is what worked, so keep it",
	"split by backslash, list": "curl -H 'X: «ghp_{A18}»\\\n    «{A18}»' x",
	"prompt, answered":         "set Password for 'https://bob@git.corp.dev': «{A9}7»",
	"net use":                  `net use Z: \\srv\share «{A8}7» /user:corp\bob`,
	"net user":                 `net user bob «{A8}7» /add`,
	"secure string":            `ConvertTo-SecureString "«{A9}!7»" -AsPlainText -Force`,
	"secure string, named":     `ConvertTo-SecureString -String '«{A9}7»' -AsPlainText`,
	"ssh-keygen":               "ssh-keygen -t ed25519 -N '«{A8} {a5}7»' -f k",
	"ssh-keygen, old":          "ssh-keygen -p -P «{A9}7» -N «{A9}8» -f k",
	"task definition":          `{"Name":"DB_PASSWORD","Value":"«{A10}4»"}`,
	"task definition, spaced":  `{ "Name" : "API_TOKEN", "Value" : "«{A30}5b7»" }`,
	"parameter store":          `aws ssm put-parameter --name /app/DB_PASSWORD --value «{A12}7» --type SecureString`,
	"aligned":                  "USER       app\nPASSWORD   «{A9}7»\nHOST       db.corp.dev",
	"aligned, lower":           "user          app\npassword      «{A9}7»\n",
	"auth pair":                `requests.get(u, auth=("svc", "«{A9}7»"))`,
	"auth pair, class":         `auth=HTTPBasicAuth('svc', '«{A9}7»')`,
	"prompt":                   "Password for 'https://bob@git.corp.dev': «{A9}7»",
	"prompt, plain":            "Enter password: «{A9}7»",
	"spanish":                  "la contraseña es «{A9}7»",
	"spanish, colon":           "Contraseña: «{A9}7»",
	"portuguese":               "senha: «{A9}7»",
	"french":                   "mot de passe : «{A9}7»",
	"russian":                  "пароль: «{A9}7»",
	"chinese":                  "密码：«{A9}7»",
	"chinese, ascii":           "密码: «{A9}7»",
	"japanese":                 "パスワード：«{A9}7»",
	"japanese, is":             "パスワードは「«{A9}7»」です",
	"korean":                   "비밀번호: «{A9}7»",
	"german":                   "Kennwort: «{A9}7»",
	"dutch":                    "wachtwoord = «{A9}7»",
	"polish":                   "hasło: «{A9}7»",
	"turkish":                  "şifre: «{A9}7»",
	"italian":                  "parola d'ordine: «{A9}7»",
	"oauth code":               "GET /callback?code=«{A40}»&state=x",
	"oauth code, google":       "https://app.corp.dev/cb?state=x&code=4%2F0«{A60}»",
	"xprv":                     "key «xprv9s21ZrQH143K{B99}» found",
	"wif, compressed":          "import «K{B51}» into it",
	"wif":                      "importprivkey «5{B50}»",
	"split by backslash":       "curl -H 'X: «ghp_{A18}»\\\n«{A18}»' x",
	"split by plus":            `t = "«ghp_{A18}»" + "«{A18}»"`,
	"split in three":           `t = "Bearer " + "«ghp_{A18}»" + "«{A18}»"`,
	"split by plus, lines":     "t = 'sk_live_«{A12}»' +\n    '«{A12}»'",
	"aws secret beside its id": "AKIA{U16} «{b40}»",
	"aws secret on a line":     "id   AKIA{U16}\nit   «{b40}»\n",
	"aws secret, csv":          "AKIA{U16},«{b40}»",
	"user that is a token":     "https://«{h40}»:x-oauth-basic@github.com/o/r.git",
	"user that is a token, 16": "git clone https://«{A16}5a»@git.corp.dev/r.git",
	"build argument":           "docker build --build-arg NPM_TOKEN=«{A36}» .",
	"docker environment":       "docker run -e DB_PASSWORD=«{a10}» app",
	"vault kv":                 "vault kv put secret/app password=«{A9}7»",
	"heroku":                   "heroku config:set API_SECRET=«{A20}5b7» -a app",
	"fly":                      "fly secrets set DB_PASS=«{A9}7»",
	"key vault":                "az keyvault secret set --vault-name v --name db --value «{A12}7!»",
	"azure principal":          "az login --service-principal -u x -p «{A3}~{A34}» --tenant y",
	"smbclient":                "smbclient //srv/share -U bob%«{A9}7»",
	"rdesktop":                 "xfreerdp /u:bob /p:«{A9}7» /v:srv",
	"zip":                      "zip -P «{A9}7» out.zip x",
	"unzip":                    "unzip -P «{A9}7» out.zip",
	"7z":                       "7z x -p«{A9}7» out.7z",
	"keytool":                  "keytool -list -keystore k.jks -storepass «{A9}7»",
	"jarsigner":                "jarsigner -keypass «{A9}7» x.jar alias",
	"gpg":                      "gpg --batch --passphrase «{A9}7» -d x.gpg",
	"java property":            "-Djavax.net.ssl.keyStorePassword=«{A9}7»",
	"xml property":             `<property name="password" value="«{A9}7»"/>`,
	"redis.conf":               "requirepass «{A9}7»",
	"redis.conf, master":       "masterauth «{A9}7»",
	"wpa":                      "psk=\"«{A10}7»\"",
	"wireguard":                "PrivateKey = «{b43}=»",
	"wireguard, shared":        "PresharedKey = «{b43}=»",
	"php define":               "define('DB_PASSWORD', '«{A9}7»');",
	"pdo":                      "new PDO($dsn, 'app', '«{A9}7»')",
	"mysqli":                   `mysqli_connect("db", "app", "«{A9}7»")`,
	"psycopg":                  "psycopg2.connect(host=h, user=u, password='«{A9}7»')",
	"go dsn":                   "app:«{A9}7»@tcp(db:3306)/shop?parseTime=true",
	"rabbitmq":                 "rabbitmqctl add_user bob «{A9}7»",
	"mongosh":                  "mongosh -u root -p «{A9}7» --authenticationDatabase admin",
	"cqlsh":                    "cqlsh -u cassandra -p «{A9}7» db",
	"influx":                   "influx -username a -password «{A9}7»",
	"useradd":                  "useradd -m -p «{A9}7» bob",
	"snmp":                     "snmpget -v3 -u bob -A «{A9}7» -X «{A9}8» host x",
	"ngrok":                    "ngrok config add-authtoken «{A27}_{A21}»",
	"snyk":                     "snyk auth «{h8}-{h4}-4{h3}-a{h3}-{h12}»",
	"sonar":                    "-Dsonar.login=«{h40}»",
	"sonar token":              "use «sqp_{h40}» here",
	"nuget":                    "nuget push x.nupkg «oy2{a43}» -Source y",
	"pinecone":                 "pc = Pinecone('«pcsk_{A6}_{A60}»')",
	"resend":                   "«re_{A8}_{A24}»",
	"new relic":                "«NRAK-{A27}»",
	"dynatrace":                "«dt0c01.{U24}.{U64}»",
	"bitbucket":                "git push with «ATBB{A32}»",
	"circleci":                 "«CCIPAT_{A22}_{h40}»",
	"buildkite":                "«bkua_{h40}»",
	"fly token":                "FlyV1 «fm2_{b60}»",
	"artifactory":              "«AKCp{A69}»",
	"mailchimp":                "key «{h32}-us12» of the list",
	"django":                   "SECRET_KEY = 'django-insecure-«{a12}#$@{a20}»'",
	"fernet":                   "FERNET_KEY=«{A43}=»",
	"sas in a connection":      "BlobEndpoint=https://x.blob.core.windows.net;SharedAccessSignature=sv=2022&sig=«{A40}»",
	"basic in a url header":    "curl -H 'Authorization: Basic «{b28}»' https://x.dev",
	"proxy":                    "https_proxy=http://bob:«{A9}7»@proxy.corp.dev:3128",
	"npmrc":                    "_auth=«{b28}»",
	"pip":                      "pip install --index-url https://bob:«{A12}7»@pypi.corp.dev/simple x",
	"git credential":           "printf 'protocol=https\\nusername=bob\\npassword=«{A12}7»\\n' | git credential approve",
	"form":                     "curl -d 'username=bob&password=«{A9}7»' https://x.dev/login",
	"json body":                `curl -d '{"user":"bob","password":"«{A9}7»"}' https://x.dev/login`,
	"terraform":                `variable "db_password" { default = "«{A12}7»" }`,
	"tfvars":                   `db_password = "«{A12}7»"`,
	"helm set":                 "helm upgrade x y --set auth.password=«{A9}7»,auth.user=bob",
	"compose":                  "      POSTGRES_PASSWORD: «{A9}7»",
	"systemd":                  "Environment=\"DB_PASSWORD=«{A9}7»\"",
	"powershell":               "$password = '«{A9}7»'",
	"batch":                    "set DB_PASSWORD=«{A9}7»",
	"ruby":                     "password: '«{A9}7»',",
	"elixir":                   `config :app, App.Repo, username: "app", password: "«{A9}7»"`,
	"rust":                     `let password = "«{A9}7»";`,
	"swift":                    `let apiKey = "«{A30}5b7»"`,
	"xml attribute":            `<connection user="app" password="«{A9}7»"/>`,
	"ini":                      "[db]\nuser=app\npasswd=«{A9}7»",
	"mysql option file":        "[client]\npassword=«{A9}7»",
	"curl netrc":               "default login bob password «{A12}7»",
	"mqtt":                     "mosquitto_sub -h h -u bob -P «{A9}7» -t x",
	"kafka":                    `sasl.jaas.config=x.PlainLoginModule required username="bob" password="«{A9}7»";`,
	"ldap":                     "ldapsearch -D cn=admin -w «{A9}7» -b dc=x",
	"rclone":                   "pass = «{A30}_5b7»",
	"restic":                   "RESTIC_PASSWORD=«{A9}7» restic backup x",
	"in words":                 "password is now «{A9}7!»",
	"in words, passphrase":     "the passphrase was «{A9}7!»",
	"credentials":              "credentials: bob / «{A9}7!»",
	"login and password":       "log in as bob with password «{A9}7!»",
	"markdown bold":            "**Password:** `«{A9}7»`",
	"html":                     `<input type="password" value="«{A9}7»">`,
	"slack cookie":             "Cookie: d=«xoxd-{A60}»",
	"jenkins":                  "curl -u bob:«11{h32}» https://ci.corp.dev/job/x/build",
	"pgp key id, export":       "gpg --export-secret-keys --passphrase='«{A9}7»'",
	"ssh, sshpass environment": "SSHPASS=«{A9}7» sshpass -e ssh h",
	"bearer in words":          "sent Bearer «{A40}» and got 401",
	"xoauth":                   "X-Auth-Token: «{h32}»",
	"hashed":                   "htpasswd line bob:$apr1$«{A8}${A22}»",
	"firebase":                 "\"private_key_id\": \"{h40}\", \"private_key\": \"-----BEGIN PRIVATE KEY-----\\n«{b64}»\\n-----END PRIVATE KEY-----\\n\"",
	"twilio pair":              "TWILIO_AUTH_TOKEN=«{h32}»",
	"plaid":                    "PLAID_SECRET=«{h30}»",
	"algolia":                  "algoliasearch('APPID', '«{h32}»')",
	"rails credentials":        "RAILS_MASTER_KEY=«{h32}»",
	"ethereum":                 "PRIVATE_KEY=0x«{h64}»",
	"ethereum, in words":       "private key 0x«{h64}»",
	"solana":                   "secret key: «{B88}»",
}

func init() { alphabets["B"] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz" }

// TestForms draws secrets of each kind, alone and among other lines, in a log, in raw JSON, and with the
// lines joined as in an answer, and counts the kinds of which draws are left.
func TestForms(t *testing.T) {
	const draws, most = 40, 1 // draws of a kind that may be left: some look like words
	for _, in := range []struct {
		name string
		put  func(string) string
		most int // kinds that may be left
	}{
		{"log", strings.Clone, 0},
		{"joined lines", func(text string) string { return strings.ReplaceAll(text, "\n", " ") }, 4},
		{"raw JSON", func(text string) string { return quoteJSON(map[string]string{"out": text}) }, 10},
	} {
		var open []string
		for _, kind := range slices.Sorted(maps.Keys(forms)) {
			rnd, left := rand.New(rand.NewSource(1)), 0
			for draw := range draws {
				text := invent(rnd, forms[kind])
				secrets := mark.FindAllStringSubmatch(text, -1)
				text = strings.NewReplacer("«", "", "»", "").Replace(text)
				if draw%2 == 1 {
					text = "before it\n" + text + "\nafter it"
				}
				text = in.put(text)
				out, _ := Default.Text(text)
				if strings.Count(out, "\n") != strings.Count(text, "\n") {
					t.Errorf("%s, %s: other lines: %q", in.name, kind, out)
				}
				if slices.ContainsFunc(secrets, func(s []string) bool { return strings.Contains(out, s[1]) }) {
					left++
				}
			}
			if left > most {
				open = append(open, fmt.Sprintf("%s: %d of %d", kind, left, draws))
			}
		}
		t.Logf("%s: left of %d of %d kinds", in.name, len(open), len(forms))
		if len(open) > in.most {
			t.Errorf("%s: left of more than %d kinds:\n%s", in.name, in.most, strings.Join(open, "\n"))
		}
	}
}
