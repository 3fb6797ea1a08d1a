// Package reader lets a reader, any coding agent or model, say what a log teaches, and mend the draft that the rules of
// extraction make of it. Order writes a work order, Entries reads an answer, objects of JSON or a few words a line, as lessons
// and what belongs to them (package lesson), and Take holds these to the session. What cannot be so is refused with a reason
// that the reader can act on. Runner does all this with a command line.
//
// Logs and answers are untrusted.
package reader

import (
	"crypto/sha256"
	"fmt"
	"io"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
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
	// Check holds an answer to the session and redacts it. Without a Log it is to Lines, as those of a Markdown log.
	Check lesson.Check
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
	return fmt.Sprintf("%x", h.Sum(nil)[:16]), nil
}

// bytesPerToken is how many bytes count as one token.
const bytesPerToken = 4

// Tokens is the length of a text in tokens of 4 bytes.
func Tokens(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }
