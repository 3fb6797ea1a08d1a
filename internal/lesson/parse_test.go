package lesson

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"episodes/episode"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	no := false
	for text, want := range map[string]Entry{
		`{"session":"s","kind":"trap","say":"x","when":"w","lines":"3-5,8","extra":[1]}`: {Session: "s", Lesson: &Lesson{Kind: Trap, Say: "x", When: episode.Phrasings{"w"}, Lines: Lines{{3, 5}, {8, 8}}}},
		`{"log":"a.md","id":7,"kind":"fix","say":"x","when":["v",""," "],"outcome":"","was":null,"lines":[3,5],"proof":[[1,2],[4,4]]}`: {Log: "a.md",
			Lesson: &Lesson{ID: "7", Kind: Fix, Say: "x", When: episode.Phrasings{"v"}, Lines: Lines{{3, 5}}, Proof: Lines{{1, 2}, {4, 4}}}},
		`{"kind":"fix","say":"x","outcome":"held","lines":["L3-L5",9],"id":"a b"}`:  {Lesson: &Lesson{ID: "a b", Kind: Fix, Say: "x", Outcome: Held, Lines: Lines{{3, 5}, {9, 9}}}},
		`{"kind":"open","say":"x","lines":12,"again":"","link":null}`:               {Lesson: &Lesson{Kind: Open, Say: "x", Lines: Lines{{12, 12}}}},
		`{"again":3,"what":"met","say":"y","stated":false}`:                         {Again: &Again{Of: "3", What: "met", Say: "y", Stated: &no}},
		`{"link":"causes","from":"a","to":4,"lines":"1–2"}`:                         {Link: &Link{Type: "causes", From: "a", To: "4", Lines: Lines{{1, 2}}}},
		`{"outcome":"success","lines":[[9,9]]}`:                                     {Outcome: &Outcome{Outcome: episode.Success, Lines: Lines{{9, 9}}}},
		`{"drop":"l1","why":"twice"}`:                                               {Drop: &Drop{ID: "l1", Why: "twice"}},
		`{"correct":"l1","kind":"trap","say":"z","outcome":"unknown","wrong":true}`: {Correct: &Correct{Of: "l1", Wrong: true, Lesson: Lesson{Kind: Trap, Say: "z", Outcome: Unknown}}},
		`{"forgotten":"l1"}`: {Forgotten: &Forgotten{ID: "l1"}},
	} {
		want.Line = 2
		got, refused := Parse("```json\n" + text + "\n\n```\n")
		if len(refused) > 0 || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("%s: %+v %v", text, got, refused)
		}
	}
}

// A line that is no entry is named, with what is wrong about it.
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`say something`:                              "Line 1: invalid character",
		`{"say":"x"}`:                                "a line has one of kind",
		`{"say":"x","outcome":"held"}`:               "a line has one of kind",
		`{"lines":[1,2]}`:                            "a line has one of kind",
		`{"kind":"fix","say":"x","again":"l1"}`:      "a line has one of kind",
		`{"link":"causes","drop":"l1"}`:              "a line has one of kind",
		`{"kind":"fix","say":["x"]}`:                 "say",
		`{"kind":"fix","say":"x","lines":"line 3"}`:  "lines are pairs",
		`{"kind":"fix","say":"x","lines":[[3.5,4]]}`: "lines are pairs",
		`{"kind":"fix","say":"x","lines":{"a":1}}`:   "lines are pairs",
		`{"kind":"fix","say":"x","when":[1]}`:        "when is a list of texts",
		`["kind"]`:                                   "cannot unmarshal array",
		`{"session":4,"kind":"fix","say":"x"}`:       "ession",
	} {
		got, refused := Parse(text + "\n" + `{"kind":"trap","say":"x"}`)
		if len(got) != 1 || len(refused) != 1 || refused[0].Entry.Line != 1 || refused[0].Code != BadForm || !strings.Contains(refused[0].Text, want) {
			t.Errorf("%s: %+v %+v", text, got, refused)
		}
	}
}

