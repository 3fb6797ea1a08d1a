// Package reader lets a reader, any coding agent or model, complete and correct the draft
// that the rules of extraction make of a log.
//
// Order writes a work order: what a fact and a question are, the numbered log, the draft. Parse reads the
// answer, a few words a line, and Verify holds each line of it against the log: the words
// of a fact are taken from the lines that the answer cites, so that nothing can be made up,
// and what cannot be so is refused with a reason that the reader can act on. What is left
// are corrections (package corrections). Runner does all this with a command line.
//
// A log is untrusted, and so is an answer: it can only point at lines.
package reader

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"episodes/episode"
	"episodes/internal/corrections"
)

// Version names the instructions of the work order and the form of the answer. A log is
// read again when it changes.
const Version = "2"

// Log is a log to be read, with the draft that the rules made of it.
type Log struct {
	Name  string // as the order names it
	Path  string // of its file; absolute
	Lines corrections.Lines
	// Rendered: the lines are of a rendering, a text for each record of a transcript, and
	// most are empty.
	Rendered bool
	Draft    *episode.Episode
}

// Key identifies what a reader is asked: the log, the draft and the instructions.
func (l Log) Key() (string, error) {
	draft := *l.Draft
	draft.ID, draft.Session, draft.Provenance.Seal = "", "", ""
	draft.Provenance.Source.Path = ""
	data, err := episode.Marshal(&draft)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "order %s\n", Version)
	for _, line := range l.Lines {
		io.WriteString(h, line+"\n")
	}
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// bytesPerToken is how many bytes count as one token.
const bytesPerToken = 4

// Tokens is the length of a text in tokens of 4 bytes.
func Tokens(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }
