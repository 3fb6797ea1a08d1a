package ledger

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var day = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// drawn is a ledger of few sessions, failures and facts, so that they meet.
func drawn(r *rand.Rand) *Ledger {
	l := New()
	for i := range 5 + r.IntN(30) {
		t := Delivery{Time: day.Add(time.Duration(r.IntN(20*24)) * time.Hour).Add(time.Duration(i)), Agent: "claude", Event: "PostToolUseFailure",
			Kind: []string{KindError, KindBrief, "command"}[r.IntN(3)], Session: SessionKey(fmt.Sprint(r.IntN(6))), Key: FailureKey(fmt.Sprint(r.IntN(3))), Held: r.IntN(5) == 0}
		for range 1 + r.IntN(3) {
			first := r.IntN(40)
			t.Facts = append(t.Facts, Fact{Place: Place{fmt.Sprint("episode-", r.IntN(3)), [2]int{first, first + r.IntN(4)}}, Names: []string{hash(fmt.Sprint(r.IntN(4)))}})
		}
		t = t.Named()
		l.Deliver(t)
		if r.IntN(4) > 0 {
			a := After{Delivery: t.ID, Back: r.IntN(2) == 0}
			for range t.Facts {
				a.Followed = append(a.Followed, Followed(r.IntN(3)))
			}
			l.Follow(a)
		}
	}
	return l
}

// The lines of a ledger make the same ledger in any order, twice, in any parts, and torn ones
// are passed over: hooks write at once, and are killed.
func TestLinesInAnyOrder(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(1, seed))
		want := encoded(drawn(r).lines())
		lines := slices.DeleteFunc(slices.Collect(bytes.Lines(want)), func(l []byte) bool { return len(l) == 1 })
		lines = append(lines, lines[:r.IntN(len(lines))]...)
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		got := New()
		for len(lines) > 0 {
			n := 1 + r.IntN(len(lines))
			part := bytes.Join(lines[:n], []byte("\n"))
			if cut := lines[r.IntN(n)]; r.IntN(2) == 0 {
				part = slices.Concat(part, cut[:r.IntN(len(cut)-2)], []byte("\n"), []byte(`{"v":99,"told":{"id":"of another version","facts":[{}]}}`+"\n"+`{"v":1,"met":{"s":"a","k":"b","n":1}}`+"\n"+`{"v":1,"summary":{"facts":[]}}`))
			}
			got.read(part, all)
			lines = lines[n:]
		}
		if d := cmp.Diff(string(want), string(encoded(got.lines()))); d != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, d)
		}
	}
}

// No count is of more than there is, and the kinds sum up to all.
func TestCountsFit(t *testing.T) {
	for seed := range uint64(200) {
		l := drawn(rand.New(rand.NewPCG(3, seed)))
		rep := l.Report(day.Add(40 * 24 * time.Hour))
		sum := 0
		for _, k := range rep.Kinds {
			sum += k.Given + k.Held
		}
		if sum != len(l.Deliveries()) || rep.All.Given+rep.All.Held != sum {
			t.Errorf("seed %d: kinds have %d deliveries, of %d", seed, sum, len(l.Deliveries()))
		}
		list := []Figures{rep.All, rep.Week}
		for _, f := range rep.Facts {
			list = append(list, f.Figures)
		}
		for _, f := range list {
			for _, r := range []Rate{f.Followed, f.Back, f.Control} {
				if r.Count > r.Of {
					t.Errorf("seed %d: %+v", seed, f)
				}
			}
			if f.Briefs > f.Given || f.Sessions > f.Given || f.Back.Of > f.Given-f.Briefs || f.Control.Of > f.Held {
				t.Errorf("seed %d: %+v", seed, f)
			}
		}
	}
}

// Nothing of an episode is left once it is forgotten: neither what was told of it, nor what
// happened in its session.
func TestForget(t *testing.T) {
	for seed := range uint64(100) {
		l := drawn(rand.New(rand.NewPCG(5, seed)))
		gone := SessionKey("2")
		before := l.Report(day).Facts
		l.forget([]string{"episode-1"}, []string{gone})
		if data := encoded(l.lines()); bytes.Contains(data, []byte(`"episode-1"`)) || bytes.Contains(data, []byte(gone)) {
			t.Fatalf("seed %d: %s", seed, data)
		}
		for _, f := range l.Report(day).Facts {
			at := slices.IndexFunc(before, func(b FactFigures) bool { return b.Place == f.Place })
			if f.Episode == "episode-1" || at < 0 || f.Given > before[at].Given || f.Followed.Count > before[at].Followed.Count {
				t.Errorf("seed %d: %+v is left of %+v", seed, f, before)
			}
		}
	}
}

