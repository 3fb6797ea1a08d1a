package episode

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"episodes/internal/lazy"
)

// maxSession keeps "episode-" + session + ".json" a legal file name everywhere.
const maxSession = 200

// SessionFromPath returns the session name of a log: the whole stem of its file name,
// so that two sessions of one day and number stay apart. Characters that are not
// allowed in an id are replaced and a short hash is appended, so that different names
// stay different.
func SessionFromPath(path string) string {
	stem := filepath.Base(filepath.ToSlash(path))
	if ext := filepath.Ext(stem); len(ext) > 1 && len(ext) < len(stem) {
		stem = strings.TrimSuffix(stem, ext)
	}
	return SafeSession(stem)
}

// SafeSession turns any text into a session name that can be part of an id and of
// a file name: letters, digits, '.' (never two), '_' and '-', starting with a letter or
// digit, at most 200 bytes. Legal text is returned unchanged.
func SafeSession(s string) string {
	var b strings.Builder
	for _, r := range s {
		dots := r == '.' && strings.HasSuffix(b.String(), ".") // ".." could lead out of the folder
		if !dots && r < 0x80 && (r == '.' || r == '_' || r == '-' || isAlnum(byte(r))) {
			b.WriteRune(r)
		} else if !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	safe := strings.TrimLeft(b.String(), "._-")
	if len(safe) > maxSession {
		safe = safe[:maxSession]
	}
	if safe == s && s != "" {
		return safe
	}
	return strings.TrimPrefix(strings.TrimRight(safe, "-")+"-"+shortHash(s), "-")
}

// Qualified returns the session name used when two logs share a file name: the
// stem and a short hash of the log's own path, so that neither name depends on which
// of the two was read first.
func Qualified(session, path string) string { return session + "-" + shortHash(path) }

// IDFromSession returns the episode id of a session.
func IDFromSession(session string) string { return "episode-" + session }

// ValidID reports whether id matches the schema's pattern,
// ^episode-[A-Za-z0-9][A-Za-z0-9._-]*$, and has no "..": such an id is also a
// safe file stem.
func ValidID(id string) bool {
	session, ok := strings.CutPrefix(id, IDFromSession(""))
	if !ok || session == "" || !isAlnum(session[0]) {
		return false
	}
	for i := 1; i < len(session); i++ {
		switch c := session[i]; {
		case isAlnum(c), c == '_', c == '-', c == '.' && session[i-1] != '.':
		default:
			return false
		}
	}
	return true
}

// DecisionID, EventID and LessonID number records in document order, from 1.
func DecisionID(n int) string { return numbered('d', n) }

// EventID is the id of the n-th event.
func EventID(n int) string { return numbered('e', n) }

// LessonID is the span key of the n-th of Episode.Lessons.
func LessonID(n int) string { return numbered('l', n) }

// ValidLessonID reports whether a reference is the id of a lesson: l and 8 hex digits.
func ValidLessonID(ref LessonRef) bool {
	digits, ok := strings.CutPrefix(string(ref), "l")
	return ok && len(digits) == 8 && strings.Trim(digits, "0123456789abcdef") == ""
}

// RecordID is the id of the n-th record of a task.
func RecordID(n int) string { return numbered('r', n) }

// numbered is a letter and a number of at least three digits.
func numbered(kind byte, n int) string { return fmt.Sprintf("%c%03d", kind, n) }

// LinkID is the span key of a link.
func LinkID(source, target string) string { return source + ">" + target }

// shortHash is the first 8 hex digits of the SHA-256 of s.
func shortHash(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:4])
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Follows reports whether the name of a session is another one with higher numbers in it:
// "2026-03-01-session-02" follows "2026-03-01-session-01".
func Follows(name, other string) bool {
	shape := func(name string) string { return digits().ReplaceAllString(name, "0") }
	return len(name) == len(other) && name > other && shape(name) == shape(other)
}

var digits = lazy.Pattern(`\d+`)
