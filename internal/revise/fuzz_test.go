package revise

import (
	"bytes"
	"testing"

	"episodes/episode"
)

// Whatever an existing file holds, it is refused, or the merge can be read and
// merging the same again changes no byte.
func FuzzMerge(f *testing.F) {
	f.Add([]byte(`{"id":"episode-s","session":"s","task":"","outcome":"partial","note":"by hand","decisions":["a word","",null,{"id":"d007","type":"recovery","chosen":"roll back","effects":["e009"]}],` +
		`"events":[null,{"id":"e009","type":"error","content":"miss","leads_to":["d007"]}],"metrics":{"commits":9},"lessons":["},"],"links":[{"source":"e009","target":"d007","type":"causes"}],"provenance":null}`))
	f.Add([]byte(`{"id":"episode-s","decisions":[[]],"events":{}}`))
	f.Add([]byte(`[]`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := Merge(data, fresh())
		if err != nil {
			return
		}
		if _, err := episode.Parse(once); err != nil {
			t.Fatalf("%q was merged to %q, which is refused: %v", data, once, err)
		}
		if twice, err := Merge(once, fresh()); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%q was merged to\n%s\nand again to\n%s\n(%v)", data, once, twice, err)
		}
	})
}
