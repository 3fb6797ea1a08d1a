package lex

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Vocabulary is what a project adds to the words that extraction knows, or takes
// from them: an entry that opens with "-" is taken away.
type Vocabulary struct {
	Names  map[string][]string `toml:"names"` // whole headings, labels and columns, by role
	Words  map[string][]string `toml:"words"` // words and phrases inside prose, by class
	Redact Redaction           `toml:"redact"`
	Logs   LogTable            `toml:"logs"` // where logs lie; extraction itself does not use it
	// Ignored are the other tables and keys of the file. Whoever wrote the repository
	// wrote it, so it says nothing but words, and which of its own files are logs.
	Ignored []string `toml:"-"`
	// Refused says which entries of Redact do not count, and why.
	Refused []string `toml:"-"`
}

// LogTable says which files of a repository are logs, for a command that names none. All
// are relative to the root.
type LogTable struct {
	Paths   []string `toml:"paths"`   // folders, files or patterns
	Exclude []string `toml:"exclude"` // patterns as in a .gitignore
}

// Redaction is what a project adds to what is redacted, and what it excepts. Both are Go
// regexps; package redact says what they may do.
type Redaction struct {
	Patterns []string `toml:"patterns"`
	Allow    []string `toml:"allow"`
}

// Empty reports whether a project adds nothing to what is extracted.
func (v Vocabulary) Empty() bool {
	return len(v.Names)+len(v.Words)+len(v.Redact.Patterns)+len(v.Redact.Allow) == 0
}

// ReadVocabulary reads the TOML text of a project's vocabulary. The error says
// on which line of it what is wrong.
func ReadVocabulary(data []byte) (Vocabulary, error) {
	var v Vocabulary
	err := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff")))).DisallowUnknownFields().Decode(&v)
	var bad *toml.DecodeError
	var unknown *toml.StrictMissingError
	switch {
	case errors.As(err, &unknown):
		for _, field := range unknown.Errors {
			if table := field.Key()[0]; !slices.Contains(v.Ignored, table) {
				v.Ignored = append(v.Ignored, table)
			}
		}
	case errors.As(err, &bad):
		line, _ := bad.Position()
		return v, fmt.Errorf("line %d: %s", line, strings.TrimPrefix(bad.Error(), "toml: "))
	case err != nil:
		return v, err
	}
	for table, known := range map[string][]string{"names": roleNames, "words": classNames} {
		got := map[string]map[string][]string{"names": v.Names, "words": v.Words}[table]
		for _, k := range slices.Sorted(maps.Keys(got)) {
			if !slices.Contains(known, k) {
				return v, fmt.Errorf("line %d: %q is none of the %s: %s", lineOfKey(data, k), k, table, strings.Join(known, ", "))
			}
		}
	}
	return v, nil
}

// lineOfKey returns the 1-based line of a key, or 1 if it cannot be found.
func lineOfKey(data []byte, key string) int {
	for i, l := range strings.Split(string(data), "\n") {
		if l = strings.TrimLeft(l, " \t[\"'"); strings.HasPrefix(l, key) {
			return i + 1
		}
	}
	return 1
}

// Mark identifies the vocabulary: different additions have different marks.
func (v Vocabulary) Mark() string {
	h := sha256.New()
	for _, m := range []map[string][]string{v.Names, v.Words} {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			fmt.Fprintf(h, "%q %q\n", k, m[k])
		}
		fmt.Fprintln(h)
	}
	if r := v.Redact; len(r.Patterns)+len(r.Allow) > 0 {
		fmt.Fprintf(h, "%q %q\n", r.Patterns, r.Allow)
	}
	return hex.EncodeToString(h.Sum(nil))[:8]
}
