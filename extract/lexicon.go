package extract

import (
	"strings"
	"sync"
	"unicode"
)

// role is what a heading, a label or a column name says of the text it governs.
// Roles are neutral of language; the words for them stand in vocabulary.go.
type role uint

const (
	roleDecision    role = iota // choices
	roleChosen                  // the option taken
	roleOptions                 // the options there were
	roleRejected                // options not taken
	roleReason                  // why
	roleContext                 // the question or situation
	roleProblem                 // what was wrong
	roleCause                   // why it was wrong
	roleFix                     // the way out
	roleAttempt                 // a way that was tried
	roleResult                  // what came of it
	roleFailed                  // what did not work
	roleTest                    // verification
	roleLesson                  // what was learned
	roleStatus                  // state of a thing
	roleOutcome                 // what the session came to
	roleVerdict                 // judgement of a review
	roleCommit                  // commits
	roleDone                    // work finished
	roleHandoff                 // what the next one should do
	roleTask                    // what the session set out to do
	rolePlan                    // what is meant to be done
	roleSkip                    // protocol, inventories, file lists, references: no facts
	roleBase                    // the commit or state that work started from
	roleDate                    // when
	roleDuration                // how long
	roleWho                     // who does it
	roleFinding                 // what was found
	roleSummary                 // the session in short
	roleWorked                  // what went well
	roleFiles                   // files touched
	roleAgent                   // agents dispatched
	roleTimeline                // events by time
	roleConsequence             // what follows from a decision
	roleItem                    // a column of things to be done
)

// roleSet is a set of roles.
type roleSet uint64

func (s roleSet) has(r role) bool { return s&(1<<r) != 0 }
func (s roleSet) any(rs ...role) bool {
	for _, r := range rs {
		if s.has(r) {
			return true
		}
	}
	return false
}

// lexicon finds roles and word classes. It is built once from the vocabulary.
type lexicon struct {
	phrases map[string]roleSet // whole names
	parts   map[string][]part  // first word of a phrase that may stand inside a name
	classes map[string]classSet
	pairs   map[string]bool // first words of the pairs among classes
}

type part struct {
	phrase string
	roles  roleSet
}

var defaultLexicon = sync.OnceValue(func() *lexicon {
	l := &lexicon{phrases: map[string]roleSet{}, parts: map[string][]part{}, classes: map[string]classSet{}, pairs: map[string]bool{}}
	for r, names := range names {
		for _, n := range split(names) {
			l.phrases[n] |= 1 << r
		}
	}
	for r, names := range nameParts {
		for _, n := range split(names) {
			first, _, _ := strings.Cut(n, " ")
			l.parts[first] = append(l.parts[first], part{phrase: n, roles: 1 << r})
			l.phrases[n] |= 1 << r
		}
	}
	for c, words := range classWords {
		for _, w := range strings.Fields(words) {
			if first, _, ok := strings.Cut(w, "_"); ok {
				l.pairs[first] = true
			}
			l.classes[strings.ReplaceAll(w, "_", " ")] |= 1 << c
		}
	}
	return l
})

func split(names string) []string {
	var out []string
	for _, n := range strings.Split(names, ",") {
		if n = collapse(n); n != "" {
			out = append(out, n)
		}
	}
	return out
}

// nameOf reduces a heading or label to lower-case words, without numbering.
func nameOf(t text) string {
	var b strings.Builder
	for i, w := range t.words {
		if i == 0 && isNumber(w.s) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.s)
	}
	return b.String()
}

// exact returns the roles of a whole name, or none.
func (l *lexicon) exact(t text) roleSet {
	n := nameOf(t)
	if r, ok := l.phrases[n]; ok {
		return r
	}
	return l.phrases[strings.TrimRight(n, " 0123456789")]
}

// inside returns the roles of the phrases that stand anywhere in a name.
func (l *lexicon) inside(t text) roleSet {
	var out roleSet
	for i, w := range t.words {
		if w.code {
			continue
		}
		if i+1 < len(t.words) && (w.s == "issue" || w.s == "issues") && trackerWords[t.words[i+1].s] {
			continue
		}
		for _, p := range l.parts[w.s] {
			if t.phraseAt(i, p.phrase) {
				out |= p.roles
			}
		}
	}
	return out
}

