package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/recall"
)

// What stands together in a log, with its lines and the headings above.
func TestPassages(t *testing.T) {
	for _, c := range []struct {
		name, log string
		want      []string // lines, heading, text
	}{
		{"blocks of a section are read as one", "# Log\n\n## Fault\n\nIt stopped.\n\nCause: full.\n", []string{"5-7 Fault: It stopped.||Cause: full."}},
		{"a heading begins another", "# Log\n## A\none\n### B\ntwo\n## C\nthree", []string{"3-3 A: one", "5-5 A › B: two", "7-7 C: three"}},
		{"the title counts where there is no other", "# Log\nonly", []string{"2-2 Log: only"}},
		{"without headings", "one\ntwo", []string{"1-2 : one|two"}},
		{"comments in code are no headings", "## A\n```\n# no heading\n```\nafter", []string{"2-5 A: ```|# no heading|```|after"}},
		{"rules and blank lines before are left out", "## A\n\n---\n\n| --- | --- |\none\n\n", []string{"6-6 A: one"}},
		{"nothing", "", nil},
		{"headings alone", "# Log\n## A\n## B", nil},
	} {
		var got []string
		for _, d := range recall.Passages(strings.Split(c.log, "\n")) {
			got = append(got, fmt.Sprintf("%d-%d %s: %s", d.Lines[0], d.Lines[1], d.Heading, strings.ReplaceAll(d.Text, "\n", "|")))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A passage is what its lines say; no line with words is left out, but headings and rules, and
// none is in two passages. A passage ends soon after 700 bytes where there is a blank line.
func TestPassagesAreTheLinesOfTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		in := make([]int, len(log)+1) // how many passages a line is in
		for _, d := range recall.Passages(log) {
			if text := strings.Join(log[d.Lines[0]-1:d.Lines[1]], "\n"); d.Text != text || d.Kind != recall.Passage {
				t.Fatalf("lines %v are %q, the passage says %q", d.Lines, text, d.Text)
			}
			for n := d.Lines[0]; n <= d.Lines[1]; n++ {
				in[n]++
			}
			if blank := strings.LastIndex(d.Text, "\n\n"); blank > 700 || strings.TrimSpace(d.Text) != d.Text {
				t.Fatalf("%d bytes before the last blank line of %q", blank, d.Text)
			}
		}
		for i, line := range log {
			if prose := line != "" && line[0] != '#'; in[i+1] > 1 || prose && in[i+1] == 0 || line != "" && !prose && in[i+1] > 0 {
				t.Fatalf("line %d, %q, is in %d passages", i+1, line, in[i+1])
			}
		}
	})
}

// A block without a blank line is parted at an item, or at twice the size.
func TestLongBlocksAreParted(t *testing.T) {
	items := slices.Repeat([]string{"- " + strings.Repeat("walnut ", 14)}, 40)
	prose := slices.Repeat([]string{strings.Repeat("walnut ", 14)}, 40)
	for name, c := range map[string]struct {
		lines []string
		most  int
	}{"items": {items, 700 + 100}, "prose": {prose, 1400 + 200}} {
		list := recall.Passages(c.lines)
		next := 1
		for _, d := range list {
			if len(d.Text) > c.most || d.Lines[0] != next {
				t.Errorf("%s: %d bytes in lines %v, after line %d", name, len(d.Text), d.Lines, next-1)
			}
			next = d.Lines[1] + 1
		}
		if next != 41 || len(list) < 3 {
			t.Errorf("%s: %d passages up to line %d", name, len(list), next-1)
		}
	}
}

