package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fxamacker/cbor/v2"

	"episodes/graph"
	"episodes/infer"
	"episodes/internal/memory"
	"episodes/keys"
	"episodes/patterns"
)

// studyName is the derived file that keeps the study of all episodes.
const studyName = "study.cbor"

// minedName is the derived file that keeps the patterns of all episodes.
const minedName = "patterns.cbor"

// minedVersion names the rules of mining; patterns of others are mined anew.
const minedVersion = 2

// Patterns returns what can be claimed within the thresholds, kept like the study.
func (s *Session) Patterns(ctx context.Context, o patterns.Options) (patterns.Result, error) {
	g, err := s.Graph(ctx)
	if err != nil {
		return patterns.Result{}, err
	}
	state, err := s.state(g)
	if err != nil {
		return patterns.Result{}, err
	}
	load := func(data []byte) (r patterns.Result, ok bool) { return r, cbor.Unmarshal(data, &r) == nil }
	key := fmt.Sprintf("patterns %d %s", minedVersion, state)
	res, err := memory.Cached(s.Memory, minedName, key, load, func() ([]byte, bool, error) {
		res, err := s.mine(ctx, g)
		if err != nil {
			return nil, false, err
		}
		data, err := cbor.Marshal(res)
		return data, !s.changed, err
	})
	return res.Within(o), err
}

// mine finds all patterns that some threshold lets through.
func (s *Session) mine(ctx context.Context, g *graph.Graph) (res patterns.Result, err error) {
	all := patterns.Loosest()
	if all.Study, err = s.Study(ctx); err != nil {
		return res, err
	}
	var notesErr error
	all.Notes = func(id string) []patterns.Note {
		var notes []patterns.Note
		notes, notesErr = s.notes(g, id)
		return notes
	}
	res, err = patterns.Mine(g, all)
	if err := errors.Join(err, notesErr); err != nil {
		return res, fmt.Errorf("mine patterns: %w", err)
	}
	return res, nil
}

// notes returns the lessons of an episode.
func (s *Session) notes(g *graph.Graph, id string) ([]patterns.Note, error) {
	kept, err := s.records(g)
	if err != nil {
		return nil, err
	}
	i, ok := slices.BinarySearchFunc(kept, id, func(r keptRecord, id string) int { return strings.Compare(r.Record.Episode, id) })
	if !ok {
		return nil, nil
	}
	return kept[i].Notes, nil
}

// state names what the derived statistics are made from.
func (s *Session) state(g *graph.Graph) (string, error) {
	info, err := g.Info()
	if err != nil {
		return "", fmt.Errorf("read the graph: %w", err)
	}
	return fmt.Sprintf("%s keys %d", info.Digest, keys.Version), nil
}

// Study returns the statistics over all episodes. What is expensive in them is kept
// beside the graph, for the very set of episodes that the graph is made from; another
// set, or other rules, make it anew. Where it cannot be kept it is made each time.
func (s *Session) Study(ctx context.Context) (*infer.Study, error) {
	if s.study != nil {
		return s.study, nil
	}
	g, err := s.Graph(ctx)
	if err != nil {
		return nil, err
	}
	state, err := s.state(g)
	if err != nil {
		return nil, err
	}
	load := func(data []byte) (*infer.Study, bool) { return infer.Load(data, state) }
	s.study, err = memory.Cached(s.Memory, studyName, state, load, func() ([]byte, bool, error) { return s.makeStudy(g, state) })
	return s.study, err
}

// studiedAtOnce is the number of episodes up to which a study is made while
// somebody waits for an answer that is whole without it. It takes a second then, at
// 10 000 some seconds and at 100 000 minutes. A variable for the tests.
var studiedAtOnce = 2000

// StudyAtHand is Study for a question that must be answered soon: of many episodes
// it returns nil, and notes how to come by it, when it would have to be made.
func (s *Session) StudyAtHand(ctx context.Context) (*infer.Study, error) {
	g, err := s.Graph(ctx)
	if err != nil {
		return nil, err
	}
	tt, err := g.Totals()
	if err != nil {
		return nil, fmt.Errorf("count the graph: %w", err)
	}
	if tt.Episodes > studiedAtOnce && s.study == nil {
		state, err := s.state(g)
		if err != nil {
			return nil, err
		}
		if st, ok := infer.Load(s.ReadDerived(studyName, state), state); ok {
			s.study = st
			return st, nil
		}
		s.note("without what sessions show across each other: this set of episodes is not studied yet; `episodes patterns` does it")
		return nil, nil
	}
	return s.Study(ctx)
}

// makeStudy returns the bytes of a study, and whether they may be kept.
func (s *Session) makeStudy(g *graph.Graph, state string) (data []byte, keep bool, err error) {
	kept, err := s.records(g)
	if err != nil {
		return nil, false, err
	}
	records := make([]infer.Record, len(kept))
	for i := range kept {
		records[i] = kept[i].Record
	}
	data, err = infer.New(records).Save(state)
	return data, !s.changed, err
}
