package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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
	roleOne                     // a single choice, as in a decision record
	roleOpen                    // what is not done
	rolePulls                   // pull requests made
	rolePrevent                 // measures against a fault to come
	roleRefused                 // what was decided not to be done
	roleMade                    // things that were made
	roleConflict                // how a merge was settled
	roleStrategy                // the way the work was gone about
	roleTopic                   // what the log is about
)

// inherited are the roles that a heading without one of its own takes from the
// heading above it: what stands under "Lessons > Technical" are lessons.
const inherited = 1<<roleLesson | 1<<roleProblem | 1<<roleTest | 1<<roleTimeline | 1<<roleWorked

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
	phrases  map[string]roleSet // whole names
	parts    map[string][]part  // first word of a phrase that may stand inside a name
	words    map[string]entry   // first word of a class's words and phrases
	unspaced map[string]bool    // words of scripts that put no space between words
	longest  int                // bytes of the longest of these
}

type part struct {
	phrase string
	roles  roleSet
}

// entry is what the vocabulary holds of one word: its own classes, and the
// phrases that it opens.
type entry struct {
	classes classSet
	phrases []phrase
}

type phrase struct {
	rest    []string // the words after the first
	classes classSet
}

// newLexicon builds the lexicon of the vocabulary with what a project adds.
func newLexicon(own Vocabulary) *lexicon {
	l := &lexicon{phrases: map[string]roleSet{}, parts: map[string][]part{}, words: map[string]entry{}}
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
	for c, ws := range words {
		for _, w := range strings.Fields(ws) {
			l.addWord(c, w)
		}
	}
	l.apply(own)
	for w, e := range l.words { // what says that it failed is a word of failure
		if e.classes.has(classStrong) {
			e.classes.add(classFail)
		}
		for i := range e.phrases {
			if e.phrases[i].classes.has(classStrong) {
				e.phrases[i].classes.add(classFail)
			}
		}
		l.words[w] = e
	}
	l.unspaced = map[string]bool{}
	for w := range l.words {
		if isUnspaced(firstRune(w)) {
			l.unspaced[w] = true
			l.longest = max(l.longest, len(w))
		}
	}
	return l
}

