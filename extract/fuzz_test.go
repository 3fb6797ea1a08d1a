package extract

import (
	"bytes"
	"errors"
	"testing"
)

// FuzzLog holds what must be true of any bytes: a log is read or refused with an
// InputError, nothing panics, every span lies inside the file, the episode is
// valid, and the same bytes give the same episode.
//
// Its corpus stands in testdata/fuzz; go test -fuzz FuzzLog ./extract goes on.
func FuzzLog(f *testing.F) {
	for _, l := range sessionLogs(f) {
		f.Add(l.data)
	}
	for _, c := range ruleCases {
		f.Add([]byte(c.log))
	}
	for _, s := range badLogs {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		src := Source{Path: "logs/2026-01-02-session-03.md"}
		res, err := extractor.Log(src, data)
		if err != nil {
			var in *InputError
			if !errors.As(err, &in) {
				t.Fatalf("error is %T, not an InputError: %v", err, err)
			}
			return
		}
		sound(t, res, data)
		if again := read(t, src, data); !bytes.Equal(marshal(t, res.Episode), marshal(t, again.Episode)) {
			t.Error("the same bytes give another episode")
		}
	})
}
