// Package sessionjson reads the JSON session logs of the older format, which agents wrote
// by hand or with a tool: a session with its objective, gates of a protocol, a work log,
// and fields for decisions, outcomes and learnings that changed from month to month. They
// are read by shape; their schema version means nothing.
//
// The meaning of a field becomes a heading or a label of a document, and the rules for
// texts judge it there as they judge a log in Markdown. The gates of the protocol, next
// steps and leftovers of a template are left out.
package sessionjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/extract/rules"
	"episodes/internal/lazy"
)

// Name is the name of the format in provenance.
const Name = "session-json"

var byteOrderMark = []byte("\ufeff")

// Detect reports whether a file that begins so is such a log: one object with the gates of
// the protocol, with a work log, or with the flat fields of the oldest ones. head may end
// anywhere.
func Detect(head []byte) bool {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(head, byteOrderMark)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	has := map[string]bool{}
	for depth, name := 1, true; ; {
		t, err := d.Token()
		if err != nil {
			break
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				depth++
			} else {
				depth--
			}
			name = depth == 1
			if depth == 0 {
				return isLog(has)
			}
		case string:
			if depth == 1 && name {
				has[plainName(t)] = true
			}
			name = depth == 1 && !name
		default:
			name = depth == 1
		}
	}
	return isLog(has)
}

func isLog(has map[string]bool) bool {
	switch {
	case has["messages"], has["steps"], has["trajectory"], has["events"]:
		return false
	case has["protocolcompliance"]:
		return true
	case has["worklog"]:
		return has["session"] || has["schemaversion"] || has["objective"]
	}
	return has["sessionid"] && has["objective"] && has["date"]
}

// Read reads a log. The path may say what it is about. A file that ends too early is read
// up to there, which is said.
func Read(l *lex.Lexicon, path string, data []byte) (*facts.Draft, *doc.Document) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	root, line, err := parse(data)
	w := &writer{Builder: doc.NewBuilder(l), lex: l, root: root}
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		w.Note(line, "broken-json", fmt.Sprintf("not read from here on: %v", err))
	}
	w.write()
	d := w.Document(1 + bytes.Count(data, []byte("\n")))
	draft := rules.Read(l, d, path).Draft
	w.finish(&draft)
	w.open() // no rule makes a fact of it
	return &draft, d
}

// uuid is the form of an id that no other session has.
var uuid = lazy.Pattern(`(?i)^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
