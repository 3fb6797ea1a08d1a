package track

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"

	"github.com/fxamacker/cbor/v2"

	"episodes/internal/memory"
)

// On disk the index is its key, then a line with the head in JSON, the episodes and logs in CBOR,
// and the CRC-32 of all that, in 4 bytes. An index that does not end so is not believed.
const (
	indexName = memory.IndexName
	indexKey  = "episodes index 7"
	sumSize   = 4
)

// seen is what follows the head.
type seen struct {
	_        struct{} `cbor:",toarray"`
	Episodes map[string]Episode
	Logs     map[string]Log
}

// The options are valid. Paths need not be UTF-8, and there may be many files.
var (
	encMode, _ = cbor.CoreDetEncOptions().EncMode()
	decMode, _ = cbor.DecOptions{UTF8: cbor.UTF8DecodeInvalid, MaxMapPairs: 1 << 30}.DecMode()
)

func (x *Index) encode() ([]byte, error) {
	first, err := json.Marshal(x.head)
	var rest []byte
	if err == nil {
		rest, err = encMode.Marshal(seen{Episodes: x.Episodes, Logs: x.Logs})
	}
	if err != nil {
		return nil, fmt.Errorf("encode the index: %w", err)
	}
	b := append(append(first, '\n'), rest...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)), nil
}

// decode leaves x empty when data is not what encode wrote.
func (x *Index) decode(data []byte) {
	x.Logs, x.Episodes, x.head = map[string]Log{}, map[string]Episode{}, head{}
	end := len(data) - sumSize
	if end < 0 || binary.BigEndian.Uint32(data[end:]) != crc32.ChecksumIEEE(data[:end]) {
		return
	}
	first, rest, _ := bytes.Cut(data[:end], []byte("\n"))
	s, h := seen{Episodes: x.Episodes, Logs: x.Logs}, head{}
	if json.Unmarshal(first, &h) == nil && decMode.Unmarshal(rest, &s) == nil && s.Episodes != nil && s.Logs != nil {
		x.Episodes, x.Logs, x.head = s.Episodes, s.Logs, h
	}
}
