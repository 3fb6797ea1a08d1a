package ask

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/ledger"
	"episodes/stats"
)

// LedgerRequest asks whether the advice of hooks was followed and whether it helped.
type LedgerRequest struct {
	Explain bool // also give intervals, and how it is counted
	Limit   int  // facts; 0: mostFacts
}

// LedgerAnswer is the account of the advice that hooks gave.
type LedgerAnswer struct {
	LedgerFigures
	Kinds []LedgerKind `json:"kinds"`
	Facts []LedgerFact `json:"facts"` // most deliveries first
	More  int          `json:"more_facts,omitempty"`
	// Readers is nil if no reader was asked.
	Readers *ReaderFigures `json:"readers,omitempty"`

	explain bool
}

// LedgerFigures are counts of deliveries.
type LedgerFigures struct {
	Given    int         `json:"given"`
	Held     int         `json:"held_back"`       // withheld at random, as a control group
	Followed LedgerRate  `json:"followed"`        // of those of which that can be known
	Back     LedgerRate  `json:"came_back"`       // the failure, after a delivery that was followed
	Ignored  LedgerRate  `json:"came_back_after"` // the same, after one that was not followed
	Control  LedgerRate  `json:"came_back_control"`
	Early    int         `json:"watched_less"` // no return, but watched for less than a week
	Here     *LedgerHere `json:"same_session,omitempty"`
}

// LedgerHere are returns in the same session alone, by which facts are judged.
type LedgerHere struct {
	Back    LedgerRate `json:"came_back"`
	Control LedgerRate `json:"came_back_control"`
}

// LedgerRate is a count with its 95 % interval (stats.Wilson).
type LedgerRate struct {
	ledger.Rate
	Interval [2]float64 `json:"interval"`
}

// LedgerKind are the figures of deliveries of one kind: error, action, task, choice, start.
type LedgerKind struct {
	Kind string `json:"kind"`
	LedgerFigures
}

// LedgerFact are those of one fact.
type LedgerFact struct {
	Evidence AdviceEvidence `json:"evidence"`
	Text     string         `json:"text,omitempty"` // of the record; "" if the episode is gone
	LedgerFigures
	Verdict ledger.Verdict `json:"verdict"`
}

// mostFacts is how many facts are listed.
const mostFacts = 10

// Ledger counts deliveries of advice, how many were followed, and which failures came back.
func (m *Memory) Ledger(_ context.Context, r LedgerRequest) (*LedgerAnswer, error) {
	a := &LedgerAnswer{Kinds: []LedgerKind{}, Facts: []LedgerFact{}, explain: r.Explain}
	var err error
	if a.Readers, err = m.readers(); err != nil {
		return nil, err
	}
	found, err := m.ledgerReport()
	if err != nil {
		return nil, err
	}
	a.LedgerFigures = figuresOf(found.All)
	for _, kind := range slices.SortedFunc(maps.Keys(found.Kinds), func(x, y string) int {
		return cmp.Or(found.Kinds[y].Given-found.Kinds[x].Given, strings.Compare(x, y))
	}) {
		a.Kinds = append(a.Kinds, LedgerKind{kind, figuresOf(found.Kinds[kind])})
	}
	most := cmp.Or(r.Limit, mostFacts)
	for _, f := range found.Facts[:min(most, len(found.Facts))] {
		a.Facts = append(a.Facts, m.ledgerFact(f))
	}
	a.More = len(found.Facts) - len(a.Facts)
	return a, nil
}

func figuresOf(f ledger.Figures) LedgerFigures {
	return LedgerFigures{Given: f.Given, Held: f.Held, Followed: rateOf(f.Followed), Back: rateOf(f.Back),
		Ignored: rateOf(f.Ignored), Control: rateOf(f.Control), Early: f.Early,
		Here: &LedgerHere{rateOf(f.BackHere), rateOf(f.ControlHere)}}
}

func rateOf(r ledger.Rate) LedgerRate {
	i := stats.Wilson(r.Count, r.Of, 0.95)
	return LedgerRate{r, [2]float64{i.Low, i.High}}
}

