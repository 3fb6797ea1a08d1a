package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
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
	for _, b := range x.doc.Blocks {
		structured, inProse := commitEvidence(b)
		if !structured && !inProse {
			continue
		}
		for _, c := range shasOf(b, structured) {
			if base.has(c.sha) {
				continue
			}
			switch {
			case b.Section.Has(lex.RoleCommit):
				listed = append(listed, c)
			case structured && b.Section.Within(lex.RoleSkip):
				closing = append(closing, c)
			case structured:
				made = append(made, c)
			case b.Section.Has(lex.RoleContext) || b.Section != nil && priorWork(b.Section.Title):
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
		for _, o := range c.block.Introduced() { // what it contains
			if x.used[o] == nil {
				x.used[o] = f
			}
		}
	}
}

type commitFound struct {
	sha, content, why string
	block             *doc.Block
	span              episode.Span
}

// baseCommits are the commits that the session started from.
func (x *extraction) baseCommits() []string {
	var out []string
	for _, b := range x.doc.Blocks {
		starts := b.LabelRoles.Has(lex.RoleBase) || b.Section.Has(lex.RoleBase)
		if b.Kind == doc.Row {
			for _, c := range b.Cells {
				starts = starts || c.Text.Is(lex.ClassBase)
			}
		}
		if !starts {
			starts = b.Text.Is(lex.ClassBase)
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

func allWords(b *doc.Block) []string {
	var out []string
	add := func(t lex.Text) {
		for _, w := range t.Words {
			out = append(out, w.Lower)
		}
	}
	add(b.Text)
	for _, c := range b.Cells {
		add(c.Text)
	}
	return out
}

// commitEvidence says whether b is a structured location for commits, or at least
// prose that reports committing.
func commitEvidence(b *doc.Block) (structured, inProse bool) {
	switch {
	case b.Kind == doc.Code:
		return b.Section.Has(lex.RoleCommit), false
	case b.LabelRoles.Has(lex.RoleBase):
		return false, false
	case b.Section.Has(lex.RoleCommit) || b.LabelRoles.Has(lex.RoleCommit):
		return true, true
	case b.Intro != nil && b.Intro.LabelRoles.Has(lex.RoleCommit), b.Parent != nil && b.Parent.LabelRoles.Has(lex.RoleCommit):
		return true, true
	case b.Kind == doc.Row:
		for _, c := range b.Table.Columns {
			if c.Roles.Has(lex.RoleCommit) {
				return true, true
			}
		}
		for _, c := range b.Cells {
			if c.Text.Is(lex.ClassHashName) || c.Text.Has("commit") && b.Section.Within(lex.RoleSkip) {
				return true, true
			}
		}
		for _, c := range b.Cells {
			for _, w := range c.Text.Words {
				if w.Code && isSHA(w.Lower, false) && standsAlone(c.Text, w) {
					return false, true
				}
			}
		}
		return false, false
	}
	t := b.Text
	if isSHA(b.Label, false) {
		return b.Section.Has(lex.RoleCommit), true
	}
	if namedCommit(b) != "" {
		return true, true
	}
	if t.Is(lex.ClassHashName) {
		return true, true
	}
	for i := range t.Words {
		if w := &t.Words[i]; strings.HasPrefix(w.Lower, "commit") || w.Lower == "merged" || w.Lower == "squash" {
			return false, true
		}
	}
	for i := range t.Words {
		if w := &t.Words[i]; w.Code && isSHA(w.Lower, false) && standsAlone(t, *w) {
			return false, true
		}
	}
	return false, false
}

// shasOf lists the commits that one block names.
func shasOf(b *doc.Block, structured bool) []commitFound {
	var out []commitFound
	add := func(sha, content, why string) {
		out = append(out, commitFound{sha: sha, content: content, why: why, block: b, span: b.Span})
	}
	switch {
	case b.Kind == doc.Code:
		return codeCommits(b)
	case isSHA(b.Label, false):
		add(b.Label, b.Full(), "commit named")
		return out
	case namedCommit(b) != "":
		content := b.Full()
		for _, c := range b.Introduced() {
			content += "; " + c.Full()
		}
		add(namedCommit(b), facts.Shorten(content, facts.MaxContent), "commit named")
		return out
	case b.Kind == doc.Row:
		fixed := -1
		for i, c := range b.Table.Columns {
			if c.Roles.Has(lex.RoleCommit) {
				fixed = i
			}
		}
		for i, c := range b.Cells {
			if fixed >= 0 && i != fixed {
				continue
			}
			for _, w := range c.Text.Words {
				if isSHA(w.Lower, fixed >= 0) {
					content := b.Full()
					if fixed < 0 { // a step of a protocol that names its commit
						content = "Commit " + w.Lower
					}
					if b.Table.Names(lex.RoleProblem) || b.Table.Names(lex.RoleCause) { // the row is about an error
						content = c.Text.Raw
					}
					add(w.Lower, content, "table row")
				}
			}
		}
		return out
	}
	t := b.Text
	several := countSHAs(t) > 1
	for i, w := range t.Words {
		if !isSHA(w.Lower, structured && b.LabelRoles.Has(lex.RoleCommit)) || foreignSHA(t, i) {
			continue
		}
		if !structured && (!saysCommitted(t, i) && !(w.Code && standsAlone(t, w)) || mentions(t, i)) {
			continue
		}
		content := ""
		if several {
			content = commitText(t, i)
		} else {
			content = b.Full()
		}
		add(w.Lower, content, "commit named")
	}
	return out
}

// codeCommits reads the quoted output of a version control system: lines that
// open with a hash, or with "commit" and a hash.
func codeCommits(b *doc.Block) []commitFound {
	var out []commitFound
	for i, l := range strings.Split(strings.TrimRight(b.Code, "\n"), "\n") {
		f := strings.Fields(l)
		if len(f) > 1 && f[0] == "commit" {
			f = f[1:]
		}
		if len(f) == 0 || !isSHA(f[0], false) {
			continue
		}
		line := b.Span[0] + i
		out = append(out, commitFound{sha: f[0], content: lex.Collapse(l), why: "line of a commit list", block: nil, span: episode.Span{line, line}})
	}
	return out
}
