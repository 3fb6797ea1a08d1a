package ask

import (
	"errors"
	"io/fs"
	"path"

	"episodes/episode"
	"episodes/internal/fsstore"
	"episodes/recall"
)

// How much of a work tree is looked at for one answer: files, and bytes of them.
const (
	mostFiles = 3
	mostRead  = 1 << 20
)

// fixStates looks for the lines that fixes put into the files of a work tree. Their paths are from
// logs: they lead to regular files of the tree only, through no link.
func (l *local) fixStates(tree *fsstore.Dir) func(id string, lines episode.Span) recall.State {
	files, bytes := mostFiles, mostRead
	return func(id string, lines episode.Span) (out recall.State) {
		ep, err := l.folder.Load(id)
		if files == 0 || err != nil {
			return ""
		}
		for _, v := range ep.Events {
			if !within(ep.Provenance.Spans[v.ID], lines) {
				continue
			}
			for _, put := range v.Put {
				if files == 0 || !fs.ValidPath(put.File) {
					return ""
				}
				files--
				content, err := tree.ReadLarge(put.File, int64(bytes))
				bytes -= len(content)
				switch {
				case errors.Is(err, fs.ErrNotExist) && isFolder(tree, path.Dir(put.File)):
					return recall.Gone
				case err == nil && !put.In(content):
					out = recall.Drifted
				case err == nil && out == "":
					out = recall.Fresh
				}
			}
		}
		return out
	}
}

// isFolder separates a file that is gone from one of another work tree, which never was here.
func isFolder(tree *fsstore.Dir, name string) bool {
	dir, err := tree.Existing(name)
	dir.Close()
	return err == nil
}
