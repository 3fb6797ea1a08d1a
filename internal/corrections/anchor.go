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
// not at hand.
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
type Anchor struct {
	Lines episode.Span `json:"lines"`          // where they were
	Hash  string       `json:"hash,omitempty"` // of their text; "": the log was not at hand
}

// Anchor makes an anchor of lines.
func (l Lines) Anchor(s episode.Span) *Anchor {
	a := &Anchor{Lines: s}
	if l.Has(s) {
		a.Hash = l.hash(s)
	}
	return a
}

// hash is that of the lines' text, without the white space around each line: an editor
// that strips it changes nothing that the log says.
func (l Lines) hash(s episode.Span) string {
	h := sha256.New()
	for _, line := range l[s[0]-1 : s[1]] {
		h.Write([]byte(strings.TrimSpace(line)))
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Bounds of the search for lines that moved: more than any fact has, and more places than
// lines that say the same have in one log.
const (
	maxAnchor = 400     // lines
	maxWork   = 1 << 22 // bytes hashed for one anchor
)

// find returns where the lines are now: where they were, else nearest to that place. It
// is false when no lines of the log say the same.
func (l Lines) find(a *Anchor) (episode.Span, bool) {
	if a.Hash == "" || l == nil {
		return a.Lines, true
	}
	n := a.Lines[1] - a.Lines[0]
	if n >= maxAnchor || n >= len(l) {
		return a.Lines, false
	}
	starts := make([]int, 0, len(l)-n)
	for first := 1; first+n <= len(l); first++ {
		starts = append(starts, first)
	}
	away := func(first int) int { return max(first-a.Lines[0], a.Lines[0]-first) }
	slices.SortStableFunc(starts, func(x, y int) int { return cmp.Compare(away(x), away(y)) })
	work := 0
	for _, first := range starts {
		s := episode.Span{first, first + n}
		if l.hash(s) == a.Hash {
			return s, true
		}
		for _, line := range l[first-1 : first+n] {
			work += len(line) + 1
		}
		if work > maxWork {
			break
		}
	}
	return a.Lines, false
}
