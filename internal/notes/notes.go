// Package notes reads the notes of other memory tools in the repository: the Markdown files
// of Serena and exports of Forgetful; and those that agents keep by themselves in their user's
// folders. They are searched in addition to the episodes, and never written to.
//
// Notes are untrusted. No link leads out of these folders, and files are bounded.
package notes

import (
	"cmp"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"episodes/internal/fsstore"
	"episodes/internal/sources"
)

// Where notes lie, relative to the root of the repository. Serena makes a folder for each
// topic of a name ("auth/login"). Forgetful itself keeps SQLite in the user's data folder;
// exports of it are put into the repository.
const (
	SerenaDir    = ".serena/memories"
	ForgetfulDir = ".forgetful/exports"
)

// Bounds of what is read. What is beyond is left out.
const (
	mostFiles   = 5000
	mostDeep    = 8        // names of a path
	largestNote = 1 << 20  // bytes of a file of Serena or of an agent
	largestFile = 16 << 20 // bytes of an export
	mostBytes   = 64 << 20 // of all files
)

// File is a file that holds notes.
type File struct {
	folder
	Path string // relative to the root of its folder, with slashes
	Stat fsstore.Stat
}

// folder is one in which notes lie.
type folder struct {
	Root      string // the repository, or the parent of an agent's folder
	source    string // a tool or an agent
	dir, file string // file is a name or "*.md"
	largest   int64
	keep      func(text string) string // may be nil
}

// Note is one note.
type Note struct {
	Source string // serena, forgetful, or an agent
	Name   string // in that tool: a name, or an id
	Path   string // of its file
	Date   string // yyyy-mm-dd of its last change, where the note says so
	Text   string
	Agent  string // that wrote it, where the note says so
	Lined  bool   // the lines of Text are those of the file
}

// List lists the files that hold notes, own those of agents; whole is false where some were left
// out for their size or number.
func List(root string, own []sources.Memory) (files []File, full bool) {
	folders := []folder{{root, "serena", SerenaDir, "*.md", largestNote, nil},
		{root, "forgetful", ForgetfulDir, "*.json", largestFile, nil}}
	for _, m := range own {
		root, dir := filepath.Split(m.Dir)
		folders = append(folders, folder{root, m.Agent, dir, cmp.Or(m.File, "*.md"), largestNote, m.Keep})
	}
	full = true
	room := int64(mostBytes)
	for _, f := range folders {
		dir, err := os.OpenRoot(f.Root)
		if err != nil {
			continue
		}
		_ = fs.WalkDir(dir.FS(), f.dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return fs.SkipDir // it is not there, or not ours to read
			}
			if d.IsDir() && strings.Count(p, "/") >= mostDeep {
				full = false
				return fs.SkipDir
			}
			if is, _ := path.Match(f.file, path.Base(p)); !is || !d.Type().IsRegular() {
				return nil
			}
			info, err := d.Info()
			switch {
			case err != nil:
			case len(files) == mostFiles:
				full = false
				return fs.SkipAll
			case info.Size() > min(f.largest, room):
				full = false
			default:
				room -= info.Size()
				files = append(files, File{f, p, fsstore.StatOf(info)})
			}
			return nil
		})
		_ = dir.Close()
	}
	return files, full
}

// Read reads the notes of some files. What cannot be read holds none.
func Read(files []File) (notes []Note) {
	var exported []Note
	for _, f := range files {
		text, ok := read(f)
		switch {
		case !ok:
		case f.source == "forgetful":
			exported = append(exported, memoriesOf(f.Path, text)...)
		default:
			if f.keep != nil {
				text = f.keep(text)
			}
			name := strings.TrimSuffix(strings.TrimPrefix(f.Path, f.dir+"/"), ".md")
			notes = append(notes, Note{Source: f.source, Name: name, Path: f.Path, Text: text, Lined: true})
		}
	}
	return append(notes, newest(exported)...)
}

func read(f File) (string, bool) {
	in, err := fsstore.OpenInput(f.Root, filepath.FromSlash(f.Path))
	if err != nil {
		return "", false
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, f.Stat.Size))
	return string(data), err == nil
}