var words = rapid.StringMatching(`[a-zé一 "\\<&.,-]{1,30}[a-z]`)

// entry draws an entry of any kind.
func entry(t *rapid.T) Entry {
	refs := rapid.Custom(func(t *rapid.T) Ref { return Ref(rapid.StringMatching(`[a-z#-]{1,9}`).Draw(t, "ref")) })
	lines := rapid.Custom(func(t *rapid.T) Lines {
		var out Lines
		for range rapid.IntRange(0, 3).Draw(t, "ranges") {
			a := rapid.IntRange(1, 9999).Draw(t, "from")
			out = append(out, episode.Span{a, a + rapid.IntRange(0, 99).Draw(t, "more")})
		}
		return out
	})
	lesson := func() Lesson {
		l := Lesson{ID: refs.Draw(t, "id"), Kind: rapid.SampledFrom([]Kind{Fix, Choice, Rule, Trap, Open}).Draw(t, "kind"), Say: words.Draw(t, "say"),
			Because: rapid.SampledFrom([]string{"", "so it is"}).Draw(t, "because"), Lines: lines.Draw(t, "lines"), Proof: lines.Draw(t, "proof"),
			Outcome: rapid.SampledFrom([]Ending{"", Held, Failed, Unknown}).Draw(t, "outcome")}
		for range rapid.IntRange(0, 3).Draw(t, "phrasings") {
			l.When = append(l.When, words.Draw(t, "when"))
		}
		return l
	}
	e := Entry{Line: 1}
	stated := rapid.Custom(func(t *rapid.T) *bool { return rapid.SampledFrom([]*bool{nil, new(bool)}).Draw(t, "is") })
	switch rapid.IntRange(0, 6).Draw(t, "form") {
	case 0:
		l := lesson()
		e.Lesson = &l
	case 1:
		e.Again = &Again{Of: refs.Draw(t, "of"), What: "met", Remedy: words.Draw(t, "remedy"), Lines: lines.Draw(t, "lines"), Stated: stated.Draw(t, "stated")}
	case 2:
		e.Link = &Link{Type: "causes", From: refs.Draw(t, "from"), To: refs.Draw(t, "to"), Lines: lines.Draw(t, "lines"), Stated: stated.Draw(t, "stated")}
	case 3:
		e.Outcome = &Outcome{Outcome: episode.Partial, Lines: lines.Draw(t, "lines")}
	case 4:
		e.Drop = &Drop{ID: refs.Draw(t, "id"), Why: words.Draw(t, "why")}
	case 5:
		e.Correct = &Correct{Of: refs.Draw(t, "of"), Lesson: lesson(), Wrong: rapid.Bool().Draw(t, "wrong")}
	default:
		e.Forgotten = &Forgotten{ID: refs.Draw(t, "id")}
	}
	return e
}

// What is written is read back.
func TestMarshal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := entry(t)
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		got, refused := Parse(string(b))
		if len(refused) > 0 || len(got) != 1 || !reflect.DeepEqual(got[0], e) {
			t.Fatalf("%s: %+v %+v", b, got, refused)
		}
	})
	if _, err := json.Marshal(Entry{}); err == nil {
		t.Error("an entry of no kind is written")
	}
}

// No text makes it fail, and what it reads can be written and is the same then.
func FuzzParse(f *testing.F) {
	for _, s := range truths {
		f.Add(s)
	}
	f.Add(`{"again":3,"what":"met","lines":[[1,2],"4-5"]}` + "\n" + `{"link":"causes","from":{"a":1},"to":[]}`)
	f.Add(`{"correct":"l1","say":"\u0000","when":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		entries, _ := Parse(text)
		Check{By: Reader, Log: harbour(), Known: knownThere}.Take(entries)
		for _, e := range entries {
			b, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			again, refused := Parse(string(b))
			if len(refused) > 0 || len(again) != 1 {
				t.Fatalf("%s: %+v", b, refused)
			}
			if b2, _ := json.Marshal(again[0]); string(b2) != string(b) {
				t.Fatalf("%s, then %s", b, b2)
			}
		}
	})
}
