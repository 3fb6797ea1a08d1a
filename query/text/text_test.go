package text_test

import (
	"strings"
	"testing"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/golden"
	"episodes/internal/testing/querytest"
	"episodes/query"
	"episodes/query/text"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func sample() *querytest.Graph { return querytest.New(querytest.Sample()...) }

func TestPathTexts(t *testing.T) {
	g := sample()
	for _, c := range []struct{ name, from, to string }{
		{"path-to-choice", "acquire advisory lock canceling statement", "release the lock"},
		{"path-one", "raise the lock timeout", "failure"},
		{"path-two", "database is locked", "success"},
		{"path-lowers", "release the lock", "lock timeout canceling statement"},
		{"path-reverse", "success", "release the lock"},
		{"path-correlated", "upload tests run in CI", "success"},
		{"path-same", "success", "outcome: success"},
		{"path-alternatives", "lock timeout", "failure"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := query.Paths(g, c.from, c.to, query.PathOptions{})
			check(t, err)
			golden.Is(t, "testdata/"+c.name+".txt", text.Path(r, 0))
		})
	}
}

func TestWhatIfTexts(t *testing.T) {
	g := sample()
	for _, c := range []struct {
		name string
		q    query.WhatIfQuery
	}{
		{"whatif-worse", query.WhatIfQuery{Option: "retry loop"}},
		{"whatif-episode", query.WhatIfQuery{Option: "release the lock", Episode: "2026-01-12-session-02-lock-timeout"}},
		{"whatif-no-question", query.WhatIfQuery{Option: "make the check required"}},
		{"whatif-untried", query.WhatIfQuery{Option: "a separate job", Context: "migration job lock"}},
		{"whatif-context-aside", query.WhatIfQuery{Option: "release-the-lock", Context: "zzz"}},
		{"whatif-nothing", query.WhatIfQuery{Option: "rewrite it in another language"}},
		{"whatif-opposite", query.WhatIfQuery{Option: "never raise the lock timeout"}},
		{"whatif-reasons", query.WhatIfQuery{Option: "raise the lock timeout", Episodes: g}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := query.WhatIf(g, c.q)
			check(t, err)
			golden.Is(t, "testdata/"+c.name+".txt", text.WhatIf(r, 0))
		})
	}
}

// What the sample does not show, from results made by hand.
func TestRareTexts(t *testing.T) {
	rate := func(x float64) *float64 { return &x }
	option := func(text string, s, n int, mean float64) query.OptionStats {
		return query.OptionStats{Option: text, N: n, Successes: s, Failures: n - s, Estimate: rate(mean), Low: mean - .05, High: mean + .05}
	}
	r := &query.WhatIfResult{
		Decision: query.WhatIfDecision{Context: "Which cache?", Chosen: "Arrival order"}, Actual: option("Arrival order", 200, 300, .67), Alternative: option("Least recently used", 201, 300, .67),
		Effect: &query.Effect{Difference: -.001, Low: -.06, High: .06}, Verdict: query.NoDifference, Method: "by hand",
		AlsoAt: []query.OtherChoice{{Context: "Which buffer?", Option: "Arrival order", Uses: 2}, {Option: "Arrival order", Uses: 1}},
	}
	r.Options = []query.OptionStats{r.Actual, r.Alternative}
	golden.Is(t, "testdata/whatif-no-difference.txt", text.WhatIf(r, 0))
	r.Effect, r.Verdict = nil, query.NotEnoughEvidence
	r.Alternative = query.OptionStats{Option: "Least recently used", N: 3, Unknown: 3, High: 1}
	r.Options = []query.OptionStats{r.Actual, r.Alternative}
	golden.Is(t, "testdata/whatif-unknown.txt", text.WhatIf(r, 0))
	r.Alternative, r.Actual = r.Actual, query.OptionStats{High: 1}
	golden.Is(t, "testdata/whatif-alone.txt", text.WhatIf(r, 0))

	a, b := query.Node{ID: "n000000000001", Type: "event", Label: "cache write storm"}, query.Node{ID: "n000000000002", Type: "event", Label: "deploy aborted"}
	c := query.Node{ID: "n000000000003", Type: "event", Label: "cache miss storm"}
	golden.Is(t, "testdata/path-near.txt", text.Path(&query.PathResult{From: a, To: b, Near: &query.NearPath{From: c, To: b, Path: query.Path{Weight: .75}}}, 0))

	x := &query.Explanation{Node: &query.NodeFacts{
		Node: c, Wordings: []query.Wording{{Label: "cache miss storm", Episodes: []string{"a", "b"}}, {Label: "Cache: miss storm", Episodes: []string{"c"}}},
		Mentions: []query.Evidence{
			{Episode: "episode-a", Record: "e001", Missing: true, Text: "cache miss storm"},
			{Episode: "episode-b", Record: "e002", Source: episode.Source{Path: "log.md"}, Quote: []string{"quoted"}},
			{Episode: "episode-c", Record: "e003", Source: episode.Source{Path: "log.md"}, Lines: &episode.Span{7, 7}},
			{Episode: "episode-d", Record: "e004"},
		},
		LeftOut: query.LeftOut{Mentions: 5},
	}}
	golden.Is(t, "testdata/explain-many.txt", text.Explanation(x, 0))
}

