package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
)

func TestEpisode(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 3)
	writePrivate(t, m, uploads(5))
	spaced := uploads(4)
	spaced.Session = episode.SessionFromPath("docs/my plan.md")
	spaced.ID = episode.IDFromSession(spaced.Session)
	write(t, m, spaced)
	if a, err := m.Episode(ctx, EpisodeRequest{Ref: "docs/my plan.md:12"}); err != nil || a.Episode.ID != spaced.ID {
		t.Errorf("%+v, %v", a, err)
	}
	for i, path := range []string{"api/plan.md", "web/plan.md"} { // two logs of one name
		ep := uploads(6 + i)
		ep.ID, ep.Provenance.Source.Path = fmt.Sprintf("episode-plan-%d", i), path
		ep.Session = strings.TrimPrefix(ep.ID, "episode-")
		write(t, m, ep)
	}
	for path, id := range map[string]string{"api/plan.md:3": "episode-plan-0", "web/plan.md:3": "episode-plan-1"} {
		if a, err := m.Episode(ctx, EpisodeRequest{Ref: path}); err != nil || a.Episode.ID != id {
			t.Errorf("%s: %+v, %v", path, a, err)
		}
	}
	if _, err := m.Episode(ctx, EpisodeRequest{Ref: "plan.md:3"}); !errors.As(err, new(*AmbiguousError)) {
		t.Errorf("of several folders: %v", err)
	}
	for _, i := range []int{2, 5} {
		want := uploads(i)
		for _, ref := range []string{want.ID, want.Session, want.Session + ".md", "docs/" + want.Session + ".md:12, 14-16"} {
			a, err := m.Episode(ctx, EpisodeRequest{Ref: ref})
			if err != nil || a.Private != (i == 5) || a.Empty() {
				t.Fatalf("%s: %+v, %v", ref, a, err)
			}
			if diff := cmp.Diff(want.Decisions, a.Episode.Decisions); diff != "" {
				t.Error(diff)
			}
			data, err := json.Marshal(a)
			var back struct {
				ID      string
				Private bool
			}
			if err := errors.Join(err, json.Unmarshal(data, &back)); err != nil || back.ID != want.ID || back.Private != a.Private {
				t.Errorf("%s: %s, %v", ref, data, err)
			}
			if text := a.Text(0); !strings.Contains(text, "Uploads fail") || strings.Contains(text, "private") != a.Private {
				t.Errorf("%s: %s", ref, text)
			}
		}
		list, err := m.Decisions(ctx, EpisodeRequest{Ref: want.ID})
		if err != nil || len(list.Decisions) != 2 || list.Empty() || !strings.Contains(list.Text(0), want.Decisions[0].Chosen) {
			t.Errorf("%+v, %v", list, err)
		}
	}
	var none *NoEpisodeError
	if _, err := m.Episode(ctx, EpisodeRequest{Ref: "2026-04-01-session-00"}); !errors.As(err, new(*AmbiguousError)) {
		t.Errorf("a prefix of several: %v", err)
	}
	if _, err := m.Decisions(ctx, EpisodeRequest{Ref: "2026-04-01-session-009"}); !errors.As(err, &none) || len(none.Near) == 0 || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that is not there: %v", err)
	}
}

func TestRecord(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 1)
	ep := uploads(0)
	for _, c := range []struct {
		record string
		is     func(*RecordAnswer) bool
		text   string
	}{
		{"d001", func(a *RecordAnswer) bool { return a.Decision != nil && len(a.Decision.Options) == 2 && a.Lines != nil }, "busy timeout"},
		{"e001", func(a *RecordAnswer) bool { return a.Event != nil && a.Event.Type == episode.Error }, "database is locked"},
		{"l001", func(a *RecordAnswer) bool { return strings.HasPrefix(a.Lesson, "With a busy timeout") }, "wait their turn"},
		{"e001>d001", func(a *RecordAnswer) bool { return a.Link != nil && a.Link.Type == episode.Causes }, "database is locked"},
	} {
		r, ok := RecordRequestOf(ep.ID + "#" + c.record)
		if !ok || r.Ref != ep.ID || r.Record != c.record {
			t.Errorf("%+v", r)
		}
		a, err := m.Record(ctx, r)
		if err != nil || !c.is(a) || a.Episode != ep.ID || a.Private || a.Empty() || !strings.Contains(a.Text(0), c.text) {
			t.Errorf("%s: %+v, %v", c.record, a, err)
		}
	}
	for _, record := range []string{"d099", "e099", "l002", "d001>e001", ""} {
		if _, err := m.Record(ctx, RecordRequest{Ref: ep.ID, Record: record}); !errors.Is(err, ErrNoRecord) {
			t.Errorf("%q: %v", record, err)
		}
	}
	if _, ok := RecordRequestOf(ep.ID); ok {
		t.Error("an episode is taken for a record")
	}
}

// What may be typed is completed to what there is.
func TestCompletions(t *testing.T) {
	m := memoryOf(t, 11)
	for prefix, want := range map[string]int{"": 11, "episode-2026": 11, "2026-04-01-session-00": 10, "2026-04-01-session-010": 1, "zebra": 0} {
		ids, err := m.IDs(prefix)
		if err != nil || len(ids) != want || !slices.IsSorted(ids) {
			t.Errorf("%q: %v, %v", prefix, ids, err)
		}
		for _, id := range ids {
			if !strings.HasPrefix(id, prefix) {
				t.Errorf("%q does not begin with %q", id, prefix)
			}
		}
	}
	id := uploads(0).ID
	for prefix, want := range map[string][]string{"": {"d001", "d002", "e001", "e002", "l001"}, "d": {"d001", "d002"}, "x": nil} {
		for i := range want {
			want[i] = id + "#" + want[i]
		}
		if diff := cmp.Diff(want, m.Records(RecordRequest{Ref: id, Record: prefix})); diff != "" {
			t.Errorf("%q: %s", prefix, diff)
		}
	}
	if refs := m.Records(RecordRequest{Ref: "none"}); refs != nil {
		t.Errorf("%v", refs)
	}
}
