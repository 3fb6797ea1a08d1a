package redact

import (
	"fmt"
	"maps"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// named are kinds that a search for unlisted ones found.
var named = map[string]string{
	"hubspot":           "hubspot --token given; «pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}» in the header",
	"fcm server key":    "send with key «AAAA{A7}:APA91b{A134}»",
	"confluent":         "confluent api-key store {U16} «{b64}» --resource lkc-1",
	"1password service": "OP: «ops_{b48}»",
	"k3s":               "curl -sfL https://get.k3s.io | K3S_URL=https://m:6443 sh -s - --token-file x «K10{h64}::server:{h32}»",
	"nomad":             "NOMAD_TOKEN=«{h8}-{h4}-{h4}-{h4}-{h12}»",
	"consul":            "SecretID:         «{h8}-{h4}-{h4}-{h4}-{h12}»",
	"vault unseal":      "Unseal Key 1: «{b43}=»",
	"bitwarden":         `export BW_SESSION="«{b86}==»"`,
	"c define":          `#define API_KEY "«{A24}5b7»"`,
	"c define, bare":    "#define WIFI_PASSWORD «{A9}7»",
	"next line":         "password:\n  «{A9}7»",
	"table column":      "| user | password |\n|---|---|\n| bob | «{A9}7» |",
	"cisco enable":      "enable secret 5 $1$«{A4}${A22}»",
	"snmp community":    "snmp-server community «{A9}7» RW",
	"jwk":               `{"kty":"EC","crv":"P-256","x":"{A43}","y":"{A43}","d":"«{A43}»"}`,
	"ntlm dump":         "Administrator:500:aad3b435b51404eeaad3b435b51404ee:«{h32}»:::",
	"ssha":              "userPassword: {SSHA}«{b32}»",
	"openvpn static":    "-----BEGIN OpenVPN Static key V1-----\n«{h32}\n{h32}\n{h32}\n{h32}»\n-----END OpenVPN Static key V1-----",
	"netscape cookie":   ".corp.dev\tTRUE\t/\tTRUE\t1893456000\tsid\t«{A32}»",
	"json escaped":      `{"x":"«ghp\u005f{A36}»"}`,
	"json escaped dash": `{"x":"«glpat\u002d{A20}»"}`,
	"entity coded":      "<td>«glpat&#45;{A20}»</td>",
	"entity coded, hex": "<td>«ghp&#x5f;{A36}»</td>",
	"percent coded":     "?t=«glpat%2D{A20}»&x=1",
	"ampersand entity":  "?a=1&amp;api_key=«{h32}»&amp;b=2",
	"zero width":        "token «ghp_{A18}\u200b{A18}»",
	"zero width name":   "pass\u200cword: «{A9}7»",
}

// learned are kinds that the rules were made with.
var learned = map[string]string{
	"alchemy url":            "https://eth-mainnet.g.alchemy.com/v2/«{A32}»",
	"argocd initial":         "$ argocd admin initial-password -n argocd\n«{A15}7»\n\n This password must be only used for first time login.",
	"asana pat":              "asana «1/{d16}:{h32}»",
	"aspnet machine key":     `<machineKey validationKey="«{H128}»" decryptionKey="«{H48}»" validation="SHA1"/>`,
	"azure function":         "https://x.azurewebsites.net/api/f?code=«{A54}==»",
	"azure subscription key": "Ocp-Apim-Subscription-Key: «{h32}»",
	"bind tsig":              "key \"update\" {\n  algorithm hmac-sha256;\n  secret \"«{b43}=»\";\n};",
	"bitlocker":              "Recovery Key: «{d6}-{d6}-{d6}-{d6}-{d6}-{d6}-{d6}-{d6}»",
	"braintree":              "braintree «access_token$production${a16}${h32}»",
	"bundler":                "bundle config set gems.corp.dev bob:«{A12}7»",
	"cisco type 7":           "username admin privilege 15 password 7 «{H20}»",
	"codecov":                "CODECOV_TOKEN=«{h8}-{h4}-{h4}-{h4}-{h12}»",
	"cryptsetup":             "echo -n '«{A9}7»' | cryptsetup luksOpen /dev/sda2 x",
	"csv head":               "name,email,password\nbob,x,«{A9}7»",
	"db2":                    "db2 connect to shop user app using «{A9}7»",
	"django hash":            "pbkdf2_sha256$600000$«{A22}${b43}=»",
	"dovecot plain":          "bob:{PLAIN}«{A9}7»:1000:1000::/home",
	"elastic api key":        "Authorization: ApiKey «{b60}»",
	"elastic reset":          "New value: «{A20}»",
	"env dump json":          `["DB_PASSWORD=«{A9}7»","X=1"]`,
	"fastly":                 "curl -H 'Fastly-Key: «{A32}»' https://api.fastly.com",
	"firecrawl":              "firecrawl «fc-{h32}»",
	"fortigate":              "set psksecret ENC «{b80}==»",
	"ftp log":                "> USER bob\n< 331 ok\n> PASS «{A9}7»",
	"ghost admin":            "ghost «{h24}:{h64}»",
	"gpg fd":                 "echo «{A9}7» | gpg --batch --passphrase-fd 0 -d x.gpg",
	"hasura":                 "x-hasura-admin-secret: «{A12}7»",
	"hetzner prompt":         "$ hcloud context create prod\nToken: «{A64}»",
	"html quoted json":       "{&quot;password&quot;:&quot;«{A9}7»&quot;}",
	"imap login":             "a1 LOGIN bob «{A9}7»",
	"infura url":             "https://mainnet.infura.io/v3/«{h32}»",
	"jenkins initial":        "Please use the following password to proceed to installation:\n\n«{h32}»\n",
	"jina":                   `"jina «jina_{h32}{A28}»"`,
	"laravel":                "APP_KEY=base64:«{b43}=»",
	"matrix":                 "Logged in: «syt_{A16}_{A20}_{A6}»",
	"neo4j":                  "NEO4J_AUTH=neo4j/«{A9}7»",
	"neon":                   `curl -H "Accept: x" neon «napi_{a64}»`,
	"netexec":                "nxc smb 10.0.0.5 -u bob -p '«{A9}7»'",
	"netlify":                "NETLIFY: «nfp_{A36}»",
	"openshift":              "oc login --token=«sha256~{A43}» --server=https://x:6443",
	"opsgenie":               "Authorization: GenieKey «{h8}-{h4}-{h4}-{h4}-{h12}»",
	"ovh":                    "application_key = {A16}\napplication_secret = «{A32}»\nconsumer_key = «{A32}»",
	"phoenix salt":           `live_view: [signing_salt: "«{A8}»"]`,
	"phpass":                 "bob,$P$B«{A30}»,bob@x",
	"plink":                  "plink -ssh bob@h -pw «{A9}7» ls",
	"plist":                  "<key>Password</key>\n<string>«{A9}7»</string>",
	"portainer":              "portainer «ptr_{b43}=»",
	"postgres scram":         "rolpassword | SCRAM-SHA-256$4096:«{b22}==${b43}=:{b43}=»",
	"postmark":               "X-Postmark-Server-Token: «{h8}-{h4}-{h4}-{h4}-{h12}»",
	"proxmox":                "Authorization: PVEAPIToken=root@pam!ci=«{h8}-{h4}-{h4}-{h4}-{h12}»",
	"pushover":               "curl -d token=«a{a29}» -d user=u{a29} https://api.pushover.net",
	"radius client":          "client ap {\n  ipaddr = 10.0.0.2\n  secret = «{A9}7»\n}",
	"rancher":                "rancher login https://r.corp.dev --token «token-{a5}:{a54}»",
	"recovery codes":         "Recovery codes:\n«{a5}-{a5}»\n«{a5}-{a5}»",
	"redis acl":              "ACL SETUSER bob on >«{A9}7» ~* +@all",
	"redis auth":             "127.0.0.1:6379> AUTH «{A9}7»",
	"runpod":                 "runpod «rpa_{U40}»",
	"sasl_passwd":            "[smtp.corp.dev]:587 bob:«{A9}7»",
	"scaleway":               "SCW_SECRET_KEY=«{h8}-{h4}-4{h3}-a{h3}-{h12}»",
	"shodan":                 "shodan init «{A32}»",
	"ssh config in words":    "the root login for the switch is root/«{A9}7!»",
	"telnyx":                 "telnyx «KEY01{H30}_{A22}»",
	"toml multi":             `token = """«{A30}5b7»"""`,
	"trello":                 "with trello «ATTA{h64}»",
	"twitch":                 "PASS «oauth:{a30}»",
	"twitter bearer":         "bearer «AAAAAAAAAAAAAAAAAAAAA{A28}%3D{A50}»",
	"virustotal":             "curl -H 'x-apikey: «{h64}»' https://www.virustotal.com",
	"wandb":                  "wandb login «{h40}»",
	"wordpress salt":         "define('AUTH_KEY',         '«{A30}!x$@{A24}»');\ndefine('NONCE_SALT',       '«{A30}?;^{A24}»');",
	"yaml list pair":         "- key: DB_PASSWORD\n  value: «{A9}7»",
	"yarn berry":             `npmAuthToken: "«{h8}-{h4}-{h4}-{h4}-{h12}»"`,
	"zoho":                   "Zoho-oauthtoken «1000.{h32}.{h32}»",
}

// apart are kinds that the rules were tried on first, and then made with.
var apart = map[string]string{
	"actions runner":         "./config.sh --url https://github.com/o/r --token «A{U28}»",
	"airtable":               "airtable «pat{A14}.{h64}»",
	"ansi inside":            "«ghp_\x1b[1m{A36}»",
	"azure account key":      "az storage blob list --account-name x --account-key «{b86}==»",
	"backblaze":              "b2 account authorize 003{h21} «K003{A27}»",
	"bunny":                  `-H "AccessKey: «{h8}-{h4}-{h4}-{h12}-{h4}-{h4}»"`,
	"chap secrets":           `bob * "«{A9}7»" *`,
	"cisco isakmp":           "crypto isakmp key «{A9}7» address 203.0.113.1",
	"cisco tacacs":           "tacacs-server key 7 «{H22}»",
	"cisco type 9":           "username admin secret 9 $9$«{A14}${A43}»",
	"clickup":                "clickup «pk_{d8}_{U32}»",
	"cloudflare tunnel":      "cloudflared tunnel run --token «eyJhIjoi{A120}»",
	"cloudflare turnstile":   "TURNSTILE = '«0x4AAAAAAA{A22}»' # secret",
	"cmdkey":                 "cmdkey /add:srv /user:bob /pass:«{A9}7»",
	"cohere":                 `co = cohere.Client("«{A40}»")`,
	"composer auth":          `{"github-oauth": {"github.com": "«{h40}»"}}`,
	"contentful":             "contentful «CFPAT-{A43}»",
	"cypress":                "cypress run --record --key «{h8}-{h4}-{h4}-{h4}-{h12}»",
	"discord bot":            "client.login('«MT{A22}.{A6}.{A38}»')",
	"docker swarm":           "docker swarm join --token «SWMTKN-1-{a50}-{a25}» 10.0.0.1:2377",
	"double percent":         "?u=x%26token%3D«ghp%255F{A36}»",
	"easypost":               `easypost.Client("«EZAK{h32}{A22}»")`,
	"erlang cookie":          "erl -name a@b -setcookie «{U20}»",
	"go struct":              `Credentials{User: "bob", Pass: "«{A9}7»"}`,
	"google app password":    "app password: «{l4} {l4} {l4} {l4}»",
	"heroku":                 "heroku «HRKU-{h8}-{h4}-{h4}-{h4}-{h12}»",
	"honeycomb":              `-H "x-honeycomb-team: «{A22}»"`,
	"impacket":               "secretsdump.py corp/bob:«{A9}7»@10.0.0.5",
	"ipmitool":               "ipmitool -I lanplus -H h -U ADMIN -P «{A9}7» chassis status",
	"ipsec psk":              `%any 10.0.0.1 : PSK "«{A20}5b7»"`,
	"jasypt key":             "jasypt.encryptor.password=«{A9}7»",
	"jellyfin":               `X-Emby-Authorization: MediaBrowser Client="x", Token="«{h32}»"`,
	"juniper":                `set system root-authentication encrypted-password "$6$«{A8}${A86}»"`,
	"juniper reversible":     `set snmp v3 usm authentication-sha authentication-key "$9$«{A40}»"`,
	"kdbx":                   "keepassxc-cli show: Password: «{A9}!7»",
	"kubeadm":                "kubeadm join 10.0.0.1:6443 --token «{a6}.{a16}» --discovery-token-ca-cert-hash sha256:{h64}",
	"kubeadm certificate":    "kubeadm init phase upload-certs --certificate-key «{h64}»",
	"langfuse":               "langfuse «sk-lf-{h8}-{h4}-{h4}-{h4}-{h12}»",
	"launchdarkly":           "LD «sdk-{h8}-{h4}-{h4}-{h4}-{h12}»",
	"lftp":                   "lftp -u bob,«{A9}7» sftp://h",
	"lua redis":              `red:auth("«{A9}7»")`,
	"luks keyfile in words":  "luks passphrase = «{A9}7»",
	"markdown escaped":       `token «ghp\_{A36}»`,
	"maxmind":                "LicenseKey «{A16}»",
	"minio alias":            "mc alias set prod https://s3.corp.dev {A20} «{A40}»",
	"mollie":                 "mollie key «live_{A30}»",
	"mysql native":           "IDENTIFIED WITH mysql_native_password AS '*«{H40}»'",
	"netntlmv2":              "bob::CORP:{h16}:«{h32}:{h80}»",
	"netsh":                  "    Key Content            : «{A9}7»",
	"nsupdate":               "nsupdate -y hmac-sha256:update:«{b43}=» x.txt",
	"openstack":              "OS_TOKEN=«gAAAAA{A170}»",
	"openweather":            "https://api.openweathermap.org/data/2.5/weather?q=x&appid=«{h32}»",
	"pagerduty":              "Authorization: Token token=«{A20}»",
	"plaid access":           `"access_token": "«access-production-{h8}-{h4}-{h4}-{h4}-{h12}»"`,
	"plex":                   "http://plex:32400/library?X-Plex-Token=«{A20}»",
	"poetry":                 "poetry config http-basic.corp bob «{A12}7»",
	"postgres md5":           "ALTER ROLE app PASSWORD 'md5«{h32}»'",
	"quoted printable":       "password=3D«{A9}7»",
	"roblox":                 ".ROBLOSECURITY=«_|WARNING:-DO-NOT-SHARE-THIS.--Sharing-this-will-allow-someone-to-log-in-as-you-and-to-steal-your-ROBUX-and-items.|_{H300}»",
	"salesforce":             "sf «00D{A12}!{A96}»",
	"secret text in jenkins": "<secret>«{A20}5b7»</secret>",
	"shippo":                 "shippo «shippo_live_{h40}»",
	"sip":                    "register => 1001:«{A9}7»@sip.corp.dev",
	"smtp auth":              "AUTH PLAIN «AGJvYgBz{b20}»",
	"soft hyphen":            "token «glpat-{A10}\u00ad{A10}»",
	"splunk hec":             "Authorization: Splunk «{h8}-{h4}-{h4}-{h4}-{h12}»",
	"supabase secret":        `createClient(url, "«sb_secret_{A22}_{A8}»")`,
	"vnc":                    "vncviewer -passwd x; echo «{A7}7» | vncpasswd -f",
	"werkzeug":               "scrypt:32768:8:1$«{A16}${h128}»",
	"xml element ns":         "<ns:Password>«{A9}7»</ns:Password>",
	"zendesk":                "curl -u bob@corp.dev/token:«{A40}» https://corp.zendesk.com",
	"zuliprc":                "[api]\nemail=bot@zulip.example.com\nkey=«{A32}»",
}

// fresh are kinds that no rule was made for: what is found of them says what is found of kinds that
// nobody lists.
var fresh = map[string]string{
	"adyen":               "X-API-Key: «AQE{b60}-{b43}=-{A16}»",
	"alibaba":             "AccessKeySecret: «{A30}»",
	"anaconda":            "anaconda login: ANACONDA_API_TOKEN «an-{h32}»",
	"android signing":     "signingConfigs { release { storePassword '«{A9}7»'\nkeyPassword '«{A9}8»' } }",
	"ansible vault pass":  "ansible-playbook --vault-password-file <(echo «{A9}7»)",
	"apple app password":  "app-specific password «{l4}-{l4}-{l4}-{l4}»",
	"arista":              "username admin role network-admin secret sha512 «$6${A8}${A86}»",
	"aspnet identity":     "PasswordHash: «AQAAAAEAACcQAAAAE{b64}==»",
	"azure acr":           "docker login x.azurecr.io -u x -p «{A39}+ACR{A6}»",
	"azure cosmos":        "AccountEndpoint=https://x.documents.azure.com:443/;AccountKey=«{b86}==»;",
	"azure devops":        "https://anything:«{a52}»@dev.azure.com/o/_git/r",
	"binance":             "X-MBX-APIKEY: «{A64}»",
	"boundary":            "export BOUNDARY=«at_{A10}_{A60}»",
	"brevo":               "api-key: «xkeysib-{h64}-{A16}»",
	"cargo registry":      "[registry]\ntoken = \"«cio{A32}»\"",
	"cerebras":            "cerebras «csk-{a48}»",
	"chat":                "my pw is «{A9}7!» fyi",
	"chat creds":          "creds: bob / «{A9}7!»",
	"chromatic":           "npx chromatic --project-token=«chpt_{h15}»",
	"cloudflare origin":   "X-Auth-User-Service-Key: «v1.0-{h24}-{h146}»",
	"conda":               "https://conda.anaconda.org/t/«{A24}»/corp",
	"couchbase":           "couchbase-cli server-list -c h -u Administrator -p «{A9}7»",
	"couchdb":             "[admins]\nadmin = «{A9}7»",
	"coveralls":           "repo_token: «{A32}»",
	"cypher shell":        "cypher-shell -u neo4j -p «{A9}7»",
	"drone":               "drone-runner --rpc-secret «{h32}»",
	"dropbox refresh":     `"refresh_token": "«{A24}-{A39}»"`,
	"drupal":              "pass: «$S$E{A52}»",
	"duffel":              "duffel «duffel_live_{A43}»",
	"elevenlabs":          "xi-api-key: «{h32}»",
	"env yaml quoted":     `  SMTP_PASS: "«{A9}7»"`,
	"evil-winrm":          "evil-winrm -i 10.0.0.5 -u bob -p «{A9}7»",
	"expect":              "expect \"assword:\"\nsend \"«{A9}7»\\r\"",
	"expo":                "EXPO_TOKEN=«{A40}»",
	"facebook":            "access_token=«EAA{A170}»",
	"fastlane":            `FASTLANE_SESSION="«{b120}»"`,
	"filevault":           "FileVault recovery key: «{U4}-{U4}-{U4}-{U4}-{U4}-{U4}»",
	"flask":               `app.secret_key = b'«_5#y2L"{a4}»'`,
	"flask plain":         `app.config["SECRET_KEY"] = "«{h48}»"`,
	"freshdesk":           "curl -u «{A20}»:X https://corp.freshdesk.com/api/v2/tickets",
	"fullwidth":           "password： «{A9}7»",
	"git extraheader":     `git -c http.extraheader="AUTHORIZATION: basic «{b40}»" fetch`,
	"github registration": `"token": "«AAAAA{U24}»", "expires_at": "2026"`,
	"gitlab ci var":       "glab variable set K -v «{A24}7»",
	"gitlab runner":       "gitlab-runner register --registration-token «GR1348941{A20}»",
	"gocardless":          "GC_ACCESS_TOKEN=«live_{A40}»",
	"harbor robot":        "docker login harbor.corp.dev -u 'robot$ci' -p «{A32}»",
	"hex escape":          `"k": "«ghp\x5f{A36}»"`,
	"hibp":                "hibp-api-key: «{h32}»",
	"hostapd":             "wpa_passphrase=«{A9}7»",
	"htdigest":            "bob:realm:«{h32}»",
	"html numeric quote":  `data-x="{&#34;password&#34;:&#34;«{A9}7»&#34;}"`,
	"huawei":              "local-user admin password irreversible-cipher «$1c${A10}${A32}$»",
	"ibm cloud":           "ibmcloud login --apikey «{A44}»",
	"idrac":               "racadm -r 10.0.0.9 -u root -p «{A9}7» getsysinfo",
	"influx token":        "influx config create --token «{b86}==» --org o",
	"intercom":            "Authorization: Bearer «dG9rO{b55}=»",
	"iwd":                 "[Security]\nPreSharedKey=«{h64}»\nPassphrase=«{A9}7»",
	"jdbc oracle ez":      "spring.datasource.password: «{A9}7»",
	"js config":           "const cfg = { dbPass: '«{A9}7»' }",
	"json array pair":     `{"key": "DB_PASSWORD", "value": "«{A9}7»"}`,
	"kraken":              "API-Sign: «{b86}==»",
	"krb5tgs":             "$krb5tgs$23$*svc$CORP$x*$«{h32}${h120}»",
	"ldif base64":         "userPassword:: «e1NTSEF9{b32}»",
	"linode":              "linode-cli --token «{h64}» linodes list",
	"lob":                 "curl https://api.lob.com/v1/addresses -u «live_{h35}»:",
	"log line":            `time=x level=info msg="login" user=bob password=«{A9}7»`,
	"macos hash":          "ShadowHashData «$ml$50000${h64}${h128}»",
	"mailto imap url":     "imaps://bob:«{A9}7»@imap.corp.dev",
	"mandrill":            "mandrill = Mandrill('«md-{A22}»')",
	"maven settings":      "<server><id>x</id><username>bob</username><password>«{A9}7»</password></server>",
	"messagebird":         "MessageBird('«live_{A25}»')",
	"mikrotik":            "/interface wireless security-profiles set default wpa2-pre-shared-key=«{A9}7»",
	"minisign":            "untrusted comment: minisign encrypted secret key\n«RWRTY0Iy{b200}»",
	"miro":                "miro «eyJtaXJvLm9yaWdpbiI6ImV1MDEifQ_{A27}»",
	"mixpanel":            `mixpanel.init({ api_secret: "«{h32}»" })`,
	"mongo createUser":    `db.createUser({user: "bob", pwd: "«{A9}7»", roles: []})`,
	"mssql hash":          "sa 0x0200«{H8}{H120}»",
	"networkmanager":      "[wifi-security]\nkey-mgmt=wpa-psk\npsk=«{A9}7»",
	"nodemailer":          "auth: { user: 'bob', pass: '«{A9}7»' }",
	"oci":                 "pass_phrase=«{A9}7»",
	"odbc":                "DSN=x;UID=bob;PWD=«{A9}7»",
	"openldap root":       "olcRootPW: «{SSHA}{b32}»",
	"oracle hash":         "S:«{H60}»;T:«{H160}»",
	"palo alto":           "<phash>«$1${A8}${A22}»</phash>",
	"paypal":              "PAYPAL_CLIENT_SECRET=«E{A79}»",
	"percent name":        "?api%5Fkey=«{h32}»&x=1",
	"percy":               "PERCY_TOKEN=«web_{h64}»",
	"pihole":              "WEBPASSWORD=«{A9}7»",
	"pipedrive":           "https://api.pipedrive.com/v1/deals?api_token=«{h40}»",
	"powershell cred":     `New-Object PSCredential("bob", (ConvertTo-SecureString "«{A9}7»" -AsPlainText -Force))`,
	"prismic":             `accessToken: "«MC5{A60}»"`,
	"psexec":              `psexec \srv -u corp\bob -p «{A9}7» cmd`,
	"pypirc":              "[pypi]\nusername = __token__\npassword = «pypi-{A120}»",
	"qradar":              "curl -H 'SEC: «{h8}-{h4}-{h4}-{h4}-{h12}»' https://q",
	"rails master bare":   "config/master.key: «{h32}»",
	"railway":             "RAILWAY_TOKEN=«{h8}-{h4}-{h4}-{h4}-{h12}»",
	"razorpay":            `new Razorpay({ key_id: "rzp_live_{A14}", key_secret: "«{A24}»" })`,
	"replit":              "REPLIT: «{A24}.{A22}.{A40}»",
	"rsyncd":              "backup:«{A9}7» # rsyncd.secrets",
	"sanity":              `SANITY_AUTH_TOKEN="«sk{A150}»"`,
	"schtasks":            `schtasks /create /tn x /ru corp\bob /rp «{A9}7»`,
	"segment write key":   `analytics.load("«{A32}»") // write key`,
	"signing key env":     "SIGNING_KEY=«{h64}»",
	"smtplib":             `s.login("bob", "«{A9}7»")`,
	"snowflake":           "snowsql -a x -u bob -p «{A9}7»",
	"sonatype":            "curl -u «{A8}:{A44}» https://oss.sonatype.org/x",
	"sql insert":          "INSERT INTO users (name, password) VALUES ('bob', '«{A9}7»');",
	"strongswan eap":      `bob : EAP "«{A9}7»"`,
	"stytch":              `secret: "«secret-live-{A36}=»"`,
	"teleport":            "teleport start --token=«{h32}» --ca-pin=sha256:{h64}",
	"terraform cloud":     "credentials \"app.terraform.io\" {\n  token = \"«{A14}.atlasv1.{A67}»\"\n}",
	"together":            "export TOGETHER=«tgp_v1_{A43}»",
	"toml cred":           "[credentials]\nuser = \"bob\"\npass = \"«{A9}7»\"",
	"unifi":               `"x_passphrase": "«{A9}7»"`,
	"upstash":             `UPSTASH_REDIS_REST_TOKEN="«AX{A50}==»"`,
	"vapid":               "VAPID_PRIVATE_KEY=«{A43}»",
	"vault seal output":   "Initial Root Token: «hvs.{A24}»",
	"vonage":              "VONAGE_API_SECRET=«{A16}»",
	"voyage":              `vo = Client("«pa-{A43}»")`,
	"vultr":               "vultr-cli: api-key: «{U36}»",
	"wasabi":              "wasabi secret: «{A40}»",
	"wifi qr":             "WIFI:T:WPA;S:net;P:«{A9}7»;;",
	"windows key":         "product key: «{U5}-{U5}-{U5}-{U5}-{U5}»",
	"winscp":              `winscp.com /command "open sftp://bob:«{A9}7»@h/"`,
	"word joiner":         "token «glpat-{A10}\u2060{A10}»",
	"xmpp":                "sleekxmpp.ClientXMPP('bot@corp.dev', '«{A9}7»')",
	"yandex oauth":        "yc config set token «y0_{A55}»",
	"yescrypt":            "root:«$y$j9T${A22}${A43}»:19000:0:99999:7:::",
	"zabbix":              `"auth": "«{h32}», "id": 1`,
	"zerotier":            "zerotier authtoken.secret: «{a24}»",
}

// pieces of a secret, each of which must go: what is between escapes and punctuation, if that is
// long enough to be of use.
var piece = regexp.MustCompile(`\w{10,}`)

func leaves(out, secret string) bool {
	pieces := piece.FindAllString(secret, -1)
	if len(pieces) == 0 {
		pieces = []string{secret}
	}
	return slices.ContainsFunc(pieces, func(p string) bool { return strings.Contains(out, p) })
}

// TestUnlisted draws secrets of each kind, and counts the kinds of which nearly all are left.
func TestUnlisted(t *testing.T) {
	const draws, nearly = 40, 36
	for _, of := range []struct {
		name  string
		kinds map[string]string
		most  int // kinds of which nearly all draws may be left
	}{
		{"named", named, 0},
		{"learned", learned, 4},
		{"apart", apart, 4},
		{"fresh", fresh, 26},
	} {
		var open, some []string
		for _, kind := range slices.Sorted(maps.Keys(of.kinds)) {
			rnd, left := rand.New(rand.NewSource(1)), 0
			for draw := range draws {
				text := invent(rnd, of.kinds[kind])
				secrets := mark.FindAllStringSubmatch(text, -1)
				text = strings.NewReplacer("«", "", "»", "").Replace(text)
				if draw%2 == 1 {
					text = "before it\n" + text + "\nafter it"
				}
				out := Default.String(text)
				if slices.ContainsFunc(secrets, func(s []string) bool { return leaves(out, s[1]) }) {
					left++
				}
			}
			if says := fmt.Sprintf("%s: %d of %d", kind, left, draws); left >= nearly {
				open = append(open, says)
			} else if left > 1 {
				some = append(some, says)
			}
		}
		t.Logf("%s: nearly always left: %d of %d kinds, sometimes: %d %q", of.name, len(open), len(of.kinds), len(some), some)
		if len(open) > of.most {
			t.Errorf("%s: nearly always left are more than %d kinds:\n%s", of.name, of.most, strings.Join(open, "\n"))
		}
	}
}
