package redact

import (
	"strings"

	"episodes/internal/lazy"
)

// class is the evidence that the name of a value gives for a secret.
type class uint8

const (
	noName   class = iota
	weak           // the value must look very random
	key            // a secret, a token, an API key
	password       // chosen by people: any value
)

// passwords and keys are the last words of names of these classes.
var (
	passwords = lazy.Words(`
	password passwd pwd pass passphrase passwort pw passcode userpass dbpass pswd storepass keypass psk sshpass`)
	keys = lazy.Words(`
	passwordhash secret secrets token apikey credential credentials creds secretkey accesskey privatekey jwt pat
	appkey authkey accountkey sharedaccesskey signingkey licensekey encryptionkey masterkey salt oauth`)
)

// ending is the class of the last word of a name.
func ending(word string) class {
	switch {
	case passwords()[word]:
		return password
	case keys()[word]:
		return key
	case word == "auth" || word == "key":
		return weak
	}
	return noName
}

// qualifiers are words before "key" that make it a secret.
var qualifiers = lazy.Words(`
	api access private secret signing sign encryption encrypt master account auth service license deploy app
	application storage shared webhook hmac aes client admin subscription crypt ssh integration ingest sas role
	anon write read token rsa ec fernet session cookie jwt openai anthropic stripe gemini google azure aws
	sendgrid preshared unseal seal consumer validation decryption recovery certificate server merchant sdk tsig
	project mailgun twilio datadog dd algolia`)

// tails are words after the name that do not change its class.
var tails = lazy.Words(`
	prod production dev staging test live value string str b64 base64 encoded plain raw new old current default
	main primary secondary backup base data v1 v2 local ci`)

// harmless are words that make a key something other than a secret.
var harmless = lazy.Words(`
	public pub primary foreign cache sort partition hash row column map object event idempotency routing group
	index publishable translation i18n dedupe state lookup issue host known query csrf xsrf fingerprint sha
	integrity checksum cancellation lock page next continuation sync design color tool call prompt completion
	input output max min`)

// classify returns the class of a name.
func classify(name string) class {
	words := splitName(name)
	for len(words) > 1 {
		last := strings.TrimRight(words[len(words)-1], "0123456789")
		if last != "" && !tails()[last] {
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
	c := ending(last)
	if n := len(words); n > 1 && c == noName { // pass_phrase
		c = ending(words[n-2] + last)
	}
	if c == noName {
		for _, w := range []string{"password", "passwd", "apikey", "secretkey", "token", "secret"} {
			if len(last) <= 20 && strings.HasSuffix(last, w) {
				c = ending(w)
				break
			}
		}
	}
	if c == noName {
		return noName
	}
	for _, w := range words[:len(words)-1] {
		if harmless()[w] && c != password {
			return noName
		}
	}
	if last == "key" {
		if len(words) > 1 && qualifiers()[words[len(words)-2]] {
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