func TestPatternTexts(t *testing.T) {
	lift := 2.5
	p := query.Pattern{
		ID: "p0123456789ab", Kind: query.GoodPattern, Trigger: "What to do about flaky upload tests?", Action: "Set a busy timeout on every connection",
		SuccessRate: .9, Low: .68, High: .98, Baseline: .36, BaselineN: 14, Adjusted: .54, Lift: &lift, PValue: .0021, QValue: .0063,
		Occurrences: 10, Episodes: []string{"episode-2026-04-01-session-40-uploads", "episode-2026-04-03-session-42-uploads", "episode-2026-04-05-session-44-uploads"},
		Spread: query.Spread{Sessions: 10, Days: 8},
	}
	golden.Is(t, "testdata/pattern.txt", text.Pattern(p, 0))
	p.OneDay = true
	golden.Is(t, "testdata/pattern-one-day.txt", text.Pattern(p, 0))
	p.OneDay = false
	p.Kind, p.Adjusted, p.Seen = query.AntiPattern, -.2, "SQLITE_BUSY: database is locked"
	golden.Is(t, "testdata/antipattern.txt", text.Pattern(p, 0))
	golden.Is(t, "testdata/patterns-none.txt", text.Patterns(nil, []query.LedgerEntry{
		{Kind: "choice", Text: "Which cache?: Arrival order", Sessions: 3, Outcomes: causal.Tally{Success: 2, Unknown: 1}, Last: "episode-c#d001", Date: "2026-03-01"},
		{Kind: "error", Text: "database is locked", Sessions: 2, Outcomes: causal.Tally{Partial: 2}, Last: "episode-b#e001"},
	}, &query.Closest{Text: "Which cache?: Arrival order", With: 2, Without: 1, Needs: 5}, 61, false, 0))
	golden.Is(t, "testdata/patterns-nothing.txt", text.Patterns(nil, nil, nil, 0, false, 0))
}

func summaries() (all []query.EpisodeSummary) {
	for _, e := range querytest.Sample() {
		all = append(all, query.Summarise(e))
	}
	return all
}

