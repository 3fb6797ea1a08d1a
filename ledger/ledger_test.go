package ledger

import (
	"bytes"
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
			Kind: []string{KindError, "action"}[r.IntN(2)], Session: SessionKey(fmt.Sprint(r.IntN(6))), Key: FailureKey(fmt.Sprint(r.IntN(3))), Held: r.IntN(5) == 0}
		for range 1 + r.IntN(3) {
			first := r.IntN(40)
			t.Facts = append(t.Facts, Fact{Place{fmt.Sprint("episode-", r.IntN(3)), [2]int{first, first + r.IntN(4)}}, []string{hash(fmt.Sprint(r.IntN(4)))}})
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
	for range r.IntN(20) {
		l.Meet(Met{SessionKey(fmt.Sprint(r.IntN(8))), fmt.Sprint("episode-", r.IntN(4)), FailureKey(fmt.Sprint(r.IntN(3))), day.Add(time.Duration(r.IntN(20*24)) * time.Hour), 1 + r.IntN(3)})
	}
	return l
}

// The lines of a ledger make the same ledger in any order, twice, in any parts, and torn ones
// are passed over: hooks write at once, and are killed.
func TestLinesInAnyOrder(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(1, seed))
		want := drawn(r).Bytes()
		lines := slices.Collect(bytes.Lines(want))
		lines = append(lines, lines[:r.IntN(len(lines))]...)
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		got := New()
		for len(lines) > 0 {
			n := 1 + r.IntN(len(lines))
			part := bytes.Join(lines[:n], []byte("\n"))
			if cut := lines[r.IntN(n)]; r.IntN(2) == 0 {
				part = slices.Concat(part, cut[:r.IntN(len(cut)-2)], []byte("\n"), []byte(`{"v":99,"told":{"id":"of another version","facts":[{}]}}`))
			}
			got.Read(part)
			lines = lines[n:]
		}
		if d := cmp.Diff(string(want), string(got.Bytes())); d != "" {
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
		figures := []Figures{rep.All}
		for i, f := range rep.Facts {
			figures = append(figures, f.Figures)
			for _, o := range rep.Facts[:i] {
				if f.overlaps(o.Place) {
					t.Errorf("seed %d: %v and %v are one fact", seed, f.Place, o.Place)
				}
			}
		}
		for _, f := range figures {
			for _, r := range []Rate{f.Followed, f.Back, f.Ignored, f.Control, f.BackHere, f.ControlHere} {
				if r.Count > r.Of {
					t.Errorf("seed %d: %+v", seed, f)
				}
			}
			if f.Followed.Of > f.Given || f.Back.Of > f.Followed.Count || f.BackHere.Of != f.Back.Of || f.BackHere.Count > f.Back.Count || f.Early > f.Back.Of-f.Back.Count {
				t.Errorf("seed %d: %+v", seed, f)
			}
		}
	}
}

// The oldest go, with what followed them.
func TestBound(t *testing.T) {
	l := drawn(rand.New(rand.NewPCG(4, 1)))
	all := l.Deliveries()
	l.bound(3, 2)
	if d := cmp.Diff(all[len(all)-3:], l.Deliveries()); d != "" {
		t.Errorf("not the newest are left:\n%s", d)
	}
	if len(l.met) != 2 || len(l.after) > 3 {
		t.Errorf("left: %d met, %d after", len(l.met), len(l.after))
	}
}

// Nothing of an episode is left once it is forgotten: neither what was told of it, nor what
// happened in its session.
func TestForget(t *testing.T) {
	for seed := range uint64(100) {
		l := drawn(rand.New(rand.NewPCG(5, seed)))
		gone := SessionKey("2")
		l.Forget([]string{"episode-1"}, []string{gone})
		if data := l.Bytes(); bytes.Contains(data, []byte(`"episode-1"`)) || bytes.Contains(data, []byte(gone)) {
			t.Fatalf("seed %d: %s", seed, data)
		}
		for _, told := range l.Deliveries() {
			if a, ok := l.after[told.ID]; ok && len(a.Followed) != len(told.Facts) {
				t.Errorf("seed %d: %d facts, of which %d are known", seed, len(told.Facts), len(a.Followed))
			}
		}
	}
}

