package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
	"episodes/query/text"
)

// hostile draws text that would like to write over the terminal.
func hostile() *rapid.Generator[string] {
	parts := rapid.SampledFrom([]string{"\x1b", "[", "31m", "]", "0;", "\a", "\\", "\n", "\r", "\x00", "\x7f", "\u009b", "\u202e", "\xff", "\u200b", "\U000e0041", "é", "✅", "retry", "policy ", " ", "\"", "the lock timeout of the migration job "})
	return rapid.Map(rapid.SliceOfN(parts, 0, 40), func(s []string) string { return strings.Join(s, "") })
}

// unsafe returns the first rune that must not reach a terminal, or 0.
func unsafe(s string) rune {
	for _, r := range s {
		if r != '\n' && unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r == 0x200b || r >= 0xe0000 && r <= 0xe007f || r == utf8.RuneError && !strings.Contains(s, "\ufffd") {
			return r
		}
	}
	return 0
}

func drawNode(t *rapid.T) query.Node {
	return query.Node{ID: "n0123456789ab", Type: "event", Label: hostile().Draw(t, "label"), Frequency: rapid.IntRange(1, 1e6).Draw(t, "frequency")}
}

func drawIDs(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.Map(rapid.StringMatching(`[a-z0-9-]{1,200}`), episode.IDFromSession), 1, 30).Draw(t, "episodes")
}

func drawPath(t *rapid.T) query.Path {
	p := query.Path{Weight: .123456, Effect: query.WorksAgainst}
	hop := func(t *rapid.T) query.Hop {
		return query.Hop{Source: drawNode(t), Target: drawNode(t), Type: rapid.SampledFrom(episode.LinkTypes()).Draw(t, "type"), Weight: .5,
			EvidenceCount: rapid.IntRange(1, 1e5).Draw(t, "evidence"), Of: rapid.IntRange(1, 1e5).Draw(t, "of"), Episodes: drawIDs(t)}
	}
	p.Hops = rapid.SliceOfN(rapid.Custom(hop), 1, 8).Draw(t, "hops")
	p.Weakest = rapid.IntRange(0, len(p.Hops)-1).Draw(t, "weakest")
	return p
}

func drawMatches(t *rapid.T) []query.Match {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) query.Match {
		return query.Match{ID: "n0123456789ab", Label: hostile().Draw(t, "label")}
	}), 0, 5).Draw(t, "matches")
}

func drawEpisode(t *rapid.T) *episode.Episode {
	b := querytest.Build(rapid.StringMatching(`[a-z0-9-]{1,200}`).Draw(t, "session"), rapid.SampledFrom(episode.Outcomes()).Draw(t, "outcome"))
	b.Task(hostile().Draw(t, "task"), "2026-01-02")
	for range rapid.IntRange(0, 30).Draw(t, "decisions") {
		b.Decide(hostile().Draw(t, "question"), hostile().Draw(t, "chosen"), episode.Success, hostile().Draw(t, "rejected")).Because(hostile().Draw(t, "reason"))
	}
	for range rapid.IntRange(0, 30).Draw(t, "events") {
		b.Event(rapid.SampledFrom([]episode.EventType{episode.Error, episode.Commit, episode.Milestone}).Draw(t, "type"), hostile().Draw(t, "content"))
	}
	for range rapid.IntRange(0, 20).Draw(t, "lessons") {
		b.Lesson(hostile().Draw(t, "lesson"))
	}
	return b.Done()
}

// Whatever the logs contain, every text stays within its budget, standard or given,
// and is safe to print.
func TestBudgets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		asked := rapid.IntRange(1, 2000).Draw(t, "tokens")
		path := &query.PathResult{From: drawNode(t), To: drawNode(t)}
		path.From.ID = "n1"
		path.Resolved.From.Alternatives, path.Resolved.To.Alternatives = drawMatches(t), drawMatches(t)
		path.Paths = rapid.SliceOfN(rapid.Custom(drawPath), 0, 4).Draw(t, "paths")
		pattern := query.Pattern{ID: "p0123456789ab", Kind: query.AntiPattern, Trigger: hostile().Draw(t, "trigger"), Action: hostile().Draw(t, "action"), Episodes: drawIDs(t)}
		ep := drawEpisode(t)
		estimate := .5
		option := func(t *rapid.T) query.OptionStats {
			return query.OptionStats{Option: hostile().Draw(t, "option"), N: 3, Successes: 1, Partial: 1, Unknown: 1, Estimate: &estimate, High: 1}
		}
		whatif := &query.WhatIfResult{
			Actual: option(t), Alternative: option(t), Options: rapid.SliceOfN(rapid.Custom(option), 0, 40).Draw(t, "options"),
			Method: hostile().Draw(t, "method"), Note: hostile().Draw(t, "note"), Effect: &query.Effect{Low: -1, High: 1}, Verdict: query.NotEnoughEvidence,
		}
		for _, id := range drawIDs(t) {
			whatif.Matched = append(whatif.Matched, query.MatchedUse{Episode: id, Decision: "d001", Chosen: hostile().Draw(t, "chosen"), Outcome: episode.Unknown})
		}
		said := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) query.Evidence {
			return query.Evidence{Episode: "episode-a", Record: "d001", Text: hostile().Draw(t, "text"), Quote: rapid.SliceOfN(hostile(), 0, 20).Draw(t, "quote")}
		}), 0, 5)
		explained := &query.Explanation{Node: &query.NodeFacts{Node: drawNode(t), Mentions: said.Draw(t, "mentions")}}
		if s := text.Episode(ep, true); unsafe(s) != 0 || !utf8.ValidString(s) {
			t.Fatalf("%q", s)
		}
		for _, c := range []struct {
			what     string
			promised int
			tell     func(int) string
		}{
			{"path", text.PathTokens, func(n int) string { return text.Path(path, n) }},
			{"pattern", text.PatternTokens, func(n int) string { return text.Pattern(pattern, n) }},
			{"explain", text.ExplainTokens, func(n int) string { return text.Explanation(explained, n) }},
			{"what-if", text.WhatIfTokens, func(n int) string { return text.WhatIf(whatif, n) }},
			{"decisions", 1 << 20, func(n int) string { return text.Decisions(query.Decisions(ep), n) }},
		} {
			for tokens, s := range map[int]string{c.promised: c.tell(0), asked: c.tell(asked)} {
				if len(s) >= 4*tokens {
					t.Fatalf("%s: %d bytes for %d tokens:\n%s", c.what, len(s), tokens, s)
				}
				if r := unsafe(s); r != 0 || !utf8.ValidString(s) {
					t.Fatalf("%s: %q in %q", c.what, r, s)
				}
				if tokens >= c.promised && !strings.HasSuffix(s, "\n") {
					t.Fatalf("%s ends in the middle of a line:\n%s", c.what, s)
				}
			}
		}
	})
}
