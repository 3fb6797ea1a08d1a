package ask

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"episodes/graph/stores"
	"episodes/internal/memory"
	"episodes/internal/term"
)

// Location says where a memory is, or would be.
type Location = memory.Location

// Locate finds the repository and its memory, which need not exist yet. root is the
// repository and dir the memory; "" looks them up from cwd. The error is ErrNoMemory,
// with the location that Create would use, when there is no repository around.
func Locate(root, dir, cwd string) (Location, error) {
	return memory.Locate(memory.Request{Root: root, Memory: dir, Cwd: cwd})
}

// KnownStore reports whether a URL is that of a kind of store that there is.
func KnownStore(url string) bool { return stores.Known(url) }

// CreateAnswer says what was made.
type CreateAnswer struct {
	Made   []string `json:"made"` // what was missing, relative to Memory
	Memory string   `json:"memory"`
	Root   string   `json:"root"`
}

// Create makes a memory where it is missing. What exists is left alone.
func Create(loc Location) (*CreateAnswer, error) {
	m, made, err := memory.Create(loc)
	if err != nil {
		return nil, err
	}
	m.Close()
	if made == nil {
		made = []string{}
	}
	return &CreateAnswer{Made: made, Memory: loc.Dir, Root: loc.Root}, nil
}

// Text says what was made, and what to do next.
func (a *CreateAnswer) Text(tokens int) string {
	text := fmt.Sprintf("the memory %q is there already\n", a.Memory)
	if len(a.Made) > 0 {
		text = fmt.Sprintf("made %q: %s\n", a.Memory, strings.Join(a.Made, ", "))
	}
	sessions := sessionsDir(a.Root)
	next := "episodes extract LOG...   takes in session logs, wherever they are"
	if info, err := os.Stat(sessions); err == nil && info.IsDir() {
		next = fmt.Sprintf("episodes extract   takes in the logs of %q", sessions)
	}
	return term.Cut(text+"next: "+next+"\n      git add .agents/memory   shares the episodes with everyone who clones", tokens)
}

// Empty is false: a memory is there.
func (a *CreateAnswer) Empty() bool { return false }

// sessionsDir is where the agents of a repository leave their logs.
func sessionsDir(root string) string { return filepath.Join(root, ".agents", "sessions") }
