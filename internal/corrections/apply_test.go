package corrections

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
)

const log = `# Session
The upload failed at first.
We chose chunks over a longer timeout.
Tests pass: 14 of 14.
Commit abc1234.
The old client still waits.
Lesson one holds.
Lesson two holds.`

func sample() *episode.Episode {
	one := 1
	ep := &episode.Episode{ID: "episode-s", Session: "s", Outcome: episode.Success, OutcomeSource: episode.Stated, Task: "Session",
		Decisions: []episode.Decision{{ID: "d001", Type: episode.Design, Chosen: "chunks", Options: []string{"chunks", "a longer timeout"}, OptionKeys: []string{"chunk", "timeout"}, Outcome: episode.Success, Effects: []string{"e001", "outcome"}}},
		Events: []episode.Event{{ID: "e001", Type: episode.Error, Content: "The upload failed at first.", CausedBy: []string{"e003"}},
			{ID: "e002", Type: episode.Test, Content: "Tests pass: 14 of 14."}, {ID: "e003", Type: episode.Commit, Content: "Commit abc1234.", LeadsTo: []string{"e001"}}},
		Lessons: []string{"Lesson one holds.", "Lesson two holds."},
		Links: []episode.Link{{Source: "d001", Target: "e001", Type: episode.Prevents}, {Source: "d001", Target: "outcome", Type: episode.Causes},
			{Source: "e003", Target: "e001", Type: episode.Causes}},
		Metrics: episode.Metrics{Commits: &one, Errors: &one},
	}
	ep.Provenance.Spans = map[string]episode.Span{"task": {1, 1}, "outcome": {4, 4}, "d001": {3, 3}, "e001": {2, 2}, "e002": {4, 4}, "e003": {5, 5},
		"l001": {7, 7}, "l002": {8, 8}, "d001>e001": {2, 3}, "d001>outcome": {3, 4}, "e003>e001": {2, 5}}
	return ep
}

func ref(t interface{ Fatal(...any) }, ep *episode.Episode, lines Lines, id string) *Ref {
	r, ok := RefTo(ep, lines, id)
	if !ok {
		t.Fatal("no record ", id)
	}
	return r
}

