package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fxamacker/cbor/v2"

	"episodes/graph"
	"episodes/patterns"
	"episodes/query"
)

// keptPatterns is what is kept of patterns, for the state they were found in.
type keptPatterns struct {
	Version int             `json:"version"` // patternsVersion
	State   string          `json:"state"`
	Result  patterns.Result `json:"result"`
}

// patternsVersion names the rules by which patterns are found.
const patternsVersion = 2

// mine returns the patterns that can be claimed within the thresholds.
func (m *Memory) mine(ctx context.Context, o patterns.Options) (patterns.Result, error) {
	var none patterns.Result
	g, err := m.openGraph(ctx)
	if err != nil {
		return none, err
	}
	state, err := m.state(g)
	if err != nil {
		return none, err
	}
	var kept keptPatterns
	if err := cbor.Unmarshal(m.folder.ReadDerived(patternsName), &kept); err == nil && kept.Version == patternsVersion && kept.State == state {
		return kept.Result.Within(o), nil
	}
	all := patterns.Loosest()
	if all.Study, err = m.studyOf(ctx); err != nil {
		return none, err
	}
	defer m.working("looking for patterns")()
	var notesErr error
	all.Notes = func(id string) []patterns.Note {
		var notes []patterns.Note
		notes, notesErr = m.notes(g, id)
		return notes
	}
	found, err := patterns.Mine(g, all)
	if err := errors.Join(err, notesErr); err != nil {
		return none, fmt.Errorf("mine patterns: %w", err)
	}
	data, err := cbor.Marshal(keptPatterns{patternsVersion, state, found})
	if err != nil {
		return none, fmt.Errorf("encode patterns: %w", err)
	}
	return found.Within(o), m.keep(patternsName, data)
}

// notes returns the lessons of an episode.
func (m *Memory) notes(g *graph.Graph, id string) ([]patterns.Note, error) {
	kept, err := m.records(g)
	if err != nil {
		return nil, err
	}
	i, ok := slices.BinarySearchFunc(kept, id, func(r keptRecord, id string) int { return strings.Compare(r.Record.Episode, id) })
	if !ok {
		return nil, nil
	}
	return kept[i].Notes, nil
}

// choices returns the index that finds decisions by words.
func (m *Memory) choices(ctx context.Context) (*query.ChoiceIndex, error) {
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	state, err := m.state(g)
	if err != nil {
		return nil, err
	}
	if kept, ok := query.LoadChoices(m.folder.ReadDerived(choicesName), state); ok {
		return kept, nil
	}
	defer m.working("indexing the decisions")()
	data, err := query.PackChoices(g, state)
	if err != nil {
		return nil, fmt.Errorf("index the decisions: %w", err)
	}
	index, _ := query.LoadChoices(data, state)
	return index, m.keep(choicesName, data)
}
