package extract

import (
	"strings"

	"episodes/episode"
)

// commits takes every commit the log names as made by its session. Structured
// places (a commits section or column, a "Commit" label, the evidence that
// closes the session) come first; prose counts only when none of them names one,
// since stories cite other people's commits.
func (x *extraction) commits() {
	var base shaSet
	for _, sha := range x.baseCommits() {
		base.add(sha)
	}
	var listed, made, closing, prose []commitFound
	for _, b := range x.doc.blocks {
		structured, told := commitPlace(b)
		if !structured && !told {
			continue
		}
		for _, c := range shasOf(b, structured) {
			if base.has(c.sha) {
				continue
			}
			switch {
			case b.section.has(roleCommit):
				listed = append(listed, c)
			case structured && b.section.within(roleSkip):
				closing = append(closing, c)
			case structured:
				made = append(made, c)
			case b.section.has(roleContext) || b.section != nil && priorWork(b.section.title):
				// what was there before the session
			default:
				prose = append(prose, c)
			}
		}
	}
	// The list of commits tells more of each than a cell that cites it.
	made = append(append(listed, made...), closing...)
	if len(made) == 0 {
		made = prose
	}
	var seen shaSet
	for _, c := range made {
		if seen.has(c.sha) {
			continue
		}
		seen.add(c.sha)
		f := x.event(episode.Commit, c.block, c.span, c.content, c.why)
		if c.block == nil || namedCommit(c.block) == "" {
			continue
		}
		for _, o := range c.block.introduced() { // what it holds
			if x.used[o] == nil {
				x.used[o] = f
			}
		}
	}
}

type commitFound struct {
	sha, content, why string
	block             *block
	span              episode.Span
}

// baseCommits are the commits that the session started from.
func (x *extraction) baseCommits() []string {
	var out []string
	for _, b := range x.doc.blocks {
		starts := b.labelRole.has(roleBase) || b.section.has(roleBase)
		if b.kind == rowBlock {
			for _, c := range b.cells {
				starts = starts || c.text.is(classBase)
			}
		}
		if !starts {
			starts = b.text.is(classBase)
		}
		if !starts {
			continue
		}
		words := allWords(b)
		for i, w := range words {
			if isSHA(w, true) && !(i > 0 && (words[i-1] == "before" || words[i-1] == "to")) { // "prior to" names the first of the session's own
				out = append(out, w)
			}
		}
	}
	return out
}

func allWords(b *block) []string {
	var out []string
	add := func(t text) {
		for _, w := range t.words {
			out = append(out, w.s)
		}
	}
	add(b.text)
	for _, c := range b.cells {
		add(c.text)
	}
	return out
}

// commitPlace says whether b is a structured place for commits, or at least
// prose that tells of committing.
func commitPlace(b *block) (structured, told bool) {
	switch {
	case b.kind == codeBlock:
		return b.section.has(roleCommit), false
	case b.labelRole.has(roleBase):
		return false, false
	case b.section.has(roleCommit) || b.labelRole.has(roleCommit):
		return true, true
	case b.intro != nil && b.intro.labelRole.has(roleCommit), b.parent != nil && b.parent.labelRole.has(roleCommit):
		return true, true
	case b.kind == rowBlock:
		for _, c := range b.table.columns {
			if c.roles.has(roleCommit) {
				return true, true
			}
		}
		for _, c := range b.cells {
			if c.text.is(classHashName) || c.text.has("commit") && b.section.within(roleSkip) {
				return true, true
			}
		}
		for _, c := range b.cells {
			for _, w := range c.text.words {
				if w.code && isSHA(w.s, false) && standsAlone(c.text, w) {
					return false, true
				}
			}
		}
		return false, false
	}
	t := b.text
	if isSHA(b.label, false) {
		return b.section.has(roleCommit), true
	}
	if namedCommit(b) != "" {
		return true, true
	}
	if t.is(classHashName) {
		return true, true
	}
	for i := range t.words {
		if w := &t.words[i]; strings.HasPrefix(w.s, "commit") || w.s == "merged" || w.s == "squash" {
			return false, true
		}
	}
	for i := range t.words {
		if w := &t.words[i]; w.code && isSHA(w.s, false) && standsAlone(t, *w) {
			return false, true
		}
	}
	return false, false
}

// namedCommit is the hash in a label that names a commit, "Commit 5eb1dcb", or "".
func namedCommit(b *block) string {
	l := b.labelText
	if n := len(l.words); n > 1 && n <= 4 && isSHA(l.words[n-1].s, false) && l.words[n-2].s == "commit" {
		return l.words[n-1].s
	}
	return ""
}

