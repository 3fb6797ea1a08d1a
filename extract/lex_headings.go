package extract

import (
	"strings"
	"unicode/utf8"
)

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
