package extract

import (
	"strings"

	"episodes/episode"
)

// errors takes what failed or was found broken.
func (x *extraction) errors() {
	for _, b := range x.doc.blocks {
		if quiet(b) || b.struck {
			continue
		}
		if b.kind == rowBlock {
			if f := x.used[b]; f == nil || f.kind == decisionFact { // a row may tell of a fault and of its fix
				x.rowError(b)
			}
			continue
		}
		if x.used[b] != nil {
			continue
		}
		if b.kind == codeBlock {
			x.codeError(b)
			continue
		}
		if why, cause, ok := x.errorPlace(b); ok {
			span, content := x.withOutput(b, errorText(b))
			span, content = withList(b, span, content, manyItems)
			if t, ok := failingSentence(b); ok && content == b.text.s {
				span, content = t.span(b.span), t.s
			}
			f := x.event(episode.Error, b, withDetail(b, span), x.faultOf(content), why)
			f.cause = cause
		}
	}
	told := map[*section]bool{}
	for _, f := range x.facts {
		if f.kind == eventFact && f.event == episode.Error {
			told[f.factSection()] = true
		}
	}
	for _, s := range x.doc.sections {
		if !told[s] {
			x.headingError(s)
		}
	}
}

// withDetail is the span of a fact that an item names in a few words and tells
// in the items below it.
func withDetail(b *block, span episode.Span) episode.Span {
	if b.kind != itemBlock || len(b.text.words) > 6 || len(b.children) == 0 || len(b.children) > 12 {
		return span
	}
	for _, c := range b.children {
		span[1] = max(span[1], c.span[1])
	}
	return span
}

// headingError takes "### Issue 2: X" and "### Fixed: X", unless the section
// states its problem in a line of its own.
func (x *extraction) headingError(s *section) {
	if s.subject == "" || s.level < 2 || !s.roles.any(roleProblem, roleFix, roleCause) || s.within(roleSkip) || s.within(rolePlan) || s.within(roleHandoff) {
		return
	}
	t := x.plain(s.subject)
	if s.roles.has(roleFix) && !namesFault(t) && (!headSays(s, classRepaired) || t.repaired() || t.actLike()) || len(t.words) < 2 {
		return
	}
	if s.title.namesTicket() && t.failsAt() < 0 {
		return
	}
	f := x.event(episode.Error, nil, episode.Span{s.line, s.line}, t.s, "heading names a problem")
	f.section, f.cause = s, s.roles.has(roleCause)
}

// headSays reports whether a word of the class stands before a heading's subject.
func headSays(s *section, c class) bool {
	i := s.title.index(c)
	return i >= 0 && s.title.words[i].end <= len(s.title.s)-len(s.subject)
}

func errorText(b *block) string {
	switch {
	case b.labelRole.any(roleProblem, roleCause, roleFailed) || b.label == "":
		return b.text.s
	case b.labelText.labelFails() && b.text.at(0, classRepaired):
		return b.label // the text tells of the repair
	}
	return b.full()
}

// manyItems is the length up to which a list is told with the text that opens it.
const manyItems = 8

// withList adds to a text that ends in a colon the list that it opens, of so many
// items at most.
func withList(b *block, span episode.Span, content string, most int) (episode.Span, string) {
	items := b.introduced()
	if !strings.HasSuffix(content, ":") || len(items) == 0 || len(items) > most {
		return span, content
	}
	var said []string
	for _, c := range items {
		if c.kind == codeBlock || c.kind != rowBlock && c.text.empty() || c.full() == "" {
			continue // quoted output, and the name of it
		}
		said = append(said, strings.TrimRight(c.full(), ":"))
		span[1] = max(span[1], c.span[1])
	}
	if len(said) == 0 {
		return span, strings.TrimRight(content, ":")
	}
	return span, content + " " + strings.Join(said, "; ")
}

// completeLeadIns adds to events whose text only opens a list what the list says,
// as far as nothing else was made of it: "Fixed the importer:", or the name of a file.
func (x *extraction) completeLeadIns() {
	for _, f := range x.facts {
		if f.kind != eventFact || f.block == nil || f.section != nil {
			continue
		}
		rest, ok := x.plain(f.content).leadIn()
		named := f.block.text.empty() && f.content == f.block.label || f.event == episode.Milestone && !strings.Contains(f.content, " ") // as a file is
		if !ok && !strings.HasSuffix(f.content, ":") && !named {
			continue
		}
		items := f.block.introduced()
		free := len(items) > 0 && len(items) <= manyItems && strings.HasSuffix(f.block.full(), f.content)
		for _, o := range items {
			free = free && o.kind != codeBlock && !o.text.empty() && (x.used[o] == nil || x.used[o] == f)
		}
		if free {
			f.span, f.content = withList(f.block, f.span, strings.TrimRight(rest, ":")+":", manyItems)
			f.content = shorten(f.content, maxContent)
		} else {
			f.content = strings.TrimRight(rest, ": ")
		}
		f.text = x.plain(f.content)
	}
}

