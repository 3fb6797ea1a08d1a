package extract

import (
	"bytes"
	"testing"
)

// Every record of a transcript has a fact or the reason why it has none, and explaining changes
// no episode.
func TestEveryRecordIsExplained(t *testing.T) {
	e := New(Vocabulary{})
	for _, f := range transcriptFiles(t) {
		plain, err := e.Read(Source{Path: f.path}, bytes.NewReader(f.data))
		if err != nil {
			t.Fatal(err)
		}
		res, err := e.Read(Source{Path: f.path, Explain: true}, bytes.NewReader(f.data))
		if err != nil {
			t.Fatal(err)
		}
		if res.Episode.Provenance.Seal != plain.Episode.Provenance.Seal || plain.Records != nil {
			t.Errorf("%s: another episode, or records that nobody asked for", f.name())
		}
		shown := map[int]bool{}
		for _, x := range res.Taken {
			if x.What == "" || x.Why == "" {
				t.Errorf("%s:%d: no reason in %+v", f.name(), x.Span[0], x)
			}
			for n := x.Span[0]; n <= x.Span[1]; n++ {
				shown[n] = true
			}
		}
		for n := range res.Records {
			if !shown[n+1] {
				t.Errorf("%s:%d: not explained", f.name(), n+1)
			}
		}
		if len(res.Records) == 0 {
			t.Errorf("%s: no records", f.name())
		}
	}
}
