package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

// superseded marks the decisions that no longer hold: their own words or the status
// of their record say so. They stay facts, and are no successes.
func (x *extraction) superseded() {
	for _, d := range x.facts {
		if d.Kind != facts.Decision {
			continue
		}
		if by, ok := x.supersededBy(d); ok {
			by = episode.Shorten(by, episode.MaxContent)
			d.Decision.Superseded = &by
			if d.Decision.Outcome != episode.Failure {
				d.Decision.Outcome = episode.Unknown
			}
		}
	}
}

// supersededBy is what took the place of a decision as its own words or the lines of its
// record say, "" where they do not name it; false while it holds.
func (x *extraction) supersededBy(d *fact) (by string, ok bool) {
	if by, ok = replacement(x.plain(d.Content)); ok {
		if i := strings.LastIndexAny(d.Decision.Chosen, "(["); i > 0 && x.plain(d.Decision.Chosen[i:]).Is(lex.ClassSuperseded) {
			d.Decision.Chosen = strings.TrimRight(d.Decision.Chosen[:i], " ")
		}
		return by, true
	}
	if d.block != nil && d.block.Struck {
		return "", true
	}
	for _, b := range x.record(d) {
		switch {
		case b.Kind == doc.Row:
			for i, c := range b.Cells {
				if i < len(b.Table.Columns) && b.Table.Columns[i].Roles.Any(lex.RoleStatus,
					lex.RoleOutcome, lex.RoleResult) && c.Text.FirstIs(lex.ClassSuperseded) {
					by, _ = replacement(c.Text)
					return by, true
				}
			}
		case b.LabelText.FirstIs(lex.ClassSuperseded): // "**Superseded by**: X"
			return keys.Clause(b.Text.Raw), true
		case b.LabelRoles.Any(lex.RoleStatus, lex.RoleOutcome, lex.RoleResult) && b.Text.FirstIs(lex.ClassSuperseded):
			by, _ = replacement(b.Text)
			return by, true
		}
	}
	return "", false
}

// replacement is what a text says took the place of its subject: "superseded by the
// second queue".
func replacement(t lex.Text) (by string, ok bool) {
	i := t.Index(lex.ClassSuperseded)
	if i < 0 || t.Negated(i) || i > 0 && t.At(i-1, lex.ClassNot) {
		return "", false
	}
	for back := 1; back <= min(3, i); back++ { // "may have been superseded": nobody says that it was
		if t.At(i-back, lex.ClassModal) {
			return "", false
		}
	}
	if !t.At(i+1, lex.ClassBy) || i+2 >= len(t.Words) {
		return "", true
	}
	rest := t.Raw[t.Words[i+2].Start:]
	if j := strings.IndexAny(rest, ").;]"); j > 0 {
		rest = rest[:j]
	}
	return strings.TrimSpace(rest), true
}

// record are the blocks in which the record of a decision gives its state: its row, the
// lines nested in its item, or those of its heading.
func (x *extraction) record(d *fact) []*doc.Block {
	switch {
	case d.home != nil:
		return d.home.Blocks
	case d.block == nil:
		return nil
	case d.block.Kind == doc.Row:
		return []*doc.Block{d.block}
	case len(d.block.Children) > 0 || d.block.Kind == doc.Item:
		return d.block.Children
	}
	group := d.block.Group()
	at := slices.Index(group, d.block)
	after := group[at+1:]
	if next := slices.IndexFunc(after, func(b *doc.Block) bool { return b.LabelRoles&d.block.LabelRoles != 0 }); next >= 0 {
		after = after[:next] // the next record
	}
	return after
}
