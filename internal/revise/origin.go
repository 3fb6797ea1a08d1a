package revise

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"episodes/episode"
)

// Origin says who wrote an episode file last, and so whether it may be replaced.
type Origin int

// Extracted: exactly what an extractor wrote. Merged: exactly what Merge wrote.
// Edited: anything else that reads as an episode, be it edited by hand or
// written by another tool.
const (
	Edited Origin = iota
	Extracted
	Merged
)

// mergedMark precedes the seal of a merged episode, which therefore is not Sealed:
// it has words that no log can give back.
const mergedMark = "merged:"

// OriginOf finds who wrote the bytes that ep was parsed from.
func OriginOf(ep *episode.Episode, data []byte) Origin {
	if exact, err := episode.ParseExact(data); err == nil {
		ep = exact // a seal is of the bytes, not of what is shown of them
	}
	switch {
	case ep.Sealed() && sameJSON(ep, data):
		return Extracted
	case strings.HasPrefix(ep.Provenance.Seal, mergedMark) && ep.Provenance.Seal == mergedSeal(ep):
		return Merged
	default:
		return Edited
	}
}

// mergedSeal is the seal that Merge gives to ep.
func mergedSeal(ep *episode.Episode) string {
	c := *ep
	if c.Seal() != nil {
		return ""
	}
	return mergedMark + c.Provenance.Seal
}

// sameJSON reports whether data has the content of ep and no more. Fields that ep
// does not have are someone's own; white space and line ends do not matter.
func sameJSON(ep *episode.Episode, data []byte) bool {
	canonical, err := episode.Marshal(ep)
	if err != nil {
		return false
	}
	var a, b any
	return decode(canonical, &a) == nil && decode(data, &b) == nil && reflect.DeepEqual(a, b)
}

func decode(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return dec.Decode(v)
}
