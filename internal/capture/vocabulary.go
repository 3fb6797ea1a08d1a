package capture

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"episodes/extract"
	"episodes/internal/memory"
)

// VocabularyFile is where a project keeps words of its own, below its root.
const VocabularyFile = ".agents/episodes.toml"

// maxVocabulary is the largest such file that is read, in bytes.
const maxVocabulary = 1 << 20

// ErrVocabulary is wrapped by the error of a vocabulary that cannot be read.
var ErrVocabulary = errors.New("project vocabulary")

// newExtractor makes an extractor that knows the project's own words as well.
func newExtractor(loc memory.Location) (*extract.Extractor, error) {
	path := filepath.Join(loc.Root, filepath.FromSlash(VocabularyFile))
	data, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		return extract.New(extract.Vocabulary{}), nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrVocabulary, err)
	}
	v, err := extract.ReadVocabulary(data)
	if err != nil {
		return nil, fmt.Errorf("%w %q: %w", ErrVocabulary, path, err)
	}
	return extract.New(v), nil
}

func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxVocabulary {
		return nil, fmt.Errorf("%q is no file of at most %d bytes", path, maxVocabulary)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxVocabulary))
}
