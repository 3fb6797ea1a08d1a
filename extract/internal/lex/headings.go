package lex

import (
	"strings"
	"unicode/utf8"
)

// nameOf is a heading or label as lower-case words, without numbering.
func nameOf(t Text) string {
	var b strings.Builder
	for i, w := range t.Words {
		if i == 0 && IsNumber(w.Lower) {
			continue
		}
		if b.Len() > 0 && t.Words[i-1].End < w.Start {
			b.WriteByte(' ')
		}
		b.WriteString(w.Lower)
	}
	return b.String()
}

// Exact returns the roles of a whole name, or none.
func (l *Lexicon) Exact(t Text) RoleSet {
	name := nameOf(t)
	if r, ok := l.phrases[name]; ok {
		return r
	}
	return l.phrases[strings.TrimRight(name, " 0123456789")]
}

// inside returns the roles of the phrases that occur anywhere in a name.
func (l *Lexicon) inside(t Text) RoleSet {
	var out RoleSet
	for i, w := range t.Words {
		if w.Code {
			continue
		}
		if i+1 < len(t.Words) && w.Classes.Has(ClassTicket) && t.Words[i+1].Classes.Has(ClassTracker) {
			continue // an entry of a tracker, not an error
		}
		if t.At(i+1, ClassAbout) && w.Classes.Has(ClassFail) {
			continue // "error handling"
		}
		for _, p := range l.parts[w.Lower] {
			if t.PhraseAt(i, p.phrase) {
				out |= t.rolesAt(i, p.roles)
			}
		}
	}
	return out
}

// rolesAt returns the roles of a phrase at word i of a name, given its neighbours:
// a section "decision needed" contains options, and the "resolution" of a comment
// is work done.
func (t Text) rolesAt(i int, r RoleSet) RoleSet {
	switch {
	case r.Has(RoleDecision) && t.At(i+1, ClassNeeded):
		return 1 << RoleOptions
	case r.Has(RoleFix) && i > 0 && t.At(i-1, ClassTracker):
		return 1 << RoleDone
	}
	return r
}

// Heading returns the roles of a heading. A heading "Role: subject" or
// "Role N - subject" has the role of its first part and states a subject.
func (l *Lexicon) Heading(t Text) (RoleSet, string) {
	r, subject := l.headingRoles(t)
	return r &^ (1 << RoleItem), subject // only a column can be one of items
}

func (l *Lexicon) headingRoles(t Text) (RoleSet, string) {
	if r := l.Exact(t); r != 0 {
		return r, ""
	}
	for i := 0; i < len(t.Raw) && i < 48; i++ {
		if !separates(t.Raw, i) {
			continue
		}
		if head := t.Sub(0, i); len(head.Words) > 0 && len(head.Words) <= 4 {
			switch r := l.Exact(head); {
			case r == 1<<RoleItem: // "Phase 3: Verification" is where it was verified
				of, _ := l.headingRoles(t.Sub(i, len(t.Raw)))
				return of & (1<<RoleTest | 1<<RoleConflict), ""
			case r != 0:
				return r, t.Sub(i, len(t.Raw)).Raw
			}
		}
	}
	// "(COMPLETE ALL before closing)" and the like qualify a name, they do not give it.
	if i := bracketAt(t.Raw); i > 0 {
		if r := l.Exact(t.Sub(0, i)); r != 0 {
			return r, ""
		}
	}
	if len(t.Words) > 9 {
		return 0, ""
	}
	r := l.inside(t)
	if t.At(0, ClassTodo) || t.At(0, ClassMake) {
		r &^= 1 << RoleSkip // "Update the session protocol" is work on it
	}
	if r.Has(RoleDecision) && r.Has(RoleReason) {
		r &^= 1 << RoleDecision // "decision rationale" gives the reasons of one
		if strings.ContainsAny(t.Raw, "/&+") || strings.Contains(t.Raw, " and ") {
			r = 1 << RoleDecision // "Decisions / why" has both
		}
	}
	return r, ""
}

