package memory

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
)

// apply does on holders what a writer does on disk.
func apply(held map[string]Holder, logs []Log) map[string]string {
	var all []Holder
	for _, h := range held {
		all = append(all, h)
	}
	names, moves := NewNames(all).Assign(logs)
	for _, mv := range moves {
		if h, ok := held[mv.From]; ok {
			delete(held, mv.From)
			if _, taken := held[mv.To]; !taken {
				h.ID = mv.To
				held[mv.To] = h
			}
		}
	}
	ids := map[string]string{}
	for i, l := range logs {
		ids[l.Place] = names[i].ID
		if !names[i].Copy {
			held[names[i].ID] = Holder{ID: names[i].ID, Stem: l.Session, Place: l.Place, SHA256: l.SHA256}
		}
	}
	return ids
}

// holding says which log content each id holds.
func holding(held map[string]Holder) map[string]string {
	out := map[string]string{}
	for id, h := range held {
		out[id] = h.Place + "@" + h.SHA256
	}
	return out
}

// Different logs with one file name must get the same ids whatever the order,
// and however they are spread over runs.
func TestNamesDoNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "logs")
		logs := make([]Log, n)
		for i := range logs {
			logs[i] = Log{
				Session: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "session"),
				Place:   fmt.Sprintf("dir%d/x.md", i),
				SHA256:  fmt.Sprintf("content%d", i),
			}
		}
		want := map[string]Holder{}
		apply(want, logs)

		got := map[string]Holder{}
		shuffled := rapid.Permutation(logs).Draw(t, "order")
		for len(shuffled) > 0 {
			k := rapid.IntRange(1, len(shuffled)).Draw(t, "run")
			apply(got, shuffled[:k])
			if rapid.Bool().Draw(t, "again") {
				apply(got, shuffled[:k]) // a second run over the same logs changes nothing
			}
			shuffled = shuffled[k:]
		}
		if fmt.Sprint(holding(got)) != fmt.Sprint(holding(want)) {
			t.Fatalf("got  %v\nwant %v", holding(got), holding(want))
		}
		if len(got) != n {
			t.Fatalf("%d logs, %d episodes: %v", n, len(got), holding(got))
		}
	})
}

// No log that was ever read may vanish because another one has its name, also
// when logs change, are copied, or their places are not known (a fresh clone).
func TestNamesNeverLoseALog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		held := map[string]Holder{}
		latest := map[string]string{} // place → content
		for range rapid.IntRange(1, 8).Draw(t, "runs") {
			var logs []Log
			for p := range 4 {
				if rapid.Bool().Draw(t, "in this run") {
					l := Log{Session: "s", Place: fmt.Sprintf("p%d", p), SHA256: fmt.Sprintf("c%d", rapid.IntRange(0, 3).Draw(t, "content"))}
					logs = append(logs, l)
				}
			}
			logs = rapid.Permutation(logs).Draw(t, "order")
			ids := apply(held, logs)
			for _, l := range logs {
				latest[l.Place] = l.SHA256
				h, ok := held[ids[l.Place]]
				if !ok || h.SHA256 != l.SHA256 {
					t.Fatalf("log %v stands under %q, which holds %v", l, ids[l.Place], h)
				}
			}
			if rapid.Bool().Draw(t, "index lost") {
				for id, h := range held {
					h.Place = ""
					held[id] = h
				}
			}
		}
	})
}

func TestNames(t *testing.T) {
	plain := "episode-s"
	own := func(place string) string { return episode.IDFromSession(episode.Qualified("s", place)) }
	at := func(place, sha string) Log { return Log{Session: "s", Place: place, SHA256: sha} }
	tests := []struct {
		name     string
		existing []Holder
		logs     []Log
		want     []Name
		moves    []Move
	}{
		{"first of its name", nil, []Log{at("a", "1")}, []Name{{ID: plain}}, nil},
		{"grown at its place", []Holder{{plain, "s", "a", "1", false}}, []Log{at("a", "2")}, []Name{{ID: plain}}, nil},
		{"copy elsewhere is the same log", []Holder{{plain, "s", "a", "1", false}}, []Log{at("b", "1")}, []Name{{plain, true}}, nil},
		{"moved away, not changed", []Holder{{plain, "s", "a", "1", true}}, []Log{at("b", "1")}, []Name{{ID: plain}}, nil},
		{"second of its name", []Holder{{plain, "s", "a", "1", false}}, []Log{at("b", "2")}, []Name{{ID: own("b")}}, []Move{{plain, own("a")}}},
		{"log unknown here, other content", []Holder{{plain, "s", "", "1", false}}, []Log{at("b", "2")}, []Name{{ID: own("b")}}, nil},
		{"log unknown here, found in hand", []Holder{{plain, "s", "", "1", false}}, []Log{at("b", "2"), at("a", "1")},
			[]Name{{ID: own("b")}, {ID: own("a")}}, []Move{{plain, own("a")}}},
		{"unreadable episode is taken for this log's", []Holder{{plain, "s", "", "", false}}, []Log{at("a", "1")}, []Name{{ID: plain}}, nil},
		{"a rename that was killed half way", []Holder{{plain, "s", "a", "1", false}, {own("a"), "s", "a", "1", false}}, []Log{at("a", "1")},
			[]Name{{ID: own("a")}}, []Move{{plain, own("a")}}},
		{"third of its name", []Holder{{own("a"), "s", "a", "1", false}, {own("b"), "s", "b", "2", false}}, []Log{at("c", "3")}, []Name{{ID: own("c")}}, nil},
		{"copy of a qualified one", []Holder{{own("a"), "s", "a", "1", false}, {own("b"), "s", "b", "2", false}}, []Log{at("c", "2")}, []Name{{own("b"), true}}, nil},
		{"a log really named like a qualified one is no sibling", []Holder{{"episode-s-0123abcd", "s-0123abcd", "x", "1", false}}, []Log{at("a", "2")}, []Name{{ID: plain}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			names, moves := NewNames(tt.existing).Assign(tt.logs)
			if fmt.Sprint(names) != fmt.Sprint(tt.want) || fmt.Sprint(moves) != fmt.Sprint(tt.moves) {
				t.Errorf("got  %v, moves %v\nwant %v, moves %v", names, moves, tt.want, tt.moves)
			}
		})
	}
}
