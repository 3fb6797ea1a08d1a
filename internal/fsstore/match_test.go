package fsstore

import "testing"

func TestMatch(t *testing.T) {
	const name = ".agents/memory/x.json"
	for _, c := range []struct {
		pattern, name string
		path, in      bool // MatchPath, MatchIn
	}{
		{"a/*.md", "a/b.md", true, true}, {"a/*.md", "a/c/b.md", false, false}, {"a/**/b.md", "a/b.md", true, true}, {"a/**/b.md", "a/x/y/b.md", true, true},
		{"**", "a/b", true, true}, {"a", "a/b", false, true}, {"[", "[", false, false}, {"", "a", false, false}, {"/", "a", false, false},
		{".agents/", name, false, true}, {"memory", name, false, true}, {"*.json", name, false, true},
		{"/memory", name, false, false}, {".agents/memory", name, false, true}, {".agents/mem", name, false, false}, {"**/memory/*", name, true, true},
	} {
		if path, in := MatchPath(c.pattern, c.name), MatchIn(c.pattern, c.name); path != c.path || in != c.in {
			t.Errorf("%q, %q: as a path %v, in it %v", c.pattern, c.name, path, in)
		}
	}
}
