package ask

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/capture"
	"episodes/internal/doctor"
	"episodes/internal/memory"
	"episodes/internal/term"
	"episodes/internal/validate"
)

// freeBytes is the free space on a disk.
var freeBytes = memory.FreeBytes

// DoctorRequest asks what is wrong with a memory.
type DoctorRequest struct {
	Fix bool // mend what is derived, and remove what killed writers left
	// Secrets looks through all files of the memory for secrets and personal data instead,
	// and Fix takes them out.
	Secrets bool
	// Free returns the free space of a disk in bytes; nil: that of the system.
	Free func(dir string) (uint64, bool)
	// Command turns the arguments of a command into a line that works when it is pasted.
	Command func(args string) string
}

// Doctor checks episodes, graph, lock and disk, and says what to do.
func Doctor(ctx context.Context, o Options, r DoctorRequest) (*doctor.Report, error) {
	d := doctor.Options{Location: o.Location, Graph: o.GraphOptions(), Free: r.Free, Command: r.Command,
		Index: o.Indexer(), IndexKey: recallKey()}
	if d.Free == nil {
		d.Free = freeBytes
	}
	if d.Command == nil {
		d.Command = func(args string) string { return "episodes " + args }
	}
	if r.Secrets {
		return doctor.Secrets(ctx, d, capture.Redactor(o.Location), r.Fix)
	}
	if r.Fix {
		return doctor.Fix(ctx, d)
	}
	return doctor.Check(ctx, d)
}

// ValidateAnswer says which episode files break the schema, and where.
type ValidateAnswer struct {
	validate.Report
	OfOlderTools int `json:"of_older_tools,omitempty"` // of another schema, but read
}

// Validate checks all episode files of the memory against the schema. Those of older tools
// are counted.
func Validate(o Options) (*ValidateAnswer, error) {
	m, err := memory.Open(o.Location)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	a, err := validated(validate.Folder(m.EpisodesDir()))
	if err != nil {
		return nil, err
	}
	theirs := map[string]bool{} // of older tools, and no episodes
	for _, p := range a.Problems {
		if _, known := theirs[p.File]; known {
			continue
		}
		id := strings.TrimSuffix(filepath.Base(p.File), ".json")
		if ep, err := m.Load(id); err == nil && causal.OfOlderTool(ep) {
			theirs[p.File] = true
			a.OfOlderTools++
			continue
		}
		theirs[p.File] = !episode.ValidID(id) && m.NoEpisode(filepath.Base(p.File))
		if theirs[p.File] {
			a.Files--
		}
	}
	a.Problems = slices.DeleteFunc(a.Problems, func(p validate.FileProblem) bool { return theirs[p.File] })
	return a, nil
}

// ValidateFiles checks files against the schema, or by other (validate.Files); relative paths start
// at cwd. It needs no memory.
func ValidateFiles(cwd string, files []string, other validate.Other) (*ValidateAnswer, error) {
	return validated(validate.Files(cwd, files, other))
}

func validated(rep *validate.Report, err error) (*ValidateAnswer, error) {
	if err != nil {
		return nil, err
	}
	return &ValidateAnswer{Report: *rep}, nil
}

// Text is for files that are all valid; problems are for the caller to list.
func (a *ValidateAnswer) Text(tokens int) string {
	text := fmt.Sprintf("%s, all valid", term.Plural(a.Files-a.OfOlderTools, "file"))
	if a.OfOlderTools > 0 {
		text += fmt.Sprintf("; and %d of older tools, kept", a.OfOlderTools)
	}
	return term.Cut(text, tokens)
}

// Empty reports whether there was no file to check.
func (a *ValidateAnswer) Empty() bool { return a.Files == 0 }
