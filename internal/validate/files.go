package validate

import (
	"errors"
	"fmt"
	"path/filepath"
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

// Other checks the bytes of a file that is no episode; is: it knows what it is.
type Other func(data []byte) (found []Problem, is bool)

// Files checks episode files and, where other is not nil, those that it knows. Relative names are
// relative to dir, and are reported as given. No link is followed in place of a file.
func Files(dir string, names []string, other Other) (*Report, error) {
	r := &Report{Problems: []FileProblem{}}
	for _, name := range names {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if err := r.check(name, path, other); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Folder checks all episode files of a folder.
func Folder(dir string) (*Report, error) {
	folder, err := fsstore.Open(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Names()
	if err != nil {
		return nil, err
	}
	r := &Report{Problems: []FileProblem{}}
	for _, name := range names {
		if !strings.HasSuffix(name, suffix) {
			continue
		}
		if err := r.checkIn(folder, name, folder.Path(name), nil); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// suffix ends the names of episode files.
const suffix = ".json"

// check checks a file that the user named.
func (r *Report) check(name, path string, other Other) error {
	folder, err := fsstore.Open(filepath.Dir(path))
	if err != nil {
		r.Files++
		r.unreadable(name, err)
		return nil
	}
	defer folder.Close()
	return r.checkIn(folder, filepath.Base(path), name, other)
}

// checkIn checks a file of a folder and reports it as shown.
func (r *Report) checkIn(folder *fsstore.Dir, name, shown string, other Other) error {
	r.Files++
	data, err := folder.Read(name)
	if err != nil {
		r.unreadable(shown, notEpisode(folder, name, err))
		return nil
	}
	var ps []Problem
	is := false
	if other != nil {
		ps, is = other(data)
	}
	if !is {
		ps, err = File(data, strings.TrimSuffix(name, suffix))
	}
	for _, p := range ps {
		r.Problems = append(r.Problems, FileProblem{File: shown, Problem: p})
	}
	return err
}

func (r *Report) unreadable(shown string, err error) {
	r.Problems = append(r.Problems, FileProblem{File: shown, Problem: Problem{Message: fsstore.Cause(err).Error()}})
}

// notEpisode says more of why a file cannot be read, where its folder shows it.
func notEpisode(folder *fsstore.Dir, name string, err error) error {
	var large *fsstore.TooLargeError
	if errors.As(err, &large) {
		return fmt.Errorf("%d MB is too large for an episode", large.Size>>20)
	}
	if info, serr := folder.Lstat(name); serr == nil && info.IsDir() {
		return errors.New("is a folder")
	}
	return err
}
