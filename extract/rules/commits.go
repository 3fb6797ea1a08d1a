package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// commitEvidence is how far the location of a hash shows that its session made the
// commit.
type commitEvidence uint8

const (
	noCommit   commitEvidence = iota
	prose                     // may be cited only: counts if nothing else names one
	structured                // a location for commits
)

// Rules of commits that prose cites.
const (
	rowRefersTo     = "row refers to a commit"
	reportsACommit  = "reports a commit"
	refersToACommit = "refers to a commit"
)

// commitRules say which blocks may name commits of the session.
var commitRules = []rule[commitEvidence]{
	{"tells of an earlier session", func(f *features) bool { return ofEarlier(f.block) }, noCommit},
	{"stands under a heading of commits", func(f *features) bool {
		return f.under(lex.RoleCommit) || f.section.Roles == 0 && f.section.Parent.Has(lex.RoleCommit)
	}, structured},
	{"label names commits", func(f *features) bool { return f.labels(lex.RoleCommit) }, structured},
	{"stands under a label of commits", func(f *features) bool {
		return f.above.Has(lex.RoleCommit)
	}, structured},
	{"row has a column of commits", func(f *features) bool { return f.row && f.block.Table.Names(lex.RoleCommit) }, structured},
	{"row names a commit as its evidence", func(f *features) bool { return f.row && f.rowNamesCommit() }, structured},
	{rowRefersTo, func(f *features) bool { return f.row && f.rowRefersToCommit() }, prose},
	{reportsACommit, func(f *features) bool { return reportsCommit(f.text) }, prose},
	{refersToACommit, func(f *features) bool { return refersToCommit(f.text) }, prose},
}

func (f *features) rowNamesCommit() bool {
	return slices.ContainsFunc(f.block.Cells, func(c doc.Cell) bool {
		return c.Text.Is(lex.ClassHashName) || namesCommits(c.Text) && f.within(lex.RoleSkip)
	})
}

func (f *features) rowRefersToCommit() bool {
	return slices.ContainsFunc(f.block.Cells, func(c doc.Cell) bool { return refersToCommit(c.Text) })
}

// commits extracts every commit the log names as made by its session. Structured
// locations (a commits section or column, a "Commit" label, the evidence that
// closes the session) come first; prose counts only when no such location names one,
// since stories cite other people's commits.
func (x *extraction) commits() {
	var seen shaSet
	for _, c := range x.commitsNamed() {
		if seen.has(c.sha) {
			continue
		}
		seen.add(c.sha)
		x.event(episode.Commit, c.block, c.span, c.content, c.rule)
	}
}

// commitFound is a commit that a block names.
type commitFound struct {
	sha, content, rule string
	block              *doc.Block // nil for a line of output
	span               episode.Span
}

// commitsNamed are the commits that count as made by the session, the best location of
// each first.
func (x *extraction) commitsNamed() []commitFound {
	base := x.baseCommits()
	var listed, made, closing, cited []commitFound
	for _, b := range x.doc.Blocks {
		r := first(commitRules, x.features(b))
		if r == nil || r.verdict == noCommit {
			continue
		}
		for _, c := range shasOf(b, r.verdict == structured) {
			c.rule = r.name
			switch {
			case base.has(c.sha):
			case b.Section.Has(lex.RoleCommit):
				listed = append(listed, c)
			case r.verdict == structured && b.Section.Within(lex.RoleSkip):
				closing = append(closing, c)
			case r.verdict == structured:
				made = append(made, c)
			case b.Section.Has(lex.RoleContext) || priorWork(b.Section.Title): // what was there before the session
			default:
				cited = append(cited, c)
			}
		}
	}
	cited = append(cited, x.headingCommits(base)...)
	ownLog := func(c commitFound) bool { return x.plain(c.content).Is(lex.ClassLogName) } // the commit of the log itself
	if x.saysNothingDone() && !slices.ContainsFunc(append(slices.Clone(listed), made...),
		func(c commitFound) bool { return !ownLog(c) }) {
		x.lookedOnly, cited = true, nil
	}
	// The list of commits says more of each than a cell that cites it.
	if made = append(append(listed, made...), closing...); len(made) > 0 {
		return made
	}
	return cited
}

// inHeading is the rule of a commit that a heading names.
const inHeading = "heading names a commit"