// Of a log in JSON the texts of one object are one passage, with their lines.
func TestPassagesOfJSON(t *testing.T) {
	log := []string{
		`{`,
		`  "session": "s1",`,
		`  "events": [`,
		`    {`,
		`      "count": 12345678901234567890,`,
		`      "what": "the tenant bucket was \"full\" again",`,
		`      "cause": "snapshots were never pruned\nby anybody"`,
		`    },`,
		`    {`,
		`      "what": "short"`,
		`    },`,
		`    {`,
		`      "fix": "prune the snapshots older than a week, each night"`,
		`    }`,
		`  ]`,
		`}`,
	}
	list := recall.PassagesJSON(log)
	if len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	if d := list[0]; d.Lines != (episode.Span{6, 7}) || d.Text != "the tenant bucket was \"full\" again\nsnapshots were never pruned\nby anybody" {
		t.Errorf("%+v", d)
	}
	if d := list[1]; d.Lines != (episode.Span{13, 13}) || d.Text != "prune the snapshots older than a week, each night" {
		t.Errorf("%+v", d)
	}
	s := &recall.Session{Episode: "e", Name: "e", Log: "e.json"}
	s.AddPassages("session-json", log)
	hits := find(t, open(t, append(catalogue(10), s)), "prune snapshots each night", recall.Filter{Limit: 1})
	if len(hits) != 1 || hits[0].Lines != (episode.Span{13, 13}) || strings.Contains(hits[0].Text, `"`) {
		t.Errorf("%+v", hits)
	}
}

// Notes of other tools are found by searches, under their own kind, with lines where these can
// be named.
func TestNotes(t *testing.T) {
	note := "# Paint\n\n## Harbor\n\nThe walnut harbor is painted.\n\n## Tunnel\n\nThe copper tunnel is not.\n"
	for _, lined := range []bool{true, false} {
		s := &recall.Session{Episode: "note", Name: "note", Log: "paint.md"}
		s.AddNote(note, lined)
		x := open(t, append(catalogue(20), s))
		hits := find(t, x, "walnut", recall.Filter{Limit: 5})
		want := episode.Span{}
		if lined {
			want = episode.Span{5, 5}
		}
		if len(hits) != 1 || hits[0].Kind != "note" || hits[0].Lines != want || !strings.Contains(hits[0].Text, "walnut harbor is painted") {
			t.Errorf("lined %v: %+v", lined, hits)
		}
		if hits := find(t, x, "walnut harbor", recall.Filter{Kind: "line", Limit: 5}); len(hits) > 0 {
			t.Errorf("lined %v: a note is found as %+v", lined, hits)
		}
	}
	long := &recall.Session{Episode: "note"}
	long.AddNote(strings.Repeat("The walnut harbor is painted again.\n\n", 200), false)
	if len(long.Docs) < 5 {
		t.Errorf("a long note is %d documents", len(long.Docs))
	}
	for _, d := range long.Docs {
		if d.Lines != (episode.Span{}) || len(d.Text) > 1000 {
			t.Errorf("%v, %d bytes", d.Lines, len(d.Text))
		}
	}
}

