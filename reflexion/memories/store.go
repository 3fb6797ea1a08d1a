package memories

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"episodes/internal/fsstore"
	"episodes/internal/lock"
	"episodes/keys"
	"episodes/reflexion"
)

// Store keeps memories in the reflexion folder.
type Store struct {
	dir  *fsstore.Dir // DIR/memories; nil when it is missing
	Now  func() time.Time
	Wait time.Duration
}

// ErrNone means that there is no such memory.
var ErrNone = errors.New("no such memory")

// ignore keeps what is private out of git.
const ignore = "/.lock\n*" + privateEnd + "\n"

// The ends of the names of memories.
const (
	publicEnd  = ".json"
	privateEnd = ".private.json"
)

// Open opens the store in the reflexion folder top. To write, it creates a missing one;
// else a missing one is empty.
func Open(top string, write bool, now func() time.Time, wait time.Duration) (*Store, error) {
	d, err := reflexion.OpenFolder(top, "memories", ignore, write)
	if err != nil {
		return nil, err
	}
	return &Store{d, now, wait}, nil
}

// Close releases the folder.
func (s *Store) Close() { s.dir.Close() }

// Entry is a line of the audit trail.
type Entry struct {
	Time      string `json:"time"`
	Operation string `json:"operation"` // create, update, read, merge, delete, restore, unmerge, mark
	MemoryID  string `json:"memoryId"`
	Type      Type   `json:"memoryType"`
	By        string `json:"by"` // the command, or the loop whose prompt it was read into
	Batch     string `json:"batch,omitempty"`
}

func (s *Store) audit(op string, m *Memory, by, batch string) error {
	line, err := json.Marshal(Entry{s.Now().UTC().Format(time.RFC3339), op, m.ID, m.Type, by, batch})
	if err != nil {
		return err
	}
	return s.dir.Append("audit.jsonl", line)
}

// Audit returns the audit trail, oldest first.
func (s *Store) Audit() ([]Entry, error) {
	if s.dir == nil {
		return []Entry{}, nil
	}
	lines, err := s.dir.Lines("audit.jsonl")
	out := []Entry{}
	for i, line := range lines {
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", s.dir.Path("audit.jsonl"), i+1, err)
		}
		out = append(out, e)
	}
	return out, err
}

// name is the file of a memory, and twin the one that it would have with the other mark.
func name(m *Memory) string {
	if m.Metadata.Private {
		return string(m.Type) + "/" + m.ID + privateEnd
	}
	return string(m.Type) + "/" + m.ID + publicEnd
}

func twin(m *Memory) string {
	if m.Metadata.Private {
		return string(m.Type) + "/" + m.ID + publicEnd
	}
	return string(m.Type) + "/" + m.ID + privateEnd
}

// place is the file in which a memory is: its own or, as an older program or a killed one
// left it, its twin.
func (s *Store) place(m *Memory) string {
	if !s.dir.Exists(name(m)) && s.dir.Exists(twin(m)) {
		return twin(m)
	}
	return name(m)
}

// locked runs f with the store locked for writing.
func (s *Store) locked(ctx context.Context, f func() error) error {
	l, err := lock.Acquire(ctx, s.dir.Path(".lock"), s.Wait, "episodes memory")
	if err != nil {
		return err
	}
	defer func() { _ = l.Release() }()
	return f()
}

// files lists the memories in a folder with the layout of the store, by type and id.
func (s *Store) files(folder string) (out []string, err error) {
	if s.dir == nil {
		return nil, nil
	}
	for _, t := range Types() {
		in := path.Join(folder, string(t))
		d, err := s.dir.Existing(in)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		names, err := d.Names()
		d.Close()
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			if strings.HasSuffix(n, ".json") {
				out = append(out, in+"/"+n)
			}
		}
	}
	return out, nil
}

func (s *Store) read(file string) (*Memory, error) {
	data, err := s.dir.Read(file)
	var m *Memory
	if err == nil {
		m, err = decode(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.dir.Path(file), err)
	}
	return m, nil
}

// All returns every memory, by type and id, and the errors of invalid files in bad.
func (s *Store) All() (all []*Memory, bad []error, err error) {
	files, err := s.files("")
	for _, f := range files {
		m, err := s.read(f)
		if err == nil && name(m) != f && twin(m) != f {
			err = fmt.Errorf("%s: %w", s.dir.Path(f), m.invalid("it stands in the place of another"))
		}
		if err != nil {
			bad = append(bad, err)
			continue
		}
		if n := len(all); n > 0 && all[n-1].ID == m.ID { // a killed writer left both; the private one comes last
			all = all[:n-1]
		}
		all = append(all, m)
	}
	return all, bad, err
}

// Get returns one memory; the error is ErrNone if it does not exist.
func (s *Store) Get(id string) (*Memory, error) {
	all, _, err := s.All()
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		if m.ID == id {
			return m, nil
		}
	}
	return nil, fmt.Errorf("memory %q: %w", id, ErrNone)
}

