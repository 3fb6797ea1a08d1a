package ask

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/ledger"
)

// LedgerRequest asks what hooks told agents, and what came of it.
type LedgerRequest struct {
	Limit int // facts; 0: mostFacts
}

// LedgerAnswer is the account of what hooks told.
type LedgerAnswer struct {
	LedgerFigures
	Week  LedgerFigures `json:"week"` // the last seven days
	Kinds []LedgerKind  `json:"kinds"`
	Facts []LedgerFact  `json:"facts"` // most deliveries first
	More  int           `json:"more_facts,omitempty"`
	// Readers is nil if no reader was asked.
	Readers *ReaderFigures `json:"readers,omitempty"`
}

// LedgerFigures are counts of deliveries, and LedgerRate is a count out of a total.
type (
	LedgerFigures = ledger.Figures
	LedgerRate    = ledger.Rate
)

// LedgerKind are the figures of deliveries of one kind: brief, prompt, edit, command, error.
type LedgerKind struct {
	Kind string `json:"kind"`
	LedgerFigures
}

// LedgerFact are those of one fact.
type LedgerFact struct {
	Evidence AdviceEvidence `json:"evidence"`
	Text     string         `json:"text,omitempty"` // of the record; "" if the episode is gone
	LedgerFigures
	Silent bool `json:"silent,omitempty"` // hooks give it no more as a single line
}

// mostFacts is how many facts are listed.
const mostFacts = 10

// Ledger counts what was told, what was followed, and which failures came back.
func (m *Memory) Ledger(_ context.Context, r LedgerRequest) (*LedgerAnswer, error) {
	a := &LedgerAnswer{Kinds: []LedgerKind{}, Facts: []LedgerFact{}}
	var err error
	if a.Readers, err = m.readers(); err != nil {
		return nil, err
	}
	l, err := m.ledger()
	if err != nil {
		return nil, err
	}
	found := l.Report(m.now())
	a.LedgerFigures, a.Week = found.All, found.Week
	for _, kind := range slices.Sorted(maps.Keys(found.Kinds)) {
		a.Kinds = append(a.Kinds, LedgerKind{kind, found.Kinds[kind]})
	}
	most := cmp.Or(r.Limit, mostFacts)
	for _, f := range found.Facts[:min(most, len(found.Facts))] {
		a.Facts = append(a.Facts, m.ledgerFact(f))
	}
	a.More = len(found.Facts) - len(a.Facts)
	return a, nil
}

// ledgerFact adds the text of a fact to its figures.
func (m *Memory) ledgerFact(f ledger.FactFigures) LedgerFact {
	out := LedgerFact{Evidence: AdviceEvidence{Episode: f.Episode, Lines: span(f.Lines), Private: m.isPrivate(f.Episode)},
		LedgerFigures: f.Figures, Silent: f.Silent}
	ep, err := m.Load(f.Episode)
	if err != nil {
		return out
	}
	out.Evidence.Log = plain.Words(ep.Provenance.Source.Path)
	for i := range ep.Events {
		if v := &ep.Events[i]; within(ep.Provenance.Spans[v.ID], f.Lines) {
			out.Text = plain.Words(v.Content)
			break
		}
	}
	return out
}

func within(s, lines episode.Span) bool {
	return s[0] != 0 && s[0] <= lines[1] && lines[0] <= s[1]
}

// Empty reports whether there was no delivery, and no reader.
func (a *LedgerAnswer) Empty() bool { return a.Given+a.Held == 0 && a.Readers == nil }

// Text gives the counts.
func (a *LedgerAnswer) Text(tokens int) string {
	var b strings.Builder
	switch {
	case a.Given+a.Held == 0:
		b.WriteString("agents were shown nothing yet: run `episodes setup`\n")
	case a.Week.Given == 0:
		b.WriteString("this week: nothing was told\n")
	default:
		fmt.Fprintln(&b, "this week:", toldText(&a.Week))
	}
	if a.Given > 0 {
		fmt.Fprintln(&b, "in all:", toldText(&a.LedgerFigures))
	}
	if a.Held > 0 {
		fmt.Fprintf(&b, "held back to compare with: %s%s\n", times(a.Held), cameBack(a.Control, "without it"))
	}
	if len(a.Kinds) > 1 {
		for _, k := range a.Kinds {
			fmt.Fprintf(&b, "  %s: %s\n", plain.Name(k.Kind, 20), factText(&k.LedgerFigures))
		}
	}
	if len(a.Facts) > 0 {
		b.WriteString("by fact:\n")
	}
	for _, f := range a.Facts {
		silent := ""
		if f.Silent {
			silent = "; no longer told as a single line"
		}
		fmt.Fprintf(&b, "  %s: %s%s\n", f.Evidence.place(), factText(&f.LedgerFigures), silent)
		if f.Text != "" {
			fmt.Fprintf(&b, "    %s\n", plain.Quote(f.Text, 100))
		}
	}
	if a.More > 0 {
		fmt.Fprintf(&b, "  and %d more\n", a.More)
	}
	if a.Readers != nil {
		b.WriteString(a.Readers.Text())
	}
	return term.Cut(strings.TrimSuffix(b.String(), "\n"), tokens)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// toldText says what was told, and what came of it.
func toldText(f *LedgerFigures) string {
	followed := "whether any of it was followed is not known"
	if n := f.Followed; n.Of > 0 {
		followed = fmt.Sprintf("%d of %d that can be known %s followed", n.Count, n.Of, map[bool]string{true: "was", false: "were"}[n.Count == 1])
	}
	return fmt.Sprintf("%s and %s in %s; %s%s", term.Plural(f.Briefs, "brief"), term.Plural(f.Given-f.Briefs, "line"), term.Plural(f.Sessions, "session"),
		followed, cameBack(f.Back, "after what was told"))
}

func cameBack(r LedgerRate, after string) string {
	if r.Of == 0 {
		return ""
	}
	return fmt.Sprintf("; %d of %s came back %s", r.Count, term.Plural(r.Of, "error"), after)
}

// factText is toldText in few words.
func factText(f *LedgerFigures) string {
	text := "told " + times(f.Given)
	if f.Followed.Of > 0 {
		text += fmt.Sprintf(", followed %d of %d", f.Followed.Count, f.Followed.Of)
	}
	if f.Back.Of > 0 {
		text += fmt.Sprintf(", came back %d of %d", f.Back.Count, f.Back.Of)
	}
	return text
}
