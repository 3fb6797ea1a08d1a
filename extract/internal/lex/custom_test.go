package lex

import (
	"strings"
	"testing"
)

func TestReadVocabulary(t *testing.T) {
	for _, c := range []struct{ text, err string }{
		{"", ""},
		{"[names]\nlesson = ['what bit us']\n[words]\nfail = ['kaputt', '-conflict']\n", ""},
		{"[names]\nlesson = 'one'\n", "line 2"},
		{"[names\n", "line 1"},
		{"[words]\n\nflavour = ['x']\n", `line 3: "flavour" is none of the words`},
	} {
		_, err := ReadVocabulary([]byte(c.text))
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("ReadVocabulary(%q): %v, want %q", c.text, err, c.err)
		}
	}
}

// What is no word is ignored, and said to be.
func TestReadVocabularyIgnores(t *testing.T) {
	v, err := ReadVocabulary([]byte("reader = 'x'\n[loop]\nactor = 'y'\nverify = ['z']\n[words]\nfail = ['kaputt']\n[loop.sub]\na = 1\n"))
	if err != nil || strings.Join(v.Ignored, " ") != "reader loop" || len(v.Words["fail"]) != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}

func FuzzReadVocabulary(f *testing.F) {
	f.Add("[names]\nlesson = ['what bit us']\n")
	f.Add("[words]\nfail = ['-a_b', 'c d']\n")
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := ReadVocabulary([]byte(s)); err == nil {
			New(v)
		}
	})
}
