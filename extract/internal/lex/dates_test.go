package lex

import "testing"

func TestDayOfName(t *testing.T) {
	for name, want := range map[string]string{
		"260704.md": "2026-07-04", "LOG-260704-05.md": "2026-07-04", "20260704_fix.md": "2026-07-04",
		"2026_07_04.md": "2026-07-04", "261304.md": "", "123456.md": "", "a260704.md": "", "1260704.md": "", "260704b.md": "",
	} {
		if got := DayOfName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