// standsAlone reports whether a quoted hash is given as a reference: in
// parentheses, at the end, or after a word such as "in".
func standsAlone(t text, w word) bool {
	before := strings.TrimRight(t.s[:w.start], " ")
	if w.end < len(t.s) && t.s[w.end] != ')' && t.s[w.end] != ',' && t.s[w.end] != '.' && t.s[w.end] != ' ' && t.s[w.end] != ';' {
		return false
	}
	if before == "" || strings.HasSuffix(before, "(") || strings.HasSuffix(before, ",") {
		return true
	}
	for _, p := range []string{" in", " as", " with", " by", " som", " i"} {
		if strings.HasSuffix(before, p) {
			return true
		}
	}
	return false
}

// shasOf lists the commits that one block names.
func shasOf(b *block, structured bool) []commitFound {
	var out []commitFound
	add := func(sha, content, why string) {
		out = append(out, commitFound{sha: sha, content: content, why: why, block: b, span: b.span})
	}
	switch {
	case b.kind == codeBlock:
		return codeCommits(b)
	case isSHA(b.label, false):
		add(b.label, b.full(), "commit named")
		return out
	case namedCommit(b) != "":
		content := b.full()
		for _, c := range b.introduced() {
			content += "; " + c.full()
		}
		add(namedCommit(b), shorten(content, maxContent), "commit named")
		return out
	case b.kind == rowBlock:
		fixed := -1
		for i, c := range b.table.columns {
			if c.roles.has(roleCommit) {
				fixed = i
			}
		}
		for i, c := range b.cells {
			if fixed >= 0 && i != fixed {
				continue
			}
			for _, w := range c.text.words {
				if isSHA(w.s, fixed >= 0) {
					content := b.full()
					if fixed < 0 { // a step of a protocol that names its commit
						content = "Commit " + w.s
					}
					if b.table.names(roleProblem) || b.table.names(roleCause) { // the row is about a fault
						content = c.text.s
					}
					add(w.s, content, "table row")
				}
			}
		}
		return out
	}
	t := b.text
	several := countSHAs(t) > 1
	for i, w := range t.words {
		if !isSHA(w.s, structured && b.labelRole.has(roleCommit)) || foreignSHA(t, i) {
			continue
		}
		if !structured && (!toldSHA(t, i) && !(w.code && standsAlone(t, w)) || mentions(t, i)) {
			continue
		}
		content := ""
		if several {
			content = commitText(t, i)
		} else {
			content = b.full()
		}
		add(w.s, content, "commit named")
	}
	return out
}

// mentions reports whether the words before a hash only speak of the commit: "likely
// caused by commit 60bbd1c".
func mentions(t text, i int) bool {
	for j := range i {
		if t.at(j, classMention) {
			return true
		}
	}
	return false
}

// codeCommits reads the quoted output of a version control system: lines that
// open with a hash, or with "commit" and a hash.
func codeCommits(b *block) []commitFound {
	var out []commitFound
	for i, l := range strings.Split(strings.TrimRight(b.code, "\n"), "\n") {
		f := strings.Fields(l)
		if len(f) > 1 && f[0] == "commit" {
			f = f[1:]
		}
		if len(f) == 0 || !isSHA(f[0], false) {
			continue
		}
		line := b.span[0] + i
		out = append(out, commitFound{sha: f[0], content: collapse(l), why: "line of a commit list", block: nil, span: episode.Span{line, line}})
	}
	return out
}

// commitText is what a text says of one of several commits: what stands before
// it when it is in parentheses, else what follows, up to the next one.
func commitText(t text, i int) string {
	w := t.words[i]
	from, to := 0, len(t.s)
	for j := i - 1; j >= 0; j-- {
		if isSHA(t.words[j].s, false) {
			from = t.words[j].end
			break
		}
	}
	for _, o := range t.words[i+1:] {
		if isSHA(o.s, false) {
			to = o.start
			break
		}
	}
	if strings.HasSuffix(strings.TrimRight(t.s[:w.start], " "), "(") {
		return strings.Trim(t.s[from:w.end], " ,;.)—–-") + ")"
	}
	return strings.Trim(t.s[w.start:to], " ,;.(—–-")
}

// toldSHA reports whether prose says that the commit at word i was made: a word
// of committing stands shortly before it.
func toldSHA(t text, i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if w := t.words[j].s; strings.HasPrefix(w, "commit") || w == "sha" || w == "merged" {
			return true
		}
	}
	return false
}

// foreignSHA reports whether the words before a hash say that it is where the
// work came from or somebody else's.
func foreignSHA(t text, i int) bool {
	for j := i - 1; j >= 0 && j >= i-6; j-- {
		if t.at(j, classUpstream) || j >= i-3 && t.at(j, classForeign) {
			return true
		}
	}
	return false
}