// headingCommits are the commits that headings of the work name: "### Escape the query
// (commit 1a2b3c4)".
func (x *extraction) headingCommits(base shaSet) []commitFound {
	var out []commitFound
	for _, s := range x.doc.Sections {
		if s.Level < 2 || s.RolesAbove.Any(lex.RoleSkip, lex.RolePlan, lex.RoleHandoff,
			lex.RoleContext, lex.RoleFinding) || s.Title.Earlier() {
			continue
		}
		for i, w := range s.Title.Words {
			if isSHA(w.Lower, false) && saysCommitted(s.Title, i) && !foreignSHA(s.Title, i) &&
				!mentions(s.Title, i) && !base.has(w.Lower) {
				out = append(out, commitFound{sha: w.Lower, content: s.Title.Raw, rule: inHeading, span: episode.Span{s.Line, s.Line}})
			}
		}
	}
	return out
}

// baseCommits are the commits that the session started from.
func (x *extraction) baseCommits() shaSet {
	var out shaSet
	for _, b := range x.doc.Blocks {
		if !namesBase(b) {
			continue
		}
		words := allWords(b)
		for i, w := range words {
			if isSHA(w, true) && !(i > 0 && lex.CommitBefore.Has(words[i-1])) {
				out.add(w)
			}
		}
	}
	return out
}

// namesBase reports whether a block names the commit that work started from.
func namesBase(b *doc.Block) bool {
	if b.LabelRoles.Has(lex.RoleBase) || b.Section.Has(lex.RoleBase) || b.Text.Is(lex.ClassBase) {
		return true
	}
	return slices.ContainsFunc(b.Cells, func(c doc.Cell) bool { return c.Text.Is(lex.ClassBase) })
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

// shasOf lists the commits that one block names.
func shasOf(b *doc.Block, structured bool) []commitFound {
	one := func(sha, content string) commitFound {
		return commitFound{sha: sha, content: content, block: b, span: b.Span}
	}
	switch {
	case b.Kind == doc.Code:
		return codeCommits(b)
	case isSHA(b.Label, false):
		return []commitFound{one(b.Label, b.Full())}
	case b.Kind == doc.Row:
		return rowCommits(b, one)
	}
	return proseCommits(b, structured, one)
}

// proseCommits lists the commits of a text: in prose only those that it reports or
// refers to.
func proseCommits(b *doc.Block, structured bool, one func(sha, content string) commitFound) []commitFound {
	var out []commitFound
	t := b.Text
	several := countSHAs(t) > 1
	for i, w := range t.Words {
		if !isSHA(w.Lower, structured && b.LabelRoles.Has(lex.RoleCommit)) || foreignSHA(t, i) {
			continue
		}
		if !structured && (!saysCommitted(t, i) && !(w.Code && standsAlone(t, w)) || mentions(t, i)) {
			continue
		}
		content := b.Full()
		if several {
			content = commitText(t, i)
		}
		out = append(out, one(w.Lower, content))
	}
	return out
}

// rowCommits lists the commits of a row: those of the column of commits where there is
// one, else of any cell.
func rowCommits(b *doc.Block, one func(sha, content string) commitFound) []commitFound {
	column := -1
	for i, c := range b.Table.Columns {
		if c.Roles.Has(lex.RoleCommit) {
			column = i
		}
	}
	var out []commitFound
	for i, c := range b.Cells {
		if column >= 0 && i != column {
			continue
		}
		for _, w := range c.Text.Words {
			if !isSHA(w.Lower, column >= 0) {
				continue
			}
			content := b.Full()
			switch {
			case b.Table.Names(lex.RoleProblem), b.Table.Names(lex.RoleCause): // the row is about an error
				content = c.Text.Raw
			case column < 0: // a step of a protocol that names its commit
				content = "Commit " + w.Lower
			}
			out = append(out, one(w.Lower, content))
		}
	}
	return out
}

// codeCommits reads the quoted output of a version control system: lines that
// open with a hash, or with "commit" and a hash.
func codeCommits(b *doc.Block) []commitFound {
	var out []commitFound
	for i, l := range strings.Split(strings.TrimRight(b.Code, "\n"), "\n") {
		f := strings.Fields(l)
		if len(f) > 1 && lex.CommitWords.Has(f[0]) {
			f = f[1:]
		}
		if len(f) == 0 || !isSHA(f[0], false) {
			continue
		}
		line := b.Span[0] + i
		out = append(out, commitFound{sha: f[0], content: lex.Collapse(l), span: episode.Span{line, line}})
	}
	return out
}
