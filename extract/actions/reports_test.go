package actions

import (
	"strings"
	"testing"
)

func TestReported(t *testing.T) {
	for text, want := range map[string]string{
		"it still says\nparcels.store.Locked: bucket 4 is in use":                                "parcels.store.Locked: bucket 4 is in use",
		"```\n$ ./parcels lock\nfatal: no such tenant\n```\nwhat is this?":                       "fatal: no such tenant",
		"Traceback (most recent call last):\n  File \"a.py\", line 2\nLookupError: no tenant":    "LookupError: no tenant",
		"see src/lock.go:44 why is it locked":                                                    "",
		"@src/lock.go:44 make this wider":                                                        "",
		"the type is\n  error: string | null;":                                                   "",
		"- error: is a word of the list":                                                         "",
		"If empty: ERROR \"no tenant is given\"":                                                 "",
		"please fix the errors of the lock":                                                      "",
		"# Lock\nerror: a\n# Bucket\ndo this\n# Tenant\nerror: is shown when no tenant is given": "",
	} {
		if got := reported(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestReports(t *testing.T) {
	const locked = "parcels.Locked: bucket_four is in use"
	fixed := func(k *talk) *talk { return k.edit("/lock.go", "wait()", "release(bucket_four)") }
	for _, c := range []struct {
		name string
		k    *talk
		want string // links
	}{
		{"a cause, and a change after which the user goes on",
			fixed((&talk{}).user("I get\n" + locked).says("The lock is kept because the upload never releases it.")).user("now the tenants"),
			"cause: The lock is kept because the upload never releases it. -> " + locked + "\nedit of lock.go: `wait()` → `release(bucket_four)` -> " + locked},
		{"a guess is no cause",
			fixed((&talk{}).user("I get\n" + locked).says("The lock might be kept because the upload hangs.")).user("now the tenants"),
			"edit of lock.go: `wait()` → `release(bucket_four)` -> " + locked},
		{"nothing comes after it, and no check",
			fixed((&talk{}).user("I get\n" + locked)), ""},
		{"a check passes",
			fixed((&talk{}).user("I get\n"+locked)).sh("go test ./...", 0, passing),
			"edit of lock.go: `wait()` → `release(bucket_four)` -> " + locked},
		{"a check passes before the change, and none after it",
			fixed((&talk{}).user("I get\n"+locked).sh("go test ./...", 0, passing)), ""},
		{"a check passes, and the user is not content",
			fixed((&talk{}).user("I get\n"+locked)).sh("go test ./...", 0, passing).user("it still doesn't work"), ""},
		{"it is reported again, and then no more",
			fixed((&talk{}).user("I get\n"+locked).edit("/lock.go", "wait()", "sleep()")).user("again:\n"+locked).
				edit("/lock.go", "sleep()", "free(bucket_four)").user("now the tenants"),
			locked + " -> edit of lock.go: `wait()` → `release(bucket_four)`, edit of lock.go: `wait()` → `sleep()`\n" +
				"edit of lock.go: `sleep()` → `free(bucket_four)` -> " + locked},
		{"a change of something else",
			(&talk{}).user("I get\n"+locked).edit("/readme.md", "a", "b").user("now the tenants"), ""},
		{"another error after a change that does not name the first",
			(&talk{}).user("fatal: it is stuck").edit("/lock.go", "a", "b").user("fatal: the disk is full"), ""},
		{"the agent only explains",
			(&talk{}).user("I get\n" + locked).says("That is because the upload is running.").user("ok"), ""},
		{"one error in two ways of writing a session",
			fixed((&talk{}).user("I get\n" + locked).user("I get\n" + locked)).user("now the tenants"),
			"edit of lock.go: `wait()` → `release(bucket_four)` -> " + locked},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := c.k.draft(t)
			if got := linked(d); got != c.want {
				t.Errorf("links:\n%s\nwant:\n%s", got, c.want)
			}
			if n := len(told(d, "error")); n > 1 || (n == 0) != strings.Contains(c.name, "only explains") {
				t.Errorf("%d errors", n)
			}
		})
	}
}

// What a user reports and what a call fails with are one error where it is known by its own words.
func TestReportMeetsFailure(t *testing.T) {
	const text = "LookupError: the tenant of the second bucket is not known here"
	k := (&talk{}).user(text).edit("/a.py", "a", "b").sh("python3 a.py", 1, text)
	var keys []string
	for _, f := range k.draft(t).Facts {
		if f.Event == "error" {
			keys = append(keys, f.Key)
		}
	}
	if len(keys) != 2 || keys[0] != keys[1] || keys[0] == "" {
		t.Errorf("keys %q", keys)
	}
}
