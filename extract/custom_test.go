package extract

import (
	"strings"
	"testing"
)

// A project's words count like the built-in ones, a refused one no longer does,
// and the rules carry a mark of both.
func TestOwnVocabulary(t *testing.T) {
	log := []byte("## Problems\n\n- the pump is kaputt\n- a conflict arose\n\n## What bit us\n\n- never trust the pump\n")
	facts := func(e *Extractor) string {
		res, err := e.Log(Source{Path: "x.md"}, log)
		if err != nil {
			t.Fatal(err)
		}
		ep := res.Episode
		out := ep.Provenance.Extractor
		for _, e := range ep.Events {
			out += "; " + string(e.Type) + " " + e.Content
		}
		return out + "; " + strings.Join(ep.Lessons, "; ")
	}
	before := facts(extractor)
	if strings.Contains(before, "never trust") || !strings.HasPrefix(before, Version+";") {
		t.Errorf("without words of its own: %s", before)
	}
	v, err := ReadVocabulary([]byte("[names]\nlesson = ['What bit us']\nproblem = ['-problems']\n"))
	if err != nil {
		t.Fatal(err)
	}
	after := facts(New(v))
	if !strings.Contains(after, "never trust the pump") || strings.HasPrefix(after, Version+";") || strings.Contains(after, "kaputt") {
		t.Errorf("with words of its own: %s", after)
	}
	if got := facts(extractor); got != before {
		t.Errorf("the other extractor, afterwards: %s, want %s", got, before)
	}
}
