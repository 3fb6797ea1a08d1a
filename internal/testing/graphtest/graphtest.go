// Package graphtest holds the laws of a graph store, for every engine there is and
// every one to come: whoever adds an engine to package graph runs Run on it.
//
// The laws: the graph is a pure function of the set of episodes, so any order, any
// batches and any sequence of additions, changes and removals give the same graph as
// a rebuild, byte for byte in its exports; a second update does nothing; a removed
// episode leaves nothing behind; reading changes nothing; what a reader has opened
// stays what it was while the store is rebuilt; what is missing, or newer
// than the program, is reported and not overwritten.
package graphtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"episodes/causal"
	"episodes/episode"
	"episodes/export"
	"episodes/graph"
	"episodes/internal/testing/querytest"
	"episodes/internal/testing/synthetic"
)

// Engine is a kind of store.
type Engine struct {
	// New returns the URL of a location where there is no store yet, and removes the
	// store when done is called.
	New func() (url string, done func(), err error)
	// Snapshot describes all that is kept of a store; nil where nothing can be
	// seen from outside.
	Snapshot func(url string) (string, error)
	// Checks is how often a property is tried; 0: as rapid has it.
	Checks int
}

// Run checks the laws.
func Run(t *testing.T, e Engine) {
	for name, law := range map[string]func(*testing.T, Engine){
		"an update gives the graph of the definition": isTheDefinition,
		"any order and batch":                         anyOrder,
		"any sequence equals a rebuild":               anySequence,
		"reading changes nothing":                     readingChangesNothing,
		"a reader goes on while the store is rebuilt": readersGoOn,
		"missing":                          missing,
		"newer":                            newer,
		"older":                            older,
		"what cannot be loaded is skipped": skipped,
	} {
		t.Run(name, func(t *testing.T) { law(t, e) })
	}
}

var background = context.Background()

// Set is a set of episode files in memory.
type Set struct {
	mu    sync.Mutex
	files map[string][]byte
}

// NewSet makes a set of some episodes.
func NewSet(eps ...*episode.Episode) *Set {
	s := &Set{files: map[string][]byte{}}
	for _, ep := range eps {
		s.Put(ep)
	}
	return s
}

// Put adds an episode or changes it.
func (s *Set) Put(ep *episode.Episode) {
	data, err := episode.Marshal(ep)
	if err != nil {
		panic(err) // no episode of a test cannot be written
	}
	s.PutBytes(ep.ID, data)
}

// PutBytes sets the bytes of a file, also of one that is no episode.
func (s *Set) PutBytes(id string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[id] = data
}

// Remove takes an episode away.
func (s *Set) Remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, id)
}

// List is for graph.Source.
func (s *Set) List() ([]graph.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []graph.Entry
	for id, data := range s.files {
		out = append(out, graph.Entry{ID: id, Hash: hashOf(data)})
	}
	slices.SortFunc(out, func(a, b graph.Entry) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

// Load is for graph.Source.
func (s *Set) Load(id string) (*episode.Episode, error) {
	s.mu.Lock()
	data, ok := s.files[id]
	s.mu.Unlock()
	if !ok {
		return nil, fmt.Errorf("%s: %w", id, fs.ErrNotExist)
	}
	return episode.Parse(data)
}

// digest is the digest in graph.Info of a store of exactly this set: the sum of the digests
// of its entries, modulo 2^128.
func (s *Set) digest() string {
	sum := new(big.Int)
	list, _ := s.List()
	for _, e := range list {
		h := sha256.Sum256([]byte(e.ID + "\x00" + e.Hash))
		sum.Add(sum, new(big.Int).SetBytes(h[:16]))
	}
	return fmt.Sprintf("%032x", sum.Mod(sum, new(big.Int).Lsh(big.NewInt(1), 128)))
}

func (s *Set) episodes() (eps []*episode.Episode) {
	list, _ := s.List()
	for _, e := range list {
		if ep, err := s.Load(e.ID); err == nil {
			eps = append(eps, ep)
		}
	}
	return eps
}

// some makes the episodes with numbers from i to before j of a synthetic memory.
func some(i, j int) (eps []*episode.Episode) {
	for ; i < j; i++ {
		eps = append(eps, synthetic.Memory{Seed: 7}.Episode(i))
	}
	return eps
}

// store is a store under test.
type store struct {
	rapid.TB
	url string
}

func (e Engine) store(t rapid.TB) (s store, done func()) {
	t.Helper()
	url, done, err := e.New()
	if err != nil {
		t.Fatal(err)
	}
	return store{t, url}, done
}

func (s store) update(src graph.Source, o graph.Options) graph.Report {
	s.Helper()
	r, err := graph.Update(background, s.url, src, o)
	if err != nil {
		s.Fatalf("update: %v", err)
	}
	return r
}

func (s store) rebuild(src graph.Source) graph.Report {
	s.Helper()
	r, err := graph.Rebuild(background, s.url, src, graph.Options{})
	if err != nil {
		s.Fatalf("rebuild: %v", err)
	}
	return r
}

func (s store) open() *graph.Graph {
	s.Helper()
	g, err := graph.Open(background, s.url, graph.Options{})
	if err != nil {
		s.Fatalf("open: %v", err)
	}
	return g
}

// exports is the graph in every format.
func (s store) exports() string {
	s.Helper()
	g := s.open()
	defer g.Close()
	var b bytes.Buffer
	for _, format := range export.Formats() {
		if err := export.Write(&b, g, format, nil); err != nil {
			s.Fatalf("export %s: %v", format, err)
		}
	}
	return b.String()
}

// check holds a store against the set that it is to be the graph of.
func (s store) check(set *Set) {
	s.Helper()
	problems, err := graph.Verify(background, s.url, nil, graph.Options{})
	if err != nil || len(problems) > 0 {
		s.Fatalf("verify: %v %q", err, problems)
	}
	g := s.open()
	defer g.Close()
	if d, err := querytest.Diff(querytest.New(counted(set.episodes())...), g); err != nil || d != "" {
		s.Fatalf("the graph differs from its definition: %v %s", err, d)
	}
}

// counted leaves the episodes that count: one of each session.
func counted(eps []*episode.Episode) []*episode.Episode {
	prints := map[string]causal.Print{}
	for _, ep := range eps {
		prints[ep.ID] = causal.PrintOf(ep)
	}
	votes := causal.Votes(prints)
	return slices.DeleteFunc(eps, func(ep *episode.Episode) bool { return votes[ep.ID] != ep.ID })
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
