package capture

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"episodes/extract"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/redact"
)

// VocabularyFile is where a project keeps words of its own, below its root.
const VocabularyFile = memory.ConfigName

// maxVocabulary is the largest such file that is read, in bytes.
const maxVocabulary = 1 << 20

// ErrVocabulary is wrapped by the error of a vocabulary that cannot be read.
var ErrVocabulary = errors.New("project vocabulary")

// newExtractor makes an extractor that knows the project's own words as well. note says what of the file is
// ignored, and warn what of it lets more into episodes or would.
func newExtractor(loc memory.Location, note, warn func(string)) (*extract.Extractor, error) {
	v, open, err := vocabularyOf(loc)
	if err != nil {
		return nil, err
	}
	if len(v.Ignored) > 0 && note != nil {
		note(ignoredNote(v.Ignored))
	}
	for _, refused := range v.Refused {
		if warn != nil {
			warn(fmt.Sprintf("%s, redact: without effect: %s", VocabularyFile, refused))
		}
	}
	if n := len(v.Redact.Allow); n > 0 && warn != nil {
		warn(fmt.Sprintf("%s lets what %s matches stand in episodes: see \"allow\" of its table redact", VocabularyFile, plain.Plural(n, "expression")))
	}
	if open > 0 && warn != nil {
		warn(fmt.Sprintf("%s: without effect until you confirm it: %s on what logs say and what is redacted; to do: episodes trust config",
			VocabularyFile, plain.Plural(open, "line")))
	}
	return extract.New(v), nil
}

// vocabularyOf reads what counts of the project's file, and how many of its entries do not, since
// the user has not confirmed them.
func vocabularyOf(loc memory.Location) (v extract.Vocabulary, open int, err error) {
	if v, err = readProject(loc); err == nil {
		open = onlyConfirmed(loc, &v)
	}
	return v, open, err
}

// readProject reads the project's file; it is empty without one.
func readProject(loc memory.Location) (v extract.Vocabulary, err error) {
	if loc.Bare {
		return v, nil
	}
	data, err := readVocabulary(loc.Root)
	if errors.Is(err, fs.ErrNotExist) {
		return v, nil
	}
	if err == nil {
		v, err = extract.ReadVocabulary(data)
	}
	if err != nil {
		return v, fmt.Errorf("%w %q: %w", ErrVocabulary, vocabularyPath(loc.Root), fsstore.Cause(err))
	}
	return v, nil
}

// Redactor takes out of texts what the memory's project and the program say must not be
// kept. Where the project's file cannot be read, the program alone says it.
func Redactor(loc memory.Location) *redact.Redactor {
	v, _, err := vocabularyOf(loc)
	if err != nil {
		v = extract.Vocabulary{}
	}
	r, _ := redact.New(redact.Config(v.Redact)) // without what is refused
	return r
}

// Extractor reads logs with the words and the redaction of the memory's project; where its
// file cannot be read, with those of the program alone.
func Extractor(loc memory.Location) *extract.Extractor {
	if own, err := newExtractor(loc, nil, nil); err == nil {
		return own
	}
	return extract.New(extract.Vocabulary{})
}

// ignoredNote names what is no word: nothing that runs, sends or reads more is taken from
// the repository.
func ignoredNote(keys []string) string {
	const most = 5
	var names []string
	for _, k := range keys[:min(len(keys), most)] {
		names = append(names, fmt.Sprintf("%.60q", k))
	}
	if n := len(keys) - most; n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return fmt.Sprintf("of %s only the tables names, words, redact and logs count; ignored: %s", VocabularyFile,
		strings.Join(names, ", "))
}

func vocabularyPath(root string) string {
	return filepath.Join(root, filepath.FromSlash(VocabularyFile))
}

// readVocabulary reads the file through the root: a link must not lead out of it.
func readVocabulary(root string) ([]byte, error) {
	f, err := fsstore.OpenInput(root, filepath.FromSlash(VocabularyFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxVocabulary+1))
	if err == nil && len(data) > maxVocabulary {
		err = fmt.Errorf("is larger than %d bytes", maxVocabulary)
	}
	return data, err
}