// faultOf drops the few words that lead up to a fault: "Complaint from the sales
// demo: X" is about X.
func (x *extraction) faultOf(s string) string {
	i := strings.Index(s, ": ")
	if i <= 0 {
		return s
	}
	head, tail := x.plain(s[:i]), x.plain(s[i+2:])
	if len(head.words) <= 6 && head.failsAt() < 0 && !errorConstant(s[:i+1]) && tail.failsAt() >= 0 && !tail.badState() {
		return tail.s
	}
	return s
}

// failingSentence is the sentence of a longer text that tells of the failure.
func failingSentence(b *block) (text, bool) {
	ss := b.text.sentences()
	if len(ss) < 2 || b.labelRole.any(roleProblem, roleCause) {
		return text{}, false
	}
	for _, s := range ss {
		if s.strongFail() {
			return faultClause(s), true
		}
	}
	return text{}, false
}

// withOutput adds to a text that ends in a colon the line of the quoted output
// below it that names the error.
func (x *extraction) withOutput(b *block, content string) (episode.Span, string) {
	if !strings.HasSuffix(content, ":") || b.index+1 >= len(x.doc.blocks) {
		return b.span, content
	}
	out := x.doc.blocks[b.index+1]
	if out.kind != codeBlock || out.span[0] > b.span[1]+3 {
		return b.span, content
	}
	for i, l := range strings.Split(strings.TrimRight(out.code, "\n"), "\n") {
		t := x.plain(collapse(l))
		if t.failsAt() < 0 && !namesError(t.s) {
			continue
		}
		return episode.Span{b.span[0], out.span[0] + i}, strings.TrimRight(content, ":") + ": " + t.s
	}
	return b.span, content
}

// codeError takes quoted output that stands by itself under a problem heading.
func (x *extraction) codeError(b *block) {
	if !b.section.roles.any(roleProblem, roleFailed) || b.section.roles.has(roleFix) || b.section.blocks[0] != b && !(b.index > 0 && x.doc.blocks[b.index-1].opensList()) {
		return
	}
	if b.index > 0 && x.used[x.doc.blocks[b.index-1]] != nil && b.section.blocks[0] != b {
		return // the text above it was taken with its output
	}
	for i, l := range strings.Split(strings.TrimRight(b.code, "\n"), "\n") {
		if t := collapse(l); errorConstant(t) || namesError(t) {
			line := b.span[0] + i
			x.event(episode.Error, b, episode.Span{line, line}, t, "output under heading "+quote(b.section.title.s))
			return
		}
	}
}

// rowError takes the problem column of a table row.
func (x *extraction) rowError(b *block) {
	s := b.section
	if s.within(rolePlan) || s.within(roleOptions) || s.within(roleConsequence) || s.has(roleTest) {
		return
	}
	for i, c := range b.table.columns {
		if i >= len(b.cells) || !c.roles.any(roleProblem, roleCause) || c.roles.has(roleFix) {
			continue
		}
		t := b.cells[i].text
		if t.noFault() || strings.EqualFold(c.name, "impact") && t.failsAt() < 0 {
			continue
		}
		if answered := b.table.names(roleFix) && !c.roles.has(roleCause); answered && len(t.words) > 1 && !t.blank() && !t.countOnly() && !t.isTicket() {
			x.event(episode.Error, b, b.span, t.s, "column "+quote(c.name)+" beside its solution")
			continue
		}
		if t.empty() || t.blank() || t.countOnly() || t.isTicket() || t.isCount() || t.repaired() || t.wished() || len(t.words) < 5 && t.failsAt() < 0 && !errorConstant(t.s) && !(len(t.words) > 1 && b.table.names(roleFiles)) {
			continue
		}
		f := x.event(episode.Error, b, b.span, t.s, "column "+quote(c.name))
		f.cause = c.roles.has(roleCause)
	}
}
