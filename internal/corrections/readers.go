package corrections

import (
	"maps"
	"slices"
	"strings"

	"episodes/episode"
)

// Disputed describes the outcome of a session where readers, or readers and a check, say different ones, of which none is
// applied. ep may be nil.
func Disputed(ep *episode.Episode, entries []Entry) []string {
	said := outcomes(entries)
	if len(said) > 0 && ep != nil && Measured(ep) {
		said["a check"] = ep.Outcome
	}
	if !differ(said) {
		return nil
	}
	var all []string
	for _, by := range slices.Sorted(maps.Keys(said)) {
		all = append(all, by+": "+string(said[by]))
	}
	return []string{"outcome (" + strings.Join(all, "; ") + ")"}
}

// outcomes are those that readers say.
func outcomes(entries []Entry) map[string]episode.Outcome {
	said := map[string]episode.Outcome{}
	for _, e := range entries {
		if e.Op == SetOutcome && e.FromReader() {
			said[e.By] = e.Outcome
		}
	}
	return said
}

func differ(said map[string]episode.Outcome) bool {
	all := slices.Sorted(maps.Values(said))
	return len(all) > 1 && all[0] != all[len(all)-1]
}

// Measured reports whether checks show the outcome of a session.
func Measured(ep *episode.Episode) bool {
	return ep.Outcome.Known() && ep.OutcomeSource == episode.Measured
}
