package snapshot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// The kinds of a change.
const (
	Added   = "added"
	Changed = "changed"
	Deleted = "deleted"
	Renamed = "renamed" // with the same content
)

// FileChange is what became of one file. Lines are counted where its text is known.
type FileChange struct {
	Path      string `json:"path"`
	Kind      string `json:"kind"`
	From      string `json:"from,omitempty"` // of a renamed file
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
	Lineless  bool   `json:"lineless,omitempty"` // binary, or too large: no lines are known
	Class     string `json:"class,omitempty"`    // what it is to a verdict, as far as a caller says; "": a source
}

// Changes are the differences of two trees.
type Changes struct {
	Files     []FileChange `json:"files"`                    // by path; the first maxChanged
	Left      int          `json:"files_left_out,omitempty"` // more that changed
	Additions int          `json:"additions"`                // lines, of all files
	Deletions int          `json:"deletions"`
	Patch     string       `json:"patch,omitempty"`        // unified, without lines around; see Edits
	Cut       bool         `json:"patch_cut,omitempty"`    // it lacks something
	Unseen    int          `json:"files_unseen,omitempty"` // that could not be read
	Partly    bool         `json:"partly_seen,omitempty"`  // there are too many files to look at all
}

// Limits of the description of one attempt's changes.
const (
	maxChanged   = 100
	maxPatch     = 4000 // bytes
	maxFilePatch = 1500
)

// Empty reports whether nothing changed, as far as was seen.
func (c *Changes) Empty() bool { return c == nil || len(c.Files) == 0 }

// Any reports whether a file of a class changed.
func (c *Changes) Any(class string) bool {
	return c != nil && slices.ContainsFunc(c.Files, func(f FileChange) bool { return f.Class == class })
}

// Count is how many files changed.
func (c *Changes) Count() int { return len(c.Files) + c.Left }

// Compare says what changed from one tree to another.
func Compare(before, after *Tree) *Changes {
	c := &Changes{Files: []FileChange{}, Unseen: after.Unseen, Partly: before.End != "" || after.End != ""}
	paths := maps.Clone(before.Files)
	maps.Copy(paths, after.Files)
	maps.DeleteFunc(paths, func(name string, _ File) bool { return !before.sees(name) || !after.sees(name) })
	var patch strings.Builder
	for _, f := range renamed(before, after, slices.Sorted(maps.Keys(paths))) {
		edits := f.lines(before.Files[cmp.Or(f.From, f.Path)], after.Files[f.Path])
		c.Additions, c.Deletions = c.Additions+f.Additions, c.Deletions+f.Deletions
		if len(c.Files) == maxChanged {
			c.Left++
			c.Cut = true
			continue
		}
		c.Files = append(c.Files, f)
		text, full := patchOf(f.Path, edits, min(maxFilePatch, maxPatch-patch.Len()))
		c.Cut = c.Cut || !full
		patch.WriteString(text)
	}
	c.Patch = patch.String()
	return c
}

// renamed lists what differs, and joins a deleted and an added file of the same content.
func renamed(before, after *Tree, paths []string) (out []FileChange) {
	gone := map[string][]string{} // paths by content
	for _, p := range paths {
		if old, was := before.Files[p]; was && after.Files[p].ID == "" && old.Size > 0 && old.ID != unread {
			gone[old.ID] = append(gone[old.ID], p)
		}
	}
	from := map[string]bool{}
	for _, p := range paths {
		old, was := before.Files[p]
		now, is := after.Files[p]
		switch {
		case was && !is:
			out = append(out, FileChange{Path: p, Kind: Deleted})
		case !was && len(gone[now.ID]) > 0:
			out = append(out, FileChange{Path: p, Kind: Renamed, From: gone[now.ID][0]})
			from[gone[now.ID][0]] = true
			gone[now.ID] = gone[now.ID][1:]
		case !was:
			out = append(out, FileChange{Path: p, Kind: Added})
		case old.differs(now):
			out = append(out, FileChange{Path: p, Kind: Changed})
		}
	}
	return slices.DeleteFunc(out, func(f FileChange) bool { return f.Kind == Deleted && from[f.Path] })
}

// lines counts the lines that changed, and returns the edits of the file.
func (f *FileChange) lines(old, now File) []Edit {
	known := func(x File) bool { return x.ID == "" || x.Kept && !x.Binary }
	if f.Lineless = !known(old) || !known(now); f.Lineless || f.Kind == Renamed {
		f.Lineless = f.Lineless && f.Kind != Renamed
		return nil
	}
	edits := hunks(diff.Diff("a", old.Text, "b", now.Text))
	for _, e := range edits {
		f.Additions, f.Deletions = f.Additions+len(e.New), f.Deletions+len(e.Old)
	}
	return edits
}

// hunks reads a unified diff and splits it into the runs of lines that differ.
func hunks(unified []byte) (out []Edit) {
	old, now, within, began := 0, 0, false, false // began: past the names of the files
	for text := range strings.SplitSeq(string(unified), "\n") {
		if e, _, _, ok := head(text); ok {
			old, now, within, began = e.OldLine, e.Line, false, true
			continue
		}
		if !began || text == "" || text[0] == '\\' { // or a remark on the last line
			continue
		}
		if text[0] == ' ' {
			old, now, within = old+1, now+1, false
			continue
		}
		if !within {
			out, within = append(out, Edit{OldLine: old, Line: now}), true
		}
		e := &out[len(out)-1]
		if text[0] == '-' {
			e.Old, old = append(e.Old, text[1:]), old+1
		} else {
			e.New, now = append(e.New, text[1:]), now+1
		}
	}
	return out
}
