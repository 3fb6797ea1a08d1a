package episode

import (
	"strings"
	"testing"
)

// All lines of a fix are looked for, each wherever it is and however it is indented.
func TestPutIn(t *testing.T) {
	p := NewPut("store.go", []string{"db.Timeout = 5 * second", "return open(path, db)"})
	for content, want := range map[string]bool{
		"func f() {\n\tdb.Timeout = 5 * second\n\treturn open(path, db)\n}\n": true,
		"return  open(path,db)\r\n    db.Timeout = 5*second":                  true,
		"\tdb.Timeout = 5 * second\n\treturn open(path)\n":                    false,
		"\t// db.Timeout = 5 * second\n\treturn open(path, db)\n":             false,
		"": false,
	} {
		if got := p.In([]byte(content)); got != want {
			t.Errorf("%q: %v", content, got)
		}
	}
	if strings.Contains(p.Lines, "Timeout") || len(p.Lines) != len("00000000 00000000") {
		t.Errorf("kept as %q", p.Lines)
	}
	if (Put{Lines: "no hash"}).In([]byte("no hash")) {
		t.Error("what is no hash was found")
	}
}
