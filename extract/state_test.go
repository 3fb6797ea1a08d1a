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
		{"# Cache\n\n**Status**: ✅ READY FOR IMPLEMENTATION\n", episode.Planned, "", episode.Unknown},
		{"# Cache\n\n**Status**: All planning documents complete\n", episode.Planned, "", episode.Unknown},
		{"---\nstatus: deferred\n---\n# Cache\n", episode.Deferred, "", episode.Unknown},
		{"# Record 4: queues\n\n## Status\n\nSuperseded by record 9 (two queues)\n", episode.Superseded, "record 9 (two queues", episode.Unknown},
		{"# Record 4: queues\n\n**Superseded by**: record 9\n", episode.Superseded, "record 9", episode.Unknown},
		{"# Record 4: queues\n\n**Status**: Proposed | Accepted | Superseded\n", "", "", episode.Unknown},
		{"# Importer\n\n**Status**: Complete, the export is deferred\n", "", "", episode.Success},
		{"# Importer\n\n**Status**: not cancelled\n", "", "", episode.Unknown},
		{"# Importer\n\n**Status**: Cancelled\n\n## Tests\n\n- go test: 4 passed, 2 failed\n", episode.Cancelled, "", episode.Failure},
		{"# Importer\n\n**Status**: Accepted — rejected alternatives are listed below\n", "", "", episode.Unknown},
	} {
		ep := read(t, Source{Path: "log.md"}, []byte(c.log)).Episode
		if ep.State != c.state || ep.Outcome != c.outcome || c.by != "" && ep.SupersededBy != c.by {
			t.Errorf("%q: state %q by %q, outcome %s; want %q by %q, %s", c.log, ep.State, ep.SupersededBy, ep.Outcome, c.state, c.by, c.outcome)
		}
	}
}