// told adds a telling, at an hour of the first day, and what followed.
func told(l *Ledger, kind, session string, hour int, held bool, did Followed, back bool) Delivery {
	t := Delivery{Time: day.Add(time.Duration(hour) * time.Hour), Agent: "claude", Kind: kind, Session: session, Held: held,
		Facts: []Fact{{Place: Place{"e", [2]int{3, 5}}, Names: []string{"n"}}}}
	if kind == KindError {
		t.Key = "k"
	}
	t = t.Named()
	l.Deliver(t)
	l.Follow(After{t.ID, []Followed{did}, back})
	return t
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(l *Ledger)
		want Figures
	}{
		{"followed, and never seen again", func(l *Ledger) { told(l, KindError, "s", 0, false, Did, false) }, Figures{Given: 1, Sessions: 1, Followed: Rate{1, 1}, Back: Rate{0, 1}}},
		{"it is not known whether it was followed", func(l *Ledger) { told(l, KindError, "s", 0, false, NotKnown, true) }, Figures{Given: 1, Sessions: 1, Back: Rate{1, 1}}},
		{"nothing is known", func(l *Ledger) { delete(l.after, told(l, KindError, "s", 0, false, Did, true).ID) }, Figures{Given: 1, Sessions: 1}},
		{"not followed, and back", func(l *Ledger) { told(l, KindError, "s", 0, false, Ignored, true) }, Figures{Given: 1, Sessions: 1, Followed: Rate{0, 1}, Back: Rate{1, 1}}},
		{"only what is about a failure comes back", func(l *Ledger) { told(l, "command", "s", 0, false, Did, true) }, Figures{Given: 1, Sessions: 1, Followed: Rate{1, 1}}},
		{"a brief and a line in one session, a brief in another", func(l *Ledger) {
			told(l, KindBrief, "s", 0, false, Ignored, false)
			told(l, "edit", "s", 1, false, Did, false)
			told(l, KindBrief, "o", 2, false, Did, false)
		}, Figures{Given: 3, Briefs: 2, Sessions: 2, Followed: Rate{2, 3}}},
		{"held back", func(l *Ledger) {
			told(l, KindError, "s", 0, true, Ignored, true)
			told(l, KindError, "o", 0, true, Did, false)
		}, Figures{Held: 2, Control: Rate{1, 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := New()
			c.make(l)
			r := l.Report(day.Add(week))
			if d := cmp.Diff(c.want, r.All); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.want, r.Week); d != "" {
				t.Errorf("of the week (-want +got):\n%s", d)
			}
			if r := l.Report(day.Add(week + 3*time.Hour)); r.Week != (Figures{}) || r.All != c.want {
				t.Errorf("later: %+v", r)
			}
		})
	}
}

// A fact goes silent after five tellings as a single line that are known not to be followed, unless a person demands it. Briefs
// do not count, nor do other facts.
func TestSilent(t *testing.T) {
	at := Place{"e", [2]int{3, 5}}
	for _, c := range []struct {
		name string
		more func(l *Ledger)
		want bool
	}{
		{"four times", func(*Ledger) {}, false},
		{"five times", func(l *Ledger) { told(l, "command", "s", 9, false, Ignored, false) }, true},
		{"the fifth time in a brief", func(l *Ledger) { told(l, KindBrief, "s", 9, false, Ignored, false) }, false},
		{"the fifth time held back", func(l *Ledger) { told(l, "command", "s", 9, true, Ignored, false) }, false},
		{"the fifth time is not known", func(l *Ledger) { told(l, "command", "s", 9, false, NotKnown, false) }, false},
		{"the fifth time it is followed", func(l *Ledger) { told(l, "command", "s", 9, false, Did, false) }, false},
		{"followed in a brief", func(l *Ledger) {
			told(l, "command", "s", 9, false, Ignored, false)
			told(l, KindBrief, "s", 10, false, Did, false)
		}, true},
		{"a person demands it", func(l *Ledger) {
			d := told(l, "command", "s", 9, false, Ignored, false)
			d.Facts[0].Rule = true
		}, false},
	} {
		l := New()
		for i := range 4 {
			told(l, KindError, "s", i, false, Ignored, false)
		}
		c.more(l)
		memory := t.TempDir()
		must(t, add(context.Background(), memory, longWait, l.lines()))
		if Silent(memory, at) != c.want || l.Report(day).Facts[0].Silent != c.want || Silent(memory, Place{"o", at.Lines}) || Silent(memory, Place{"e", [2]int{3, 6}}) {
			t.Errorf("%s: silent is %v", c.name, Silent(memory, at))
		}
	}
}
