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
	base := x.baseCommits()
	var made, closing, prose []commitFound
	for _, b := range x.doc.blocks {
		structured, told := x.commitPlace(b)
		if !structured && !told {
			continue
		}
		for _, c := range x.shasOf(b, structured) {
			if sameCommit(base, c.sha) {
				continue
			}
			switch {
			case structured && b.section.within(roleSkip):
				closing = append(closing, c)
			case structured:
				made = append(made, c)
			default:
				prose = append(prose, c)
			}
		}
	}
	made = append(made, closing...)
	only := len(made) == 0
	for _, c := range prose {
		if only || c.done {
			made = append(made, c)
		}
	}
	var seen []string
	for _, c := range made {
		if sameCommit(seen, c.sha) {
			continue
		}
		seen = append(seen, c.sha)
		x.event(episode.Commit, c.block, c.span, c.content, c.why)
	}
}

type commitFound struct {
	sha, content, why string
	block             *block
	span              episode.Span
	done              bool // prose that says that it was committed or pushed
}

// sameCommit reports whether sha is in list at any length of abbreviation.
func sameCommit(list []string, sha string) bool {
	for _, s := range list {
		n := min(len(s), len(sha))
		if n >= 7 && s[:n] == sha[:n] {
			return true
		}
	}
	return false
}

// baseCommits are the commits that the session started from.
func (x *extraction) baseCommits() []string {
	var out []string
	for _, b := range x.doc.blocks {
		starts := b.labelRole.has(roleBase) || b.section.has(roleBase)
		if b.kind == rowBlock {
			for _, c := range b.cells {
				starts = starts || c.text.has("starting commit") || c.text.has("start commit") || c.text.has("base commit")
			}
		}
		if !starts {
			starts = b.text.has("starting commit") || b.text.has("base commit")
		}
		if starts {
			for _, w := range b.allWords() {
				if isSHA(w, true) {
					out = append(out, w)
				}
			}
		}
	}
	return out
}

func (b *block) allWords() []string {
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
func (x *extraction) commitPlace(b *block) (structured, told bool) {
	switch {
	case b.kind == codeBlock || b.labelRole.has(roleBase):
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
			if c.text.has("commit sha") || c.text.has("sha") || c.text.has("commit") && b.section.within(roleSkip) {
				return true, true
			}
		}
		return false, false
	}
	t := b.text
	if t.has("commit sha") {
		return true, true
	}
	for _, w := range t.words {
		if strings.HasPrefix(w.s, "commit") || w.s == "merged" || w.s == "squash" {
			return false, true
		}
	}
	for _, w := range t.words {
		if w.code && isSHA(w.s, false) && x.standsAlone(t, w) {
			return false, true
		}
	}
	return false, false
}

// notCommits are words of things whose ids look like commits.
var notCommits = []string{"digest", "md5", "sha256", "sha1", "checksum", "etag", "request", "trace", "run", "runs", "pipeline", "job", "build", "image", "container", "layer", "uuid", "id", "ids", "token", "key", "hash"}

// standsAlone reports whether a quoted hash is given as a reference: in
// parentheses, at the end, or after a word such as "in", in a text that speaks
// of nothing else with such ids.
func (x *extraction) standsAlone(t text, w word) bool {
	for _, n := range notCommits {
		if t.has(n) {
			return false
		}
	}
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
func (x *extraction) shasOf(b *block, structured bool) []commitFound {
	var out []commitFound
	add := func(sha, content, why string) {
		done := b.text.has("committed") || b.text.has("pushed") || b.kind != rowBlock && !structured
		out = append(out, commitFound{sha: sha, content: content, why: why, block: b, span: b.span, done: done})
	}
	if b.kind == rowBlock {
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
	for i, w := range t.words {
		if !isSHA(w.s, structured && b.labelRole.has(roleCommit)) || x.foreignSHA(t, i) {
			continue
		}
		if !structured && !x.toldSHA(t, i) && !(w.code && x.standsAlone(t, w)) {
			continue
		}
		content := b.full()
		if more := countSHAs(t); more > 1 {
			content = commitText(t, i)
		}
		add(w.s, content, "commit named")
	}
	return out
}

func countSHAs(t text) int {
	n := 0
	for _, w := range t.words {
		if isSHA(w.s, false) {
			n++
		}
	}
	return n
}

// commitText is what a text says of one of several commits: what stands before
// it when it is in parentheses, else what follows, up to the next one.
func commitText(t text, i int) string {
	w := t.words[i]
	from, to := 0, len(t.s)
	for _, o := range t.words {
		if isSHA(o.s, false) && o.end < w.start {
			from = o.end
		}
		if isSHA(o.s, false) && o.start > w.end && o.start < to {
			to = o.start
		}
	}
	if strings.HasSuffix(strings.TrimRight(t.s[:w.start], " "), "(") {
		return strings.Trim(t.s[from:w.end], " ,;.)—–-") + ")"
	}
	return strings.Trim(t.s[w.start:to], " ,;.(—–-")
}

// toldSHA reports whether prose says that the commit at word i was made: a word
// of committing stands shortly before it.
func (x *extraction) toldSHA(t text, i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if w := t.words[j].s; strings.HasPrefix(w, "commit") || w == "sha" || w == "merged" {
			return true
		}
	}
	return false
}

// foreignSHA reports whether the words before a hash say that it is where the
// work came from or somebody else's.
func (x *extraction) foreignSHA(t text, i int) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		switch t.words[j].s {
		case "from", "prior", "before", "since", "starting", "base", "parent", "previous", "upstream", "md5", "sha256", "sha1", "digest", "run", "etag", "checksum":
			return true
		}
	}
	return false
}

// isSHA reports whether a word looks like a commit hash: 7 to 40 hex digits, not
// a plain word and, outside structured fields, not a plain number.
func isSHA(w string, allowDecimal bool) bool {
	if len(w) < 7 || len(w) > 40 || len(w) > 12 && len(w) != 40 {
		return false
	}
	digits, letters := 0, 0
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'f':
			letters++
		default:
			return false
		}
	}
	return digits > 0 && (letters > 0 || allowDecimal && len(w) <= 10)
}
