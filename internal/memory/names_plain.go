//go:build !(linux && (amd64 || arm64))

package memory

import "os"

// readNames adds the next names of a folder to those of a step. The error is io.EOF
// when there are no more.
func readNames(dir *os.File, s *step) error {
	names, err := dir.Readdirnames(1024)
	for _, name := range names {
		s.add(append([]byte(name), 0))
	}
	if len(names) > 0 {
		return nil
	}
	return err
}

// nameStatter is statter for names that end with a zero byte.
func nameStatter(dir *os.File) func(name []byte) (look, error) {
	at := statter(dir)
	return func(name []byte) (look, error) { return at(string(name[:len(name)-1])) }
}
