package episode

import (
	"bytes"
	"testing"
)

// Whatever a file holds, it is refused with a line, or what is read of it can be
// written and read again, and stays the same from then on.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id":"episode-a","session":"a","task":"t","outcome":"success","timestamp":"2026-01-02T00:00:00Z",` +
		`"decisions":[{"id":"d001","type":"tactical","context":"c","chosen":"x","options":["x","y"],"outcome":"failure","effects":["e001"]}],` +
		`"events":[{"id":"e001","type":"error","content":"it broke","causes":["d001"],"key":{"kind":"error","tool":"go"}}],` +
		`"links":[{"source":"d001","target":"e001","type":"causes","explicit":true}],"lessons":["wait"],"metrics":{"commits":2},` +
		`"provenance":{"source":{"path":"a.md","sha256":"00","format":"markdown"},"extractor":"1","spans":{"d001":[3,4]}}}`))
	f.Add([]byte(`{"id":"episode-a","decisions":["a word",null],"events":null}`))
	f.Add([]byte("{\"id\":\"episode-\xff\"}"))
	f.Add([]byte(`{"id":"episode-a"} {}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Parse(data)
		if err != nil {
			return
		}
		_ = e.Validate()
		_ = e.Foreign()
		first, err := Marshal(e)
		if err != nil {
			t.Fatalf("%q cannot be written: %v", data, err)
		}
		again, err := Parse(first)
		if err != nil {
			t.Fatalf("%q was written as %q, which is refused: %v", data, first, err)
		}
		if second, err := Marshal(again); err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%q was written as %q, then %q (%v)", data, first, second, err)
		}
	})
}
