package setup

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

// space is what may stand between values.
var space = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{" ", "\n", "\n\t", "\n  ", "\r\n", "// {\"x\": [\n", "/* , } */", "/**/", "//\r\n"}), 0, 3).Draw(t, "space"), "")
})

// text draws JSON with white space, comments and trailing commas of all kinds.
type drawn struct{ t *rapid.T }

func (d drawn) gap() string { return space.Draw(d.t, "gap") }

func (d drawn) list(open, end string, items []string) string {
	var b strings.Builder
	b.WriteString(open)
	for i, item := range items {
		if i > 0 {
			b.WriteString(d.gap() + ",")
		}
		b.WriteString(d.gap() + item)
	}
	if len(items) > 0 && rapid.Bool().Draw(d.t, "comma") {
		b.WriteString(d.gap() + ",")
	}
	return b.String() + d.gap() + end
}

func (d drawn) member(name, value string) string {
	return `"` + name + `"` + d.gap() + ":" + d.gap() + value
}

func (d drawn) value(depth int) string {
	kinds := 5
	if depth == 0 {
		kinds = 3
	}
	switch rapid.IntRange(0, kinds-1).Draw(d.t, "kind") {
	case 0:
		return rapid.SampledFrom([]string{"null", "true", "0", "-1.5e3", `""`, `"a // b"`, `"\"\\"`, `"\u0041\ud83d\ude00"`, `"é, }"`}).Draw(d.t, "plain")
	case 1:
		return "[]"
	case 2:
		return "{}"
	case 3:
		return d.list("[", "]", d.items(func() string { return d.value(depth - 1) }))
	}
	return d.list("{", "}", d.items(func() string {
		return d.member(rapid.SampledFrom([]string{"a", "b", "hooks", "matcher", "command"}).Draw(d.t, "name"), d.value(depth-1))
	}))
}

func (d drawn) items(one func() string) (out []string) {
	for range rapid.IntRange(0, 3).Draw(d.t, "n") {
		out = append(out, one())
	}
	return out
}

// document draws settings, mostly with hooks and servers as agents know them.
func (d drawn) document() string {
	return d.gap() + d.list("{", "}", d.items(func() string {
		switch rapid.IntRange(0, 3).Draw(d.t, "member") {
		case 0:
			return d.member("hooks", d.list("{", "}", d.items(func() string {
				event := rapid.SampledFrom([]string{"Stop", "stop", "SessionStart", "PreToolUse", "Other"}).Draw(d.t, "event")
				return d.member(event, d.list("[", "]", d.items(func() string { return d.value(2) })))
			})))
		case 1:
			return d.member("mcpServers", d.list("{", "}", d.items(func() string { return d.member("other", d.value(1)) })))
		}
		return d.member(rapid.SampledFrom([]string{"x", "y", "version"}).Draw(d.t, "name"), d.value(3))
	})) + d.gap()
}

// ends are the two directions of editing one document.
func edits(w *wiring) (add, drop func([]byte) ([]byte, error)) {
	all := func(spot) bool { return true }
	add = w.marked(func(text []byte) ([]byte, error) {
		text, err := w.addHooks(text)
		if err != nil {
			return nil, err
		}
		return w.addServer(text)
	})
	drop = w.marked(func(text []byte) ([]byte, error) {
		text, err := w.dropHooks(text, all)
		if err != nil {
			return nil, err
		}
		return w.dropServer(text)
	})
	return add, drop
}

func wiringOf(name string, scope Scope, text []byte) *wiring {
	w := &wiring{agent: agentOf(name), scope: scope, exe: "/opt/my tools/episodes", runs: func(string) bool { return true }}
	if scope == Project {
		w.exe = program
	}
	w.before, _ = parse(text)
	return w
}

// plainly is what a document says.
func plainly(text []byte) (v map[string]any, err error) {
	text, err = hujson.Standardize(bytes.Clone(bytes.TrimPrefix(text, byteOrderMark)))
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	return v, err
}

// check wires a document and takes all out again.
func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, name string, scope Scope, text []byte) {
	t.Helper()
	w := wiringOf(name, scope, text)
	add, drop := edits(w)
	wired, err := add(text)
	if err != nil {
		return // refused: not as agents know it
	}
	if _, err := plainly(wired); err != nil {
		t.Fatalf("wired to what is none: %v\n%s", err, wired)
	}
	if again, err := add(wired); err != nil || !bytes.Equal(again, wired) {
		t.Fatalf("wired again: %v\n%s\nwas\n%s", err, again, wired)
	}
	d, err := parse(wired)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if _, f, err := w.spots(d); err != nil || stateOf(f) != Wired {
		t.Fatalf("%v %+v\n%s", err, f, wired)
	}
	back, err := drop(wired)
	if err != nil || !bytes.Equal(back, text) {
		t.Fatalf("taken out: %v\n%q\nwas\n%q\nwired\n%s", err, back, text, wired)
	}
	// A member that the user writes behind ours stays, and nothing else.
	theirs, err := d.open(nil, false)
	if err != nil {
		t.Fatalf("%v", err)
	}
	back, err = drop(d.put(theirs, "zz", 9))
	if err != nil {
		t.Fatalf("%v", err)
	}
	got, err := plainly(back)
	if err != nil {
		t.Fatalf("%v\n%s", err, back)
	}
	want, _ := plainly(text)
	want["zz"] = 9.0
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("with theirs: %v, want %v", got, want)
	}
}

// Any document: wired it is one, wired again it is the same, taken out it is as it was.
func TestAnyDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(drawn{t}.document())
		name := rapid.SampledFrom(Agents()).Draw(t, "agent")
		check(t, name, rapid.SampledFrom([]Scope{User, Project}).Draw(t, "scope"), text)
	})
}

func FuzzJSON(f *testing.F) {
	for _, text := range shapes {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, flat bool) {
		if d, err := parse(text); err != nil || d.blank {
			return
		}
		name := "claude"
		if flat {
			name = "copilot"
		}
		if _, err := plainly(text); err != nil {
			return // what is no JSON for the standard library, such as an odd escape
		}
		check(t, name, Project, text)
	})
}

func FuzzTOML(f *testing.F) {
	for _, text := range tomlShapes {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		w := wiringOf("codex", User, nil)
		wired, err := w.addTOML(text)
		if err != nil {
			return
		}
		_, found, err := w.tomlServer(wired)
		must(t, err)
		if found.foreign != "" || found.unknown {
			if !bytes.Equal(wired, text) {
				t.Fatalf("%q became %q", text, wired)
			}
			return
		}
		if again, err := w.addTOML(wired); err != nil || !bytes.Equal(again, wired) {
			t.Fatalf("%v: %q became %q", err, wired, again)
		}
		if _, before, err := w.tomlServer(text); err != nil || before.current > 0 {
			return // it was wired
		}
		if back, err := w.dropTOML(wired); err != nil || !bytes.Equal(back, text) {
			t.Fatalf("%v: %q\nwas %q\nwired %q", err, back, text, wired)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, text := range textShapes {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, _, ok := section.find(text); ok || bytes.Contains(text, []byte(section.begin)) {
			return
		}
		wired := section.add(text)
		if !section.current(wired) {
			t.Fatalf("%q", wired)
		}
		if back := section.drop(wired); !bytes.Equal(back, text) {
			t.Fatalf("%q, was %q", back, text)
		}
	})
}

// must ends a test at an error.
func must(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
