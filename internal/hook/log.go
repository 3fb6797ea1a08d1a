package hook

import (
	"bytes"
	"fmt"
	"time"

	"episodes/internal/local"
	"episodes/internal/plain"
)

// The log of hooks, in the user's state folder. Above maxLog its older half is dropped.
const (
	logName = "hook.log"
	maxLog  = 256 << 10 // bytes
	maxLine = 400
)

// trouble writes a line: when, which agent and event, and what failed. Nothing of a payload
// is in it. That it cannot be written is said to nobody: there is nobody to say it to.
func (h *hook) trouble(what error) {
	dir, err := h.state()
	if err != nil {
		return
	}
	line := fmt.Sprintf("%s %s %s %s", h.now().UTC().Format(time.RFC3339), plain.Name(h.Agent, 40),
		plain.Name(h.Event, 40), plain.Line(what.Error()))
	_ = dir.AppendPrivate(logName, []byte(plain.Cut(line, maxLine)+"\n"), maxLog)
}

// Trouble writes a line to the log for an invocation that failed before Run.
func Trouble(o Options, what error) {
	if !Off(o.Getenv) {
		(&hook{Options: o}).trouble(what)
	}
}

// Recent returns the path of the log of hooks where it has lines since a time, and how many.
func Recent(since time.Time) (path string, lines int) {
	dir, err := local.OpenState(false)
	if err != nil {
		return "", 0
	}
	defer dir.Close()
	data, err := dir.ReadLarge(logName, 2*maxLog)
	if err != nil {
		return "", 0
	}
	for line := range bytes.Lines(data) {
		at, _, _ := bytes.Cut(line, []byte(" "))
		if t, err := time.Parse(time.RFC3339, string(at)); err == nil && t.After(since) {
			lines++
		}
	}
	return dir.Path(logName), lines
}
