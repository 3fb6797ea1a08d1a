package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"episodes/internal/fsstore"
	"episodes/internal/local"
)

// The account of readers is one file in the user's state folder, with a line for each prompt
// before it is sent and for each answer. So a run that was killed has spent what it sent. Above
// maxReaders the older half is dropped.
const (
	readersName = "readers.jsonl"
	maxReaders  = 1 << 20 // bytes; tens of thousands of lines
)

// Reading is a line of the account: tokens of a prompt, or of an answer, or what became of one. It
// has no text.
type Reading struct {
	Time       time.Time `json:"time"`
	Memory     string    `json:"memory"` // a hash of its folder
	By         string    `json:"by"`     // the reader, as corrections name it
	Background bool      `json:"background,omitempty"`
	In         int       `json:"in,omitempty"`
	Out        int       `json:"out,omitempty"`
	Answers    int       `json:"answers,omitempty"` // 1: an answer was verified
	Refused    int       `json:"refused,omitempty"` // lines of it
	Failed     int       `json:"failed,omitempty"`  // 1: there was no answer
}

// MemoryKey identifies a memory folder in the account.
func MemoryKey(memory string) string {
	return hash("memory", fsstore.Real(memory))
}

// NoteReader adds a line to the account.
func NoteReader(ctx context.Context, a Reading) error {
	dir, err := local.OpenState(true)
	if err != nil {
		return err
	}
	defer dir.Close()
	line, _ := json.Marshal(a)
	return locked(ctx, longWait, func() error { return dir.AppendPrivate(readersName, append(line, '\n'), maxReaders) })
}

// Readers sums up the account: the lines for which want is true.
func Readers(want func(Reading) bool) (sum Reading, err error) {
	var data []byte
	dir, err := local.OpenState(false)
	if err == nil {
		defer dir.Close()
		data, err = dir.ReadLarge(readersName, 2*maxReaders)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return sum, nil
	} else if err != nil {
		return sum, fmt.Errorf("read the account of readers: %w", err)
	}
	for line := range bytes.Lines(data) {
		var a Reading
		if json.Unmarshal(line, &a) != nil || min(a.In, a.Out) < 0 || !want(a) {
			continue // the end of a line that was not written whole
		}
		sum.In, sum.Out = sum.In+a.In, sum.Out+a.Out
		sum.Answers, sum.Refused, sum.Failed = sum.Answers+a.Answers, sum.Refused+a.Refused, sum.Failed+a.Failed
	}
	return sum, nil
}
