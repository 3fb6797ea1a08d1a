package ask

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"episodes/graph"
	"episodes/internal/capture"
	"episodes/internal/lock"
	"episodes/internal/memory"
	"episodes/query"
)

// The errors on which a caller can decide, besides context.Canceled, *RequestError,
// *AmbiguousError, *query.NotFoundError, and what Damaged and Full recognise.
var (
	ErrNoMemory   = memory.ErrNone         // there is no memory at the location
	ErrLocked     = lock.ErrTimeout        // the lock was held for longer than LockTimeout
	ErrStore      = graph.ErrURL           // invalid URL of a store
	ErrVocabulary = capture.ErrVocabulary  // the project's own vocabulary cannot be read
	ErrTogether   = query.ErrContradiction // the parts of a what-if exclude each other
	ErrNoRef      = errors.New("not an episode's id, session or prefix")
	ErrNoRecord   = errors.New("no such record")
	ErrNoEpisode  = fmt.Errorf("%w", fs.ErrNotExist) // no episode has this name; it is fs.ErrNotExist too
)

// Damaged reports whether err says that the graph is damaged, or of another version of
// the program: only a rebuild makes it usable.
func Damaged(err error) bool {
	return errors.Is(err, graph.ErrDamaged) || errors.Is(err, query.ErrDamaged) || errors.Is(err, graph.ErrVersion)
}

// Newer reports whether err says that a newer version of the program made the graph.
func Newer(err error) bool {
	var other *graph.FormatError
	return errors.As(err, &other) && other.Newer()
}

// Full reports whether err says that the disk has too little room.
func Full(err error) bool {
	return errors.Is(err, capture.ErrFull) || errors.Is(err, graph.ErrFull) || errors.Is(err, syscall.ENOSPC)
}

// RequestError says what is wrong with a request.
type RequestError struct {
	Params  []string // flags without dashes; may be none
	Value   string   // that was given, where it helps to see it
	Message string   // "": the parameters are required, unless Err says more
	Err     error    // why the value of a parameter cannot be read
	Hint    string
	Help    bool // the help of the question says what it takes
}

func (e *RequestError) Error() string {
	what := strings.Join(e.Params, " and ")
	switch {
	case e.Err != nil:
		return fmt.Sprintf("%s: %v", what, e.Err)
	case e.Message == "":
		return what + " must be given"
	case what == "":
		return e.Message
	case e.Value != "":
		return fmt.Sprintf("%s %q: %s", what, e.Value, e.Message)
	}
	return what + " " + e.Message
}

// Check refuses a request that cannot be carried out.
func Check(request any) error {
	if r, ok := request.(interface{ Check() error }); ok {
		return r.Check()
	}
	return nil
}

// badParam is a RequestError about one parameter; value is "" where it does not help to see it.
func badParam(param, value, message string) error {
	return &RequestError{Params: []string{param}, Value: value, Message: message}
}

// oneOf refuses a value that is not legal; "" is.
func oneOf(param, value string, legal []string) error {
	if value == "" || slices.Contains(legal, value) {
		return nil
	}
	return badParam(param, value, "must be "+strings.Join(legal, ", "))
}

// nothingAsked refuses a question without words.
func nothingAsked() error {
	return &RequestError{Message: "nothing is asked", Hint: "give words, - for standard input, or @FILE"}
}

// longestNamed is the length of the longest text that names something in the memory, in bytes.
const longestNamed = 16 << 10

// tooLong refuses a text that is no name of anything.
func tooLong(param, text string) error {
	if len(text) <= longestNamed {
		return nil
	}
	return badParam(param, "", fmt.Sprintf("must have at most %d bytes", longestNamed))
}

// AmbiguousError says that a prefix fits several episodes.
type AmbiguousError struct {
	Ref string
	IDs []string // that it fits, sorted
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q fits %d episodes", e.Ref, len(e.IDs))
}

func (e *AmbiguousError) Hint() string {
	const most = 8
	if len(e.IDs) > most {
		return fmt.Sprintf("one of: %s, and %d more", strings.Join(e.IDs[:most], ", "), len(e.IDs)-most)
	}
	return "one of: " + strings.Join(e.IDs, ", ")
}
