package corrections

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
)

// encoded is a file with these entries, as versions before additions wrote it.
func encoded(entries []Entry) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, e := range entries {
		if err := enc.Encode(e); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func TestFileRoundTrip(t *testing.T) {
	lines := Split([]byte(log))
	f := &File{Entries: []Entry{{By: Person, Op: Put, Record: ref(t, sample(), lines, "d001"), Outcome: episode.Failure}, {By: Person, Op: SetTask, Text: "a <b> & \"c\""},
		{By: "reader x 1", Op: PutLink, From: ref(t, sample(), lines, "d001"), To: &Ref{Kind: Outcome}, Type: "causes", At: lines.Anchor(episode.Span{3, 4})}}}
	data, err := encoded(f.Entries)
	if err != nil || bytes.Count(data, []byte("\n")) != 3 {
		t.Fatalf("%s %v", data, err)
	}
	back, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(f, back); d != "" {
		t.Error(d)
	}
}

// Whoever wrote the file, nothing that cannot be seen or that a terminal obeys is in what
// is read of it.
func TestHiddenTextIsTakenOut(t *testing.T) {
	f, err := Parse([]byte(`{"by":"reader \u202ex","op":"put","record":{"kind":"event","type":"error","text":"a\u200bb"},"text":"c\u001b[31md"}`))
	want := []Entry{{By: "reader x", Op: Put, Record: &Ref{Kind: Event, Type: "error", Text: "ab"}, Text: "cd"}}
	if err != nil || !cmp.Equal(f.Entries, want) {
		t.Errorf("%+v %v", f, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, bad := range []string{"{", `{"op":"put"}`, `{"op":"drop","record":{"kind":"outcome"}}`, `{"op":"link","from":{"kind":"event"}}`,
		`{"op":"link","from":{"kind":"event"},"to":{"kind":"event"},"type":"likes"}`, `{"op":"outcome","outcome":"great"}`, `{"op":"outcome"}`,
		`{"op":"put","record":{"kind":"event"},"type":"design"}`, `{"op":"put","record":{"kind":"event","at":{"lines":[0,1]}}}`,
		`{"op":"put","record":{"kind":"event","type":"../x"}}`, `{"op":"put","record":{"kind":"event","at":{"lines":[3,1]}}}`} {
		_, err := Parse([]byte("\n" + bad + "\n"))
		var se *episode.SyntaxError
		if !errors.As(err, &se) || se.Line != 2 {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := Parse([]byte(strings.Repeat(`{"op":"task","text":"x"}`+"\n", maxEntries+1))); err == nil {
		t.Error("a file without end is read")
	}
}

func TestLines(t *testing.T) {
	for text, want := range map[string]int{"a\nb": 2, "a\r\nb\r\n": 2, "a\rb": 2, "a\rb\nc": 2, "\xef\xbb\xbfa\n\n": 2, "": 1} {
		if got := Split([]byte(text)); len(got) != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	l := Split([]byte("x\nsame\ny\nsame\nz\nsame"))
	a := l.Anchor(episode.Span{4, 4})
	if s, ok := (&finder{log: l}).find(a); !ok || s != (episode.Span{4, 4}) {
		t.Errorf("%v", s)
	}
	if s, ok := (&finder{log: append(Lines{"new"}, l...)}).find(a); !ok || s[0] != 3 && s[0] != 5 {
		t.Errorf("%v", s)
	}
	if _, ok := (&finder{log: l[:1]}).find(a); ok {
		t.Error("found in a log that does not have it")
	}
}

// A log and corrections that were made to cost time do not.
func TestHostileAnchors(t *testing.T) {
	lines := make(Lines, 100000)
	for i := range lines {
		lines[i] = "same"
	}
	a := lines.Anchor(episode.Span{1, 5000})
	a.Hash = a.Hash[:hashSize] + strings.Repeat("0", hashSize)
	f := &finder{log: lines}
	for range 100 {
		if _, ok := f.find(a); ok {
			t.Fatal("found")
		}
	}
	if f.work > maxWork+5000*(4+lineWork) {
		t.Errorf("%d bytes were compared", f.work)
	}
	for _, hash := range []string{"x", strings.Repeat("0", 2*hashSize), strings.Repeat("é", hashSize)} {
		if _, ok := f.find(&Anchor{Lines: episode.Span{1, 1 << 62}, Hash: hash}); ok {
			t.Errorf("%q is found", hash)
		}
	}
}

// Whatever stands in a file of corrections, applying it leaves an episode that can be
// written, is as valid as before, and stays the same from then on.
func FuzzCorrections(f *testing.F) {
	lines := Split([]byte(log))
	seed := &File{Entries: []Entry{
		{By: Person, Op: Put, Record: ref(f, sample(), lines, "d001"), Outcome: episode.Failure},
		{By: Person, Op: Drop, Record: ref(f, sample(), lines, "e002")},
		{By: "reader x", Op: PutLink, From: ref(f, sample(), lines, "d001"), To: ref(f, sample(), lines, "e003"), Type: "causes", At: lines.Anchor(episode.Span{3, 4})},
		{By: "reader x", Op: SetOutcome, Outcome: episode.Unknown},
		{By: Person, Op: Put, New: true, Record: &Ref{Kind: Lesson, Text: "new", At: lines.Anchor(episode.Span{2, 2})}},
	}}
	data, err := encoded(seed.Entries)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"by":"person","op":"put","record":{"kind":"decision","at":{"lines":[1,9000000000000000000]}},"text":"x"}`))
	f.Add([]byte(`{"by":"person","op":"put","record":{"kind":"lesson","text":"","at":{"lines":[1,1],"hash":"00"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse(data)
		if err != nil {
			return
		}
		ep := sample()
		Apply(ep, lines, file.Entries)
		if p := ep.Validate(); len(p) > 0 {
			t.Errorf("not valid: %v", p)
		}
		if _, err := episode.Parse(marshal(t, ep)); err != nil {
			t.Error(err)
		}
	})
}
