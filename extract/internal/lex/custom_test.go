package lex

import (
	"testing"
)

func FuzzReadVocabulary(f *testing.F) {
	f.Add("[names]\nlesson = ['what bit us']\n")
	f.Add("[words]\nfail = ['-a_b', 'c d']\n")
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := ReadVocabulary([]byte(s)); err == nil {
			New(v)
		}
	})
}
