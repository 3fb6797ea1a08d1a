package ask

import (
	"context"
	"strings"
	"testing"

	"episodes/episode"
)

func TestSimilar(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 6)
	again := uploads(1)
	again.ID = episode.IDFromSession("copy")
	write(t, m, again) // counts once
	writePrivate(t, m, uploads(7))
	for _, c := range []struct {
		words string
		limit int
		found int
		more  int
	}{
		{"What to do about failing uploads?", 0, 2, 0}, // one for each option, the newest
		{"What to do about failing uploads?", 1, 1, 1},
		{"failing uploads", 0, 2, 1},
		{"zebras in the enclosure", 0, 0, 0},
	} {
		a, err := m.Similar(ctx, SimilarRequest{Context: c.words, Limit: c.limit})
		if err != nil || len(a.Decisions) != c.found || a.More != c.more || a.Empty() != (c.found == 0) {
			t.Errorf("%q: %d decisions and %d more, %v", c.words, len(a.Decisions), a.More, err)
			continue
		}
		for _, d := range a.Decisions {
			if d.Private != (d.Episode == uploads(7).ID) || d.Project != "" {
				t.Errorf("%q: %+v", c.words, d)
			}
		}
		if text := a.Text(60); len(text) > 240 {
			t.Errorf("%q: %d bytes in a budget of 240", c.words, len(text))
		}
	}
	refuses(t, "no words", SimilarRequest{Context: "\n"}.Check(), "context")
	_, err := m.Similar(ctx, SimilarRequest{})
	refuses(t, "no words", err, "context")
	var notes []string
	m.Note = func(text string) { notes = append(notes, text) }
	if _, err := m.Similar(ctx, SimilarRequest{Context: "zebras"}); err != nil || len(notes) != 1 || !strings.Contains(notes[0], "zebras") {
		t.Errorf("%q, %v", notes, err)
	}
}
