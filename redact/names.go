package redact

import "strings"

// class is the evidence that the name of a value gives for a secret.
type class uint8

const (
	noName   class = iota
	weak           // the value must look very random
	key            // a secret, a token, an API key
	password       // chosen by people: any value
)

// ends maps the last word of a name to its class.
var ends = map[string]class{
	"password": password, "passwd": password, "pwd": password, "pass": password, "passphrase": password,
	"passwort": password, "pw": password, "passcode": password, "userpass": password,
	"dbpass":       password,
	"passwordhash": key, "pswd": password, "storepass": password, "keypass": password, "psk": password, "sshpass": password,
	"secret": key, "secrets": key, "token": key, "apikey": key, "credential": key, "credentials": key,
	"creds":     key,
	"secretkey": key, "accesskey": key, "privatekey": key, "jwt": key, "pat": key,
	"appkey": key, "authkey": key, "accountkey": key, "sharedaccesskey": key,
	"signingkey": key,
	"licensekey": key, "encryptionkey": key, "masterkey": key, "salt": key,
	"auth": weak, "key": weak, "oauth": key,
}

// qualifiers are words before "key" that make it a secret.
var qualifiers = map[string]bool{
	"api": true, "access": true, "private": true, "secret": true, "signing": true, "sign": true,
	"encryption": true, "encrypt": true, "master": true, "account": true,
	"auth": true, "service": true, "license": true, "deploy": true, "app": true, "application": true,
	"storage": true, "shared": true, "webhook": true, "hmac": true, "aes": true, "client": true,
	"admin": true, "subscription": true, "crypt": true, "ssh": true, "integration": true, "ingest": true,
	"sas": true, "role": true, "anon": true, "write": true, "read": true, "token": true, "rsa": true,
	"ec": true, "fernet": true, "session": true, "cookie": true, "jwt": true, "openai": true, "anthropic": true,
	"stripe": true, "gemini": true, "google": true, "azure": true, "aws": true, "sendgrid": true,
	"preshared": true, "unseal": true, "seal": true, "consumer": true, "validation": true, "decryption": true, "recovery": true,
	"certificate": true, "server": true, "merchant": true, "sdk": true, "tsig": true, "project": true, "mailgun": true, "twilio": true, "datadog": true, "dd": true, "algolia": true,
}

// tails are words after the name that do not change its class.
var tails = map[string]bool{
	"prod": true, "production": true, "dev": true, "staging": true, "test": true, "live": true, "value": true,
	"string": true, "str": true, "b64": true, "base64": true, "encoded": true,
	"plain": true, "raw": true, "new": true, "old": true, "current": true, "default": true, "main": true,
	"primary": true, "secondary": true, "backup": true, "base": true, "data": true, "v1": true, "v2": true,
	"local": true, "ci": true,
}

// harmless are words that make a key something other than a secret.
var harmless = map[string]bool{
	"public": true, "pub": true, "primary": true, "foreign": true, "cache": true, "sort": true, "partition": true,
	"hash": true, "row": true, "column": true, "map": true, "object": true,
	"event": true, "idempotency": true, "routing": true, "group": true, "index": true, "publishable": true,
	"translation": true, "i18n": true, "dedupe": true, "state": true, "lookup": true, "issue": true,
	"host": true, "known": true, "query": true, "csrf": true, "xsrf": true,
	"fingerprint": true, "sha": true, "integrity": true, "checksum": true, "cancellation": true, "lock": true,
	"page": true, "next": true, "continuation": true, "sync": true, "design": true, "color": true,
	"tool": true, "call": true, "prompt": true, "completion": true, "input": true, "output": true, "max": true,
	"min": true,
}

// classify returns the class of a name.
func classify(name string) class {
	words := splitName(name)
	for len(words) > 1 {
		last := strings.TrimRight(words[len(words)-1], "0123456789")
		if last != "" && !tails[last] {
			break
		}
		words = words[:len(words)-1]
	}
	if n := len(words); n > 1 && words[n-1] == "id" && words[n-2] == "secret" {
		words = words[:n-1]
	}
	if len(words) == 0 {
		return noName
	}
	last := strings.TrimRight(words[len(words)-1], "0123456789")
	c, ok := ends[last]
	if n := len(words); n > 1 && !ok { // pass_phrase
		c, ok = ends[words[n-2]+last]
	}
	if !ok {
		for _, w := range []string{"password", "passwd", "apikey", "secretkey", "token", "secret"} {
			if len(last) <= 20 && strings.HasSuffix(last, w) {
				c, ok = ends[w]
				break
			}
		}
	}
	if !ok {
		return noName
	}
	for _, w := range words[:len(words)-1] {
		if harmless[w] && c != password {
			return noName
		}
	}
	if last == "key" {
		if len(words) > 1 && qualifiers[words[len(words)-2]] {
			return key
		}
		if len(words) == 1 || name != strings.ToUpper(name) {
			return noName
		}
	}
	return c
}

// splitName splits a name into words in lower case, at case changes and punctuation.
func splitName(name string) []string {
	var out []string
	start := 0
	cut := func(i int) {
		if i > start {
			out = append(out, strings.ToLower(name[start:i]))
		}
	}
	isLow := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
	isUp := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == '.' || c == '$':
			cut(i)
			start = i + 1
		case isUp(c) && i > start && (isLow(name[i-1]) || i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z' && isUp(name[i-1])):
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return out
}
