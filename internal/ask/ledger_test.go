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
// followed it, if followed is true; it met the failure again after the last time.
func delivered(t *testing.T, n int, followed bool) *Memory {
	t.Helper()
	m := newMemory(t)
	m.Now = noon
	ep := uploads(0)
	ep.Provenance.Source.Path, ep.Provenance.Spans = "logs/uploads.md", map[string]episode.Span{"e001": {3, 4}}
	write(t, m, ep)
	writePrivate(t, m, uploads(1))
	did := ledger.Ignored
	if followed {
		did = ledger.Did
	}
	var after []ledger.After
	for i := range n {
		d := ledger.Delivery{Time: noon().AddDate(0, 0, -2*i-1), Agent: "claude", Event: "PostToolUse", Kind: ledger.KindError, Session: "session", Key: "key",
			Facts: []ledger.Fact{{Place: ledger.Place{Episode: uploads(0).ID, Lines: episode.Span{3, 4}}, Names: []string{"name"}}}}
		after = append(after, ledger.After{Delivery: d.Named().ID, Followed: []ledger.Followed{did}, Back: i == 0})
		deliver(t, m, d)
	}
	deliver(t, m, ledger.Delivery{Time: noon().Add(-time.Hour), Agent: "claude", Kind: "prompt", Session: "held", Held: true,
		Facts: []ledger.Fact{{Place: ledger.Place{Episode: uploads(1).ID}}}})
	if err := ledger.Note(context.Background(), m.Location.Dir, after); err != nil {
		t.Fatal(err)
	}
	return m
}

func deliver(t *testing.T, m *Memory, d ledger.Delivery) {
	t.Helper()
	if err := ledger.Tell(context.Background(), m.Location.Dir, d.Named()); err != nil {
		t.Fatal(err)
	}
}

// The account of advice counts what was followed, quotes the fact, and marks private evidence.
func TestLedgerCounts(t *testing.T) {
	ctx := context.Background()
	m := delivered(t, 6, true)
	a, err := m.Ledger(ctx, LedgerRequest{})
	if err != nil || a.Given != 6 || a.Held != 1 || a.Followed.Count != 6 || a.Back.Count != 1 || a.Week.Given != 4 || a.Empty() {
		t.Fatalf("%+v, %v", a, err)
	}
	shared, err := shownTo(t, m, false).Ledger(ctx, LedgerRequest{})
	if err != nil || len(a.Facts) != 2 || !shared.Empty() || len(shared.Facts)+len(shared.Kinds) != 0 {
		t.Errorf("%d facts, of the shared part %+v, %v", len(a.Facts), shared, err)
	}
	text := a.Text(0)
	if want := "this week: 0 briefs and 4 lines in 1 session; 4 of 4 that can be known were followed; 1 of 4 errors came back after what was told\n" +
		"in all: 0 briefs and 6 lines in 1 session; 6 of 6 that can be known were followed; 1 of 6 errors came back after what was told\n" +
		"held back to compare with: once\n"; !strings.HasPrefix(text, want) {
		t.Errorf("%s", text)
	}
	for _, want := range []string{"  error: told 6 times, followed 6 of 6, came back 1 of 6\n", "  uploads.md:3: told 6 times, followed 6 of 6, came back 1 of 6\n    ", `"database is locked"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing: %s", want, text)
		}
	}
	m.Now = func() time.Time { return noon().AddDate(0, 1, 0) }
	if later, err := m.Ledger(ctx, LedgerRequest{}); err != nil || !strings.HasPrefix(later.Text(0), "this week: nothing was told\nin all: 0 briefs and 6 lines") {
		t.Errorf("%s, %v", later.Text(0), err)
	}
	m.Now = noon
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
		if err != nil || m.Silent(at) == followed || strings.Contains(a.Text(0), "; no longer told as a single line") == followed {
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
	a := &LedgerAnswer{More: 19, Facts: []LedgerFact{{
		Evidence:      AdviceEvidence{Log: "testdata/sessions/2026-03-17-session-31-upload-tests.md", Lines: &episode.Span{25, 28}},
		Text:          "One database file per test package",
		LedgerFigures: LedgerFigures{Given: 12, Followed: LedgerRate{Count: 9, Of: 11}, Back: LedgerRate{Count: 1, Of: 9}},
	}}, Week: LedgerFigures{Given: 21, Briefs: 12, Sessions: 12, Followed: LedgerRate{Count: 31, Of: 64}, Back: LedgerRate{Count: 1, Of: 5}},
		LedgerFigures: LedgerFigures{Given: 66, Briefs: 41, Sessions: 43, Held: 5, Followed: LedgerRate{Count: 96, Of: 204}, Back: LedgerRate{Count: 3, Of: 18},
			Control: LedgerRate{Count: 2, Of: 4}},
		Kinds: []LedgerKind{{"brief", LedgerFigures{Given: 41, Followed: LedgerRate{Count: 80, Of: 181}}},
			{"error", LedgerFigures{Given: 18, Followed: LedgerRate{Count: 13, Of: 17}, Back: LedgerRate{Count: 3, Of: 18}}},
			{"prompt", LedgerFigures{Given: 7, Followed: LedgerRate{Count: 3, Of: 6}}}}}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "benefit.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "```console\n$ episodes stats\n" + a.Text(0) + "\n```\n"; !strings.Contains(string(page), want) {
		t.Errorf("docs/benefit.md does not have\n%s", want)
	}
}
