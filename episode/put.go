package episode

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Put are lines that a fix left in a file.
type Put struct {
	File  string `json:"file"`  // relative to the session's folder, with slashes
	Lines string `json:"lines"` // a hash of each, see NewPut
}

// NewPut keeps a hash of 32 bits of each line: enough to find it in a file, too few to guess it.
// White space does not count.
func NewPut(file string, lines []string) Put {
	hashes := make([]string, len(lines))
	for i, line := range lines {
		hashes[i] = fmt.Sprintf("%08x", lineHash([]byte(line)))
	}
	return Put{file, strings.Join(hashes, " ")}
}

// In reports whether the content of a file has all lines.
func (p Put) In(content []byte) bool {
	missing := map[uint32]bool{}
	for text := range strings.FieldsSeq(p.Lines) {
		hash, err := strconv.ParseUint(text, 16, 32)
		if err != nil {
			return false
		}
		missing[uint32(hash)] = true
	}
	for line := range bytes.Lines(content) {
		if len(missing) == 0 {
			break
		}
		delete(missing, lineHash(line))
	}
	return len(missing) == 0
}

// lineHash is FNV-1a of the words of a line, without what is between them.
func lineHash(line []byte) uint32 {
	h := fnv.New32a()
	for word := range bytes.FieldsSeq(line) {
		_, _ = h.Write(word)
	}
	return h.Sum32()
}
