package corrections

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"episodes/episode"
)

// Lines are the lines of a log, as the spans of an episode count them. Nil: the log is
// not available.
type Lines []string

// Split finds the lines of a log. A carriage return by itself ends a line only where
// nothing else does.
func Split(data []byte) Lines {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	text := strings.ToValidUTF8(string(data), "\uFFFD")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	end := " "
	if !strings.Contains(text, "\n") {
		end = "\n"
	}
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r", end), "\n")
	return strings.Split(text, "\n")
}

// Has reports whether a span lies in the log.
func (l Lines) Has(s episode.Span) bool { return s[0] >= 1 && s[0] <= s[1] && s[1] <= len(l) }

// Of is the text of a span, line ends included; "" when it is not in the log.
func (l Lines) Of(s episode.Span) string {
	if !l.Has(s) {
		return ""
	}
	return strings.Join(l[s[0]-1:s[1]], "\n")
}

// Anchor holds on to lines by their text.
type Anchor = episode.Anchor

// Anchor makes an anchor of lines.
func (l Lines) Anchor(s episode.Span) *Anchor {
	a := &Anchor{Lines: s}
	if l.Has(s) {
		a.Hash = hash(l[s[0]-1:s[0]]) + hash(l[s[0]-1:s[1]])
	}
	return a
}

// hashSize is the length of a hash in hex digits.
const hashSize = 16

// hash is that of the lines' text, without the white space around each line: an editor
// that strips it changes nothing that the log says.
func hash(lines []string) string {
	h := sha256.New()
	for _, line := range lines {
		h.Write([]byte(strings.TrimSpace(line)))
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil)[:hashSize/2])
}

// finder finds lines of one log.
type finder struct {
	log   Lines
	first map[string][]int // lines that have a hash, from 1
	work  int              // see maxWork
}

// Find returns where the lines of an anchor are in the log, and false where it has none that say the same.
func (l Lines) Find(a *Anchor) (episode.Span, bool) { return (&finder{log: l}).find(a) }

// maxWork is how many bytes are compared for the corrections of one log: both may be made
// so that nearly every line or record could be the one that is looked for. What is not
// found by then counts as gone.
const maxWork = 64 << 20

// lineWork is what a line or a record costs besides its bytes.
const lineWork = 32

// spend notes work, and reports whether there may be more.
func (f *finder) spend(work int) bool {
	f.work += work
	return f.work <= maxWork
}

// find returns where lines are now: where they were, else nearest to that place. It is
// false when no lines of the log say the same. Without a log all are where they were.
func (f *finder) find(a *Anchor) (episode.Span, bool) {
	if a.Hash == "" || f.log == nil {
		return a.Lines, true
	}
	if len(a.Hash) != 2*hashSize {
		return a.Lines, false
	}
	if f.first == nil {
		f.first = map[string][]int{}
		for i := range f.log {
			h := hash(f.log[i : i+1])
			f.first[h] = append(f.first[h], i+1)
		}
	}
	n := a.Lines[1] - a.Lines[0]
	starts := slices.Clone(f.first[a.Hash[:hashSize]])
	away := func(first int) int { return max(first-a.Lines[0], a.Lines[0]-first) }
	slices.SortStableFunc(starts, func(x, y int) int { return cmp.Compare(away(x), away(y)) })
	for _, first := range starts {
		if !f.spend(0) {
			break
		}
		if s := (episode.Span{first, first + n}); n < len(f.log) && f.log.Has(s) && f.same(s, a.Hash[hashSize:]) {
			return s, true
		}
	}
	return a.Lines, false
}

func (f *finder) same(s episode.Span, want string) bool {
	lines := f.log[s[0]-1 : s[1]]
	for _, line := range lines {
		f.spend(len(line) + lineWork)
	}
	return hash(lines) == want
}
