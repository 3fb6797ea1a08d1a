package ask

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"episodes/episode"
	"episodes/ledger"
)

// delivered is a memory of two episodes whose advice hooks gave n times to sessions that
// followed it, if followed is true, and never met the failure again.
func delivered(t *testing.T, n int, followed bool) *Memory {
	t.Helper()
	m := newMemory(t)
	m.Now = noon
	ep := uploads(0)
	ep.Provenance.Source.Path, ep.Provenance.Spans = "logs/uploads.md", map[string]episode.Span{"e001": {3, 4}}
	write(t, m, ep)
	writePrivate(t, m, uploads(1))
	store, err := ledger.Open(m.Location.Dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	err = store.Change(context.Background(), noon(), func(l *ledger.Ledger, _ bool) {
		for i := range n {
			d := ledger.Delivery{Time: noon().AddDate(0, 0, -i-1), Agent: "claude", Event: "PostToolUse", Kind: ledger.KindError, Session: "session", Key: "key",
				Facts: []ledger.Fact{{Place: ledger.Place{Episode: uploads(0).ID, Lines: episode.Span{3, 4}}, Names: []string{"name"}}}}.Named()
			l.Deliver(d)
			did := ledger.Ignored
			if followed {
				did = ledger.Did
			}
			l.Follow(ledger.After{Delivery: d.ID, Followed: []ledger.Followed{did}})
		}
		held := ledger.Delivery{Time: noon().Add(-time.Hour), Agent: "claude", Kind: "task", Session: "held", Held: true,
			Facts: []ledger.Fact{{Place: ledger.Place{Episode: uploads(1).ID}}}}.Named()
		l.Deliver(held)
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The account of advice counts what was followed, quotes the fact, and marks private evidence.
func TestLedgerCounts(t *testing.T) {
	ctx := context.Background()
	m := delivered(t, 3, true)
	a, err := m.Ledger(ctx, LedgerRequest{})
	if err != nil || a.Given != 3 || a.Held != 1 || a.Followed.Count != 3 || a.Back.Count != 0 || a.Empty() {
		t.Fatalf("%+v, %v", a, err)
	}
	if r, err := m.ledgerReport(); err != nil || r.Failures["key"].Given != 3 || r.Failures["key"].Followed.Count != 3 || len(r.Failures) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	shared, err := shownTo(t, m, false).Ledger(ctx, LedgerRequest{})
	if err != nil || len(a.Facts) != 2 || !shared.Empty() || len(shared.Facts)+len(shared.Kinds) != 0 {
		t.Errorf("%d facts, of the shared part %+v, %v", len(a.Facts), shared, err)
	}
	text := a.Text(0)
	for _, want := range []string{"given 3 times, followed 3", "held back to compare with: once", "uploads.md:3-4", `"database is locked"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing: %s", want, text)
		}
	}
	if strings.Contains(text, " %]") || strings.Contains(text, "Wilson") {
		t.Errorf("intervals without explain: %s", text)
	}
	explained, err := m.Ledger(ctx, LedgerRequest{Explain: true})
	if err != nil || !strings.Contains(explained.Text(0), "followed 3 [") || !strings.Contains(explained.Text(0), "Wilson") {
		t.Errorf("%s, %v", explained.Text(0), err)
	}
	one, err := m.Ledger(ctx, LedgerRequest{Limit: 1})
	if err != nil || len(one.Facts) != 1 || one.More != len(a.Facts)-1 || one.Facts[0].Evidence.Episode != uploads(0).ID {
		t.Errorf("%+v, %v", one, err)
	}
	for _, f := range a.Facts {
		if f.Evidence.Private != (f.Evidence.Episode == uploads(1).ID) {
			t.Errorf("%+v", f.Evidence)
		}
	}
	if text := a.Text(20); len(text) > 80 {
		t.Errorf("%d bytes are more than 20 tokens: %s", len(text), text)
	}
}

// A fact that was given often and never followed is silent; a fact that was followed is not.
func TestLedgerSilence(t *testing.T) {
	at := AdviceEvidence{Episode: uploads(0).ID, Lines: &episode.Span{3, 4}}
	for _, followed := range []bool{true, false} {
		m := delivered(t, 6, followed)
		a, err := m.Ledger(context.Background(), LedgerRequest{})
		if err != nil || m.Silent(at) == followed || strings.Contains(a.Text(0), "; silent: ") == followed {
			t.Errorf("followed %v: silent %v: %s, %v", followed, m.Silent(at), a.Text(0), err)
		}
	}
}

// What is forgotten is in no count.
func TestLedgerForgets(t *testing.T) {
	ctx := context.Background()
	m := delivered(t, 2, true)
	if _, err := m.Forget(ctx, ForgetRequest{Episodes: []string{uploads(0).ID}}); err != nil {
		t.Fatal(err)
	}
	a, err := m.Ledger(ctx, LedgerRequest{})
	if err != nil || a.Given != 0 || a.Held != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

// The example of docs/benefit.md is how such figures are shown.
func TestDocumentedStats(t *testing.T) {
	rate := func(count, of int) LedgerRate { return LedgerRate{Rate: ledger.Rate{Count: count, Of: of}} }
	a := &LedgerAnswer{More: 19, Facts: []LedgerFact{{
		Evidence:      AdviceEvidence{Log: "testdata/sessions/2026-03-17-session-31-upload-tests.md", Lines: &episode.Span{25, 28}},
		Text:          "One database file per test package",
		LedgerFigures: LedgerFigures{Given: 12, Followed: rate(9, 11), Back: rate(1, 9), Control: rate(4, 6)},
	}}, LedgerFigures: LedgerFigures{Given: 41, Held: 5, Followed: rate(29, 34), Back: rate(3, 29), Control: rate(11, 18)}}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "benefit.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "```console\n$ episodes stats\n" + a.Text(0) + "\n```\n"; !strings.Contains(string(page), want) {
		t.Errorf("docs/benefit.md does not have\n%s", want)
	}
}
