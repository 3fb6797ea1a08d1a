package track

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"

	"episodes/graph/stores"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
)

// manyFiles is how many episode files a question looks at one by one. Beyond that it
// trusts the time of their folder: every file that is added, removed, renamed or
// replaced changes it, also by git or by this program. What it does not see is a file
// written over in place; `graph update` and `extract` do, and so does the next
// question after something changed the folder. A variable for the tests.
var manyFiles = 4096

// usualHead is more than the length of most heads, in bytes.
const usualHead = 64 << 10

// InStep reports, without opening the graph, whether a store and KeptPassages hold exactly the
// episode files, as far as the index knows. It may say no when it does. It says yes
// when it does not in three cases only: that of manyFiles; a file written over whose
// size and time of writing were put back, which Update finds; and another program that
// wrote to the store, whose graph.Info.Digest then is not digest.
func InStep(m *memory.Memory, store string) (digest string, ok bool) {
	h, whole := readHead(m)
	if !whole || h.Store != store || h.Stats == "" || h.Before != m.View().Before || !stores.Exists(store) {
		return "", false
	}
	if folders, err := m.FoldersChanged(); err != nil || folders[0].Modified != h.Folder || folders[1].Modified != h.Private {
		return "", false
	}
	if o := Kept(m, time.Now()); !o.open && o.stale() || h.Origins != o.state() {
		return "", false
	}
	if folders, err := m.More(); err != nil || digestOf(folders) != h.Added {
		return "", false
	}
	if h.Files > manyFiles {
		return h.Digest, true
	}
	files, _, err := m.Files()
	if err != nil || digestOf(files) != h.Stats {
		return "", false
	}
	return h.Digest, true
}

// digestOf is one value for the names, sizes and times of writing of files; "" when one
// of these proves nothing. The time of change is left out: a memory whose owner or mode
// was changed must still be of use to who cannot write to it.
func digestOf(files []memory.File) string {
	h := sha256.New()
	var b []byte
	for _, f := range files {
		if f.Modified == fsstore.Unproven {
			return ""
		}
		b = append(append(b[:0], f.ID...), 0)
		if f.Private {
			b = append(b, 1)
		}
		for _, n := range []int64{f.Size, f.Modified} {
			b = binary.BigEndian.AppendUint64(b, uint64(n))
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}
