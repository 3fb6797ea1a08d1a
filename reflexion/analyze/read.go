package analyze

import (
	"bytes"
	"fmt"
	"io"

	"episodes/internal/fsstore"
	"episodes/reflexion"
)

// Arm is a set of records that were made in one way, such as with one kind of
// memory.
type Arm struct {
	Name    string
	Records []*reflexion.Record
}

// LineError is an error in one line of a file.
type LineError struct {
	File string
	Line int // 1-based
	Err  error
}

// Error names file and line.
func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the error without file and line.
func (e *LineError) Unwrap() error { return e.Err }

// Read reads records from JSON lines. Invalid lines are left out and returned in bad, as
// *LineError; contradictions in records, which are kept, are returned in doubts. The
// error is one of reading.
func Read(name string, r io.Reader) (found []*reflexion.Record, bad, doubts []error, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("read %q: %w", name, fsstore.Cause(err))
	}
	for i, line := range bytes.Split(data, []byte{'\n'}) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		rec, err := reflexion.Parse(line)
		if err != nil {
			bad = append(bad, &LineError{File: name, Line: i + 1, Err: err})
			continue
		}
		for _, p := range rec.Check() {
			doubts = append(doubts, &LineError{File: name, Line: i + 1, Err: fmt.Errorf("%s", p)})
		}
		found = append(found, rec)
	}
	return found, bad, doubts, nil
}
