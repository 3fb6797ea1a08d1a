package extract

import (
	"testing"

	"episodes/episode"
)

func TestStates(t *testing.T) {
	for _, c := range []struct {
		log     string
		state   episode.State
		by      string
		outcome episode.Outcome
	}{
		{"# Remove the old parser\n\n**Status**: Cancelled\n", episode.Cancelled, "", episode.Unknown},
		{"# Cache\n\n**Status**: All planning documents complete\n", episode.Planned, "", episode.Unknown},
		{"---\nstatus: deferred\n---\n# Cache\n", episode.Deferred, "", episode.Unknown},
		{"# Record 4: queues\n\n## Status\n\nSuperseded by record 9 (two queues)\n", episode.Superseded, "record 9 (two queues)", episode.Unknown},
		{"# Record 4: queues\n\n**Superseded by**: record 9\n**Superseded sections**: the table of limits\n", episode.Superseded, "record 9", episode.Unknown},
		{"# Record 4: queues\n\n**Status**: Proposed | Accepted | Superseded\n", "", "", episode.Unknown},
		{"# Importer\n\n**Status**: Complete, the export is deferred\n", "", "", episode.Success},
		{"# Importer\n\n**Status**: not cancelled\n", "", "", episode.Unknown},
		{"# Importer\n\n**Status**: Cancelled\n\n## Tests\n\n- go test: 4 passed, 2 failed\n", episode.Cancelled, "", episode.Failure},
		{"# Importer\n\n**Status**: Ready for kickoff\n\n## Tests\n\n- 40 tests passing\n", episode.Planned, "", episode.Unknown},
		{"# Importer\n\n**Status**: Complete\n**Overall status**: Ready for phase 2\n", "", "", episode.Success},
		{"# Importer\n## Second round of tests\n\n**Status**: Second round of tests in progress\n\n## Checks\n\n- go test: 4 passed\n", "", "", episode.Partial},
	} {
		ep := read(t, Source{Path: "log.md"}, []byte(c.log)).Episode
		if ep.State != c.state || ep.Outcome != c.outcome || c.by != "" && ep.SupersededBy != c.by {
			t.Errorf("%q: state %q by %q, outcome %s; want %q by %q, %s", c.log, ep.State, ep.SupersededBy, ep.Outcome, c.state, c.by, c.outcome)
		}
	}
}

// What a log says of its end, and what only looks like it.
func TestEnds(t *testing.T) {
	const checks = "# Importer\n\n## Tests\n\n"
	for _, c := range []struct {
		log     string
		outcome episode.Outcome
		from    episode.OutcomeSource
	}{
		{"# Importer\n\nIt works.\n\n---\n\n**Status**: Job failed\n", episode.Unknown, ""},
		{"# Importer\n\n**Expected outcome**: all rows arrive, verified\n", episode.Unknown, ""},
		{"# Importer\n\n## Roadmap\n\n### Week 2\n\n**Outcome**: speed validated\n", episode.Unknown, ""},
		{"# Importer\n\n**Outcome**: speed validated\n", episode.Success, episode.Stated},
		{"# Week 2 sprint plan v2\n\n## Success criteria\n\n- ✅ All rows arrive\n\n## Tests\n\n- 40 tests passing\n", episode.Unknown, ""},
		{"# Sprint plan: importer\n\n**Status**: Done\n\n## Tests\n\n- 40 tests passing\n", episode.Success, episode.Stated},
		{checks + "- ✅ Importer tests (error handling, failed rows)\n", episode.Success, episode.Measured},
		{checks + "- ✅ Importer tests passed\n- ❌ End to end (all passed locally)\n", episode.Partial, episode.Measured},
		{checks + "- Export suite passed (failures: retry, timeout)\n", episode.Success, episode.Measured},
		{checks + "- Partner failures: 5% coverage\n- Unit tests (45 tests, <5 failures expected)\n", episode.Unknown, ""},
		{checks + "- Partner suite: 40 passed, 5 failures\n", episode.Failure, episode.Measured},
		{checks + "12 passed, 3 failed\n\n## Final result: all green\n\nAll rows arrive.\n", episode.Success, episode.Stated},
		{"# Importer\n\n## Attempt 1: raise the limit ❌\n\nIt hung.\n\n## Attempt 2: open the port first ✅\n\nIt starts.\n", episode.Success, episode.Stated},
		{"# Importer\n\n## Attempt 1: raise the limit ❌\n\nIt hung.\n\n## Way out\n\nIt may start.\n", episode.Unknown, ""},
	} {
		ep := read(t, Source{Path: "log.md"}, []byte(c.log)).Episode
		if ep.Outcome != c.outcome || ep.OutcomeSource != c.from {
			t.Errorf("%q: %s %s; want %s %s", c.log, ep.Outcome, ep.OutcomeSource, c.outcome, c.from)
		}
	}
}

// Lines that deny a fault, quote earlier lessons or name the commits of others state no facts.
func TestStateNothing(t *testing.T) {
	for log, facts := range map[string]int{
		"## Problems found\n\n- No issues to mend\n":                                            0,
		"## Anti-patterns\n\n- Do not swallow compiler errors\n- Never retry a failed upload\n": 0,
		"## Problems found\n\n- No regression tests\n":                                          1,
		"## Lessons used\n\n- Always quote the file name\n":                                     0,
		"## Lessons learned\n\n- Always quote the file name\n":                                  1,
		"## Files\n\n| File | Removed by commit |\n|---|---|\n| a.go | abcdef1 |\n":             0,
		"## Files\n\n| File | Commit |\n|---|---|\n| a.go | abcdef1 |\n":                        1,
	} {
		ep := read(t, Source{Path: "log.md"}, []byte("# Importer\n\n"+log)).Episode
		if n := len(ep.Decisions) + len(ep.Events) + len(ep.Lessons); n != facts {
			t.Errorf("%q: %v, want %d", log, factLines(ep), facts)
		}
	}
}
