package sources

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"episodes/internal/fsstore"
)

const (
	exportTime = time.Minute
	mostExport = 64 << 20 // bytes
)

// exported runs the command that exports a session, in its repository, and returns the path of the file
// that it made in a folder. Hooks are off in it.
func exported(ctx context.Context, command []string, folder, id, root string) (string, error) {
	if len(command) == 0 {
		return "", &NoTranscriptError{Why: "has no id of a session"}
	}
	out, err := os.CreateTemp("", "episodes-export-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	limited, stop := context.WithTimeout(ctx, exportTime)
	defer stop()
	cmd := exec.CommandContext(limited, command[0], command[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Env = root, out, append(os.Environ(), "EPISODES_OFF=1") // into a pipe some write half of it
	if err := cmd.Run(); err != nil {
		return "", cmp.Or(ctx.Err(), error(&NoTranscriptError{Why: "could not be exported", Cause: err, Later: true}))
	}
	data, err := fsstore.ReadInput(out.Name(), mostExport)
	switch {
	case err != nil:
		return "", &NoTranscriptError{Why: "cannot be read", Cause: fsstore.Cause(err)}
	case !json.Valid(data):
		return "", &NoTranscriptError{Why: "is no JSON", Later: true}
	}
	path := filepath.Join(folder, id+".json") // the command was given for the id, so it is no path
	return path, keep(path, data)
}

// keep writes a copy of a transcript, for this user alone.
func keep(path string, data []byte) error {
	folder, name := filepath.Split(path)
	dir, err := fsstore.Create(folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.WritePrivate(name, data)
}
