package recall

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/fxamacker/cbor/v2"

	"episodes/graph"
	"episodes/infer"
	"episodes/keys"
	"episodes/patterns"
)

// studyName is the derived file that keeps the study of all episodes.
const studyName = "study.cbor"

// minedName is the derived file that keeps the patterns of all episodes.
const minedName = "patterns.cbor"

// mined is what is kept of patterns, for the state they were mined in.
type mined struct {
	Version int             `json:"version"`
	State   string          `json:"state"`
	Result  patterns.Result `json:"result"`
}

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
	var kept mined
	if err := cbor.Unmarshal(s.ReadDerived(minedName), &kept); err == nil && kept.Version == minedVersion && kept.State == state {
		return kept.Result.Within(o), nil
	}
	all := patterns.Loosest()
	if all.Study, err = s.Study(ctx); err != nil {
		return patterns.Result{}, err
	}
	var notesErr error
	all.Notes = func(id string) []patterns.Note {
		var notes []patterns.Note
		notes, notesErr = s.notes(g, id)
		return notes
	}
	res, err := patterns.Mine(g, all)
	if err := errors.Join(err, notesErr); err != nil {
		return res, fmt.Errorf("mine patterns: %w", err)
	}
	if s.changed {
		return res.Within(o), nil
	}
	if data, err := cbor.Marshal(mined{minedVersion, state, res}); err != nil {
		return res, fmt.Errorf("encode patterns: %w", err)
	} else if err := s.WriteDerived(minedName, data); err != nil && !dispensable(err) {
		return res, err
	}
	return res.Within(o), nil
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
	if st, ok := infer.Load(s.ReadDerived(studyName), state); ok {
		s.study = st
		return st, nil
	}
	return s.makeStudy(g, state)
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
		if st, ok := infer.Load(s.ReadDerived(studyName), state); ok {
			s.study = st
			return st, nil
		}
		s.note("without what sessions show across each other: this set of episodes is not studied yet; `episodes patterns` does it")
		return nil, nil
	}
	return s.Study(ctx)
}

func (s *Session) makeStudy(g *graph.Graph, state string) (*infer.Study, error) {
	kept, err := s.records(g)
	if err != nil {
		return nil, err
	}
	records := make([]infer.Record, len(kept))
	for i := range kept {
		records[i] = kept[i].Record
	}
	data, err := infer.New(records).Save(state)
	if err != nil {
		return nil, err
	}
	s.study, _ = infer.Load(data, state) // so that the first answer is that of all others
	if !s.changed {
		if err := s.WriteDerived(studyName, data); err != nil && !dispensable(err) {
			return nil, err
		}
	}
	return s.study, nil
}

// dispensable reports whether a derived file may go without being written: the
// disk refuses it, or another process swept it away half-made. It is made anew
// when it is asked for.
func dispensable(err error) bool { return unwritable(err) || errors.Is(err, fs.ErrNotExist) }
