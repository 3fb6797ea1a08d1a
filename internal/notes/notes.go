// Package notes reads the notes of other memory tools in the repository: the Markdown files
// of Serena and exports of Forgetful. They are searched in addition to the episodes, and
// never written to.
//
// Notes are untrusted text, as logs are. Nothing outside of the repository is read, links
// are not followed, and files and their number are bounded.
package notes

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"episodes/internal/fsstore"
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
	largestNote = 1 << 20  // bytes of a file of Serena
	largestFile = 16 << 20 // bytes of an export
	mostBytes   = 64 << 20 // of all files
)

// File is a file that holds notes.
type File struct {
	Path string // relative to the root, with slashes
	Stat fsstore.Stat
}

// Note is one note.
type Note struct {
	Source string // serena or forgetful
	Name   string // in that tool: a name, or an id
	Path   string // of its file
	Date   string // yyyy-mm-dd of its last change, where the note says so
	Text   string
	Agent  string // that wrote it, where the note says so
	Lined  bool   // the lines of Text are those of the file
}

// List lists the files that hold notes, by path; whole is false where some were left out
// for their size or number.
func List(root string) (files []File, whole bool) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, true
	}
	defer dir.Close()
	whole = true
	room := int64(mostBytes)
	for _, from := range []struct {
		dir, ext string
		most     int64
	}{{SerenaDir, ".md", largestNote}, {ForgetfulDir, ".json", largestFile}} {
		_ = fs.WalkDir(dir.FS(), from.dir, func(p string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return fs.SkipDir // it is not there, or not ours to read
			case d.IsDir() && strings.Count(p, "/") >= mostDeep:
				whole = false
				return fs.SkipDir
			case !d.Type().IsRegular() || path.Ext(p) != from.ext:
				return nil
			}
			info, err := d.Info()
			switch {
			case err != nil:
			case len(files) == mostFiles:
				whole = false
				return fs.SkipAll
			case info.Size() > min(from.most, room):
				whole = false
			default:
				room -= info.Size()
				files = append(files, File{p, fsstore.StatOf(info)})
			}
			return nil
		})
	}
	return files, whole
}

// Read reads the notes of some files. What cannot be read holds none.
func Read(root string, files []File) (notes []Note) {
	var exported []Note
	for _, f := range files {
		text, ok := read(root, f)
		switch {
		case !ok:
		case strings.HasPrefix(f.Path, SerenaDir+"/"):
			name := strings.TrimSuffix(strings.TrimPrefix(f.Path, SerenaDir+"/"), ".md")
			notes = append(notes, Note{Source: "serena", Name: name, Path: f.Path, Text: text, Lined: true})
		default:
			exported = append(exported, memoriesOf(f.Path, text)...)
		}
	}
	return append(notes, newest(exported)...)
}

func read(root string, f File) (string, bool) {
	in, err := fsstore.OpenInput(root, filepath.FromSlash(f.Path))
	if err != nil {
		return "", false
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, f.Stat.Size))
	return string(data), err == nil
}