// apply adds a project's own names and words, and takes away those it refuses.
func (l *lexicon) apply(own Vocabulary) {
	for name, entries := range own.Names {
		r := role(slices.Index(roleNames[:], name))
		for _, e := range entries {
			if n, ok := strings.CutPrefix(e, "-"); ok {
				l.dropName(r, collapse(strings.ToLower(n)))
			} else if n := collapse(strings.ToLower(e)); n != "" {
				l.phrases[n] |= 1 << r
			}
		}
	}
	for name, entries := range own.Words {
		c := class(slices.Index(classNames[:], name))
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

func (l *lexicon) dropName(r role, n string) {
	l.phrases[n] &^= 1 << r
	first, _, _ := strings.Cut(n, " ")
	for i, p := range l.parts[first] {
		if p.phrase == n {
			l.parts[first][i].roles &^= 1 << r
		}
	}
}

func (l *lexicon) dropWord(c class, w string) {
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
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// segment cuts a run of such letters at the words that the vocabulary knows,
// the longest first; what lies between stays in one piece.
func (l *lexicon) segment(s string, put func(from, to int)) {
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
			i += len(string(firstRune(s[i:])))
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

func (l *lexicon) addWord(c class, w string) {
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

func split(names string) []string {
	var out []string
	for _, n := range strings.Split(names, ",") {
		if n = collapse(n); n != "" {
			out = append(out, n)
		}
	}
	return out
}

// nameOf is a heading or label as lower-case words, without numbering.
func nameOf(t text) string {
	var b strings.Builder
	for i, w := range t.words {
		if i == 0 && isNumber(w.s) {
			continue
		}
		if b.Len() > 0 && t.words[i-1].end < w.start {
			b.WriteByte(' ')
		}
		b.WriteString(w.s)
	}
	return b.String()
}

// exact returns the roles of a whole name, or none.
func (l *lexicon) exact(t text) roleSet {
	name := nameOf(t)
	if r, ok := l.phrases[name]; ok {
		return r
	}
	return l.phrases[strings.TrimRight(name, " 0123456789")]
}

// inside returns the roles of the phrases that stand anywhere in a name.
func (l *lexicon) inside(t text) roleSet {
	var out roleSet
	for i, w := range t.words {
		if w.code {
			continue
		}
		if i+1 < len(t.words) && (w.s == "issue" || w.s == "issues") && t.words[i+1].classes.has(classTracker) {
			continue // an entry of a tracker, not a fault
		}
		if t.at(i+1, classAbout) && w.classes.has(classFail) {
			continue // "error handling"
		}
		for _, p := range l.parts[w.s] {
			if t.phraseAt(i, p.phrase) {
				out |= t.rolesAt(i, p.roles)
			}
		}
	}
	return out
}

// rolesAt are the roles of a phrase at word i of a name, given the words beside
// it: what a "decision needed" holds are options, and the "resolution" of a
// comment is work done.
func (t text) rolesAt(i int, r roleSet) roleSet {
	switch {
	case r.has(roleDecision) && t.at(i+1, classNeeded):
		return 1 << roleOptions
	case r.has(roleFix) && i > 0 && t.at(i-1, classTracker):
		return 1 << roleDone
	}
	return r
}

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
		if c < utf8.RuneSelf && c != ':' && c != '-' {
			continue
		}
		if c != ':' && !(c == '-' && i > 0 && t.s[i-1] == ' ') && !strings.HasPrefix(t.s[i:], "—") && !strings.HasPrefix(t.s[i:], "–") {
			continue
		}
		if c == ':' && i > 0 && i+1 < len(t.s) && isDigit(t.s[i-1]) && isDigit(t.s[i+1]) {
			continue // a time
		}
		if head := t.sub(0, i); len(head.words) > 0 && len(head.words) <= 4 {
			if r := l.exact(head); r != 0 {
				return r, t.sub(i, len(t.s)).s
			}
		}
	}
	// "(COMPLETE ALL before closing)" and the like qualify a name, they do not give it.
	if i := bracketAt(t.s); i > 0 {
		if r := l.exact(t.sub(0, i)); r != 0 {
			return r, ""
		}
	}
	if len(t.words) > 9 {
		return 0, ""
	}
	if i := strings.Index(t.s, "from "); i > 1 && !isLetter(rune(t.s[i-1])) {
		t = t.sub(0, i) // "Criteria from the issue" are no issue
	}
	r := l.inside(t)
	if r.has(roleDecision) && r.has(roleReason) {
		r &^= 1 << roleDecision // "decision rationale" gives the reasons of one
	}
	return r, ""
}

// bracketAt is where the first bracket opens, also a wide one, or -1.
func bracketAt(s string) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c == '(' || c == '[' || c == "（"[0] && strings.HasPrefix(s[i:], "（") {
			return i
		}
	}
	return -1
}

// label returns the roles of a bold label.
func (l *lexicon) label(t text) roleSet { return l.column(t) &^ (1 << roleItem) }

// ending returns the roles of the phrases that end a name: what a label is about
// is its last noun ("suspected cause"), not what stands before it ("error handling").
func (l *lexicon) ending(t text) roleSet {
	n := len(t.words)
	for n > 1 && isNumber(t.words[n-1].s) {
		n--
	}
	out := l.endingAt(t, n)
	if out == 0 && n > 1 && (t.at(n-1, classMake) || t.at(n-1, classFind)) { // "Insights extracted", "Root cause found"
		out = l.endingAt(t, n-1) & (1<<roleLesson | 1<<roleFix | 1<<roleCause)
	}
	return out
}

// endingAt returns the roles of the phrases that end before word n.
func (l *lexicon) endingAt(t text, n int) (out roleSet) {
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
	return t.lex.inside(t)
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
