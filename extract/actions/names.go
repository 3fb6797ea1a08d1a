package actions

import (
	"hash/crc32"
	"slices"
	"strings"
	"sync"
	"unicode"

	"episodes/internal/lazy"
	"episodes/internal/turns"
	"episodes/keys"
)

// term is something that a sentence names: one word, or a name with its parts.
type term struct {
	parts []string // stems
	name  bool     // written as a name: quoted, or with signs inside
}

// termsIn are what a text names. Words that occur in every session are none.
func termsIn(text string) (out []term) {
	for i, span := range strings.Split(text, "`") {
		if i%2 == 0 {
			span = between().ReplaceAllString(span, " ") // words that are joined are no name
		}
		for word := range strings.FieldsSeq(span) {
			if t := (term{partsOf(word), i%2 == 1 || isName(word)}); len(t.parts) > 0 && (t.name || !everyday()[t.parts[0]]) {
				out = append(out, t)
			}
		}
	}
	return out
}

// partsOf are the stems of the words that a text or a name is made of.
func partsOf(text string) (out []string) {
	for _, w := range wordIn().FindAllString(text, -1) {
		if w = keys.Word(w); len(w) > 1 {
			out = append(out, w)
		}
	}
	return out
}

var (
	wordIn  = lazy.Pattern(`\p{Lu}*[\p{Ll}\p{Lo}']+|\p{Lu}+|\d+`)
	between = lazy.Pattern(`\b[-/]\b`)
)

// isName reports whether a word is written as names of code are.
func isName(word string) bool {
	word = strings.Trim(word, ".,;:!?()\"'*")
	for i, r := range word {
		if i > 0 && (unicode.IsUpper(r) || strings.ContainsRune("_/.:(", r)) || unicode.IsDigit(r) || i == 0 && r == '-' {
			return len(word) > 2
		}
	}
	return false
}

// mostNames is how many different words of a step are kept.
const mostNames = 400

// remember keeps what a call names, as hashes, since the texts are not kept.
func (s *step) remember() {
	if s.call.Tool != turns.Shell && s.call.Tool != turns.Other && !s.edits() {
		return
	}
	for _, text := range append([]string{s.call.Old, s.call.New, s.call.Command, s.call.Text, s.call.Name}, s.call.Files...) {
		for _, w := range partsOf(turns.Start(text, turns.MaxText)) {
			s.names = append(s.names, crc32.ChecksumIEEE([]byte(w)))
		}
	}
	slices.Sort(s.names)
	s.names = slices.Clip(slices.Compact(s.names))
	s.names = slices.Clone(s.names[:min(len(s.names), mostNames)])
}

// acts reports whether a step changes something or runs more than a look.
func (s *step) acts() bool {
	if s.call.Tool != turns.Shell {
		return s.edits()
	}
	return strings.Contains(s.call.Command, "<<") || slices.ContainsFunc(s.line.commands, func(c command) bool {
		return !c.looks() || moves[c.name] || c.name == "mkdir" || c.name == "sed" && slices.Contains(c.args, "-i")
	})
}

// namesAll reports whether a step names all parts of a term.
func (s *step) namesAll(t term) bool {
	return !slices.ContainsFunc(t.parts, func(part string) bool {
		_, found := slices.BinarySearch(s.names, crc32.ChecksumIEEE([]byte(part)))
		return !found
	})
}

// doesWhat reports whether a step names what a statement does: one of its names or two of its words; a command line one.
func (s *step) doesWhat(terms []term) bool {
	words := 0
	for _, t := range terms {
		if s.namesAll(t) {
			if t.name || s.call.Tool == turns.Shell {
				return true
			}
			words++
		}
	}
	return words >= min(2, len(terms)) && words > 0
}

// shareTerm reports whether two lists have a term in common.
func shareTerm(a, b []term) bool {
	return slices.ContainsFunc(a, func(t term) bool {
		return slices.ContainsFunc(b, func(u term) bool { return slices.Equal(t.parts, u.parts) })
	})
}

// everyday words, as stems, prove nothing.
var everyday = stemmed("fix update use add make change file files code test tests function method issue problem error new now also just need properly correctly proper correct " +
	"way thing item step work create implement handle approach instead rather only both existing current right line lines good better let first then next change changes same all any")

// stemmed returns a function that stems the words on first use.
func stemmed(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		out := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			out[keys.Stem(w)] = true
		}
		return out
	})
}
