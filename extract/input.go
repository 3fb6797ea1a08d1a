package extract

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"unicode/utf8"

	"episodes/extract/internal/facts"
)

// Limits of what is taken for a session log, in bytes. A log of a year of work that
// a person reads has less than one megabyte; what is larger is output or data.
const (
	MaxBytes = 8 << 20
	MaxLine  = 1 << 20
)

// counted is how many bytes of a log over MaxBytes are read, only to say how large it is.
const counted = 256 << 20

// ErrNotText is wrapped by the InputError of a log that is binary.
var ErrNotText = errors.New("not a text file")

// ErrTooLarge is wrapped by the InputError of a log over a limit.
var ErrTooLarge = errors.New("too large for a session log")

// InputError says why a log cannot be read at all.
type InputError struct {
	Line int // 1-based; 0 when no line is to blame
	Err  error
}

func (e *InputError) Error() string { return e.Err.Error() }

func (e *InputError) Unwrap() error { return e.Err }

// TooLarge is the *InputError of a log of so many bytes, over MaxBytes.
func TooLarge(size int64) error {
	text := megabytes(size)
	if most := int64(MaxBytes + counted); size > most {
		text = "over " + megabytes(most)
	}
	return &InputError{Err: fmt.Errorf("%w: %s, the limit is %s", ErrTooLarge, text, megabytes(MaxBytes))}
}

// megabytes rounds up, so that nothing over a limit looks as if it kept it.
func megabytes(n int64) string { return fmt.Sprintf("%d MB", (n+1<<20-1)>>20) }

// mostFacts is how many facts a log may have: an episode of more would be larger than a log may be.
const mostFacts = 40_000

// checkFacts refuses what has too many facts, before they are worked on.
func checkFacts(d *facts.Draft) error {
	if n := len(d.Facts); n > mostFacts {
		return &InputError{Err: fmt.Errorf("%w: %d facts, the limit is %d", ErrTooLarge, n, mostFacts)}
	}
	return nil
}

// checkInput refuses what cannot be a session log, before any parsing.
func checkInput(data []byte) error {
	if len(data) > MaxBytes {
		return TooLarge(int64(len(data)))
	}
	if at := bytes.IndexByte(data, 0); at >= 0 && isBinary(data) {
		return &InputError{Line: 1 + bytes.Count(data[:at], []byte("\n")), Err: fmt.Errorf("%w: more than 1 %% of it are bytes that text does not have", ErrNotText)}
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
		end := cmp.Or(bytes.IndexByte(rest, mark)+1, len(rest))
		if end > MaxLine {
			return &InputError{Line: line,
				Err: fmt.Errorf("%w: the line has %s, the limit is %s", ErrTooLarge, megabytes(int64(end)), megabytes(MaxLine))}
		}
		rest = rest[end:]
	}
	return nil
}

// isBinary reports whether more than one byte in a hundred is zero or not UTF-8. A log that quotes the
// output of a program may have a few of them.
func isBinary(data []byte) bool {
	foreign, most := bytes.Count(data, []byte{0}), len(data)/100
	for i := 0; i < len(data) && foreign <= most; {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			foreign++
		}
		i += n
	}
	return foreign > most
}

// looksJSON reports whether a text plainly is JSON: any other can be Markdown.
func looksJSON(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(data) < 2 {
		return false
	}
	rest := bytes.TrimLeft(data[1:], " \t\r\n")
	switch {
	case len(rest) == 0:
		return false
	case data[0] == '{':
		return rest[0] == '"' || rest[0] == '}'
	case data[0] == '[':
		return rest[0] == '{'
	}
	return false
}
