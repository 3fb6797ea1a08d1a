package ask

import (
	"context"
	"fmt"

	"github.com/fxamacker/cbor/v2"

	"episodes/causal"
	"episodes/graph"
	"episodes/patterns"
)

// patternsVersion names the rules by which patterns are found.
const patternsVersion = 10

// mine returns the patterns that can be claimed within the thresholds.
func (m *Memory) mine(ctx context.Context, o patterns.Options) (patterns.Result, error) {
	var none patterns.Result
	g, err := m.openGraph(ctx)
	if err != nil {
		return none, err
	}
	load := func(data []byte) (r patterns.Result, ok bool) { return r, cbor.Unmarshal(data, &r) == nil }
	key := fmt.Sprintf("patterns %d %s", patternsVersion, stateOf(g.Info().Digest))
	all, err := cached(m.source, patternsName, key, load, func() ([]byte, bool, error) {
		found, err := m.mineAll(ctx, g)
		if err != nil {
			return nil, false, err
		}
		data, err := cbor.Marshal(found)
		return data, !m.changed, err
	})
	return all.Within(o), err
}

// mineAll finds the patterns that any thresholds let through.
func (m *Memory) mineAll(ctx context.Context, g *graph.Graph) (found patterns.Result, err error) {
	all := patterns.Loosest()
	if all.Study, err = m.studyOf(ctx); err != nil {
		return found, err
	}
	defer m.working("looking for patterns")()
	kept, err := m.records(g)
	if err != nil {
		return found, err
	}
	of := make(map[string]keptRecord, len(kept))
	for _, k := range kept {
		of[k.Record.Episode] = k
	}
	all.Notes = func(id string) []patterns.Note { return of[id].Notes }
	all.Instance = func(id string) string { return of[id].Record.Instance }
	all.Mentions = func(node string) (ms []causal.Mention) {
		for _, k := range kept {
			for _, e := range k.Record.Events {
				if e.Node == node {
					ms = append(ms, causal.Mention{Episode: k.Record.Episode, Day: k.Record.Day, Record: e.Record})
				}
			}
		}
		return ms
	}
	found, err = patterns.Mine(g, all)
	if err != nil {
		return found, fmt.Errorf("mine patterns: %w", err)
	}
	return found, nil
}
