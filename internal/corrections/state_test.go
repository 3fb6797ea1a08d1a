package corrections

import (
	"bytes"
	"slices"
	"testing"

	"episodes/episode"
)

func stated(kind Kind, text string) Entry {
	typ := string(episode.Implementation)
	if kind == Lesson {
		typ = string(Lesson)
	}
	return Entry{By: "agent x", Op: State, Record: &Ref{Kind: kind, Type: typ, Text: text}, Time: "2026-01-12T10:00:00Z"}
}

// What an agent states is added without lines, marked as its own, once; no line of the log
// need be there for it.
func TestState(t *testing.T) {
	choice := stated(Decision, "one index")
	choice.Context, choice.Why, choice.Options = "how many indexes?", "it is small", []string{"one index", "an index a shard"}
	entries := []Entry{choice, stated(Lesson, "Locks outlive their process."), {By: "agent x", Op: Put, Record: &Ref{Kind: Decision, Type: choice.Record.Type, Text: "one index"}, Outcome: episode.Failure}}
	ep := sample()
	for range 2 { // what is done is not done again
		if dropped := Apply(ep, nil, entries); len(dropped) > 0 {
			t.Fatal(dropped)
		}
		d := ep.Decision("d002")
		if d == nil || len(ep.Decisions) != 2 || ep.Decisions[1].ID != "d002" || d.Context != choice.Context || d.Rationale != choice.Why || d.Timestamp != choice.Time || d.Key == "" || len(d.OptionKeys) != 2 || d.Outcome != episode.Failure {
			t.Errorf("%+v", d)
		}
		if len(ep.Lessons) != 3 || ep.Provenance.By["l003"] != "agent x" || ep.Provenance.By["d002"] != "agent x" {
			t.Errorf("%q %v", ep.Lessons, ep.Provenance.By)
		}
		if _, ok := ep.Provenance.Spans["d002"]; ok {
			t.Error("it has lines")
		}
		if p := ep.Validate(); len(p) > 0 {
			t.Error(p)
		}
	}
}

// What the log shows, and what a person said, is not overruled by an agent; a person overrules it.
func TestAgentsOverruleNobody(t *testing.T) {
	lines := Split([]byte(log))
	of := ref(t, sample(), lines, "d001")
	if dropped := Apply(sample(), lines, []Entry{{By: AgentMark, Op: Put, Record: of, Outcome: episode.Failure}, {By: AgentMark, Op: SetOutcome, Outcome: episode.Failure}}); len(dropped) != 2 {
		t.Errorf("dropped %v", dropped)
	}
	same := stated(Decision, "chunks")
	same.Why, same.Context = "they can be sent again", "how to send a large file?"
	ep := sample()
	Apply(ep, lines, []Entry{same})
	if d := ep.Decision("d001"); len(ep.Decisions) != 1 || d.Rationale != same.Why || len(d.Options) != 2 || ep.Provenance.By["d001"] != "" {
		t.Errorf("%s", marshal(t, ep))
	}
	ep = sample()
	ep.Outcome, ep.OutcomeSource = episode.Unknown, ""
	agent, person := Entry{By: AgentMark, Op: SetOutcome, Outcome: episode.Success}, Entry{By: Person, Op: SetOutcome, Outcome: episode.Unknown}
	Apply(ep, lines, []Entry{person, agent})
	if dropped := Apply(ep, lines, []Entry{agent}); len(dropped) != 1 || ep.Outcome != episode.Unknown {
		t.Errorf("%v, %s", dropped, ep.Outcome)
	}
}

// A file of statements reads as it was written.
func TestStatedFile(t *testing.T) {
	one := stated(Decision, "one index")
	one.Time, one.Why = "2026-01-13T10:00:00Z", "it is small"
	f := &File{Entries: []Entry{one, {By: AgentMark, Op: Put, Record: one.Record, Outcome: episode.Success}}}
	data, err := encoded(f.Entries)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse(data)
	if err != nil || len(back.Entries) != 2 || !slices.Equal(back.Entries[0].Options, f.Entries[0].Options) || back.Entries[0].Why != one.Why {
		t.Errorf("%v %+v", err, back)
	}
	again, err := encoded(back.Entries)
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("%v\n%s\n%s", err, data, again)
	}
	for _, bad := range []string{`{"by":"agent","op":"state"}`, `{"by":"agent","op":"state","record":{"kind":"event","type":"error","text":"x"}}`,
		`{"by":"agent","op":"state","record":{"kind":"lesson","type":"lesson"}}`, `{"by":"agent","op":"state","record":{"kind":"lesson","type":"lesson","text":"x"},"time":"yesterday"}`} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}
