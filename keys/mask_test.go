package keys

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Looking only at the stretches around digits and slashes gives what masking the
// whole text gives.
func TestMaskByStretches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := maskText(t)
		var whole strings.Builder
		maskInto(&whole, text)
		if got := Mask(text); got != whole.String() {
			t.Fatalf("Mask(%q) = %q, want %q", text, got, whole.String())
		}
	})
}

// maskText draws a text of what masks are made of, and of what may break them.
func maskText(t *rapid.T) string {
	pieces := []string{"exit", "exited", "code", "status", "http", "with", "Status code", "1", "42", "404", " ", "  ", " ", ":", "=", "-", ", ", ". ", "a", "word", "Word's",
		"src/a.go", "C:\\x\\y", "a.go:12:3", "5 min", "3.5", "GB", "ms", "percent", "2026-01-02", "2026-01-02 10:00", "10:00:01", "v1.2.3", "1.2.3-rc1", "#12", "PR #3",
		"deadbeef", "a1b2c3d", "https://x.y/z?q=1", "MD032", "E-402", "12345678-1234-1234-1234-123456789abc", "✅", "時間", "5", "\n", "(", ")"}
	if rapid.Bool().Draw(t, "small") { // pieces that make one form almost another
		pieces = []string{"1", "12", "123", "2026", "-", "-", ".", ".", ":", ":", "/", "\\", "a", "f", "v", "x", "Z", "T", "GB", "KiB", "m", "ms", "min", "mins", "d", "%", "_", "#", "@", "~", " ", " ", "+", ",", "ab12cd3", "E", "MD", "é", "\xff", "go", "http", "://", "=", "C:"}
	}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " "}).Draw(t, "glue"))
}

// The masks as regular expressions, in the order in which they are tried at each
// place.
var maskPatterns = []struct{ mark, pattern string }{
	{"", `\b(?i:exit(?:ed)?(?: (?:code|status))?|http|status(?: code)?|code)[ :=-]+\d{1,5}\b`},
	{"", `\b[A-Z]{1,6}-?\d{2,5}\b`},
	{"‹url›", `\b[a-z][a-z0-9+.-]*://[^\s)\]>"'` + "`" + `]+`},
	{"‹uuid›", `\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`},
	{"‹time›", `\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b`},
	{"‹path›", `(?:[A-Za-z]:)?(?:[\w.@~-]*[/\\])+[\w.@~-]+(?::\d+){0,2}`},
	{"‹path›", `\b[\w-]+\.[a-z][a-z0-9]{0,4}:\d+(?::\d+)?\b`},
	{"‹ref›", `#\d+\b`},
	{"‹ver›", `\bv\d+(?:\.\d+)*(?:-[\w.]+)?\b|\b\d+\.\d+\.\d+(?:-[\w.]+)?\b`},
	{"‹hash›", `\b[0-9a-f]{7,64}\b`},
	{"‹num›", `\b\d+(?:[.,]\d+)*(?:(?:ms|s|m|h|d|%|x|[KMGT]i?B|[kKMG])| (?:ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|[KMGT]i?B|percent))?\b`},
}

var maskPattern = func() *regexp.Regexp {
	alts := make([]string, len(maskPatterns))
	for i, m := range maskPatterns {
		alts[i] = "(" + m.pattern + ")"
	}
	return regexp.MustCompile(strings.Join(alts, "|"))
}()

// The masker finds what the regular expressions find.
func TestMaskerMatchesThePatterns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := maskText(t)
		var want strings.Builder
		last := 0
		for _, m := range maskPattern.FindAllStringSubmatchIndex(text, -1) {
			want.WriteString(text[last:m[0]])
			for i, p := range maskPatterns {
				if m[2+2*i] >= 0 {
					want.WriteString(markFor(p.mark, text[m[0]:m[1]]))
				}
			}
			last = m[1]
		}
		want.WriteString(text[last:])
		var got strings.Builder
		if maskInto(&got, text); got.String() != want.String() {
			t.Fatalf("%q is masked as %q, want %q", text, got.String(), want.String())
		}
	})
}

// Hashes and rule codes are found as by their regular expressions.
func TestScanMatchesThePatterns(t *testing.T) {
	hash, code := regexp.MustCompile(`\b[0-9a-f]{7,40}\b`), regexp.MustCompile(`\b[A-Z]{1,6}\d{3,5}\b`)
	pieces := []string{"abc", "1234567", "d", "_", "MD", "032", "ABCDEF", "G", "0", " ", "-", "é", "0123456789abcdef0123456789abcdef01234567"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), "")
		if got, want := firstHash(s), hash.FindString(s); got != want {
			t.Fatalf("hash in %q: %q, want %q", s, got, want)
		}
		if got, want := ruleCodes(s), code.FindAllString(s, -1); !slices.Equal(got, want) {
			t.Fatalf("codes in %q: %q, want %q", s, got, want)
		}
	})
}

// The filters before the patterns of a check's verdict let every match pass.
func TestMaySayFailed(t *testing.T) {
	pieces := []string{"fail", "FAIL", "ed", "ing", "error", "Errors", ": ", "0", "3", " ", "red", "RED", "broken", "a", "❌", "tests ", "/", " of ", "failure"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 10).Draw(t, "pieces"), "")
		if !maySayFailed(s) && (failedCount.MatchString(s) || failedWord.MatchString(noneFailed.ReplaceAllString(s, ""))) {
			t.Fatalf("%q says that something failed", s)
		}
		if !mayShare(s) && shareOf.MatchString(s) {
			t.Fatalf("%q holds a share", s)
		}
	})
}

// A clause ends at the first mark with three words before it, whatever the mark.
func TestClauseEndsAtTheFirstMark(t *testing.T) {
	pieces := append(slices.Clone(clauseEnds[:]), "a", "word", " ", "\u00a0", "é", "-", "because")
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 16).Draw(t, "pieces"), "")
		want := len(s)
		for _, m := range clauseEnds {
			for from := 0; ; {
				i := strings.Index(s[from:], m)
				if i < 0 {
					break
				}
				if i += from; len(strings.Fields(s[:i])) >= 3 || m == "。" {
					want = min(want, i)
					break
				}
				from = i + len(m)
			}
		}
		if got := clauseEnd(s); got != want {
			t.Fatalf("%q ends at %d, want %d", s, got, want)
		}
	})
}

// The filter before the pattern of error names lets every match pass.
func TestMayName(t *testing.T) {
	pieces := []string{"Type", "Error", "Exception", "Fault", "Failure", "Panic", "E", "CONN", "REFUSED", "SQLITE", "_", "BUSY", " ", ": ", "x", "EAGAIN", "9"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "pieces"), "")
		if errorName.MatchString(s) && !mayName(s) {
			t.Fatalf("%q names an error", s)
		}
	})
}
