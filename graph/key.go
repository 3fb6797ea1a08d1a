package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"episodes/causal"
	"episodes/episode"
)

// All records of this package begin with '@', which none of Cayley's buckets
// does (log, meta, v.., n.., spoc), and then say what they are.
const (
	keyMeta    = "@m" // one record
	keyEntry   = "@e" // episode → hash of its file
	keyEpisode = "@c" // episode → what it says
	keyNode    = "@n" // node → node
	keyLabel   = "@x" // node, hash of a label → label
	keyOut     = "@o" // source, target, type → support
	keyIn      = "@i" // target, type, source → support, and how many episodes have the source
	keyWord    = "@w" // word, batch → nodes
	keyUse     = "@u" // decision point, episode, record → use
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

// linkNumber returns the number of a link type, or false when it is none.
func linkNumber(t episode.LinkType) (byte, bool) {
	for i, lt := range linkTypes {
		if lt == t {
			return byte(i), true
		}
	}
	return 0, false
}

var outcomes = [...]episode.Outcome{episode.Unknown, episode.Success, episode.Partial, episode.Failure}

func outcomeNumber(o episode.Outcome) byte {
	for i, x := range outcomes {
		if x == o {
			return byte(i)
		}
	}
	return 0
}

var nodeTypes = [...]causal.NodeType{causal.DecisionNode, causal.EventNode, causal.OutcomeNode, causal.PatternNode}

func nodeTypeNumber(t causal.NodeType) byte {
	for i, x := range nodeTypes {
		if x == t {
			return byte(i)
		}
	}
	return 0
}

// appendText appends s so that keys sort as their texts do and no text is the
// beginning of another: a zero byte becomes 00 FF, the end is 00 01.
func appendText(k []byte, s string) []byte {
	for i := range len(s) {
		if k = append(k, s[i]); s[i] == 0 {
			k = append(k, 0xff)
		}
	}
	return append(k, 0, 1)
}

// cutText reads what appendText wrote and returns the rest.
func cutText(k []byte) (s string, rest []byte, ok bool) {
	var b strings.Builder
	for i := 0; i+1 < len(k); i++ {
		if k[i] != 0 {
			b.WriteByte(k[i])
			continue
		}
		switch k[i+1] {
		case 1:
			return b.String(), k[i+2:], true
		case 0xff:
			b.WriteByte(0)
			i++
		default:
			return "", nil, false
		}
	}
	return "", nil, false
}

// Texts in keys are cut: a key has a limit, and a text has none.
const (
	maxWord  = 64
	maxPoint = 256
)

// cutWord is a word as keys have it: long ones are cut and distinguished by a hash.
func cutWord(w string) string { return cut(w, maxWord) }

// cutPoint is a decision point as keys have it.
func cutPoint(p string) string { return cut(p, maxPoint) }

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	h := sha256.Sum256([]byte(s))
	end := most
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "\x01" + hex.EncodeToString(h[:8])
}

// key is where a use of an episode is stored. Records of one name at one point of
// one episode, which only a broken episode has, are distinguished by their number.
func (u useRef) key(ep string) []byte {
	k := appendText(usesAt(u.Point), ep)
	k = appendText(k, u.Record)
	if u.Number > 0 {
		k = binary.BigEndian.AppendUint16(k, uint16(u.Number))
	}
	return k
}

// usesAt is the prefix of all uses at a point, as keys have it.
func usesAt(point string) []byte { return appendText([]byte(keyUse), point) }

// splitUseKey returns the parts of a use key.
func splitUseKey(k []byte) (point, ep, record string, ok bool) {
	rest := k[len(keyUse):]
	if point, rest, ok = cutText(rest); !ok {
		return
	}
	if ep, rest, ok = cutText(rest); !ok {
		return
	}
	record, _, ok = cutText(rest)
	return
}
