package extract

import "testing"

// Only an id that no other session has identifies one.
func TestSessionID(t *testing.T) {
	for _, c := range []struct{ path, log, want string }{
		{"runs/2026-02-14T23-57-25Z__load-test-agent__completed.md", "# Load\n", "2026-02-14T23-57-25Z__load-test-agent"},
		{"memory/2026-02-14__load-test-agent.md", "# Load\n", ""},
		{"memory/2026-02-14T23-57-25Z.md", "# Load\n", ""},
		{"a.md", "---\nsession_id: 0197c2d4-55aa-7cc1-9e21-6a0f9f6d1b42\n---\n# Parser\n", "0197c2d4-55aa-7cc1-9e21-6a0f9f6d1b42"},
		{"a.md", "# Parser\n\n- **Session ID**: `ses_4a01b2c3d4e5`\n", "ses_4a01b2c3d4e5"},
		{"a.md", "# Parser\n\n**Session ID**: 2026-02-05-session-7\n", "2026-02-05-session-7"},
		{"a.md", "# Parser\n\n**Session ID**: 87\n", ""},
		{"a.md", "# Parser\n\nThe session id 0197c2d4-55aa-7cc1-9e21-6a0f9f6d1b42 was logged twice.\n", ""},
		{"a.md", "# Parser\n\n```\nSession ID: 0197c2d4-55aa-7cc1-9e21-6a0f9f6d1b42\n```\n", ""},
		{"a.md", "# Two\n\n**Session ID**: ses_4a01b2c3d4e5\n\n**Session ID**: ses_5a01b2c3d4e5\n\n## Work\n\n- a\n- b\n- c\n- d\n- e\n- f\n", ""},
		{"a.md", "# Parser\n\n## Work\n\n- a\n- b\n- c\n- d\n- e\n- f\n\n## Earlier\n\n**Session ID**: ses_4a01b2c3d4e5\n", ""},
	} {
		if got := read(t, Source{Path: c.path}, []byte(c.log)).Episode.Provenance.Source.Session; got != c.want {
			t.Errorf("%s: %q: session %q, want %q", c.path, c.log, got, c.want)
		}
	}
}
