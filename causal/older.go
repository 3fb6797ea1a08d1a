package causal

import (
	"episodes/episode"
)

// OfOlderTool reports whether an episode was written by an older tool of this
// format: it names neither its log nor the evidence for its outcome. Such tools
// filled in "success" where they knew nothing, and recorded the order of records as
// their causes. So their statements count for less:
//
//   - The outcome counts as unknown, also a failure: a rate of which only the
//     successes are left out would be worse than none.
//   - caused_by, leads_to and effects are correlations, and only implied.
func OfOlderTool(ep *episode.Episode) bool {
	return ep.Provenance.Source.SHA256 == "" && ep.OutcomeSource == "" && len(ep.Links) == 0
}

// orderLinks are the links that an older tool derived from the order of records.
func orderLinks(ep *episode.Episode) []episode.Link {
	var out []episode.Link
	add := func(source, target string) {
		out = append(out, episode.Link{Source: source, Target: target, Type: episode.Correlates})
	}
	for _, d := range ep.Decisions {
		for _, id := range d.Effects {
			add(d.ID, id)
		}
	}
	for _, v := range ep.Events {
		for _, id := range v.CausedBy {
			add(id, v.ID)
		}
		for _, id := range v.LeadsTo {
			add(v.ID, id)
		}
	}
	return out
}
