package lex

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
)

// Lexicon finds roles and word classes. It is built once from the vocabulary.
type Lexicon struct {
	phrases  map[string]RoleSet // whole names
	parts    map[string][]part  // by the first word of a phrase inside a name
	words    map[string]entry   // first word of a class's words and phrases
	unspaced map[string]bool    // words of scripts that put no space between words
	longest  int                // bytes of the longest of these
}

type part struct {
	phrase string
	roles  RoleSet
}

// words is the vocabulary: what a word or phrase is (name: a whole heading, label or
// column name; part: of one; word: in prose, with "_" for a space), its role or class, and
// itself. One a line, sorted.
//
//go:embed words.txt
var words string

// addAll adds the lines of a vocabulary.
func (l *Lexicon) addAll(lines string) {
	for line := range strings.Lines(lines) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		of, s, _ := strings.Cut(rest, "\t")
		if kind == "word" {
			l.addWord(Class(slices.Index(classNames, of)), s)
			continue
		}
		r := slices.Index(roleNames, of)
		l.phrases[s] |= 1 << r
		if kind == "part" {
			first, _, _ := strings.Cut(s, " ")
			l.parts[first] = append(l.parts[first], part{phrase: s, roles: 1 << r})
		}
	}
}

// entry is what the vocabulary contains of one word: its own classes, and the
// phrases that it opens.
type entry struct {
	classes ClassSet
	phrases []phrase
}

type phrase struct {
	rest    []string // the words after the first
	classes ClassSet
}

// New builds the lexicon of the vocabulary with what a project adds.
func New(own Vocabulary) *Lexicon {
	l := &Lexicon{phrases: map[string]RoleSet{}, parts: map[string][]part{}, words: map[string]entry{}}
	l.addAll(words)
	l.apply(own)
	for w, e := range l.words { // what says that it failed is a word of failure
		if e.classes.Has(ClassStrong) {
			e.classes.add(ClassFail)
		}
		for i := range e.phrases {
			if e.phrases[i].classes.Has(ClassStrong) {
				e.phrases[i].classes.add(ClassFail)
			}
		}
		l.words[w] = e
	}
	l.unspaced = map[string]bool{}
	for w := range l.words {
		if isUnspaced(FirstRune(w)) {
			l.unspaced[w] = true
			l.longest = max(l.longest, len(w))
		}
	}
	return l
}

// apply adds a project's own names and words, and takes away those it refuses.
func (l *Lexicon) apply(own Vocabulary) {
	for name, entries := range own.Names {
		r := Role(slices.Index(roleNames, name))
		for _, e := range entries {
			if n, ok := strings.CutPrefix(e, "-"); ok {
				l.dropName(r, l.name(n))
			} else if n := l.name(e); n != "" {
				l.phrases[n] |= 1 << r
			}
		}
	}
	for name, entries := range own.Words {
		c := Class(slices.Index(classNames, name))
		for _, e := range entries {
			w, refuse := strings.CutPrefix(e, "-")
			if w = strings.Join(strings.FieldsFunc(strings.ToLower(w), func(r rune) bool { return r == ' ' || r == '_' }), "_"); w == "" {
				continue
			}
			if refuse {
				l.dropWord(c, w)
			} else {
				l.addWord(c, w)
			}
		}
	}
}

// name is a heading or label as Exact looks it up: "Surprises / gotchas" is read as the
// heading is.
func (l *Lexicon) name(s string) string { return nameOf(l.Text(s)) }

func (l *Lexicon) dropName(r Role, n string) {
	l.phrases[n] &^= 1 << r
	first, _, _ := strings.Cut(n, " ")
	for i, p := range l.parts[first] {
		if p.phrase == n {
			l.parts[first][i].roles &^= 1 << r
		}
	}
}

func (l *Lexicon) dropWord(c Class, w string) {
	ws := strings.Split(w, "_")
	e := l.words[ws[0]]
	if len(ws) == 1 {
		e.classes.drop(c)
	}
	e.phrases = slices.Clone(e.phrases)
	for i, p := range e.phrases {
		if slices.Equal(p.rest, ws[1:]) {
			e.phrases[i].classes.drop(c)
		}
	}
	l.words[ws[0]] = e
}

// isUnspaced reports whether a letter is of a script that puts no space between
// words.
func isUnspaced(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// segment cuts a run of such letters at the words that the vocabulary knows,
// the longest first; what lies between stays in one piece.
func (l *Lexicon) segment(s string, put func(from, to int)) {
	from := 0
	for i := 0; i < len(s); {
		n := 0
		for k := min(l.longest, len(s)-i); k > 0; k-- {
			if i+k <= len(s) && l.unspaced[s[i:i+k]] {
				n = k
				break
			}
		}
		if n == 0 {
			i += len(string(FirstRune(s[i:])))
			continue
		}
		if i > from {
			put(from, i)
		}
		put(i, i+n)
		i += n
		from = i
	}
	if from < len(s) {
		put(from, len(s))
	}
}

func (l *Lexicon) addWord(c Class, w string) {
	ws := strings.Split(w, "_")
	e := l.words[ws[0]]
	if len(ws) == 1 {
		e.classes.add(c)
	} else {
		p := phrase{rest: ws[1:]}
		p.classes.add(c)
		e.phrases = append(e.phrases, p)
	}
	l.words[ws[0]] = e
}

// IsUpper reports whether s is in capitals, two letters at least.
func IsUpper(s string) bool {
	letters := 0
	for _, r := range s {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			letters++
		}
	}
	return letters > 1
}
