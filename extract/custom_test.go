package extract

import "testing"

// A word that a project refuses no longer counts, and the rules carry a mark of it; no other extractor knows of it.
func TestOwnVocabulary(t *testing.T) {
	v, err := ReadVocabulary([]byte("[names]\nproblem = ['-problems']\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []*Extractor{New(v), extractor} {
		res, err := e.Log(Source{Path: "x.md"}, []byte("## Problems\n\n- The cache was stale\n"))
		if err != nil {
			t.Fatal(err)
		}
		own, ep := e != extractor, res.Episode
		if (len(ep.Events) == 0) != own || (ep.Provenance.Extractor != Version) != own {
			t.Errorf("own words: %v, by %s: %v", own, ep.Provenance.Extractor, factLines(ep))
		}
	}
}
