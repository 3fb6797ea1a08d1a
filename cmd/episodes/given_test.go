package main

import (
	"os"
	"slices"
	"testing"
)

// A person who gets nothing is told so in one line; a program sees an empty output.
func TestSilenceIsToldToPersons(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\n\n- Error: Boom: x\n")
	w.run("extract", "a.md")
	screen, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device, as a screen is
	must0(t, err)
	defer screen.Close()
	if !terminal(screen) {
		t.Skip("no device here")
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"advise", "zebra crossing"}, "episodes: nothing is sure; ask has whole passages\n"},
		{[]string{"advise", "zebra crossing", "--closest"}, "episodes: nothing comes near\n"},
		{[]string{"search", "zebra"}, "episodes: nothing fits\n"},
		{[]string{"search", "zebra", "--quiet"}, ""},
		{[]string{"search", "zebra", "--json"}, ""},
	} {
		w.env.stdout = screen
		if code := w.run(c.args...); code != 0 || w.stderr.String() != c.want {
			t.Errorf("%q: exit %d, %q", c.args, code, &w.stderr)
		}
		w.env.stdout = &w.stdout
		if code := w.run(c.args...); code != 0 || w.stderr.Len() > 0 || !slices.Contains(c.args, "--json") && w.stdout.Len() > 0 {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, &w.stdout, &w.stderr)
		}
	}
}
