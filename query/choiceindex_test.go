package query_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/query"
	"episodes/query/querytest"
)

func index(t rapid.TB, r query.Reader) *query.ChoiceIndex {
	t.Helper()
	data, err := query.PackChoices(r, "state")
	if err != nil {
		t.Fatal(err)
	}
	x, ok := query.LoadChoices(data, "state")
	if !ok {
		t.Fatal("what was packed is not loaded")
	}
	return x
}

// An index finds the same decisions as reading them all does.
func TestChoiceIndexAnswersTheSame(t *testing.T) {
	word := rapid.SampledFrom([]string{"lock", "retry", "index", "build", "pin", "cache", "pool", "read-only", "split", "the"})
	phrase := rapid.Custom(func(t *rapid.T) string {
		text := word.Draw(t, "word")
		for range rapid.IntRange(0, 2).Draw(t, "more") {
			text += " " + word.Draw(t, "word")
		}
		return text
	})
	answered := 0
	rapid.Check(t, func(t *rapid.T) {
		var eps []*episode.Episode
		for i := range rapid.IntRange(1, 12).Draw(t, "episodes") {
			b := querytest.Build("2026-01-01-session-"+string(rune('a'+i)), rapid.SampledFrom(episode.Outcomes()).Draw(t, "outcome"))
			for range rapid.IntRange(0, 3).Draw(t, "decisions") {
				question := ""
				if rapid.Bool().Draw(t, "asked") {
					question = phrase.Draw(t, "question") + "?"
				}
				b.Decide(question, phrase.Draw(t, "chosen"), rapid.SampledFrom(episode.Outcomes()).Draw(t, "result"), rapid.SliceOfN(phrase, 0, 2).Draw(t, "rejected")...)
			}
			eps = append(eps, b.Done())
		}
		g := querytest.New(eps...)
		q := query.WhatIfQuery{Option: phrase.Draw(t, "option")}
		if rapid.Bool().Draw(t, "in an episode") {
			q.Episode = rapid.SampledFrom(eps).Draw(t, "episode").ID
		}
		if rapid.Bool().Draw(t, "in a context") {
			q.Context = phrase.Draw(t, "context")
		}
		want, err := query.WhatIf(g, q)
		if err != nil {
			t.Fatal(err)
		}
		q.Choices = index(t, g)
		got, err := query.WhatIf(g, q)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
		if len(got.Matched) > 0 {
			answered++
		}
	})
	if answered == 0 {
		t.Error("no question found a decision")
	}
}

// The bytes are a function of the graph. Of another state, or with any byte wrong,
// they are no index.
func TestChoiceIndexRejectsOtherBytes(t *testing.T) {
	g := querytest.New(querytest.Sample()...)
	data, err := query.PackChoices(g, "state")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := query.PackChoices(g, "state"); err != nil || string(again) != string(data) {
		t.Errorf("packed anew it is %d other bytes, %v", len(again), err)
	}
	if _, ok := query.LoadChoices(data, "another state"); ok {
		t.Error("loaded for another state")
	}
	for i := range data {
		bad := append([]byte{}, data...)
		bad[i] ^= 0x20
		if _, ok := query.LoadChoices(bad, "state"); ok {
			t.Fatalf("loaded with byte %d of %d wrong", i, len(data))
		}
		if _, ok := query.LoadChoices(data[:i], "state"); ok {
			t.Fatalf("loaded with %d of %d bytes", i, len(data))
		}
	}
}

// Whatever the bytes are, they answer or are found to be damaged.
func FuzzLoadChoices(f *testing.F) {
	data, err := query.PackChoices(querytest.New(querytest.Sample()...), "state")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		x, ok := query.LoadChoices(query.Checksummed(data), "state")
		if !ok {
			return
		}
		q := query.WhatIfQuery{Option: "make the check required", Choices: x}
		if _, err := query.WhatIf(querytest.New(), q); err != nil && !errors.Is(err, query.ErrDamaged) {
			t.Error(err)
		}
	})
}
