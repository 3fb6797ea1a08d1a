package setup

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/internal/lazy"
)

// What a reader may cost in the background, in tokens of 4 bytes, until the user says otherwise.
const (
	readerDay     = 200_000
	readerSession = 20_000
)

// OwnRequest says what the user's own configuration of this program is to have.
type OwnRequest struct {
	Path     string // of the configuration
	Reader   string // of a reader in the background; "": no change
	AskAtEnd bool   // hooks ask at the end; false: no change
	Remove   bool   // take out what is named above, in place of adding it
	DryRun   bool   // write nothing, and show what would be written
}

// Readers lists the agents that can be readers.
func Readers() []string {
	return agents.Names(func(a *agent.Agent) bool { return a.Reader != "" })
}

// ReaderLine returns the command line by which an agent reads sessions.
func ReaderLine(name string) (string, error) {
	if a := agents.Named(name); a != nil && a.Reader != "" {
		return a.Reader, nil
	}
	return "", &UsageError{fmt.Sprintf("%q: no command line is known by which it answers without a user and without tools", name),
		"name " + strings.Join(Readers(), ", ") + ", or give the command line of any program: --reader='LINE'"}
}

var readerLine = lazy.Pattern(`(?m)^[ \t]*reader[ \t]*=[^\r\n]*`)

// Own edits the user's own configuration. What the user wrote stays, also of the lines that setup
// added, where another reader replaces only its own line. A key that the user set is never set twice.
func Own(r OwnRequest) (*FileState, error) {
	f, err := openFile("", r.Path)
	if err != nil {
		return nil, err
	}
	s := &FileState{Path: f.path, Parts: []agent.Part{}, file: f, after: f.text}
	want := map[string]any{}
	edit := func(b block, wanted bool, is map[string]any) {
		if !wanted {
			return
		}
		if from, to, there := b.find(s.after); there {
			s.found.current++
			if old := s.after[from:to]; !r.Remove && is["reader"] != nil && readerLine().Match(old) {
				line := []byte("reader = " + tomlText(r.Reader))
				s.after = slices.Concat(s.after[:from], readerLine().ReplaceAllLiteral(old, line), s.after[to:])
				want["reader"] = r.Reader
				return
			}
			if !r.Remove && b.current(s.after) {
				return
			}
			s.after = b.drop(s.after)
		}
		if !r.Remove {
			maps.Copy(want, is)
			s.after = b.add(s.after)
		}
	}
	edit(ownBlock("--reader", fmt.Sprintf("reader = %s\nreader_day = %d  # tokens\nreader_session = %d\n", tomlText(r.Reader), readerDay, readerSession)),
		r.Reader != "", map[string]any{"reader": r.Reader, "reader_day": int64(readerDay), "reader_session": int64(readerSession)})
	edit(ownBlock("--ask-at-end", "ask_at_end = true\n"), r.AskAtEnd, map[string]any{"ask_at_end": true})
	if len(want) > 0 {
		now, err := readTOML(s.after)
		for key, value := range want {
			if err == nil && now[key] != value {
				err = errors.New("settings follow a table")
			}
		}
		if err != nil {
			keys := strings.Join(slices.Sorted(maps.Keys(want)), ", ")
			return nil, fmt.Errorf("%q cannot take the settings %s: %w; it may have them already", f.path, keys, err)
		}
	}
	return s, s.apply(r.Remove, r.DryRun)
}

// ownBlock is what setup writes for one of its flags.
func ownBlock(flag, body string) block {
	return block{begin: "# written by episodes setup " + flag + "; with --remove it goes", end: "# end of " + flag, body: body}
}
