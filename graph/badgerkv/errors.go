package badgerkv

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	badger "github.com/dgraph-io/badger/v4"
	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/graph/engine"
)

// Each of these asks the caller for one decision.
var (
	// ErrMissing: there is no database in the directory. Create one.
	ErrMissing = errors.New("no database there")
	// ErrExists: the directory is not free for a new database. Open it, or
	// remove it first.
	ErrExists = errors.New("a database is there already")
	// ErrLocked: another handle, of this process or another, holds the database:
	// a writer, or a reader that keeps a writer out. Try again later.
	ErrLocked = errors.New("the database is in use")
	// ErrUnclean: the last writer died. Open the database once with Open, then
	// read-only works again.
	ErrUnclean = errors.New("the database was not closed cleanly")
	// ErrDamaged: the files contradict each other or their checksums. Rebuild
	// the database; no open of this package will go further.
	ErrDamaged = engine.ErrDamaged
	// ErrVersion: the database is sound but has another format: Badger's or, as an
	// *engine.FormatError, the caller's. Rebuild or migrate it.
	ErrVersion = engine.ErrVersion
	// ErrFull: the disk has too little room to write safely. Make room.
	ErrFull = engine.ErrFull
	// ErrTooBig: the transaction, or one entry of it, is larger than a
	// transaction can be. The entry was not taken, the transaction stays as it
	// was before: commit it and go on in the next, or give it up.
	ErrTooBig = engine.ErrTooBig
)

// engineTexts says what Badger's texts mean. Badger wraps with %v, so nothing
// but the text is left to match. The first match wins, so what the system
// reported comes before what Badger was doing at that moment.
var engineTexts = []struct {
	err   error
	texts []string
}{
	{ErrLocked, []string{"Another process is using this Badger database"}},
	{ErrFull, []string{"no space left on device"}},
	{fs.ErrPermission, []string{"permission denied"}},
	{nil, []string{"too many open files", "cannot allocate memory"}},
	{ErrUnclean, []string{"Log truncate required"}},
	{ErrVersion, []string{"external magic number doesn't match", "manifest has unsupported version"}},
	{ErrMissing, []string{"Cannot find directory", "no manifest found"}},
	{errors.ErrUnsupported, []string{"is not supported on Windows", "is not supported on Plan 9"}},
	{ErrTooBig, []string{"Txn is too big", "Key with size", "Value with size"}},
	{fs.ErrClosed, []string{
		"DB Closed", "Writes are blocked", "No room for write", "transaction has been discarded",
		"commit a discarded txn",
	}},
	{ErrDamaged, []string{
		"manifest has bad magic", "checksum mismatch", "failed to verify checksum", "might be corrupted",
		"MANIFEST invalid", "invalid manifestChange op", "file does not exist for table", "failed to read index",
		"failed to initialize", "failed to decompress", "failed to decode compressed data",
		"invalid checksum length", "Data corrupted", "value corrupted",
		"while iterating", // a log
		"Level validation", "Unable to parse log id", "Invalid datakey id",
		"Encryption key mismatch", // a broken KEYREGISTRY: nothing is encrypted here
		"key registry", "sanity text",
	}},
}

// meaning returns the sentinel that an error of Badger's means, or nil when
// it means none.
func meaning(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, badger.ErrKeyNotFound):
		return flat.ErrNotFound
	case errors.Is(err, badger.ErrReadOnlyTxn):
		return flat.ErrReadOnly
	case errors.Is(err, badger.ErrConflict):
		return flat.ErrConflict
	}
	text := err.Error()
	for _, e := range engineTexts {
		if slices.ContainsFunc(e.texts, func(part string) bool { return strings.Contains(text, part) }) {
			return e.err
		}
	}
	return nil
}

// engineError turns an error of Badger's into one of this package's. doing says
// what failed, and with what.
func engineError(doing string, err error) error {
	switch m := meaning(err); m {
	case nil:
		return fmt.Errorf("%s: %w", doing, err)
	case flat.ErrNotFound, flat.ErrReadOnly, flat.ErrConflict:
		return m // hidalgo compares with ==
	default:
		return fmt.Errorf("%s: %w: %s", doing, m, tidy(err.Error()))
	}
}

// guard turns a panic of Badger's into ErrDamaged: on a directory that only it
// writes, it panics about what it reads, not about its arguments. What it was doing
// is given up with the error, so no state that it left half changed is used again.
// In a goroutine of Badger's nothing can be recovered: what would panic there is
// refused before (see table.go).
func guard(err *error, doing string) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: %w: %s", doing, ErrDamaged, panicText(r))
	}
}

// guardRead is guard for a search for a key: Badger looks at some numbers of a block
// before it compares the block with its checksum.
func guardRead(err *error, key []byte) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("read at %q: %w: %s", key, ErrDamaged, panicText(r))
	}
}

// panicText is the text of a panic for a user, to whom one of Go's runtime, or what
// Badger prints for its own authors, says nothing.
func panicText(r any) string {
	if text, ok := r.(string); ok && !strings.Contains(text, "=") {
		return tidy(text)
	}
	return "its numbers point outside of it"
}

// tidy makes one short line, without a capital or a full stop, of a text of
// Badger's.
func tidy(text string) string {
	const most = 240
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	text = strings.TrimRight(text, ". ")
	first, n := utf8.DecodeRuneInString(text)
	if n == 0 {
		return ""
	}
	if second, _ := utf8.DecodeRuneInString(text[n:]); unicode.IsUpper(second) {
		return text // a name such as MANIFEST
	}
	return string(unicode.ToLower(first)) + text[n:]
}