// told adds a telling of a failure, at an hour of the first day, and what followed.
func told(l *Ledger, session, key string, hour int, held bool, did Followed, back bool) {
	t := Delivery{Time: day.Add(time.Duration(hour) * time.Hour), Agent: "claude", Kind: KindError, Session: session, Key: key, Held: held,
		Facts: []Fact{{Place{"e", [2]int{3, 5}}, []string{"n"}}}}.Named()
	l.Deliver(t)
	l.Follow(After{t.ID, []Followed{did}, back})
}

func met(l *Ledger, session, key string, hour, times int) {
	l.Meet(Met{session, "e-" + session, key, day.Add(time.Duration(hour) * time.Hour), times})
}

func TestReport(t *testing.T) {
	const week = 7 * 24
	for _, c := range []struct {
		name string
		make func(l *Ledger)
		want Figures
	}{
		{"followed, and never seen again", func(l *Ledger) { told(l, "s", "k", 0, false, Did, false) }, Figures{Given: 1, Followed: Rate{1, 1}, Back: Rate{0, 1}, BackHere: Rate{0, 1}}},
		{"not known", func(l *Ledger) { told(l, "s", "k", 0, false, NotKnown, false) }, Figures{Given: 1}},
		{"not followed, and back", func(l *Ledger) { told(l, "s", "k", 0, false, Ignored, true) }, Figures{Given: 1, Followed: Rate{0, 1}, Ignored: Rate{1, 1}}},
		{"back in another session", func(l *Ledger) {
			told(l, "s", "k", 0, false, Did, false)
			met(l, "o", "k", week, 1)
		}, Figures{Given: 1, Followed: Rate{1, 1}, Back: Rate{1, 1}, BackHere: Rate{0, 1}, Control: Rate{0, 1}, ControlHere: Rate{0, 1}}},
		{"later than it is watched", func(l *Ledger) {
			told(l, "s", "k", 0, false, Did, false)
			met(l, "o", "k", week+1, 2)
		}, Figures{Given: 1, Followed: Rate{1, 1}, Back: Rate{0, 1}, BackHere: Rate{0, 1}, Control: Rate{1, 1}, ControlHere: Rate{1, 1}}},
		{"the session that was told first is no return of those before", func(l *Ledger) {
			met(l, "before", "k", 0, 1)
			met(l, "s", "k", 1, 1)
			told(l, "s", "k", 1, false, Did, false)
		}, Figures{Given: 1, Followed: Rate{1, 1}, Back: Rate{0, 1}, BackHere: Rate{0, 1}, Control: Rate{0, 1}, ControlHere: Rate{0, 1}}},
		{"one that was told later is", func(l *Ledger) {
			met(l, "before", "k", 0, 1)
			told(l, "s", "k", 1, false, Did, false)
			told(l, "t", "k", 2, false, Did, false)
			met(l, "t", "k", 2, 1)
		}, Figures{Given: 2, Followed: Rate{2, 2}, Back: Rate{1, 2}, BackHere: Rate{0, 2}, Control: Rate{1, 1}, ControlHere: Rate{0, 1}}},
		{"held back is untold", func(l *Ledger) {
			told(l, "s", "k", 0, true, Ignored, true)
			met(l, "s", "k", 0, 2)
		}, Figures{Held: 1, Control: Rate{1, 1}, ControlHere: Rate{1, 1}}},
		{"other failures are no control", func(l *Ledger) {
			told(l, "s", "k", 0, false, Did, false)
			met(l, "o", "other", 0, 2)
		}, Figures{Given: 1, Followed: Rate{1, 1}, Back: Rate{0, 1}, BackHere: Rate{0, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := New()
			c.make(l)
			if d := cmp.Diff(c.want, l.Report(day.Add(60*24*time.Hour)).All); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	l := New()
	told(l, "s", "k", 0, false, Did, false)
	if f := l.Report(day.Add(time.Hour)).All; f.Early != 1 {
		t.Errorf("watched for an hour, and %d are early", f.Early)
	}
}
