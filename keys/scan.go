package keys

import "strings"

// eachRun calls f with the runs of ASCII letters, digits and underscores of s,
// what a regular expression has between two \b, until f returns false.
func eachRun(s string, f func(run string) bool) {
	for i := 0; i < len(s); i++ {
		if !runByte[s[i]] {
			continue
		}
		start := i
		for i < len(s) && runByte[s[i]] {
			i++
		}
		if !f(s[start:i]) {
			return
		}
	}
}

// runByte are the bytes of runs.
var runByte = func() (t [256]bool) {
	t = asciiWord
	t['_'] = true
	return t
}()

// firstHash is the first run of 7 to 40 hexadecimal digits, "" when there is none.
func firstHash(s string) (hash string) {
	eachRun(s, func(run string) bool {
		if len(run) >= 7 && len(run) <= 40 && strings.Trim(run, "0123456789abcdef") == "" {
			hash = run
		}
		return hash == ""
	})
	return hash
}

// ruleCodes are the runs of up to six capitals and three to five digits.
func ruleCodes(s string) (codes []string) {
	eachRun(s, func(run string) bool {
		if len(run) < 4 || len(run) > 11 || !capital(run[0]) || run[len(run)-1] > '9' {
			return true
		}
		digits := strings.TrimLeft(run, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		if n := len(run) - len(digits); n >= 1 && n <= 6 && len(digits) >= 3 && len(digits) <= 5 && strings.Trim(digits, "0123456789") == "" {
			codes = append(codes, run)
		}
		return true
	})
	return codes
}

// maySayFailed spares most texts the regular expressions of verdict: each match
// of failedCount and failedWord holds one of these.
func maySayFailed(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] | 0x20 {
		case 'f':
			if i+4 <= len(s) && strings.EqualFold(s[i:i+4], "fail") {
				return true
			}
		case 'e':
			if i+5 <= len(s) && strings.EqualFold(s[i:i+5], "error") {
				return true
			}
		case 'r':
			if i+3 <= len(s) && strings.EqualFold(s[i:i+3], "red") && (i == 0 || !runByte[s[i-1]]) {
				return true
			}
		case 'b':
			if i+3 <= len(s) && strings.EqualFold(s[i:i+3], "bro") && (i == 0 || !runByte[s[i-1]]) {
				return true
			}
		case "❌"[0]:
			if strings.HasPrefix(s[i:], "❌") {
				return true
			}
		}
	}
	return false
}

// mayShare does the same for shareOf: "/" or " of " between digits.
func mayShare(s string) bool {
	digit := func(i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
	for i := 1; i < len(s); i++ {
		if digit(i-1) && (s[i] == '/' && digit(i+1) || strings.HasPrefix(s[i:], " of ") && digit(i+4)) {
			return true
		}
	}
	return false
}
