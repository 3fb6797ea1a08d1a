package main

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"episodes/internal/testing/few"
)

// Whatever is in the files of a memory, and in logs, a user sees an answer or a
// message, soon, and never a Go trace.
func TestProgramOverMutatedFiles(t *testing.T) {
	long(t)
	n := few.Of(20, 600)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	good := cloneWithMemory(t)
	must0(t, os.WriteFile(filepath.Join(good, ".agents", "episodes.toml"), []byte("[headings]\ndecision = [\"Chosen\"]\n"), 0o644))
	files := regularFiles(t, filepath.Join(good, ".agents"))
	codes := map[int]int{}
	for range n {
		w := newHostile(t, good)
		for range 1 + r.IntN(2) {
			name := files[r.IntN(len(files))]
			path := filepath.Join(w.repo, ".agents", name)
			data := read(t, path)
			must0(t, os.WriteFile(path, mutated(r, data), 0o644))
		}
		args := everyCommand[r.IntN(len(everyCommand))]
		out, errs, code, err := runBounded(w.repo, args...)
		codes[code]++
		all := out + errs
		if err != nil || code < 0 || goTrace.MatchString(all) {
			t.Errorf("%q: exit %d, %v\n%s", args, code, err, all)
		}
		if strings.ContainsFunc(all, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c == 0x7f }) {
			t.Errorf("%q prints control characters: %q", args, all)
		}
		if hashOf(t, w.outside) != w.before {
			t.Errorf("%q changed what is outside:\n%s", args, all)
		}
		must0(t, os.RemoveAll(filepath.Dir(w.repo)))
	}
	t.Logf("exits %v", codes)
}

// goTrace is what the Go runtime, or Badger, says when a program ends over its data.
var goTrace = regexp.MustCompile(`goroutine \d+ \[|\bpanic: |runtime error|fatal error|Assert failed`)

// regularFiles lists the files below dir that have content, relative to it, in order.
func regularFiles(t *testing.T, dir string) (out []string) {
	t.Helper()
	must0(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() == 0 || info.Size() > 4<<20 {
			return err // locks, and what Badger reserves
		}
		rel, err := filepath.Rel(dir, path)
		out = append(out, rel)
		return err
	}))
	return out
}

// tokens are what parsers trip over.
var tokens = []string{"\x00", "\x1b]0;x\a", "\u202e", "\U000e0041", "\xff\xfe", "null", "-1", "1e999", "18446744073709551616", "{", "[", "\"", "\\u0000", "\\ud800",
	"../../../../etc/passwd", strings.Repeat("[", 20000), strings.Repeat("9", 400), "\n---\n", "```\n", "| a | b |\n|---|---|\n", "\r", "=", "[x]\n"}

// mutated returns data with a random change.
func mutated(r *rand.Rand, data []byte) []byte {
	out := slices.Clone(data)
	for range 1 + r.IntN(4) {
		at := r.IntN(len(out) + 1)
		switch r.IntN(8) {
		case 0:
			out = out[:at]
		case 1:
			out = slices.Insert(out, at, []byte(tokens[r.IntN(len(tokens))])...)
		case 2: // a part twice
			out = slices.Insert(out, at, out[:min(at, 1+r.IntN(200))]...)
		case 3: // a part less
			out = slices.Delete(out, at, min(len(out), at+1+r.IntN(64)))
		case 4: // a number of another size, as binary formats have them
			if len(out) >= 8 {
				binary.LittleEndian.PutUint64(out[r.IntN(len(out)-7):], []uint64{0, 1, math.MaxInt64, math.MaxUint64, 1 << 31, 1 << 40}[r.IntN(6)])
			}
		case 5: // another word in place of one
			if words := bytes.Fields(out); len(words) > 1 {
				out = bytes.Replace(out, words[r.IntN(len(words))], words[r.IntN(len(words))], 1)
			}
		case 6:
			out = bytes.Repeat(out, 1+r.IntN(3))
		default:
			if len(out) > 0 {
				out[r.IntN(len(out))] ^= 1 << r.IntN(8)
			}
		}
	}
	return out
}
