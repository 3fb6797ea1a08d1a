package ask

import (
	"context"
	"fmt"
	"testing"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

// The counts of each way are those of the episodes, which are listed; the more, the narrower the interval.
func TestChoicesAgreeWithEpisodes(t *testing.T) {
	ctx := context.Background()
	width := map[string]float64{}
	for _, n := range []int{6, 30} {
		m := memoryOf(t, n)
		writePrivate(t, m, uploads(n), uploads(n+1))
		want := map[string]map[episode.Outcome]int{}
		for i := range n {
			d := uploads(i).Decisions[0]
			if want[d.Chosen] == nil {
				want[d.Chosen] = map[episode.Outcome]int{}
			}
			want[d.Chosen][d.Outcome]++
		}
		a, err := opened(t, Options{Location: m.Location, Shared: true}).Choices(ctx, ChoicesRequest{})
		if err != nil || len(a.Questions) != 1 {
			t.Fatalf("%+v, %v", a, err)
		}
		q := a.Questions[0]
		if q.Text != uploads(0).Decisions[0].Context || q.Sessions != n || len(q.Options) != len(want) {
			t.Errorf("%+v", q)
		}
		for _, o := range q.Options {
			of := want[o.Option]
			if o.N != of[episode.Success]+of[episode.Failure] || o.Successes != of[episode.Success] || o.Failures != of[episode.Failure] || o.Unknown+o.Partial != 0 {
				t.Errorf("%+v, want %v", o.OptionStats, of)
			}
			if share := float64(o.Successes) / float64(o.N); o.Estimate == nil || o.Low > share || share > o.High || o.Low > *o.Estimate || *o.Estimate > o.High {
				t.Errorf("%+v: the interval is without the rate", o.OptionStats)
			}
			if before, ok := width[o.Option]; ok && o.High-o.Low >= before {
				t.Errorf("%+v: as wide as with fewer sessions, %f", o.OptionStats, before)
			}
			width[o.Option] = o.High - o.Low
			if len(o.Uses) != min(o.N, 8) {
				t.Errorf("%d of %d uses", len(o.Uses), o.N)
			}
			for i, u := range o.Uses {
				ep, err := m.Load(u.Episode)
				if err != nil || ep.Decision(u.Decision).Chosen != o.Option || ep.Outcome != u.Outcome || m.isPrivate(u.Episode) ||
					i > 0 && u.Episode > o.Uses[i-1].Episode {
					t.Errorf("%+v, %v", u, err)
				}
			}
		}
	}
}

// Questions of most sessions come first, page by page; what one session alone decided is no such question.
func TestQuestions(t *testing.T) {
	m := newMemory(t)
	for i, asked := range [][]string{{"Which pump?", "Which valve?"}, {"Which pump?", "Which tank?"}, {"Which pump?", "Which valve?"}} {
		b := querytest.Build(fmt.Sprint("session-", i), []episode.Outcome{episode.Success, episode.Unknown}[i%2]).Task(fmt.Sprint("Work ", i), fmt.Sprintf("2026-02-%02d", i+1))
		for _, question := range asked {
			b.Decide(question, []string{"Buy one", "Build it at home"}[i%2], []episode.Outcome{episode.Success, episode.Unknown}[i%2], "nothing of the kind")
		}
		write(t, m, b.Done())
	}
	s := opened(t, m.Options)
	var got []query.Question
	for skip := new(int); skip != nil; {
		a, err := s.Choices(context.Background(), ChoicesRequest{Skip: *skip, Limit: 1})
		if err != nil || a.Total != 2 || len(a.Questions) != 1 {
			t.Fatalf("%+v, %v", a, err)
		}
		got, skip = append(got, a.Questions...), a.Next
	}
	if len(got) != 2 || got[0].Text != "Which pump?" || got[0].Sessions != 3 || got[1].Text != "Which valve?" || got[1].Sessions != 2 || got[1].Last != "2026-02-03" {
		t.Fatalf("%+v", got)
	}
	// Without a known outcome there is no rate; what nobody took comes last.
	options := got[0].Options
	if len(options) != 3 || options[0].Known() != 2 || options[1].Estimate != nil || options[1].Unknown != 1 || options[2].N != 0 || len(options[2].Uses) != 0 {
		t.Errorf("%+v", options)
	}
	if a, err := s.Choices(context.Background(), ChoicesRequest{Skip: 7}); err != nil || len(a.Questions) != 0 || a.Next != nil || a.Total != 2 {
		t.Errorf("%+v, %v", a, err)
	}
}
