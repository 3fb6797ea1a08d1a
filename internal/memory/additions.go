package memory

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"regexp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/fsstore"
)

// Addition is a file of what was added to the facts of an episode. It never changes, so that branches which
// each add some merge without a conflict.
type Addition struct {
	Hash string // its name, see AdditionHash
	Data []byte // lines, of which the first is a head; this package knows nothing of their content
}

// Limits of the additions that are believed.
const (
	MaxAddition  = 1 << 20 // bytes of a file
	MaxAdditions = 8 << 20 // bytes of all files of an episode
	mostFiles    = 5000    // of an episode
)

// Why a file among the additions has no effect.
var (
	errName  = errors.New("no name of an addition")
	errOther = errors.New("not the text that its name stands for")
	errLimit = errors.New("over 1 MB, or over 8 MB or 5000 files for an episode")
	errLines = errors.New("no lines that end with LF")
)

// addedOf has a folder for each episode. A file is written beside these folders and then moved, so that
// cleaning need not look into each.
var addedOf = attached{dir: "additions"}

// AdditionHash is the name of an addition: the first 16 hex digits of its SHA-256.
func AdditionHash(data []byte) string { return Hash(data)[:16] }

// AdditionName is the name of the file of an addition in the shared part, relative to its folder, with slashes.
func AdditionName(id, hash string) string { return addedOf.dir + "/" + id + "/" + fileOf(hash) }

// AdditionOf is the inverse of AdditionName.
func AdditionOf(name string) (id, hash string, ok bool) {
	name, of := strings.CutPrefix(name, addedOf.dir+"/")
	id, file, _ := strings.Cut(name, "/")
	hash, ok = hashOf(file)
	return id, hash, of && ok && episode.ValidID(id)
}

func fileOf(hash string) string { return hash + fixesOf.suffix }

// hashOf is the inverse of fileOf.
func hashOf(name string) (hash string, ok bool) {
	hash, ok = strings.CutSuffix(name, fixesOf.suffix)
	return hash, ok && len(hash) == 16 && strings.Trim(hash, "0123456789abcdef") == ""
}

// Added lists the ids of episodes that have a folder of additions in either part. There may be no such episode.
func (m *Memory) Added() (map[string]bool, error) { return m.having(addedOf) }

// AdditionNames lists the hashes of the additions of an episode, sorted, as the names of their files have them.
func (m *Memory) AdditionNames(id string) (hashes []string) {
	var err error
	for _, dir := range ofEpisode(id, &err, m.home(m.IsPrivate(id))) {
		names, _ := dir.Names()
		for _, name := range names {
			if hash, ok := hashOf(name); ok {
				hashes = append(hashes, hash)
			}
		}
	}
	return hashes
}

