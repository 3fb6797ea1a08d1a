package gitdir

import (
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Transcript is one that Entire keeps in git.
type Transcript struct {
	Session string    `json:"session_id"`
	Made    time.Time `json:"created_at"`
	Size    int64     `json:"-"`
	By      string    `json:"-"` // the email of the author of its commit
	blob    string
}

// mostMetadata is how long what Entire says of a transcript may be, in bytes.
const mostMetadata = 64 << 10

// Transcripts calls each with those that Entire keeps in the repository of a folder, and with what reads them: on the branch
// entire/checkpoints/v1, also if only a remote has it, and below refs/entire/checkpoints. Each checkpoint has the
// transcript of its session from the beginning, so of a session the longest is given. What they say is untrusted.
func Transcripts(ctx context.Context, folder string, each func(t Transcript, read func() (string, error))) {
	repo, _ := Find(folder)
	git, done, ok := in(ctx, "", func(dir string) (bool, error) { return Borrow(repo.Main, dir) })
	if !ok {
		return
	}
	defer done()
	log, _ := git("", "log", "--format=@%ae", "--root", "--raw", "--no-abbrev", "--no-renames", "--glob=refs/*entire/checkpoints/*")
	by, full, of, blobs := "", "", "", ""
	for line := range strings.Lines(log) {
		change, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		said := strings.Fields(change)
		switch dir, name := path.Split(file); {
		case change != "" && change[0] == '@':
			by, of = change[1:], ""
		case len(said) < 5:
		case name == "full.jsonl":
			full, of = said[3], dir
		case name == "metadata.json" && dir == of && full != "":
			blobs += full + " " + by + "\n" + said[3] + "\n"
		}
	}
	sizes, _ := git(blobs, "cat-file", "--batch-check=%(objecttype) %(objectsize) %(objectname) %(rest)")
	var all []Transcript
	about, t := "", Transcript{}
	for i, line := range strings.Split(sizes, "\n") {
		said := strings.SplitN(line, " ", 4)
		if len(said) < 4 || said[0] != "blob" {
			t = Transcript{}
			continue
		}
		size, _ := strconv.ParseInt(said[1], 10, 64)
		if i%2 == 0 {
			t = Transcript{Size: size, blob: said[2], By: said[3]}
		} else if t.blob != "" && size < mostMetadata {
			all, about = append(all, t), about+said[2]+"\n"
		}
	}
	text, _ := git(about, "cat-file", "--batch= ") // no line says what it is
	longest, said := map[string]Transcript{}, json.NewDecoder(strings.NewReader(text))
	for _, t := range all {
		if said.Decode(&t) == nil && t.Session != "" && t.Size > longest[t.Session].Size {
			longest[t.Session] = t
		}
	}
	for _, session := range slices.Sorted(maps.Keys(longest)) {
		t := longest[session]
		each(t, func() (string, error) { return git("", "cat-file", "blob", t.blob) })
	}
}