// ledgerFact adds the text of a fact to its figures.
func (m *Memory) ledgerFact(f ledger.FactFigures) LedgerFact {
	out := LedgerFact{Evidence: AdviceEvidence{Episode: f.Episode, Lines: span(f.Lines), Private: m.isPrivate(f.Episode)},
		LedgerFigures: figuresOf(f.Figures), Verdict: f.Verdict}
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

// Text gives the counts; with Explain also intervals, and how it is counted.
func (a *LedgerAnswer) Text(tokens int) string {
	var b strings.Builder
	if a.Readers != nil {
		b.WriteString(a.Readers.Text())
	}
	if a.Given+a.Held == 0 {
		return term.Cut(b.String()+"agents were shown nothing yet: run `episodes setup`", tokens)
	}
	fmt.Fprintln(&b, a.sentence(a.explain))
	if a.Held > 0 {
		fmt.Fprintf(&b, "held back to compare with: %s\n", times(a.Held))
	}
	if a.Early > 0 {
		fmt.Fprintf(&b, "of those without a return %d are watched for less than a week\n", a.Early)
	}
	if len(a.Kinds) > 1 {
		for _, k := range a.Kinds {
			fmt.Fprintf(&b, "  %s: %s\n", plain.Name(k.Kind, 20), k.sentence(false))
		}
	}
	fmt.Fprintln(&b, "by fact:")
	for _, f := range a.Facts {
		fmt.Fprintf(&b, "  %s: %s%s\n", f.place(), f.sentence(false), silent(f.Verdict))
		if f.Text != "" {
			fmt.Fprintf(&b, "    %s\n", plain.Quote(f.Text, 100))
		}
	}
	if a.More > 0 {
		fmt.Fprintf(&b, "  and %d more\n", a.More)
	}
	if a.explain {
		b.WriteString(howCounted)
	}
	return term.Cut(strings.TrimSuffix(b.String(), "\n"), tokens)
}

const howCounted = `Followed: one of the next 25 calls ran a command that the fact names, changed a file that it names, or put a line
there that it quotes. Where it names nothing of that kind it is not known, and not counted.
Came back: the same failure again in that session, or in another one within a week. Control: sessions that met the
failures without the advice. Those of before the hooks were chosen by having come back; only what is
held back (holdout in the settings) is a fair comparison. Intervals: 95 %, Wilson.
`

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// sentence renders the figures. came back counts failures after advice that was followed, and
// control those in sessions without the advice.
func (f *LedgerFigures) sentence(intervals bool) string {
	parts := []string{"given " + times(f.Given)}
	switch {
	case f.Followed.Of == 0:
		parts = append(parts, "whether it was followed is not known")
	case f.Followed.Of == f.Given:
		parts = append(parts, fmt.Sprintf("followed %d%s", f.Followed.Count, f.Followed.interval(intervals)))
	default:
		parts = append(parts, "followed "+f.Followed.text(intervals)+" that can be known")
	}
	if f.Back.Of > 0 {
		parts = append(parts, "came back "+f.Back.text(intervals))
	}
	text := strings.Join(parts, ", ")
	if f.Control.Of > 0 {
		text += " (control: " + f.Control.text(intervals) + ")"
	}
	return text
}

func (r LedgerRate) text(interval bool) string {
	return fmt.Sprintf("%d of %d%s", r.Count, r.Of, r.interval(interval))
}

func (r LedgerRate) interval(wanted bool) string {
	if !wanted {
		return ""
	}
	return fmt.Sprintf(" [%.0f to %.0f %%]", 100*r.Interval[0], 100*r.Interval[1])
}

func silent(v ledger.Verdict) string {
	if v.Silence == "" {
		return ""
	}
	return "; silent: " + string(v.Silence)
}

func (f *LedgerFact) place() string {
	at := f.Evidence.Episode
	if f.Evidence.Log != "" {
		at = plain.Name(path.Base(f.Evidence.Log), longestName)
	}
	if l := f.Evidence.Lines; l != nil {
		at += ":" + l.Range()
	}
	if f.Evidence.Private {
		at += " (private)"
	}
	return at
}