func (s *Store) write(m *Memory) error {
	data, err := encode(m)
	if err != nil {
		return err
	}
	d, err := s.dir.Sub(string(m.Type))
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Write(path.Base(name(m)), data); err != nil {
		return err
	}
	if err := d.Remove(path.Base(twin(m))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// put writes a memory. It keeps the access count and the private mark of an existing one,
// and reports whether anything changed.
func (s *Store) put(m *Memory, by string) (changed bool, err error) {
	op := "create"
	if data, err := s.dir.Read(s.place(m)); err == nil {
		old, err := decode(data)
		if err != nil {
			return false, fmt.Errorf("%s: %w", s.dir.Path(name(m)), err)
		}
		m.AccessCount, m.LastAccessed, m.CreatedAt, m.Metadata.Private = old.AccessCount, old.LastAccessed, old.CreatedAt, old.Metadata.Private
		m.Content.Related = union(m.Content.Related, old.Content.Related)
		m.Content.Evidence = union(m.Content.Evidence, old.Content.Evidence) // some may come from merges
		m.Content.Scenarios, m.Tags = union(m.Content.Scenarios, old.Content.Scenarios), union(m.Tags, old.Tags)
		if m.ExpiresAt == "" {
			m.ExpiresAt = old.ExpiresAt
		}
		if same, err := encode(m); err == nil && string(same) == string(data) {
			return false, nil
		}
		op = "update"
	}
	if err := s.write(m); err != nil {
		return false, err
	}
	return true, s.audit(op, m, by, "")
}

// Report counts the changes of an update.
type Report struct {
	Written   int `json:"written"`
	Unchanged int `json:"unchanged"`
	Away      int `json:"taken_away"` // in the trash, so not derived again
}

// Update writes memories and the index.
func (s *Store) Update(ctx context.Context, ms []*Memory, by string) (r Report, err error) {
	err = s.locked(ctx, func() error {
		trashed, err := s.trashed()
		if err != nil {
			return err
		}
		for _, m := range ms {
			if trashed[m.ID] {
				r.Away++
				continue
			}
			changed, err := s.put(m, by)
			if err != nil {
				return err
			}
			if changed {
				r.Written++
			} else {
				r.Unchanged++
			}
		}
		return s.index()
	})
	return r, err
}

// index writes the summaries for people. The program never reads them.
func (s *Store) index() error {
	all, _, err := s.All()
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("# Memories\n\nMade by `episodes memory update`; the files beside it are the truth.\n")
	for _, t := range Types() {
		fmt.Fprintf(&b, "\n## %s\n\n", t)
		for _, m := range all {
			if m.Type == t && !m.Metadata.Private {
				fmt.Fprintf(&b, "- `%s` %s (relevance %.2f, rests on %d)\n", m.ID,
					reflexion.FirstLine(m.Content.Summary), m.Relevance, len(m.Content.Evidence))
			}
		}
	}
	return s.dir.Write("INDEX.md", []byte(b.String()))
}

// Mark sets or removes the private mark.
func (s *Store) Mark(ctx context.Context, id string, private bool, by string) (*Memory, error) {
	var m *Memory
	err := s.locked(ctx, func() (err error) {
		if m, err = s.Get(id); err != nil {
			return err
		}
		m.Metadata.Private = private
		if err := s.write(m); err != nil {
			return err
		}
		return errors.Join(s.audit("mark", m, by, ""), s.index())
	})
	return m, err
}

// minLikeness is the least similarity of a recalled memory to the task.
const minLikeness = 0.15

// Relevant returns the memories that are relevant to a task, best first: those of its
// task type or with similar words, by similarity times relevance. Expired and private
// ones are left out, and the episodic one of the task's own loop.
func Relevant(all []*Memory, task, taskType, own string, now time.Time, limit int) []*Memory {
	type scored struct {
		m     *Memory
		score float64
	}
	words := keys.Canonical(task)
	var found []scored
	for _, m := range all {
		if m.Metadata.Private || m.Expired(now) || m.Type == Episodic && m.Metadata.Key == own {
			continue
		}
		like := keys.Similarity(words, keys.Canonical(m.Content.Summary+"\n"+m.Content.Context+"\n"+strings.Join(m.Tags, " ")))
		if taskType != "" && m.Metadata.TaskType == taskType {
			like = max(like, 0.5)
		}
		if like >= minLikeness {
			found = append(found, scored{m, like * (0.5 + m.Relevance/2)})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.m.ID, b.m.ID))
	})
	var out []*Memory
	for _, f := range found[:min(len(found), limit)] {
		out = append(out, f.m)
	}
	return out
}

// Read records that memories were read into a prompt.
func (s *Store) Read(ctx context.Context, ms []*Memory, by string) error {
	if len(ms) == 0 {
		return nil
	}
	return s.locked(ctx, func() error {
		for _, m := range ms {
			m.AccessCount++
			m.LastAccessed = s.Now().UTC().Format(time.RFC3339)
			if err := s.write(m); err != nil {
				return err
			}
			if err := s.audit("read", m, by, ""); err != nil {
				return err
			}
		}
		return nil
	})
}
