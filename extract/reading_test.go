package extract

import (
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// A file is cut before each line that starts a session but the first one, with the empty line before it; nothing is
// lost, and what is appended changes nothing of the sessions before.
func TestSessionsOfAFile(t *testing.T) {
	x := newReading(turns.Format{Starts: lazy.Pattern(`(?m)^(?:\r?\n)?# start`)}, nil, nil)
	cut := func(text string) (out []string) {
		files, err := x.split(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			part, _ := io.ReadAll(f)
			out = append(out, string(part))
		}
		return out
	}
	for text, want := range map[string][]string{
		"":                                  {""},
		"# start":                           {"# start"},
		"\n# start 1\n\na\n\n\n# start 2\n": {"\n# start 1\n\na\n\n", "\n# start 2\n"},
		"page\n# start 1\n# start 2\nb\r\n\r\n# start":        {"page\n# start 1\n", "# start 2\nb\r\n", "\r\n# start"},
		"# start 1\n" + strings.Repeat("x", 64) + "# start\n": {"# start 1\n" + strings.Repeat("x", 64) + "# start\n"},
	} {
		if got := cut(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		line := rapid.SampledFrom([]string{"\n", "\r\n", "# start\n", "a\n", strings.Repeat("y", 200) + "\n"})
		text := strings.Join(rapid.SliceOf(line).Draw(rt, "lines"), "")
		parts := cut(text)
		if strings.Join(parts, "") != text {
			rt.Errorf("%q of %q", parts, text)
		}
		for _, p := range parts[1:] {
			if !strings.HasPrefix(strings.TrimLeft(p, "\r\n"), "# start") || strings.Count(p, "# start") > 1 {
				rt.Errorf("%q in %q", p, parts)
			}
		}
		if more := cut(text + "\n# start\nb\n"); !strings.Contains(text, "# start") == (len(more) > len(parts)) ||
			len(more) > len(parts) && !slices.Equal(more[:len(parts)], parts) {
			rt.Errorf("%q, then %q", parts, more)
		}
	})
}