// trackerWords follow "issue" where it is an entry of a tracker, not a fault.
var trackerWords = setOf(`comment comments number numbers title titles body link links url label labels template templates tracker
	touched closed created linked referenced triage`)

// heading returns the roles of a heading. A heading "Role: subject" or
// "Role N - subject" has the role of its first part and states a subject.
func (l *lexicon) heading(t text) (roleSet, string) {
	r, subject := l.headingRoles(t)
	return r &^ (1 << roleItem), subject // only a column can be one of items
}

func (l *lexicon) headingRoles(t text) (roleSet, string) {
	if r := l.exact(t); r != 0 {
		return r, ""
	}
	for i := 0; i < len(t.s) && i < 48; i++ {
		c := t.s[i]
		if c != ':' && !(c == '-' && i > 0 && t.s[i-1] == ' ') && !strings.HasPrefix(t.s[i:], "—") && !strings.HasPrefix(t.s[i:], "–") {
			continue
		}
		if head := t.sub(0, i); len(head.words) > 0 && len(head.words) <= 4 {
			if r := l.exact(head); r != 0 {
				return r, t.sub(i, len(t.s)).s
			}
		}
	}
	// "(COMPLETE ALL before closing)" and the like qualify a name, they do not give it.
	if i := strings.IndexAny(t.s, "([（"); i > 0 {
		if r := l.exact(t.sub(0, i)); r != 0 {
			return r, ""
		}
	}
	if len(t.words) > 9 {
		return 0, ""
	}
	return l.inside(t), ""
}

// label returns the roles of a bold label.
func (l *lexicon) label(t text) roleSet { return l.column(t) &^ (1 << roleItem) }

// ending returns the roles of the phrases that end a name: what a label is about
// is its last noun ("suspected cause"), not what stands before it ("error handling").
func (l *lexicon) ending(t text) roleSet {
	var out roleSet
	n := len(t.words)
	for n > 1 && isNumber(t.words[n-1].s) {
		n--
	}
	for i := range n {
		if t.words[i].code {
			continue
		}
		for _, p := range l.parts[t.words[i].s] {
			if i+1+strings.Count(p.phrase, " ") == n && t.phraseAt(i, p.phrase) {
				out |= p.roles
			}
		}
	}
	return out
}

// column returns the roles of a table's column name.
func (l *lexicon) column(t text) roleSet {
	if r := l.exact(t); r != 0 {
		return r
	}
	if i := strings.IndexAny(t.s, "(["); i > 0 {
		if r := l.exact(t.sub(0, i)); r != 0 {
			return r
		}
	}
	if len(t.words) > 4 || strings.Contains(t.s, "#") {
		return 0 // too long to be a name, or a ticket
	}
	return l.ending(t)
}

// introRoles are the roles of a line that opens a list: "What I learned:".
func (t text) introRoles() roleSet {
	if !strings.HasSuffix(t.s, ":") || len(t.words) > 8 {
		return 0
	}
	return defaultLexicon().inside(t)
}

// classSet is a set of word classes.
type classSet uint32

func (s classSet) has(c class) bool { return s&(1<<c) != 0 }

func (l *lexicon) class(w word) classSet {
	return w.classes
}

// is reports whether any word of t is of class c.
func (l *lexicon) is(t text, c class) bool { return l.index(t, c) >= 0 }

// index returns the first word of t that is of class c, or -1. Pairs of words
// are tried as well.
func (l *lexicon) index(t text, c class) int {
	for i := range t.words {
		if l.at(t, i, c) {
			return i
		}
	}
	return -1
}

func (l *lexicon) at(t text, i int, c class) bool {
	w := &t.words[i]
	if w.code {
		return false
	}
	if w.classes.has(c) {
		return true
	}
	if w.pair && i+1 < len(t.words) && !t.words[i+1].code {
		if l.classes[w.s+" "+t.words[i+1].s].has(c) {
			return true
		}
	}
	return false
}

func isUpper(s string) bool {
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