// Additions returns the additions of an episode in the order of their names. They are in the same part as the
// episode. leftOut names what is not believed: a link, a strange name, content of another hash, what
// is over a limit. err says that something could not be read. Those to skip are passed over, and take no place in the limits.
func (m *Memory) Additions(id string, skip ...string) (files []Addition, leftOut []error, err error) {
	const tries = 100 // while others replace files
	for range tries {
		files, leftOut, err = additionsIn(m.home(m.IsPrivate(id)), id, skip...)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return files, leftOut, err
}

// additionsIn reads one part. The error is fs.ErrNotExist if a file was removed after it was listed: the one in
// its place may not be listed.
func additionsIn(home *fsstore.Dir, id string, skip ...string) (files []Addition, leftOut []error, err error) {
	for _, dir := range ofEpisode(id, &err, home) {
		names, failed := dir.Names()
		left := MaxAdditions
		for _, name := range names {
			if hash, _ := hashOf(name); slices.Contains(skip, hash) {
				continue
			}
			if len(files) == mostFiles {
				left = 0
			}
			data, why, failed := readAddition(dir, name, left)
			switch {
			case failed != nil:
				return nil, nil, failed
			case why != nil:
				leftOut = append(leftOut, &FileError{dir.Path(name), why})
			default:
				files = append(files, Addition{AdditionHash(data), data})
				left -= len(data)
			}
		}
		err = failed
	}
	if link := (*fsstore.TypeError)(nil); errors.As(err, &link) {
		leftOut, err = []error{err}, nil
	}
	return files, leftOut, err
}

// readAddition reads a file, or says why it is not believed. git may have put CR LF at the ends of lines.
func readAddition(dir *fsstore.Dir, name string, limit int) (data []byte, why, err error) {
	hash, ok := hashOf(name)
	if !ok {
		return nil, errName, nil
	}
	data, err = dir.ReadLarge(name, int64(min(limit, MaxAddition)))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	var large *fsstore.TooLargeError
	switch {
	case errors.As(err, &large):
		return nil, errLimit, nil
	case errors.Is(err, fsstore.ErrNotRegular), err == nil && AdditionHash(data) != hash:
		return nil, errOther, nil
	}
	return data, nil, err
}

// checkAddition says what keeps a text from being an addition.
func checkAddition(data []byte) error {
	switch {
	case len(data) > MaxAddition:
		return errLimit
	case !bytes.HasSuffix(data, []byte("\n")) || bytes.ContainsRune(data, '\r'):
		return errLines
	}
	return nil
}

// ofEpisode are the folders of an episode's additions in parts that have one.
func ofEpisode(id string, err *error, homes ...*fsstore.Dir) iter.Seq2[*fsstore.Dir, *fsstore.Dir] {
	if !episode.ValidID(id) {
		*err, homes = fmt.Errorf("%q: %w", id, errName), nil
	}
	return folders(addedOf.dir+"/"+id, err, homes...)
}

// Add writes an addition of an episode, unless it is there already. private says in which part the
// episode is, or will be. The caller holds the lock, and has made the private part.
func (m *Memory) Add(id string, data []byte, private bool) error {
	if private && m.private == nil {
		return errNoPrivate
	}
	home := m.home(private)
	files, _, err := additionsIn(home, id)
	if err = errors.Join(err, checkAddition(data)); err != nil {
		return err
	}
	sum := len(data)
	for _, f := range files {
		if bytes.Equal(f.Data, data) {
			return nil
		}
		sum += len(f.Data)
	}
	if sum > MaxAdditions || len(files) == mostFiles {
		return errLimit
	}
	return m.put(home, id, data)
}

// put writes an addition to one part, in the place of what has its name.
func (m *Memory) put(home *fsstore.Dir, id string, data []byte) error {
	open, write := m.writing(home)
	all, err := open(home, addedOf.dir)
	if err != nil {
		return err
	}
	defer all.Close()
	dir, err := open(all, id)
	if err != nil {
		return err
	}
	defer dir.Close()
	name, aside := fileOf(AdditionHash(data)), fsstore.TempPrefix+rand.Text()
	if err = errors.Join(dir.Clear(name), write(all, aside, data)); err == nil {
		err = all.Rename(aside, id+"/"+name)
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", dir.Path(name), fsstore.Cause(err))
	}
	return errors.Join(dir.Sync(), all.Sync(), home.Sync())
}

// ReplaceAddition writes an addition, of objects of JSON, in the place of another one, which it removes.
// A kill between the two leaves both. If the other one is not there, the error is fs.ErrNotExist. The caller
// holds the lock.
//
// The new lines begin with one more space than the old ones, so that git does not take the new file for the old
// one under another name: two branches that replace one file by different ones would not merge.
func (m *Memory) ReplaceAddition(id string, old Addition, data []byte) (err error) {
	const chunk = 64 // bytes of a line that git compares at once
	spaces := strings.Repeat(" ", (bytes.IndexByte(old.Data, '{')+1)%chunk)
	data = lineStart.ReplaceAll(data, []byte(spaces+"{"))
	if err = checkAddition(data); err != nil {
		return err
	}
	there := false
	for home, dir := range ofEpisode(id, &err, m.homes()...) {
		if dir.Exists(fileOf(old.Hash)) {
			there, err = true, errors.Join(err, m.put(home, id, data))
		}
	}
	if err == nil && !there {
		err = fmt.Errorf("replace %q: %w", AdditionName(id, old.Hash), fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	return m.RemoveAddition(id, old.Hash)
}

var lineStart = regexp.MustCompile(`(?m)^ *{`)

// RemoveAddition removes an addition of an episode from both parts. That there is none is no error. The caller
// holds the lock.
func (m *Memory) RemoveAddition(id, hash string) (err error) {
	if _, ok := hashOf(fileOf(hash)); !ok {
		return fmt.Errorf("%q: %w", hash, errName)
	}
	for _, dir := range ofEpisode(id, &err, m.homes()...) {
		err = errors.Join(err, dir.RemoveAll(fileOf(hash)), dir.Sync())
	}
	for _, home := range m.homes() {
		if err == nil {
			_ = home.Remove(addedOf.dir + "/" + id) // if it is empty
		}
	}
	return err
}

// DropAdditions removes all additions of an episode from both parts. The caller holds the lock.
func (m *Memory) DropAdditions(id string) error { return dropAdditions(id, m.homes()...) }

func dropAdditions(id string, homes ...*fsstore.Dir) (err error) {
	if !episode.ValidID(id) {
		return fmt.Errorf("%q: %w", id, errName)
	}
	for _, all := range folders(addedOf.dir, &err, homes...) {
		err = errors.Join(err, all.RemoveAll(id), all.Sync())
	}
	return err
}

// moveAdditions gives the additions in one part to another part or id, beside what is there. The old ones are
// removed unless keep says otherwise, or something among them is not believed.
func (m *Memory) moveAdditions(home *fsstore.Dir, from string, other *fsstore.Dir, to string, keep bool) error {
	files, leftOut, err := additionsIn(home, from)
	for _, f := range files {
		if err == nil {
			err = m.put(other, to, f.Data)
		}
	}
	if err != nil || keep || len(leftOut) > 0 {
		return err
	}
	return dropAdditions(from, home)
}