// What of an episode can be found, and what it says to one who is about to act.
func TestDocumentsOfAnEpisode(t *testing.T) {
	by := ""
	e := &episode.Episode{ID: "episode-1", Session: "one", Timestamp: "2026-02-03T10:00:00Z", Task: "move  the\nwalnut", Outcome: episode.Success,
		Events: []episode.Event{
			{ID: "e001", Type: episode.Error, Content: "WalnutError: full"},
			{ID: "e002", Type: episode.Test, Content: "12 passed"},
			{ID: "e003", Type: episode.Correction, Content: "never by hand"},
			{ID: "e004", Type: episode.Commit, Content: "abc walnut"},
			{ID: "e005", Type: episode.Milestone, Content: "moved"},
			{ID: "e006", Type: episode.Milestone, Content: " "},
			{ID: "e007", Type: episode.ToolCall, Content: "with --all"},
		},
		Decisions: []episode.Decision{
			{ID: "d001", Chosen: "by ship", Outcome: episode.Unknown},
			{ID: "d002", Chosen: "by rail", Rationale: "cheaper", Outcome: episode.Unknown},
			{ID: "d003", Chosen: "by air", Outcome: episode.Failure},
			{ID: "d004", Type: episode.Recovery, Chosen: "a larger crate", Outcome: episode.Success, Superseded: &by},
			{ID: "d005", Type: episode.Recovery, Chosen: "a smaller crate", Outcome: episode.Failure},
		},
		Lessons: []string{"measure first"},
		Links: []episode.Link{
			{Source: "e001", Target: "d004", Type: episode.Causes},
			{Source: "e001", Target: "d005", Type: episode.Causes},
			{Source: "d001", Target: "e001", Type: episode.Causes},
			{Source: "e005", Target: "e001", Type: episode.Prevents},
			{Source: "e007", Target: "e001", Type: episode.Prevents},
			{Source: "d002", Target: "e005", Type: episode.Enables},
			{Source: "e001", Target: "nowhere", Type: episode.Causes},
		}}
	e.Provenance.By = map[string]string{"l001": "agent 1"}
	e.Provenance.Spans = map[string]episode.Span{"d004": {7, 9}}
	want := map[string]recall.Class{"task": recall.Nothing, "e001": recall.Nothing, "e002": recall.Nothing, "e003": recall.Learned, "e005": recall.Nothing, "e007": recall.Nothing,
		"d001": recall.Nothing, "d002": recall.Choice, "d003": recall.Failed, "d004": recall.Fix, "d005": recall.Failed, "l001": recall.Learned,
		"e001>d004": recall.Fix, "e001>d005": recall.Failed, "d001>e001": recall.Cause, "e005>e001": recall.Nothing, "e007>e001": recall.Fix, "d002>e005": recall.Choice}
	s := recall.FromEpisode(e)
	if s.Task != "move the walnut" || s.Date != "2026-02-03" || s.Name != "one" {
		t.Errorf("%+v", s)
	}
	for _, d := range s.Docs {
		if says, ok := want[d.ID]; !ok || d.Class != says {
			t.Errorf("%s says %q, want %q", d.ID, d.Class, says)
		}
		delete(want, d.ID)
		if d.ID == "d004" && (d.Later != recall.Unnamed || d.Lines != episode.Span{7, 9}) || d.ID != "d004" && d.Later != "" {
			t.Errorf("%+v", d)
		}
		if d.ID == "l001" != (d.Who == recall.AnAgent) {
			t.Errorf("%s: %v", d.ID, d.Who)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing %v", want)
	}

	// Nothing is a fix that is not known to have worked.
	e.Decisions[3].Outcome = episode.Unknown
	for _, d := range recall.FromEpisode(e).Docs {
		if (d.ID == "d004" || d.ID == "e001>d004") && d.Class != recall.Choice {
			t.Errorf("%s says %q", d.ID, d.Class)
		}
	}
}

// drawSentence draws a sentence of a log.
func drawSentence(t *rapid.T) string {
	words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 3, 12).Draw(t, "sentence")
	cue := rapid.SampledFrom([]string{"", "", "Fix: ", "Root cause: ", "Decided: "}).Draw(t, "cue")
	return cue + strings.Join(words, " ") + rapid.SampledFrom([]string{".", "!", "."}).Draw(t, "end")
}

// drawLog makes a log of sections with paragraphs, lists and long lines of several sentences.
// It returns its lines.
func drawLog(t *rapid.T) []string {
	out := []string{"# Session"}
	for range rapid.IntRange(1, 3).Draw(t, "sections") {
		out = append(out, "", "## "+rapid.SampledFrom(vocabulary).Draw(t, "heading"))
		for range rapid.IntRange(1, 4).Draw(t, "blocks") {
			out = append(out, "")
			switch rapid.IntRange(0, 2).Draw(t, "block") {
			case 0:
				out = append(out, drawSentence(t))
			case 1:
				for range rapid.IntRange(1, 5).Draw(t, "items") {
					out = append(out, "- "+drawSentence(t))
				}
			default:
				var all []string
				for range rapid.IntRange(3, 9).Draw(t, "sentences") {
					all = append(all, drawSentence(t))
				}
				out = append(out, strings.Join(all, " "))
			}
		}
	}
	return out
}
