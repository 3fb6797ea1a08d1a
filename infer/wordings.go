package infer

import (
	"cmp"
	"strings"
)

// Kinds of key, used as prefixes.
const (
	taskKind   = "t\x00"
	pointKind  = "p\x00"
	optionKind = "o\x00"
	eventKind  = "e\x00"
)

// countWordings counts the wordings of everything that a record names.
func (s *Study) countWordings(r *Record) {
	s.addName(taskKind, r.Task)
	for _, c := range r.Choices {
		s.addName(pointKind, c.Point)
		s.addWording(optionKind, c.Point.Key+"\x00"+c.Option.Key, c.Option.Label)
	}
	for _, e := range r.Events {
		s.addName(eventKind, e.Name)
	}
}

func (s *Study) addName(kind string, n Name) { s.addWording(kind, n.Key, n.Label) }

// wordings counts the wordings of one thing; most things have one.
type wordings struct {
	first string
	n     int // of first
	more  map[string]int
}

func (s *Study) addWording(kind, key, label string) {
	of := s.labels[kind]
	if of == nil {
		of = map[string]wordings{}
		s.labels[kind] = of
	}
	w, said := of[key]
	switch {
	case !said:
		w = wordings{first: label, n: 1}
	case w.first == label:
		w.n++
	case w.more == nil:
		w.more = map[string]int{label: 1}
	default:
		w.more[label]++
		return
	}
	of[key] = w
}

// wordingOf returns the commonest wording of a key; of equally common ones the
// shortest, then the first by bytes.
func (s *Study) wordingOf(kind, key string) string {
	w := s.labels[kind][key]
	best, most := w.first, w.n
	for l, n := range w.more {
		if n > most || n == most && cmp.Or(len(l)-len(best), strings.Compare(l, best)) < 0 {
			best, most = l, n
		}
	}
	return best
}