func marshal(t interface{ Fatal(...any) }, ep *episode.Episode) []byte {
	data, err := episode.Marshal(ep)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestApply(t *testing.T) {
	lines := Split([]byte(log))
	at := func(a, b int) *Anchor { return lines.Anchor(episode.Span{a, b}) }
	r := func(id string) *Ref { return ref(t, sample(), lines, id) }
	added := &Ref{Kind: Event, Type: "error", Text: "The old client still waits.", At: at(6, 6)}
	for _, c := range []struct {
		name  string
		entry Entry
		check func(ep *episode.Episode) bool
	}{
		{"a record goes, with its links and references", Entry{Op: Drop, Record: r("e001")}, func(ep *episode.Episode) bool {
			return ep.Event("e001") == nil && len(ep.Links) == 1 && slices.Equal(ep.Decision("d001").Effects, []string{"outcome"}) && ep.Event("e003").LeadsTo == nil && ep.Metrics.Errors == nil
		}},
		{"the others keep their ids", Entry{Op: Drop, Record: r("e002")}, func(ep *episode.Episode) bool { return ep.Event("e002") == nil && ep.Event("e003") != nil }},
		{"lessons move up", Entry{Op: Drop, Record: r("l001")}, func(ep *episode.Episode) bool {
			_, second := ep.Provenance.Spans["l002"]
			return slices.Equal(ep.Lessons, []string{"Lesson two holds."}) && ep.Provenance.Spans["l001"] == episode.Span{8, 8} && !second
		}},
		{"an outcome of a decision", Entry{Op: Put, Record: r("d001"), Outcome: episode.Failure}, func(ep *episode.Episode) bool {
			return ep.Decision("d001").Outcome == episode.Failure && ep.Provenance.By["d001"] == Person
		}},
		{"other words, also among the options", Entry{Op: Put, Record: r("d001"), Text: "chunks of 1 MB"}, func(ep *episode.Episode) bool {
			d := ep.Decision("d001")
			return d.Chosen == "chunks of 1 MB" && d.Options[0] == "chunks of 1 MB" && d.Options[1] == "a longer timeout" && len(d.OptionKeys) == 2 && d.OptionKeys[0] != "chunk"
		}},
		{"another type of an event, and its count", Entry{Op: Put, Record: r("e002"), Type: "error"}, func(ep *episode.Episode) bool {
			return ep.Event("e002").Type == episode.Error && *ep.Metrics.Errors == 2 && ep.Event("e002").Key != ""
		}},
		{"a new record in its place", Entry{Op: Put, Record: added, New: true}, func(ep *episode.Episode) bool {
			v := ep.Event("e004")
			return v != nil && v.Content == added.Text && ep.Events[3].ID == "e004" && *ep.Metrics.Errors == 2 && ep.Provenance.Spans["e004"] == episode.Span{6, 6}
		}},
		{"a link", Entry{Op: PutLink, From: r("e002"), To: r("outcome"), Type: "causes", At: at(4, 4)}, func(ep *episode.Episode) bool {
			return len(ep.Links) == 4 && ep.Provenance.By["e002>outcome"] == Person
		}},
		{"a link of another type", Entry{Op: PutLink, From: r("e003"), To: r("e001"), Type: "prevents"}, func(ep *episode.Episode) bool {
			return len(ep.Links) == 3 && ep.Links[2].Type == episode.Prevents && ep.Event("e001").CausedBy == nil
		}},
		{"a link turned round", Entry{Op: PutLink, From: r("e001"), To: r("e003"), Type: "causes"}, func(ep *episode.Episode) bool {
			return len(ep.Links) == 3 && ep.Event("e001").CausedBy == nil && slices.Equal(ep.Event("e003").CausedBy, []string{"e001"})
		}},
		{"no link", Entry{Op: DropLink, From: r("d001"), To: r("e001")}, func(ep *episode.Episode) bool { return len(ep.Links) == 2 }},
		{"the outcome", Entry{Op: SetOutcome, Outcome: episode.Partial, At: at(4, 4)}, func(ep *episode.Episode) bool {
			_, cited := ep.Provenance.Spans["outcome"]
			return ep.Outcome == episode.Partial && !cited && len(ep.Links) == 3
		}},
		{"no outcome has no causes", Entry{Op: SetOutcome, Outcome: episode.Unknown}, func(ep *episode.Episode) bool { return ep.Outcome == episode.Unknown && len(ep.Links) == 2 }},
		{"the task", Entry{Op: SetTask, Text: "make uploads work"}, func(ep *episode.Episode) bool { return ep.Task == "make uploads work" }},
	} {
		c.entry.By = Person
		ep := sample()
		if dropped := Apply(ep, lines, []Entry{c.entry}); len(dropped) > 0 || !c.check(ep) {
			t.Errorf("%s: dropped %v\n%s", c.name, dropped, marshal(t, ep))
		}
		if p := ep.Validate(); len(p) > 0 {
			t.Errorf("%s: %v", c.name, p)
		}
	}
}

// A person has the last word, whoever spoke first.
func TestPersonsBeforeReaders(t *testing.T) {
	lines := Split([]byte(log))
	d := ref(t, sample(), lines, "d001")
	person := Entry{By: Person, Op: Put, Record: d, Outcome: episode.Failure}
	reader := Entry{By: "reader x", Op: Put, Record: d, Outcome: episode.Partial}
	for _, order := range [][]Entry{{person, reader}, {reader, person}} {
		ep := sample()
		Apply(ep, lines, order)
		if ep.Decision("d001").Outcome != episode.Failure || ep.Provenance.By["d001"] != Person {
			t.Errorf("%s by %s", ep.Decision("d001").Outcome, ep.Provenance.By["d001"])
		}
	}
}

// What the rules no longer find stays, as a person or reader said so of lines that are
// still there.
func TestCorrectedRecordOutlastsItsRule(t *testing.T) {
	lines := Split([]byte(log))
	e := Entry{By: "reader x", Op: Put, Record: ref(t, sample(), lines, "d001"), Outcome: episode.Failure}
	ep := sample()
	edit(ep).remove(record{id: "d001", kind: Decision})
	if dropped := Apply(ep, lines, []Entry{e}); len(dropped) > 0 || len(ep.Decisions) != 1 || ep.Decisions[0].Outcome != episode.Failure || ep.Decisions[0].Chosen != "chunks" {
		t.Errorf("%v %s", dropped, marshal(t, ep))
	}
}

// crowd is an episode with events of one type on one line.
func crowd(texts ...string) *episode.Episode {
	ep := &episode.Episode{ID: "episode-s", Session: "s"}
	ep.Provenance.Spans = map[string]episode.Span{}
	for i, text := range texts {
		id := episode.EventID(i + 1)
		ep.Events = append(ep.Events, episode.Event{ID: id, Type: episode.Commit, Content: text})
		ep.Provenance.Spans[id] = episode.Span{5, 5}
	}
	return ep
}

// Where several records stand on one line, a correction means the one whose words it has,
// also when an entry before it changed that record or took it away.
func TestRecordsOnOneLine(t *testing.T) {
	lines := Split([]byte(log))
	drop := func(by, id string) Entry {
		return Entry{By: by, Op: Drop, Record: ref(t, crowd("a", "b", "c"), lines, id)}
	}
	put := func(by, id, text string) Entry {
		return Entry{By: by, Op: Put, Record: ref(t, crowd("a", "b", "c"), lines, id), Text: text}
	}
	const reader = "reader x"
	for name, c := range map[string]struct {
		texts   []string
		entries []Entry
		want    []string
	}{
		"the third":                             {[]string{"a", "b", "c"}, []Entry{drop(Person, "e003")}, []string{"a", "b"}},
		"the third gets words":                  {[]string{"a", "b", "c"}, []Entry{put(Person, "e003", "d")}, []string{"a", "b", "d"}},
		"two drop the same":                     {[]string{"a", "b"}, []Entry{drop(Person, "e001"), drop(reader, "e001")}, []string{"b"}},
		"dropped by a reader, kept by a person": {[]string{"a", "b"}, []Entry{put(Person, "e001", "d"), drop(reader, "e001")}, []string{"b", "d"}},
		"changed by a reader, then by a person": {[]string{"a", "b"}, []Entry{put(Person, "e001", "d"), put(reader, "e001", "r")}, []string{"d", "b"}},
		"changed by a reader, no fact":          {[]string{"a", "b"}, []Entry{drop(Person, "e001"), put(reader, "e001", "r")}, []string{"b"}},
		"other rules, other words":              {[]string{"A new"}, []Entry{put(Person, "e001", "d")}, []string{"d"}},
	} {
		ep := crowd(c.texts...)
		if dropped := Apply(ep, lines, c.entries); len(dropped) > 0 {
			t.Errorf("%s: %v", name, dropped)
		}
		var got []string
		for _, v := range ep.Events {
			got = append(got, v.Content)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Lessons are numbered by their place: what one of them was is not taken for what another
// was once they have moved up.
func TestLessonsThatMovedUp(t *testing.T) {
	lines := Split([]byte(log))
	of := func(id string) *Ref { return ref(t, sample(), lines, id) }
	ep := sample()
	Apply(ep, lines, []Entry{{By: "reader x", Op: Put, Record: of("l002"), Text: "read so"}, {By: "reader x", Op: Drop, Record: of("l001")},
		{By: Person, Op: Drop, Record: of("l001")}, {By: Person, Op: Put, Record: of("l002"), Text: "said so"}})
	if !slices.Equal(ep.Lessons, []string{"said so"}) {
		t.Errorf("%q", ep.Lessons)
	}
}

// An entry of a later version, or of nobody's, is told and changes nothing.
func TestUnknownCorrection(t *testing.T) {
	lines := Split([]byte(log))
	for _, e := range []Entry{{By: Person, Op: "split"}, {By: Person, Op: "split", At: &Anchor{Lines: episode.Span{1, 1}, Hash: strings.Repeat("0", 2*hashSize)}}} {
		ep := sample()
		dropped := Apply(ep, lines, []Entry{e})
		if len(dropped) != 1 || !strings.Contains(dropped[0].String(), "by person no longer holds (split)") || !bytes.Equal(marshal(t, ep), marshal(t, sample())) {
			t.Errorf("%v", dropped)
		}
	}
}

// Work grows with a log and with its corrections, but not with their product.
func TestWorkIsBounded(t *testing.T) {
	ep, entries := crowd(make([]string, 20000)...), make([]Entry, maxEntries)
	for i := range entries {
		entries[i] = Entry{By: Person, Op: Drop, Record: &Ref{Kind: Event, Type: "error", Text: "x"}}
	}
	f := &finder{log: Split([]byte(log))}
	a := &application{editor: edit(ep), log: f}
	n := 0
	for _, e := range entries {
		if a.apply(e); f.spend(0) {
			n++
		}
	}
	if n*20000*lineWork > maxWork {
		t.Errorf("%d entries looked at all records", n)
	}
}

// Without the log at hand the words of a record must show that it is the same.
func TestWithoutLog(t *testing.T) {
	e := Entry{By: Person, Op: Put, Record: ref(t, sample(), nil, "d001"), Outcome: episode.Failure}
	ep := sample()
	ep.Provenance.Spans["d001"] = episode.Span{30, 30}
	if dropped := Apply(ep, Split([]byte(log)), []Entry{e}); len(dropped) > 0 || ep.Decision("d001").Outcome != episode.Failure {
		t.Errorf("moved: %v", dropped)
	}
	ep = sample()
	ep.Decisions[0].Chosen = "something else"
	if dropped := Apply(ep, Split([]byte(log)), []Entry{e}); len(dropped) != 1 {
		t.Errorf("changed: %v", dropped)
	}
}

// move is the sample after a change of its log, as the rules would read it: each record
// stands where its line is now, and is gone with its line.
func move(t interface{ Fatal(...any) }, lines []string) *episode.Episode {
	ep := sample()
	e := edit(ep)
	old := Split([]byte(log))
	now := map[string]int{}
	for i, l := range lines {
		now[l] = i + 1
	}
	for _, k := range []Kind{Decision, Event, Lesson} {
		list := e.records(k)
		for i := len(list) - 1; i >= 0; i-- {
			if n := now[old[list[i].span[0]-1]]; n > 0 {
				ep.Provenance.Spans[list[i].id] = episode.Span{n, n}
			} else {
				e.remove(list[i])
			}
		}
	}
	for _, l := range slices.Clone(ep.Links) {
		e.unlink(l.Source, l.Target)
	}
	return ep
}

// Corrections follow their lines wherever these go, and exactly those are dropped whose
// lines are gone; applying twice is applying once; and nothing leaves an episode invalid.
func TestCorrectionsFollowTheirLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := Split([]byte(log))
		base := sample()
		ids := []string{"d001", "e001", "e002", "e003", "l001", "l002"}
		var entries []Entry
		rests := map[int]string{} // entry → the line that it rests on
		for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 1, 4, rapid.ID).Draw(t, "ids") {
			r := ref(t, base, old, id)
			e := Entry{By: rapid.SampledFrom([]string{Person, "reader x"}).Draw(t, "by"), Op: Put, Record: r}
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				e.Op = Drop
			case 1:
				e.Text = "other words " + id
			case 2:
				if r.Kind == Decision {
					e.Outcome = episode.Failure
				} else {
					e.Text = "more words " + id
				}
			}
			rests[len(entries)] = old[r.At.Lines[0]-1]
			entries = append(entries, e)
		}
		// The log afterwards: some lines are gone, others are new, the order of the rest is as it was.
		var lines []string
		for i, l := range old {
			for range rapid.IntRange(0, 2).Draw(t, "new") {
				lines = append(lines, fmt.Sprintf("new line %d", len(lines)))
			}
			if i == 0 || rapid.IntRange(0, 3).Draw(t, "keep") > 0 {
				lines = append(lines, l+strings.Repeat(" ", rapid.IntRange(0, 1).Draw(t, "space")))
			}
		}
		trimmed := slices.Clone(lines)
		for i := range trimmed {
			trimmed[i] = strings.TrimSpace(trimmed[i])
		}
		ep := move(t, trimmed)
		dropped := Apply(ep, Lines(lines), entries)
		var want []string
		for i := range entries {
			if !slices.Contains(trimmed, rests[i]) {
				want = append(want, entries[i].Subject())
			}
		}
		var got []string
		for _, d := range dropped {
			got = append(got, d.Entry.Subject())
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Fatalf("dropped %q, want %q", got, want)
		}
		if p := ep.Validate(); len(p) > 0 {
			t.Fatalf("not valid: %v", p)
		}
		once := marshal(t, ep)
		Apply(ep, Lines(lines), entries)
		if twice := marshal(t, ep); !bytes.Equal(once, twice) {
			t.Fatalf("a second time changes it:\n%s\n%s", once, twice)
		}
	})
}
