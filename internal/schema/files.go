package schema

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/fsstore"
)

// FileProblem is a problem with its file.
type FileProblem struct {
	File string `json:"file"`
	Problem
}

// String is the problem as file:line: message.
func (p FileProblem) String() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Message)
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message)
}

// Report is what checking files found.
type Report struct {
	Files    int           `json:"files"`
	Problems []FileProblem `json:"problems"` // by file and line
}

// Bad is the number of files with problems.
func (r *Report) Bad() int {
	bad := map[string]bool{}
	for _, p := range r.Problems {
		bad[p.File] = true
	}
	return len(bad)
}

// maxFile is the largest size of an episode file, in bytes.
const maxFile = 64 << 20

// Files checks episode files. Relative names are relative to dir, and are reported as
// given.
func Files(dir string, names []string) (*Report, error) {
	r := &Report{Problems: []FileProblem{}}
	for _, name := range names {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if err := r.check(name, path); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Folder checks all episode files of a folder.
func Folder(dir string) (*Report, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", dir, fsstore.Cause(err))
	}
	var paths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") && !strings.HasPrefix(e.Name(), ".") {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(paths)
	return Files(dir, paths)
}

func (r *Report) check(name, path string) error {
	r.Files++
	data, err := read(path)
	if err != nil {
		r.Problems = append(r.Problems, FileProblem{File: name, Problem: Problem{Message: fsstore.Cause(err).Error()}})
		return nil
	}
	ps, err := File(data, strings.TrimSuffix(filepath.Base(path), ".json"))
	for _, p := range ps {
		r.Problems = append(r.Problems, FileProblem{File: name, Problem: p})
	}
	return err
}

func read(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("is a folder")
	case !info.Mode().IsRegular():
		return nil, errors.New("is no regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%d MB is too large for an episode", info.Size()>>20)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}
