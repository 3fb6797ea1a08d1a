package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"episodes/episode"
	"episodes/internal/additions"
	"episodes/internal/corrections"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/redact"
)

// secretsCheck is the name of the findings about secrets.
const secretsCheck = "secrets"

// Folders of a memory that secrets are not mended in.
const (
	derivedFolder = "causality" // made from the episodes, which are looked through
	privateFolder = "private"   // of this user alone
)

// Secrets looks through the files of a memory for secrets and personal data, and says
// what kinds and how many there are in each, never what they are. With fix it takes them
// out: of episodes that are sealed, which get a new seal, and of other files where what
// is left is still what it was, JSON or text; each file is written whole or not at all.
func Secrets(ctx context.Context, o Options, r *redact.Redactor, fix bool) (*Report, error) {
	m, err := memory.Open(o.Location)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if fix {
		unlock, err := m.Lock(ctx, o.Graph.LockTimeout, o.Graph.Who)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	top, err := fsstore.Open(o.Location.Dir)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	s := &secrets{patient: &patient{Options: o, m: m}, r: r, fix: fix, seen: map[string]bool{}}
	if err := errors.Join(s.episodes(ctx), s.folder(ctx, top, "", 0)); err != nil {
		return nil, err
	}
	if fix && len(s.findings) > 0 {
		m.RemoveDerived(memory.RecallPrefix, nil) // it has places in texts that are no longer the same
	}
	if len(s.findings) == 0 {
		s.add(OK, secretsCheck, "", "none in %d files", s.files)
	}
	rep := report(s.findings)
	rep.Findings = s.findings // each file is named
	return rep, nil
}

type secrets struct {
	*patient
	r     *redact.Redactor
	fix   bool
	files int
	seen  map[string]bool // files that were looked through, below the memory
}

// episodes looks through the episodes, and saves those that it mends as they are always
// saved.
func (s *secrets) episodes(ctx context.Context) error {
	files, _, err := s.m.Files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := s.m.Read(f.ID)
		if err != nil {
			continue // doctor without --secrets says so
		}
		name := s.nameOf(s.m.EpisodePath(f.ID))
		ep, err := episode.ParseExact(data)
		if err != nil {
			continue // looked through as any other file
		}
		s.seen[name] = true
		s.files++
		found := s.r.Episode(ep)
		switch {
		case found == nil:
		case !s.fix:
			s.add(Problem, secretsCheck, s.Command("doctor --secrets --fix"), "%q: %s", name, found)
		case corrections.Edited(data):
			s.add(Problem, secretsCheck, "take them out by hand: a person or another tool changed this episode",
				"%q: %s", name, found)
		default:
			if err := s.save(ctx, ep, f.Private); err != nil {
				return err
			}
			s.add(Fixed, secretsCheck, "", "%q: %s", name, found)
		}
	}
	return nil
}

// nameOf is a path for messages: relative to the memory, or unchanged for the private part of
// another working tree.
func (s *secrets) nameOf(file string) string {
	rel, err := filepath.Rel(s.Location.Dir, file)
	if err != nil || !filepath.IsLocal(rel) {
		return file
	}
	return filepath.ToSlash(rel)
}

func (s *secrets) save(ctx context.Context, ep *episode.Episode, private bool) error {
	data, err := episode.MarshalSealed(ep)
	if err != nil {
		return err
	}
	_, err = s.m.Write(ctx, []memory.Pending{{ID: ep.ID, Data: data, Private: private}}, 1)
	return err
}

// deepest is how many folders below the memory are looked into.
const deepest = 8

// folder looks through all other files.
func (s *secrets) folder(ctx context.Context, d *fsstore.Dir, below string, depth int) error {
	entries, err := d.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(below, e.Name())
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case name == derivedFolder, s.seen[name], s.leftAlone(name):
		case e.IsDir() && depth < deepest:
			sub, err := d.Existing(e.Name())
			if err != nil {
				continue
			}
			err = s.folder(ctx, sub, name, depth+1)
			sub.Close()
			if err != nil {
				return err
			}
		case e.Mode().IsRegular():
			if err := s.file(d, e.Name(), name); err != nil {
				return err
			}
		}
	}
	return nil
}

// leftAlone reports whether a name is of a private part that is not this user's, or of what
// shows whose it is.
func (s *secrets) leftAlone(name string) bool {
	below, ok := strings.CutPrefix(name, privateFolder)
	return ok &&
		(below == "" && (!s.m.HasPrivate() || s.m.PrivateDir() != filepath.Join(s.Location.Dir, privateFolder)) ||
			below == "/owner" || below == "/.gitignore")
}

// file looks through one file.
func (s *secrets) file(d *fsstore.Dir, base, name string) error {
	data, err := d.Read(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		s.add(Note, secretsCheck, "", "%q was not looked through: %v", name, fsstore.Cause(err))
		return nil
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil // no text
	}
	s.files++
	text, found := s.r.Text(string(data))
	if found == nil {
		return nil
	}
	note := fmt.Sprintf("%q: %s", filepath.ToSlash(name), found)
	switch {
	case !s.fix:
		s.add(Problem, secretsCheck, s.Command("doctor --secrets --fix"), "%s", note)
	case strings.HasPrefix(strings.TrimPrefix(name, privateFolder+"/"), "episodes/"), !sameForm(name, data, text):
		s.add(Problem, secretsCheck, "take them out by hand, or remove it", "%s", note)
	default:
		write := d.Write
		if strings.HasPrefix(name, privateFolder+"/") {
			write = d.WritePrivate
		}
		if id, hash, is := memory.AdditionOf(strings.TrimPrefix(filepath.ToSlash(name), privateFolder+"/")); is {
			write = func(_ string, text []byte) error { return s.replace(id, memory.Addition{Hash: hash, Data: data}, text) }
		}
		if err := write(base, []byte(text)); err != nil {
			return fmt.Errorf("write %q: %w", name, fsstore.Cause(err))
		}
		s.add(Fixed, secretsCheck, "", "%s", note)
	}
	return nil
}

// replace puts an addition with another text, which has another name and mark, in the place of one.
func (s *secrets) replace(id string, old memory.Addition, text []byte) error {
	f := additions.Parse(memory.Addition{Data: text})
	data, err := f.Head.Encode(f.Entries)
	if err == nil {
		err = s.m.ReplaceAddition(id, old, data)
	}
	return err
}

// sameForm reports whether a text is still JSON where it was.
func sameForm(name string, before []byte, after string) bool {
	switch path.Ext(name) {
	case ".json":
		return !json.Valid(before) || json.Valid([]byte(after))
	case ".jsonl":
		old, lines := strings.Split(string(before), "\n"), strings.Split(after, "\n")
		for i := range old {
			if json.Valid([]byte(old[i])) && (i >= len(lines) || !json.Valid([]byte(lines[i]))) {
				return false
			}
		}
	}
	return true
}
