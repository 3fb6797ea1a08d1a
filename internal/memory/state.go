package memory

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// GraphState says which episode files the graph holds. It is empty while the
// graph is being written.
type GraphState struct {
	Store  string `json:"store,omitempty"`  // which graph
	Stats  string `json:"stats,omitempty"`  // StatDigest of the files given to it
	Files  int    `json:"files,omitempty"`  // how many these are
	Roll   int64  `json:"roll,omitempty"`   // size of the roll that lists all of them; 0: none does
	Folder int64  `json:"folder,omitempty"` // when their folder was last changed, in nanoseconds
	Before string `json:"before,omitempty"` // see View
	Pins   string `json:"pins,omitempty"`   // digest of the file of pins
}

// stateFile is state.json. It is a file of its own since every question reads it.
type stateFile struct {
	Written int64      `json:"written"` // nanoseconds
	Graph   GraphState `json:"graph"`
}

const stateName = "state.json"

// GraphState reads what the graph was last brought to, and when.
func (m *Memory) GraphState() (state GraphState, written int64) {
	var f stateFile
	if json.Unmarshal([]byte(m.derivedText(stateName)), &f) != nil {
		return GraphState{}, 0
	}
	return f.Graph, f.Written
}

// saveState writes it; an empty one has no file.
func (m *Memory) saveState(state GraphState, now time.Time) error {
	if state == (GraphState{}) {
		return m.dropDerived(stateName)
	}
	data, err := json.Marshal(stateFile{now.UnixNano(), state})
	if err == nil {
		err = replace(m.derived, stateName, append(data, '\n'), newFile, false)
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", m.path(derivedDir, stateName), cause(err))
	}
	return nil
}

// StatDigest is one value for the names, sizes and times of all episode files.
// It is "" when a file changed so shortly before noted that a later change could
// look the same.
func StatDigest(files []File, noted int64) string {
	h := sha256.New()
	var line []byte
	for _, f := range files {
		if f.Stat.settled(noted).ModTime == unsure {
			return ""
		}
		line = append(append(line, f.ID...), 0)
		line = binary.BigEndian.AppendUint64(line, uint64(f.Size))
		line = binary.BigEndian.AppendUint64(line, uint64(f.ModTime))
		if len(line) > 1<<15 {
			h.Write(line)
			line = line[:0]
		}
	}
	h.Write(line)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// manyFiles is how many episode files a question, or a Hold, looks at one by one.
// Beyond that it trusts the time of their folder: every file that is added, removed,
// renamed or replaced changes it, also by git or by this program. What it does not
// see is a file written over in place; `graph update` does, and the next question
// after something else than a Hold changed the folder. A variable for the tests.
var manyFiles = 4096

// Settled reports, without opening the graph, whether it holds exactly the
// episode files. It may say no when it does; and yes when it does not only in the
// case that manyFiles tells.
func (m *Memory) Settled(store string) bool {
	_, ok := m.settled(store)
	return ok
}

// settled is Settled, and gives the episode files where it looked at each.
func (m *Memory) settled(store string) (files []File, ok bool) {
	state, written := m.GraphState()
	if state.Store != store || state.Stats == "" || state.Before != m.View().Before || state.Pins != m.pinsDigest() {
		return nil, false
	}
	dir, ok := strings.CutPrefix(store, badgerScheme)
	if !ok {
		return nil, false // only a folder can be seen to be there
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) == 0 {
		return nil, false
	}
	changed := m.folderTime()
	if changed.settled(written).ModTime != state.Folder {
		return nil, false
	}
	if state.Files > manyFiles {
		return nil, true
	}
	files, _, err := m.Files()
	return files, err == nil && state.Stats == StatDigest(files, written)
}

// folderTime is when a name in the folder of the episodes last changed.
func (m *Memory) folderTime() Stat {
	info, err := m.episodes.Stat(".")
	if err != nil {
		return Stat{ModTime: unsure}
	}
	return Stat{ModTime: info.ModTime().UnixNano()}
}
