package export

import (
	"strings"
	"testing"
)

func TestDOTLabels(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                        `"plain"`,
		`a "b" \n \`:                   `"a \"b\" \\n \\"`,
		"x\x1b[2Jy\x1b]0;title\x07z":   `"xyz"`,
		"\x1b]8;;http://e/\x1b\\link":  `"link"`,
		"a\x00b\x7fc\u0085d\u009b31me": `"abc de"`,
		"line\nbreak\ttab":             `"line break tab"`,
		"\u202eabc\u2066def\u200bx":    `"abcdefx"`,
		"bad \xff utf8":                "\"bad \uFFFD utf8\"",
		"<b>html</b> & co":             `"<b>html</b> & co"`,
		strings.Repeat("é", 100):       `"` + strings.Repeat("é", 79) + `…"`,
	} {
		if got := dotLabel(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
