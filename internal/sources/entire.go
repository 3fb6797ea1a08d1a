package sources

import (
	"context"
	"path/filepath"
	"slices"

	"episodes/internal/fsstore"
	"episodes/internal/gitdir"
)

// Entire is the name for the transcripts that Entire keeps in git.
const Entire = "entire"

// InGit lists the transcripts that Entire keeps in the repository, and says where their copies are, which are of this
// user. With copy those that are missing are made.
func InGit(ctx context.Context, e Environment, root string, copy bool) []Found {
	ctx, stop := context.WithTimeout(ctx, exportTime)
	defer stop()
	folder := filepath.Join(e.Folder("XDG_STATE_HOME", ".local", "state"), "episodes", Entire, hashOf(root)[:12])
	user := gitdir.UserOf(gitdir.Top(root)).Emails
	f := Found{Agent: Entire, Folders: []string{folder}}
	gitdir.Transcripts(ctx, root, func(t gitdir.Transcript, read func() (string, error)) {
		s := Session{Agent: Entire, Path: filepath.Join(folder, t.Session+".jsonl")}
		if t.By != "" && !slices.Contains(user, t.By) {
			s.From = t.By
		}
		if filepath.Base(t.Session) != t.Session || t.Size > mostExport {
			return
		}
		if !s.stat() || s.Size != t.Size {
			s.Stat = fsstore.Stat{Size: t.Size, Modified: t.Made.UnixNano()}
			if copy {
				text, err := read()
				if err == nil {
					err = keep(s.Path, []byte(text))
				}
				if err != nil || !s.stat() {
					return
				}
			}
		}
		f.Sessions = append(f.Sessions, s)
	})
	if f.Sessions == nil {
		return nil
	}
	return []Found{f}
}
