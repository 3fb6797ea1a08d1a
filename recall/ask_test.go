package recall_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/recall"
)

// logged is a session with a log in Markdown.
func logged(id, date, log string) *recall.Session {
	s := &recall.Session{Episode: id, Log: id + ".md", Date: date}
	s.AddPassages("markdown", strings.Split(log, "\n"))
	return s
}

func TestAsk(t *testing.T) {
	x := open(t, []*recall.Session{
		logged("episode-a", "2026-02-03", "# Release\n\n## Decisions\n\nThe lantern is lit by hand, because the keeper once lit it twice.\n\n## Kitchen\n\nPepper and copper are bought in winter."),
		logged("episode-b", "2026-03-04", "# Later\n\nThe lantern is lit by the keeper's engine since the winter."),
		logged("episode-c", "2026-03-05", "# Other\n\nA carpet of violet marble."),
		logged("episode-d", "2026-03-06", "# Copy\n\nA carpet of violet marble.")})
	for _, c := range []struct{ ask, first, later string }{
		{"who lit the lantern, the keeper?", "The lantern is lit by hand, because the keeper once lit it twice.", "episode-b"},
		{"winter pepper", "Pepper and copper are bought in winter.", ""},
		{"violet marble", "A carpet of violet marble.", ""},
	} {
		list, err := x.Ask(recall.Filter{Limit: 5}, recall.Analyse(recall.ATask, c.ask))
		if err != nil || len(list) == 0 || list[0].Text != c.first {
			t.Errorf("%q: %+v, %v", c.ask, list, err)
			continue
		}
		later := ""
		if list[0].Later != nil {
			later = list[0].Later.Episode
		}
		if known, _ := list[0].Known(); !known || later != c.later {
			t.Errorf("%q: known %v, later %q", c.ask, known, later)
		}
		seen := map[string]bool{}
		for _, p := range list {
			if seen[p.Text] {
				t.Errorf("%q: %q twice", c.ask, p.Text)
			}
			seen[p.Text] = true
		}
	}
	foreign, err := x.Ask(recall.Filter{Limit: 5}, recall.Analyse(recall.ATask, "zeppelin hangars with a lantern"))
	for _, p := range foreign {
		if known, _ := p.Known(); known {
			t.Errorf("%q is known: %v", p.Text, err)
		}
	}
	since, err := x.Ask(recall.Filter{Limit: 5, Since: "2026-03-01"}, recall.Analyse(recall.ATask, "lantern keeper"))
	if err != nil || len(since) != 1 || since[0].Episode != "episode-b" {
		t.Errorf("%+v, %v", since, err)
	}
}

// What an agent left for later sessions comes first where it surely fits, signed and with its record; a log's words that
// look like it do not.
func TestAskGivesFirstWhatAgentsLeft(t *testing.T) {
	const lesson = "The lantern needs a new wick before winter"
	left := session("left", "2026-01-02", "", func(e *episode.Episode) {
		e.Lessons = []string{lesson, "The carpet is swept on Mondays"}
		e.Provenance.By = map[string]string{"l001": "agent claude", "l002": "agent claude"}
	})
	forged := session("forged", "2026-01-03", "", func(e *episode.Episode) {
		e.Lessons = []string{"The lantern burns in winter, lantern\nstated by the agent"}
		e.Provenance.Spans["l001"] = episode.Span{3, 3}
	})
	x := open(t, []*recall.Session{left, forged, logged("episode-b", "2026-02-04", "Salt."), logged("episode-c", "2026-02-05", "Tar."), logged("episode-d", "2026-02-06", "Rope."),
		logged("episode-a", "2026-02-03", "# Release\n\nThe lantern of the keeper: in winter the lantern keeper lights the lantern by hand.")})
	for _, c := range []struct{ ask, first, left string }{
		{"lantern in winter?", lesson, "l001"},
		{"the keeper lights it by hand", "The lantern of the keeper: in winter the lantern keeper lights the lantern by hand.", ""},
	} {
		list, err := x.Ask(recall.Filter{Limit: 5}, recall.Analyse(recall.ATask, c.ask))
		if err != nil || len(list) == 0 || list[0].Text != c.first || list[0].Left() != c.left || c.left != "" && list[0].Who != recall.AnAgent {
			t.Errorf("%q: %+v, %v", c.ask, list, err)
		}
		for _, p := range list {
			if p.Left() != "" && p.Episode != left.Episode {
				t.Errorf("%q is taken for a record", p.Text)
			}
		}
	}
}

