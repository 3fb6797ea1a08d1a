package extract

import "testing"

// Only an id that no other session has identifies one.
func TestSessionID(t *testing.T) {
	for path, want := range map[string]string{
		"runs/2026-02-14T23-57-25Z__load-test-agent__completed.md": "2026-02-14T23-57-25Z__load-test-agent",
		"memory/2026-02-14__load-test-agent.md":                    "",
		"memory/2026-02-14T23-57-25Z.md":                           "",
	} {
		if got := read(t, Source{Path: path}, []byte("# Load\n")).Episode.Provenance.Source.Session; got != want {
			t.Errorf("%s: session %q, want %q", path, got, want)
		}
	}
	for _, c := range []struct{ log, want string }{
		{"---\nsession_id: 0197c2d4-55aa-7cc1-9e21-6a0f9f6d1b42\n---\n# Parser\n", "0197c2d4-55aa-7cc1-9e21-6a0f9f6d1b42"},
		{"# Parser\n\n- **Session ID**: `ses_4a01b2c3d4e5`\n", "ses_4a01b2c3d4e5"},
		{"# Parser\n\n**Session ID**: 2026-02-05-session-7\n", "2026-02-05-session-7"},
		{"# Parser\n\n**Session ID**: 87\n", ""},
		{"# Parser\n\nThe session id 0197c2d4-55aa-7cc1-9e21-6a0f9f6d1b42 was logged twice.\n", ""},
		{"# Parser\n\n```\nSession ID: 0197c2d4-55aa-7cc1-9e21-6a0f9f6d1b42\n```\n", ""},
		{"# Two\n\n**Session ID**: ses_4a01b2c3d4e5\n\n**Session ID**: ses_5a01b2c3d4e5\n\n## Work\n\n- a\n- b\n- c\n- d\n- e\n- f\n", ""},
		{"# Parser\n\n## Work\n\n- a\n- b\n- c\n- d\n- e\n- f\n\n## Earlier\n\n**Session ID**: ses_4a01b2c3d4e5\n", ""},
	} {
		res, err := New(Vocabulary{}).Log(Source{Path: "a.md"}, []byte(c.log))
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Episode.Provenance.Source.Session; got != c.want {
			t.Errorf("%q: session %q, want %q", c.log, got, c.want)
		}
	}
}