// separates reports whether a colon or a dash at byte i separates two parts of a
// heading; in a time, or inside a word, it does not.
func separates(s string, i int) bool {
	switch c := s[i]; {
	case c == ':':
		return i == 0 || i+1 == len(s) || !IsDigit(s[i-1]) || !IsDigit(s[i+1])
	case c == '-':
		return i > 0 && s[i-1] == ' '
	case c < utf8.RuneSelf:
		return false
	}
	return strings.HasPrefix(s[i:], "—") || strings.HasPrefix(s[i:], "–")
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

// Label returns the roles of a bold label.
func (l *Lexicon) Label(t Text) RoleSet {
	r := l.Column(t) &^ (1 << RoleItem)
	if len(t.Words) > 1 && t.At(0, ClassMake) { // "Added validation" is work on it
		r &^= 1 << RoleTest
	}
	if t.At(0, ClassVerify) { // "Verified that it is resolved" is no fix
		r &^= 1 << RoleFix
	}
	return r
}

// Earlier reports whether a heading or label is about what an earlier session did: "Work
// from prior sessions", "Previous work".
func (t Text) Earlier() bool {
	name := t
	if i := bracketAt(t.Raw); i > 0 {
		name = t.Sub(0, i) // "Prior work (from the notes)"
	}
	if len(name.Words) > 1 && len(name.Words) <= 3 && t.At(0, ClassEarlier) && !undone.Has(t.Words[0].Lower) {
		return true
	}
	for i := range t.Words[:min(len(t.Words), 12)] {
		if t.At(i, ClassEarlier) && (t.At(i+1, ClassSession) || t.At(i+3, ClassSession)) { // "prior to this session"
			return true
		}
	}
	return false
}

// NothingDone reports whether a text says that a session had nothing to do to the thing it
// is about: "No implementation work required".
func (t Text) NothingDone() bool {
	for i := range t.Words {
		if !t.At(i, ClassNone) || !t.At(i, ClassNegate) {
			continue
		}
		for j := i + 1; j <= i+3; j++ {
			if t.At(j, ClassOwnWork) && t.At(j+1, ClassNeeded) {
				return true
			}
		}
	}
	return false
}

// ending returns the roles of the phrases that end a name. The last noun says what a
// label is about: "suspected cause" is a cause, "error handling" is not an error.
func (l *Lexicon) ending(t Text) RoleSet {
	n := len(t.Words)
	for n > 1 && IsNumber(t.Words[n-1].Lower) {
		n--
	}
	out := l.endingAt(t, n)
	if out == 0 && n > 1 && (t.At(n-1, ClassMake) || t.At(n-1, ClassFind)) { // "Insights extracted", "Root cause found"
		out = l.endingAt(t, n-1) & (1<<RoleLesson | 1<<RoleFix | 1<<RoleCause)
	}
	return out
}

// endingAt returns the roles of the phrases that end before word n.
func (l *Lexicon) endingAt(t Text, n int) (out RoleSet) {
	for i := range n {
		if t.Words[i].Code {
			continue
		}
		for _, p := range l.parts[t.Words[i].Lower] {
			if i+1+strings.Count(p.phrase, " ") == n && t.PhraseAt(i, p.phrase) {
				out |= p.roles
			}
		}
	}
	return out
}

// NameRoles are the roles of a text that is the name of what follows it.
func (t Text) NameRoles() RoleSet {
	if t.lex == nil {
		return 0
	}
	return t.lex.ending(t)
}

// Column returns the roles of a table's column name.
func (l *Lexicon) Column(t Text) RoleSet {
	if r := l.Exact(t); r != 0 {
		return r
	}
	if i := strings.IndexAny(t.Raw, "(["); i > 0 {
		if r := l.Exact(t.Sub(0, i)); r != 0 {
			return r
		}
	}
	if len(t.Words) > 4 || strings.Contains(t.Raw, "#") {
		return 0 // too long to be a name, or a ticket
	}
	r := l.ending(t)
	if t.Is(ClassMention) { // "Removed by commit" names no commit of the session
		r &^= 1 << RoleCommit
	}
	return r
}
