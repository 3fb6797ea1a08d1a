package keys

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Looking only at the stretches around digits and slashes gives what masking the
// whole text gives.
func TestMaskByStretches(t *testing.T) {
	pieces := []string{"exit", "exited", "code", "status", "http", "with", "Status code", "1", "42", "404", " ", "  ", " ", ":", "=", "-", ", ", ". ", "a", "word", "Word's",
		"src/a.go", "C:\\x\\y", "a.go:12:3", "5 min", "3.5", "GB", "ms", "percent", "2026-01-02", "2026-01-02 10:00", "10:00:01", "v1.2.3", "1.2.3-rc1", "#12", "PR #3",
		"deadbeef", "a1b2c3d", "https://x.y/z?q=1", "MD032", "E-402", "12345678-1234-1234-1234-123456789abc", "✅", "時間", "5", "\n", "(", ")"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " "}).Draw(t, "glue"))
		var whole strings.Builder
		maskInto(&whole, text)
		if got := Mask(text); got != whole.String() {
			t.Fatalf("Mask(%q) = %q, want %q", text, got, whole.String())
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
