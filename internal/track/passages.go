package track

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"episodes/internal/memory"
)

// Passages is the index of retrieval of a graph: segments in derived files, each named by what it holds. The head of
// the index names them, so that one write publishes both.
type Passages struct {
	Segments []Segment         `json:"segments"`
	New      []Segment         `json:"new,omitempty"`    // the one of Set.New, if there are any
	Copies   map[string]string `json:"copies,omitempty"` // episode → the one that counts instead
}

// Segment is a part of the index of retrieval.
type Segment struct {
	Name string `json:"name"`           // of the derived file
	Dead []int  `json:"dead,omitempty"` // sessions that no longer count
	Data []byte `json:"-"`              // its content where no file is kept
}

// Indexer is what reads logs for an update. Either may be nil.
type Indexer struct {
	// Make makes the index of retrieval of the graph that a set was just brought to; x.Passages is the one before. It
	// may leave files that nothing names.
	Make func(ctx context.Context, x *Index, set *Set, o memory.GraphOptions) (Passages, error)
	// Logs opens logs, see Set.
	Logs func(x *Index) Logs
}

// Passages returns the index of retrieval of the graph that the files were last brought to.
func (x *Index) Passages() Passages { return x.head.Passages }

// KeptPassages reads what Passages returns, and nothing else.
func KeptPassages(m *memory.Memory) Passages {
	h, _ := readHead(m)
	return h.Passages
}

// readHead reads the head of the index.
func readHead(m *memory.Memory) (h head, ok bool) {
	for limit, before := int64(usualHead), -1; ; limit *= 4 {
		data := m.ReadDerivedHead(indexName, indexKey, limit)
		first, _, whole := bytes.Cut(data, []byte("\n"))
		if whole && json.Unmarshal(first, &h) == nil {
			return h, true
		}
		if whole || len(data) == before { // there is no more
			return head{}, false
		}
		before = len(data)
	}
}

// names lists the files of the index of retrieval.
func (p Passages) names() (out []string) {
	for _, s := range slices.Concat(p.Segments, p.New) {
		out = append(out, s.Name)
	}
	return out
}