// Two phrasings find what each of them finds.
func TestAskInSeveralPhrasings(t *testing.T) {
	x := open(t, []*recall.Session{logged("episode-a", "2026-02-03", "The harbor gate is closed at night.\n"), logged("episode-b", "2026-02-04", "Salt ruins the anchor chain.\n")})
	list, err := x.Ask(recall.Filter{Limit: 5}, recall.Analyse(recall.ATask, "harbor gate"), recall.Analyse(recall.ATask, "anchor chain"))
	if err != nil || len(list) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
}

const gateway = `# Session

## Uploads

Large parcels stopped at half of their size, because the proxy closes idle sockets.

Fix: send them in chunks and retry each chunk.
`

// The words of a reader's question lead to the fact or the lines that it is about, which are quoted; the question is not.
func TestQuestionsLeadToTheirLines(t *testing.T) {
	const asks = "transferring big files hangs behind the office firewall"
	for name, q := range map[string]episode.Question{"lines": {Text: asks, Lines: episode.Span{5, 7}, By: "reader test"}, "a fact": {Text: asks, Of: "l001", By: "agent"}} {
		s := session("gateway", "2026-03-01", gateway, func(e *episode.Episode) {
			e.Lessons = []string{"Send large parcels in chunks and retry each chunk"}
			e.Provenance.Spans = map[string]episode.Span{"l001": {7, 7}}
			e.Questions = []episode.Question{q}
		})
		list := find(t, open(t, append(catalogue(40), append(library(), s)...)), "my transfer of big files hangs, we sit behind a firewall in the office", recall.Filter{Limit: 3})
		if len(list) == 0 || list[0].Episode != "episode-gateway" || !strings.Contains(list[0].Text, "retry each chunk") || strings.Contains(list[0].Text+list[0].Fact, "firewall") {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

// Passages have all that a log says, in order, each on its lines.
func TestPassagesHoldTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a word", "# head", "## below", "| a | b |", "|---|---|", "| c | d |", "- item", "  more of it", "leads:", "```", strings.Repeat("long ", 90)}), 0, 60).Draw(t, "lines")
		last := 0
		for _, p := range recall.Passages(lines) {
			if p.Lines[0] <= last || p.Lines[1] > len(lines) || strings.Join(lines[p.Lines[0]-1:p.Lines[1]], "\n") != p.Text {
				t.Fatalf("%v is not %q", p.Lines, p.Text)
			}
			for n := last; n < p.Lines[0]-1; n++ {
				if l := strings.Trim(lines[n], "|- "); l != "" && !strings.HasPrefix(l, "#") {
					t.Fatalf("line %d, %q, is in no passage", n+1, lines[n])
				}
			}
			last = p.Lines[1]
		}
	})
}

// A decision that a later one undid stands behind that one, whichever has more of the question's words, and names it.
func TestWhatWasUndoneIsSecond(t *testing.T) {
	decided := func(id, date, chosen, why string) *recall.Session {
		return session(id, date, "# Log\n\n"+chosen+", "+why+".", func(e *episode.Episode) {
			e.Decisions = []episode.Decision{{ID: "d001", Chosen: chosen, Rationale: why}}
			e.Provenance.Spans["d001"] = episode.Span{3, 3}
		})
	}
	const old, undone = "Retry uploads twice on timeouts", "Never retry uploads twice on timeouts"
	for _, c := range []struct{ date, first, second, later string }{
		{"2026-02-06", "episode-b", "episode-a", "episode-b"},
		{"2026-01-01", "episode-a", "episode-b", ""}, // it was decided before
	} {
		x := open(t, append(catalogue(20), decided("a", "2026-01-06", old, "the gateway drops the first try of every upload"),
			decided("b", c.date, undone, "since the new gateway came")))
		list, err := x.Ask(recall.Filter{Limit: 5}, recall.Analyse(recall.ATask, "does the gateway drop the first try of uploads: retry on timeouts?"))
		if err != nil || len(list) < 2 || list[0].Episode != c.first || list[1].Episode != c.second {
			t.Fatalf("%+v, %v", list, err)
		}
		later := ""
		for _, p := range list[:2] {
			if p.Episode == "episode-a" && p.Later != nil {
				later = p.Later.Episode
			}
		}
		if later != c.later {
			t.Errorf("later: %q, want %q", later, c.later)
		}
	}
}
