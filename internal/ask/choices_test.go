package ask

import (
	"context"
	"testing"

	"episodes/episode"
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