func TestEpisodeTexts(t *testing.T) {
	e := querytest.Sample()[0]
	n := 87
	minutes := 42.5
	e.Metrics = episode.Metrics{DurationMinutes: &minutes, ToolCalls: &n}
	golden.Is(t, "testdata/episode.txt", text.Episode(e, false))
	golden.Is(t, "testdata/decisions.txt", text.Decisions(query.Decisions(e), 0))
	l, err := query.List(summaries(), query.Filter{Limit: 4})
	check(t, err)
	golden.Is(t, "testdata/list.txt", text.List(l, 0))
	golden.Is(t, "testdata/list-none.txt", text.List(&query.EpisodeList{}, 0))
	by := "a queue"
	for want, superseded := range map[string]*string{`superseded by "a queue" (:30-31)`: &by, "superseded (:30-31)": new(string)} {
		e.Decisions[0].Superseded = superseded
		if got := text.Episode(e, false); !strings.Contains(got, ", "+want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestExplanationTexts(t *testing.T) {
	g := sample()
	const ep = "2026-02-03-session-14-lock-release"
	for _, c := range []struct{ name, ref string }{
		{"explain-node", "release the lock"}, {"explain-error", "acquire advisory lock canceling statement"}, {"explain-answer", ep + "#e001>causes>" + ep + "#d001"}, {"explain-edge", ep + "#d001>enables>" + ep + "#e002"}, {"explain-record", ep + "#d001"}, {"explain-link", ep + "#d001>e001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := query.Explain(g, g, c.ref, query.ExplainOptions{})
			check(t, err)
			golden.Is(t, "testdata/"+c.name+".txt", text.Explanation(x, 0))
		})
	}
	x, err := query.Explain(g, g, ep+"#d001>enables>"+ep+"#e002", query.ExplainOptions{})
	check(t, err)
	x.Edge.Statements[0].Quote = []string{"- **Release the lock before the index build**: only the schema change", "\x1b[31mneeds the lock\x1b[0m"}
	golden.Is(t, "testdata/explain-quoted.txt", text.Explanation(x, 0))
}

// No rate and no difference is shown where there is too little evidence, and
// nothing reads as if an error caused its own repair.
func TestNoClaims(t *testing.T) {
	g := sample()
	r, err := query.WhatIf(g, query.WhatIfQuery{Option: "release the lock", Episode: "2026-01-12-session-02-lock-timeout"})
	check(t, err)
	for line := range strings.Lines(text.WhatIf(r, 0)) {
		if strings.HasPrefix(line, "Answer:") && (strings.Contains(line, "rate") || strings.Contains(line, "0.") || !strings.Contains(line, "not enough evidence")) {
			t.Errorf("without evidence: %s", line)
		}
	}
	const from, to = "acquire advisory lock canceling statement", "release the lock"
	p, err := query.Paths(g, from, to, query.PathOptions{})
	check(t, err)
	all := text.Path(p, 0)
	for _, ref := range []string{from, to, "2026-02-03-session-14-lock-release#d001", "2026-02-03-session-14-lock-release#e001>d001"} {
		x, err := query.Explain(g, g, ref, query.ExplainOptions{})
		check(t, err)
		all += text.Explanation(x, 0)
	}
	for _, wrong := range []string{"likely", "causes (", "causes episode-2026-02-03-session-14-lock-release#e001>d001"} {
		if strings.Contains(all, wrong) {
			t.Errorf("%q in\n%s", wrong, all)
		}
	}
}

// The effect of a path is worded correctly for every mix of links.
func TestEffects(t *testing.T) {
	event, choice := query.Node{Type: "event"}, query.Node{Type: "decision"}
	hop := func(typ episode.LinkType, to query.Node) query.Hop { return query.Hop{Type: typ, Target: to} }
	for _, c := range []struct {
		p    query.Path
		want string
	}{
		{query.Path{Effect: query.LeadsTo, Hops: []query.Hop{hop("enables", event)}}, "leads to it"},
		{query.Path{Effect: query.LeadsTo, Hops: []query.Hop{hop("causes", choice)}}, "leads to the choice"},
		{query.Path{Effect: query.LeadsTo, ByChoice: true, Hops: []query.Hop{hop("causes", choice), hop("causes", event)}}, "the choice leads to it"},
		{query.Path{Effect: query.WorksAgainst, ByChoice: true, Hops: []query.Hop{hop("causes", choice), hop("prevents", event)}}, "the choice works against it"},
		{query.Path{Effect: query.LeadsTo, ByChoice: true, Hops: []query.Hop{hop("causes", choice), hop("enables", choice)}}, "an earlier choice leads to the choice"},
		{query.Path{Effect: query.WorksAgainst, Hops: []query.Hop{hop("prevents", event), hop("causes", choice)}}, "takes away a reason for the choice"},
		{query.Path{Effect: query.WorksAgainst, Hops: []query.Hop{hop("prevents", choice)}}, "works against the choice"},
		{query.Path{Effect: query.ClearsWay, Hops: []query.Hop{hop("prevents", event), hop("prevents", event)}}, "stops what works against it"},
		{query.Path{Effect: query.Correlated, Hops: []query.Hop{hop("causes", event), hop("correlates", event)}}, "goes together with it, which claims no cause"},
	} {
		out := text.Path(&query.PathResult{Paths: []query.Path{c.p}}, 0)
		if !strings.Contains(out, "\n1. "+c.want+"\n") {
			t.Errorf("want %q in\n%s", c.want, out)
		}
	}
}

// A correlation is shown beside what leads to a node and what it leads to, never
// among them, and reads the same from both of its ends.
func TestCorrelationsHaveNoDirection(t *testing.T) {
	g := sample()
	const a, b = "upload tests run in CI", "SQLITE_BUSY: database is locked"
	for node, other := range map[string]string{a: b, b: a} {
		x, err := query.Explain(g, g, node, query.ExplainOptions{})
		check(t, err)
		out := text.Explanation(x, 0)
		_, after, found := strings.Cut(out, "Goes together with (no cause claimed):\n- ")
		line, _, _ := strings.Cut(after, "\n")
		if !found || !strings.Contains(line, other) || strings.Contains(out, "correlates") || strings.Count(out, other) != 1 {
			t.Errorf("%q:\n%s", node, out)
		}
		x, err = query.Explain(g, g, node+">correlates>"+other, query.ExplainOptions{})
		check(t, err)
		if out := text.Explanation(x, 0); !strings.Contains(out, "goes together with") || strings.Contains(out, "with the first (") {
			t.Errorf("edge from %q:\n%s", node, out)
		}
	}
}
