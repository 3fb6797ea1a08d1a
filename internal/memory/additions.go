package memory

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path"
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

// notBelieved says why a file among the additions has no effect.
type notBelieved string

func (e notBelieved) Error() string { return string(e) }

const (
	strangeName notBelieved = "no name of an addition"
	otherText   notBelieved = "not the text that its name stands for"
	overLimit   notBelieved = "over 1 MB, or over 8 MB or 5000 files for an episode"
	noLines     notBelieved = "no lines that end with LF"
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
	dir, file := path.Split(name)
	all, id := path.Split(strings.TrimSuffix(dir, "/"))
	hash, ok = hashOf(file)
	return id, hash, ok && all == addedOf.dir+"/" && episode.ValidID(id)
}

func strange(name string) error { return fmt.Errorf("%q: %w", name, strangeName) }

func fileOf(hash string) string { return hash + fixesOf.suffix }

// hashOf is the inverse of fileOf.
func hashOf(name string) (hash string, ok bool) {
	hash, ok = strings.CutSuffix(name, fixesOf.suffix)
	return hash, ok && len(hash) == 16 && strings.Trim(hash, "0123456789abcdef") == ""
}

// Added lists the ids of episodes that have a folder of additions in either part. There may be no such episode.
func (m *Memory) Added() (map[string]bool, error) { return m.having(addedOf) }

// AddedFolders describes the folders of additions of episodes: of each, when a name in it last changed.
func (m *Memory) AddedFolders() (out []File, err error) {
	for i, home := range m.homes() {
		dir, err := home.Existing(addedOf.dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		infos, err := dir.Entries()
		dir.Close()
		if err != nil {
			return nil, err
		}
		for _, info := range infos {
			if info.IsDir() && episode.ValidID(info.Name()) {
				out = append(out, File{info.Name(), i > 0, fsstore.StatOf(info)})
			}
		}
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.ID+fmt.Sprint(a.Private), b.ID+fmt.Sprint(b.Private)) })
	return out, nil
}

// AdditionNames lists the hashes of the additions of an episode, sorted, as the names of their files have them.
func (m *Memory) AdditionNames(id string) (hashes []string) {
	dir, err := openAdditions(m.home(m.IsPrivate(id)), id)
	if err != nil || dir == nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Names()
	for _, name := range names {
		if hash, ok := hashOf(name); ok {
			hashes = append(hashes, hash)
		}
	}
	return hashes
}

