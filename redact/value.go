package redact

import "strings"

// secret reports whether the value is a secret.
func (v *value) secret() bool {
	t := strings.TrimSpace(v.sc.s[v.start:min(v.end, v.start+judged)])
	if len(t) < 4 || placeholder(t) || noSecret(t) {
		return false
	}
	if v.form == beside {
		return v.striking(t)
	}
	if v.form == bare || v.form == told || v.form == flag {
		if chainForm().MatchString(t) {
			return false
		}
	}
	switch v.class {
	case password:
		return v.password(t)
	case key:
		return v.key(t)
	}
	if v.form == env && v.name == strings.ToUpper(v.name) { // NEO4J_AUTH=neo4j/…
		if i := strings.IndexAny(t, "/:"); i > 0 && only(t[:i], &wordByte) && v.password(t[i+1:]) {
			return true
		}
	}
	if userAndPassword(t) && strings.HasSuffix(strings.ToLower(v.name), "auth") {
		return true // of a registry, in Docker's configuration
	}
	return len(t) >= 20 && v.form != told && v.form != bare && entropy(t) >= 3.5 && shapeOf(t).digits >= 3 &&
		!hexDigest(t) && !uuidForm().MatchString(t) && !wordy(t) && !numberForm().MatchString(t) && !strings.ContainsAny(t, " \t")
}

// striking reports whether a value that only follows its name cannot be a word.
func (v *value) striking(t string) bool {
	if v.class == password {
		return len(t) >= 8 && shapeOf(t).digits > 0 && strings.ContainsAny(t, "!$^%") && !strings.ContainsAny(t, "(){}=/") && !numberForm().MatchString(t)
	}
	least := 20
	if len(splitName(v.name)) > 1 {
		least = 16
	}
	return len(t) >= least && only(t, &besideByte) && shapeOf(t).digits >= 3 && random(t) && entropy(t) >= 3 &&
		!hexDigest(t) && !uuidForm().MatchString(t) && !wordy(t)
}

var besideByte = bytesOf("azAZ09", "_-.+=~:")

// password reports whether t is a password. One of letters only counts where the syntax
// admits nothing else.
func (v *value) password(t string) bool {
	sh := shapeOf(t)
	if strings.ContainsAny(t, " \t") {
		words := len(strings.Fields(t))
		return v.form == quoted &&
			(strings.HasSuffix(strings.ToLower(v.name), "passphrase") && words >= 3 || words <= 3 && sh.digits > 0 && !wordy(t))
	}
	loose := v.form == bare || v.form == told || v.form == flag || v.form == beside
	switch {
	case loose && (containsFold(t, "password") || containsFold(t, "passwd") || numberForm().MatchString(t)):
		return false
	case sh.digits == 0 && only(strings.Trim(t, ".!"), &identifier):
		return v.word(t, sh)
	case numberForm().MatchString(t):
		return len(t) >= 6 && only(t, &digitByte)
	case loose:
		return len(t) >= 6 && (sh.digits > 0 || strings.ContainsAny(t, "!@#%^&*?")) && sh.lower+sh.upper > 0 &&
			!(wordy(t) && strings.ContainsAny(t, "-_./"))
	}
	return len(t) >= 5 && !(v.form == quoted && wordy(t) && sh.digits == 0 && strings.ContainsAny(t, ":/"))
}

// word reports whether a value of letters only is a password.
func (v *value) word(t string, sh shape) bool {
	if len(t) < 5 {
		return false
	}
	letters := only(t, &letterByte)
	switch v.form {
	case quoted:
		return letters && len(t) >= 6
	case joined:
		return true
	case env:
		return v.name == strings.ToUpper(v.name) || letters && (v.listed() || sh.upper > 0 && sh.lower > 0 && !wordy(t))
	}
	return false
}

// listed reports whether the value is in a list of settings or parameters on one line:
// Server=x;Password=y;, ?user=x&password=y.
func (v *value) listed() bool {
	s := v.sc.s
	if v.form != env {
		return false
	}
	if v.end+1 < len(s) && s[v.end] == ' ' { // host=x password=y user=z
		if next := run(s, v.end+1, 24, &wordByte); next > v.end+1 && next < len(s) && s[next] == '=' {
			return true
		}
	}
	return v.end < len(s) && (s[v.end] == ';' || s[v.end] == '&') || v.first > 0 && strings.IndexByte(";&?", s[v.first-1]) >= 0
}

var identifier = bytesOf("azAZ", "_.-")

// key reports whether a value is a token or key.
func (v *value) key(t string) bool {
	sh := shapeOf(t)
	switch {
	case len(t) < 8 && !(v.form == env && len(t) >= 6), strings.ContainsAny(t, " \t"), numberForm().MatchString(t):
		return false
	case uuidForm().MatchString(t):
		lower := strings.ToLower(v.name)
		return strings.Contains(lower, "secret") || v.form != told && (v.form == flag || v.form == joined || strings.Contains(lower, "api") || len(splitName(v.name)) > 1)
	case wordy(t):
		return false
	case sh.digits == 0:
		return len(t) >= 20 && random(t) && v.form != bare && v.form != told
	case len(t) < 8:
		return sh.lower+sh.upper > 0
	case len(t) < 16:
		return v.shortKey(t, sh)
	}
	return random(t) && entropy(t) >= 3 && (sh.digits >= 2 || sh.upper >= 3 && sh.lower >= 3 && entropy(t) >= 3.5)
}

// shortKey is key for a value of 8 to 15 bytes with digits.
func (v *value) shortKey(t string, sh shape) bool {
	if (v.form == env || v.form == quoted) && len(t) >= 10 && sh.digits >= 3 && sh.lower+sh.upper >= 4 {
		return true
	}
	return (sh.turns >= 2 || v.form != bare && v.form != told && sh.upper >= 3 && sh.lower >= 2 && !identifierLike(t)) && entropy(t) >= 2.5 && (v.form != bare && v.form != told || sh.digits >= 2)
}
