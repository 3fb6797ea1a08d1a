package extract

import (
	"strings"
	"testing"
)

func TestReadVocabulary(t *testing.T) {
	for _, c := range []struct{ text, err string }{
		{"", ""},
		{"[names]\nlesson = ['what bit us']\n[words]\nfail = ['kaputt', '-conflict']\n", ""},
		{"[names]\nlesson = 'one'\n", "line 2"},
		{"[names\n", "line 2"},
		{"[words]\n\nflavour = ['x']\n", `line 3: "flavour" is none of the words`},
		{"[colours]\na = ['b']\n", `line 1: "colours" is not known here`},
	} {
		_, err := ReadVocabulary([]byte(c.text))
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("ReadVocabulary(%q): %v, want %q", c.text, err, c.err)
		}
	}
}

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

func FuzzReadVocabulary(f *testing.F) {
	f.Add("[names]\nlesson = ['what bit us']\n")
	f.Add("[words]\nfail = ['-a_b', 'c d']\n")
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := ReadVocabulary([]byte(s)); err == nil {
			newLexicon(v)
		}
	})
}

// Every role and class has a name, and no two share one.
func TestNamesAreWhole(t *testing.T) {
	for _, list := range [][]string{roleNames[:], classNames[:]} {
		seen := map[string]bool{}
		for i, n := range list {
			if n == "" || seen[n] {
				t.Errorf("name %d is %q", i, n)
			}
			seen[n] = true
		}
	}
}
