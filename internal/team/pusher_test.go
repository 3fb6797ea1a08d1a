package team

import "testing"

// Who pushed an episode is what the server knows, whatever a writer says, and the last who did.
func TestPusher(t *testing.T) {
	l := newLogins(t)
	pusher := func() string {
		t.Helper()
		b, err := open(t, l.url["bob"], "public").Bodies(t.Context(), []string{"episode-x"})
		if err != nil || len(b) != 1 {
			t.Fatalf("%v %v", b, err)
		}
		return b[0].Pusher
	}
	ada, max := open(t, l.url["ada"], "public"), open(t, l.url["max"], "public")
	must(t, ada.Write(t.Context(), []Episode{text("episode-x", "by ada")}, nil))
	if got := pusher(); got != "ada" {
		t.Errorf("pushed by %q", got)
	}
	must(t, max.Write(t.Context(), []Episode{text("episode-x", "by max")}, nil))
	if got := pusher(); got != "max" {
		t.Errorf("then pushed by %q", got)
	}
	for _, sql := range []string{"update episodes.episode set pusher = 'ada' where id = 'episode-x'",
		"set role episodes_writer; update episodes.episode set pusher = 'ada' where id = 'episode-x'; reset role"} {
		if _, err := max.conn.Exec(t.Context(), sql); err != nil {
			t.Logf("%s: %v", sql, err) // refused is right, too
		}
		if got := pusher(); got != "max" {
			t.Errorf("%s: pushed by %q", sql, got)
		}
	}
}
