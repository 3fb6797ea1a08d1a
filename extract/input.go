package extract

import (
	"bytes"
	"errors"
	"fmt"
)

// Limits of what is taken for a session log.
const (
	MaxBytes = 32 << 20
	MaxLine  = 1 << 20
)

// ErrNotText is wrapped by the InputError of a log that is binary.
var ErrNotText = errors.New("not a text file")

// ErrTooLarge is wrapped by the InputError of a log over a limit.
var ErrTooLarge = errors.New("too large for a session log")

// InputError says why a log cannot be read at all.
type InputError struct {
	Line int // 1-based; 0 when no line is to blame
	Err  error
}

// Error gives the reason; the caller adds the file.
func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap gives the sentinel.
func (e *InputError) Unwrap() error { return e.Err }

// checkInput refuses what cannot be a session log, before any parsing.
func checkInput(data []byte) error {
	if len(data) > MaxBytes {
		return &InputError{Err: fmt.Errorf("%w: %d MB, the limit is %d MB", ErrTooLarge, len(data)>>20, MaxBytes>>20)}
	}
	if at := bytes.IndexByte(data, 0); at >= 0 {
		return &InputError{Line: 1 + bytes.Count(data[:at], []byte("\n")), Err: fmt.Errorf("%w: it holds a zero byte", ErrNotText)}
	}
	if len(data) <= MaxLine {
		return nil
	}
	line, rest, mark := 0, data, byte('\n')
	if bytes.IndexByte(data, mark) < 0 {
		mark = '\r'
	}
	for len(rest) > 0 {
		line++
		end := bytes.IndexByte(rest, mark) + 1
		if end == 0 {
			end = len(rest)
		}
		if end > MaxLine {
			return &InputError{Line: line, Err: fmt.Errorf("%w: the line has %d MB, the limit is %d MB", ErrTooLarge, end>>20, MaxLine>>20)}
		}
		rest = rest[end:]
	}
	return nil
}
