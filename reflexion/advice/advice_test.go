package advice

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/keys"
	"episodes/reflexion"
)

func sample() *querytest.Graph {
	ep := func(session, option string, o episode.Outcome) *episode.Episode {
		began := "2026-01-02"
		if session == "c" {
			began = "2026-02-01"
		}
		return querytest.Build(session, o).Task("prices", began).Event(episode.Error, "TypeError: prices is not iterable").
			Decide("How to read prices?", option, o).Link("e001", "d001", episode.Causes).Done()
	}
	return querytest.New(ep("a", "check that prices is a list", episode.Success), ep("b", "check that prices is a list", episode.Success),
		ep("c", "cast it", episode.Failure), ep("d", "cast it", episode.Unknown))
}

// Advice is about the exact error, with counts, including what never worked.
func TestAbout(t *testing.T) {
	errors := []reflexion.Problem{{Type: reflexion.RuntimeError, Message: "TypeError: prices is not iterable\n    at total", File: "cart.js", Line: 3}, {Type: reflexion.TestFailure, Message: "never seen before"}}
	got, err := About(sample(), sample(), errors, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []reflexion.Known{{About: "runtime_error: TypeError: prices is not iterable … at cart.js:3", Error: reflexion.SignatureOf(errors[0]),
		Text:     `seen here before (4 sessions, 2 days); of what was done then, "check that prices is a list" ended well in 2 of 2 (2 sessions, 1 day); "cast it" did not end well in any of 1 (1 session, 1 day)`,
		Step:     `"check that prices is a list" ended well in 2 of 2 (2 sessions, 1 day)`,
		Episodes: []string{"episode-a", "episode-b", "episode-c"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err := About(sample(), nil, []reflexion.Problem{{Message: "prices are not what I thought"}}, "", nil); err != nil || len(got) != 0 {
		t.Errorf("words alone: %+v, %v", got, err)
	}
}

// Edits that loops measured are one when they left the same, in whatever file and instead of
// whatever; what failed in this loop is no advice any more.
func TestEdits(t *testing.T) {
	ep := func(session, chosen string, o episode.Outcome) *episode.Episode {
		return querytest.Build(session, o).Event(episode.Error, "TypeError: prices is not iterable").Decide("How to mend: prices is not iterable", chosen, o).Link("e001", "d001", episode.Causes).Done()
	}
	g := querytest.New(ep("a", `changed a/cart.js:3 from "x = 1" to "x = [1]"; changed b.js:1 from "1" to "2"`, episode.Success), ep("b", `changed cart.js:9 from "x = 7" to "x = [1]"`, episode.Success),
		ep("c", `changed cart.js:9 from "x = 7" to "x = [2]"`, episode.Failure))
	errors := []reflexion.Problem{{Message: "TypeError: prices is not iterable"}}
	got, err := About(g, nil, errors, "", nil)
	if err != nil || len(got) != 1 || !strings.Contains(got[0].Step, "ended well in 2 of 2 (2 sessions)") || !strings.Contains(got[0].Text, `to 'x = [2]'" did not end well in any of 1`) {
		t.Fatalf("%+v, %v", got, err)
	}
	tried := map[string]bool{keys.Option(`changed z.js:1 from "" to "x = [1]"`): true}
	if got, err = About(g, nil, errors, "", tried); err != nil || len(got) != 1 || got[0].Step != "" || strings.Contains(got[0].Text, "[1]") {
		t.Errorf("%+v, %v", got, err)
	}
}
