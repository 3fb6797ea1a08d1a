package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"episodes/causal"
	"episodes/episode"
)

// The keys of this package start with '@', unlike Cayley's buckets (log, meta, v.., n..,
// spoc), followed by the type of the record.
const (
	keyMeta    = "@m" // one record
	keyEntry   = "@e" // episode → hash of its file
	keyEpisode = "@c" // episode → what it says
	keyNode    = "@n" // node → node
	keyLabel   = "@x" // node, hash of a label → label
	keyOut     = "@o" // source, target, type → support
	keyIn      = "@i" // target, type, source → support, episodes
	keyWord    = "@w" // word, node → nothing
	keyUses    = "@u" // episode → its decisions
	keyMark    = "@p" // mark, episode → nothing
	keyCopy    = "@d" // episode → the one that counts instead
)

// nodeID is the id of a node without its "n", in bytes.
type nodeID [6]byte

// String is the id as package causal writes it.
func (id nodeID) String() string {
	var text [1 + 2*len(id)]byte
	text[0] = 'n'
	hex.Encode(text[1:], id[:])
	return string(text[:])
}

func (id nodeID) key() []byte { return append([]byte(keyNode), id[:]...) }

// parseNode is the inverse of String; false for what is no node id.
func parseNode(s string) (nodeID, bool) {
	var id nodeID
	if len(s) != 1+2*len(id) || s[0] != 'n' || strings.ToLower(s) != s {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(s[1:]))
	return id, err == nil
}

func episodeKey(id string) []byte { return append([]byte(keyEpisode), id...) }

func usesKey(id string) []byte { return append([]byte(keyUses), id...) }

// edgeID names an edge.
type edgeID struct {
	source, target nodeID
	typ            byte // index in linkTypes
}

// out is the key of an edge among those that leave its source.
func (e edgeID) out() []byte {
	k := make([]byte, 0, len(keyOut)+13)
	k = append(k, keyOut...)
	k = append(k, e.source[:]...)
	k = append(k, e.target[:]...)
	return append(k, e.typ)
}

// in is the key of an edge among those that enter its target. The type comes
// first there: what enters a hub is asked for by type, and is much.
func (e edgeID) in() []byte {
	k := make([]byte, 0, len(keyIn)+13)
	k = append(k, keyIn...)
	k = append(k, e.target[:]...)
	k = append(k, e.typ)
	return append(k, e.source[:]...)
}

// outEdge and inEdge read such a key back.
func outEdge(k []byte) (e edgeID, ok bool) {
	if k = k[len(keyOut):]; len(k) != 13 {
		return e, false
	}
	e = edgeID{nodeID(k[:6]), nodeID(k[6:12]), k[12]}
	return e, int(e.typ) < len(linkTypes)
}

func inEdge(k []byte) (e edgeID, ok bool) {
	if k = k[len(keyIn):]; len(k) != 13 {
		return e, false
	}
	e = edgeID{nodeID(k[7:]), nodeID(k[:6]), k[6]}
	return e, int(e.typ) < len(linkTypes)
}

// linkTypes gives each link type its number on disk. Readers list edges by the
// name of the type, so the numbers follow the names.
var linkTypes = [...]episode.LinkType{episode.Causes, episode.Correlates, episode.Enables, episode.Prevents}

// linkNumber returns the number of a link type, or false if the type is not known.
func linkNumber(t episode.LinkType) (byte, bool) {
	i := slices.Index(linkTypes[:], t)
	return byte(max(i, 0)), i >= 0
}

var outcomes = [...]episode.Outcome{episode.Unknown, episode.Success, episode.Partial, episode.Failure}

func outcomeNumber(o episode.Outcome) byte { return byte(max(slices.Index(outcomes[:], o), 0)) }

var nodeTypes = [...]causal.NodeType{causal.DecisionNode, causal.EventNode, causal.OutcomeNode, causal.PatternNode}

func nodeTypeNumber(t causal.NodeType) byte { return byte(max(slices.Index(nodeTypes[:], t), 0)) }

// maxWord is the most bytes of a word in a key: a key has a limit, and a word has none.
const maxWord = 64

// cutWord is a word as keys have it: long ones are cut and distinguished by a hash.
func cutWord(w string) string {
	if len(w) <= maxWord {
		return w
	}
	h := sha256.Sum256([]byte(w))
	end := maxWord
	for end > 0 && !utf8.RuneStart(w[end]) {
		end--
	}
	return w[:end] + "\x01" + hex.EncodeToString(h[:8])
}
