package reader

import (
	"bytes"
	"testing"

	"episodes/episode"
	"episodes/internal/corrections"
)

// applyTwice applies what was taken of an answer, and again to the result: that changes
// nothing, and the episode is valid.
func applyTwice(t *testing.T, l Log, v *Verdict) {
	t.Helper()
	data, err := episode.Marshal(l.Draft)
	if err != nil {
		t.Fatal(err)
	}
	ep, err := episode.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if dropped := corrections.Apply(ep, l.Lines, v.Entries); len(dropped) > 0 {
		t.Errorf("verified, but dropped: %v", dropped)
	}
	if p := ep.Validate(); len(p) > 0 {
		t.Errorf("not valid: %v", p)
	}
	once, err := episode.Marshal(ep)
	if err != nil {
		t.Fatal(err)
	}
	corrections.Apply(ep, l.Lines, v.Entries)
	if twice, err := episode.Marshal(ep); err != nil || !bytes.Equal(once, twice) {
		t.Errorf("a second time changes it: %v\n%s\n%s", err, once, twice)
	}
}