// Additions returns the additions of an episode in the order of their names. They are in the same part as the
// episode. counts, if not nil, says which are wanted: others are not looked at, and take no place within the
// limits. leftOut names what is not believed: a link, a strange name, content of another hash, what
// is over a limit. err says that something could not be read.
func (m *Memory) Additions(id string, counts func(hash string) bool) (files []Addition, leftOut []error, err error) {
	const tries = 100 // while others replace files
	for range tries {
		files, leftOut, err = additionsIn(m.home(m.IsPrivate(id)), id, counts)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return files, leftOut, err
}

// additionsIn reads one part. The error is fs.ErrNotExist if a file was removed after it was listed: the one in
// its place may not be listed.
func additionsIn(home *fsstore.Dir, id string, counts func(hash string) bool) (files []Addition, leftOut []error, err error) {
	dir, err := openAdditions(home, id)
	var link *fsstore.TypeError
	switch {
	case errors.As(err, &link):
		return nil, []error{err}, nil
	case err != nil || dir == nil:
		return nil, nil, err
	}
	defer dir.Close()
	names, err := dir.Names()
	left := int64(MaxAdditions)
	for _, name := range names {
		hash, ok := hashOf(name)
		if ok && counts != nil && !counts(hash) {
			continue
		}
		if len(files) == mostFiles {
			left = 0
		}
		data, bad := readAddition(dir, name, left)
		var why notBelieved
		switch {
		case bad == nil:
			files = append(files, Addition{hash, data})
			left -= int64(len(data))
		case errors.As(bad, &why):
			leftOut = append(leftOut, &FileError{dir.Path(name), why})
		default:
			return nil, nil, bad
		}
	}
	return files, leftOut, err
}

// readAddition reads what is believed of a file. git may have put CR LF at the ends of lines.
func readAddition(dir *fsstore.Dir, name string, limit int64) ([]byte, error) {
	hash, ok := hashOf(name)
	if !ok {
		return nil, strangeName
	}
	data, err := dir.ReadLarge(name, min(limit, MaxAddition))
	var large *fsstore.TooLargeError
	switch {
	case errors.As(err, &large):
		return nil, overLimit
	case errors.Is(err, fsstore.ErrNotRegular):
		return nil, otherText
	case err != nil:
		return nil, err
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	if AdditionHash(data) != hash {
		return nil, otherText
	}
	return data, nil
}

// checkAddition says what keeps a text from being an addition.
func checkAddition(data []byte) error {
	switch {
	case len(data) > MaxAddition:
		return overLimit
	case !bytes.HasSuffix(data, []byte("\n")) || bytes.ContainsRune(data, '\r'):
		return noLines
	}
	return nil
}

// openAdditions opens the folder of an episode's additions in one part, or returns nil if there is none.
func openAdditions(home *fsstore.Dir, id string) (*fsstore.Dir, error) {
	if !episode.ValidID(id) {
		return nil, strange(id)
	}
	dir, err := home.Existing(addedOf.dir + "/" + id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return dir, err
}

// Add writes an addition of an episode; if it is there already, added is false. private says in which part the
// episode is, or will be. The caller holds the lock, and has made the private part.
func (m *Memory) Add(id string, data []byte, private bool) (added bool, err error) {
	if private && m.private == nil {
		return false, errNoPrivate
	}
	home := m.home(private)
	files, _, err := additionsIn(home, id, nil)
	if err = errors.Join(err, checkAddition(data)); err != nil {
		return false, err
	}
	sum, hash := len(data), AdditionHash(data)
	for _, f := range files {
		if f.Hash == hash {
			return false, nil
		}
		sum += len(f.Data)
	}
	if sum > MaxAdditions || len(files) == mostFiles {
		return false, overLimit
	}
	return true, m.put(home, id, data)
}

// put writes an addition to one part, in the place of what has its name.
func (m *Memory) put(home *fsstore.Dir, id string, data []byte) error {
	open, write := (*fsstore.Dir).Sub, (*fsstore.Dir).Write
	if home != m.top {
		open, write = (*fsstore.Dir).SubPrivate, (*fsstore.Dir).WritePrivate
	}
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

// ReplaceAddition writes an addition, of objects of JSON, in the place of another one, which it removes, and returns
// the hash of the new one. A kill between the two leaves both. If the other one is not there, the error is
// fs.ErrNotExist. The caller holds the lock.
//
// The new lines begin with one more space than the old ones, so that git does not take the new file for the old
// one under another name: two branches that replace one file by different ones would not merge.
func (m *Memory) ReplaceAddition(id string, old Addition, data []byte) (hash string, err error) {
	const chunk = 64 // bytes of a line that git compares at once
	spaces := strings.Repeat(" ", (bytes.IndexByte(old.Data, '{')+1)%chunk)
	data = lineStart.ReplaceAll(data, []byte(spaces+"{"))
	if err = checkAddition(data); err != nil {
		return "", err
	}
	missing := fmt.Errorf("replace %q: %w", AdditionName(id, old.Hash), fs.ErrNotExist)
	for _, home := range m.homes() {
		dir, err := holding(home, id, old.Hash)
		if dir != nil {
			dir.Close()
			missing, err = nil, m.put(home, id, data)
		}
		if err != nil {
			return "", err
		}
	}
	if missing != nil {
		return "", missing
	}
	return AdditionHash(data), m.RemoveAddition(id, old.Hash)
}

var lineStart = regexp.MustCompile(`(?m)^ *{`)

// RemoveAddition removes an addition of an episode from both parts. That there is none is no error. The caller
// holds the lock.
func (m *Memory) RemoveAddition(id, hash string) error {
	for _, home := range m.homes() {
		dir, err := holding(home, id, hash)
		if dir != nil {
			err = errors.Join(dir.RemoveAll(fileOf(hash)), dir.Sync())
			dir.Close()
			_ = home.Remove(addedOf.dir + "/" + id) // if it is empty
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// holding opens the folder of an episode's additions in one part, or returns nil if none with this hash is there.
func holding(home *fsstore.Dir, id, hash string) (*fsstore.Dir, error) {
	name := fileOf(hash)
	if _, ok := hashOf(name); !ok {
		return nil, strange(hash)
	}
	dir, err := openAdditions(home, id)
	if dir != nil && !dir.Exists(name) {
		dir.Close()
		dir = nil
	}
	return dir, err
}

// DropAdditions removes all additions of an episode from both parts. The caller holds the lock.
func (m *Memory) DropAdditions(id string) (err error) {
	for _, home := range m.homes() {
		err = errors.Join(err, dropAdditions(home, id))
	}
	return err
}

func dropAdditions(home *fsstore.Dir, id string) error {
	if !episode.ValidID(id) {
		return strange(id)
	}
	all, err := home.Existing(addedOf.dir)
	if err == nil {
		err = errors.Join(all.RemoveAll(id), all.Sync())
		all.Close()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// moveAdditions gives the additions in one part to another part or id, beside what is there. The old ones are
// removed unless keep says otherwise, or something among them is not believed.
func (m *Memory) moveAdditions(home *fsstore.Dir, from string, other *fsstore.Dir, to string, keep bool) error {
	files, leftOut, err := additionsIn(home, from, nil)
	for _, f := range files {
		if err == nil {
			err = m.put(other, to, f.Data)
		}
	}
	if err != nil || keep || len(leftOut) > 0 {
		return err
	}
	return dropAdditions(home, from)
}
