package keys

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMask(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"no figures at all", "no figures at all"},
		{"see https://example.org/a?b=1 now", "see ‹url› now"},
		{"in extract/links.go:12", "in ‹path›"},
		{`in C:\logs\run.txt`, "in ‹path›"},
		{"on 2026-01-02T10:11:12Z", "on ‹time›"},
		{"commit a1b2c3d4e5", "commit ‹hash›"},
		{"closes #760", "closes ‹ref›"},
		{"since v1.2.3", "since ‹ver›"},
		{"took 45ms, 3 times", "took ‹num› , ‹num› times"},
		{"id 0b1c2d3e-1111-2222-3333-444455556666", "id ‹uuid›"},
		{"rule MD032 and TS2304", "rule MD032 and TS2304"},
		{"exit code 1", "exit-1"},
		{"HTTP 404", "http-404"},
	} {
		if got := strings.Join(strings.Fields(Mask(c.in)), " "); got != c.want {
			t.Errorf("Mask(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// One fact in several wordings has one key; other facts have others.
func TestCanonicalMerges(t *testing.T) {
	for _, same := range [][]string{
		{"The build failed", "build failing", "BUILD  fails!", "the Build: failed."},
		{"job timed out", "job times out", "job timed-out", "job: timeout", "job Timing out"},
		{"waited 30s for the lock", "waited 120 s for the lock", "waiting 5s for lock"},
		{"pin compiler in build/go.mod", "pin compiler in other/go.sum"},
		{"MD032 in the manual", "the manual: MD032"},
		{"command ended with exit code 1", "command ends with exit status 1", "command ended, exited 1"},
	} {
		for _, s := range same[1:] {
			if a, b := Canonical(same[0]), Canonical(s); a != b {
				t.Errorf("%q and %q do not meet: %q, %q", same[0], s, a, b)
			}
		}
	}
	apart := []string{"the build failed", "the build did not fail", "rule MD032 violated", "rule MD031 violated", "command exit code 1", "command exit code 2", "test before build", "test after build"}
	for i, a := range apart {
		for _, b := range apart[i+1:] {
			if Canonical(a) == Canonical(b) {
				t.Errorf("%q and %q meet in %q", a, b, Canonical(a))
			}
		}
	}
}

func TestCanonicalOfLittle(t *testing.T) {
	for _, s := range []string{"", " ", "…", "the of a", "-", "\xff"} {
		if got := Canonical(s); got != "" {
			t.Errorf("Canonical(%q) = %q", s, got)
		}
	}
	// Where masking would leave one word, what was masked is kept.
	if a, b := Canonical("Created docs/a.md"), Canonical("Created docs/b.md"); a == b {
		t.Errorf("two files meet in %q", a)
	}
}

func TestOption(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Raise the lock timeout to 60 s", "lock rais timeout"},
		{"Skipped: step 1: write the plan", "plan skip step write"},
		{"Pin v1.2.3", "pin v1.2.3"},
	} {
		if got := Option(c.in); got != c.want {
			t.Errorf("Option(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestEvent(t *testing.T) {
	for _, c := range []struct{ kind, in, want string }{
		{"error", "npm test: TypeError: x is undefined", "error: typeerror undefin x"},
		{"error", "SQLITE_BUSY: database is locked while the job ran", "error: sqlite_busy databas lock"},
		{"error", "the TypeError page is down", "error: down page typeerror"},
		{"milestone", "Created docs/a.md (31 lines)", "milestone: a.md creat line"},
		{"milestone", "Added the importer to docs/a.md", "milestone: a.md ad import"},
		{"commit", "fix(ci): pin the compiler", "commit: ci compil fix pin"},
	} {
		got := Event(c.kind, c.in)
		if c.want != got && Canonical(c.want) != Canonical(got) {
			t.Errorf("Event(%q, %q) = %q, want %q", c.kind, c.in, got, c.want)
		}
	}
	if a, b := Event("error", "make: TypeError: x is undefined"), Event("error", "npm run ci: TypeError: x is undefined when it starts"); a != b {
		t.Errorf("one error has two signatures: %q, %q", a, b)
	}
	if a, b := Event("error", "the build failed"), Event("test", "the build failed"); a == b {
		t.Error("an error and a test share a key")
	}
}

func TestClause(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"The build failed because it rained", "The build failed"},
		{"The build failed. Then it passed.", "The build failed"},
		{"No. The build failed, again", "No. The build failed"},
		{"use a lock (simple)", "use a lock"},
		{"ロックする。次へ", "ロックする"},
		{": , ;", ""},
		{"Based on this analysis, the cache is stale, mostly", "Based on this analysis, the cache is stale"},
	} {
		if got := Clause(c.in); got != c.want {
			t.Errorf("Clause(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// Every word begins as its stem says.
func TestBegins(t *testing.T) {
	const ends = "s|ies|ied|ying|ing|ed|y|ly|li|e|ational|ization|ability|ibility|ivity|ality|entli|ously|fulness|logy|logies|er|est|ement|ic|ative|ization"
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z]{1,6}(`+ends+`)?(`+ends+`)?`).Draw(t, "word")
		if w := Word(word); w != "" && !strings.HasPrefix(word, Begins(w)) {
			t.Fatalf("%q has the stem %q, and does not begin with %q", word, w, Begins(w))
		}
	})
	for _, text := range []string{"dying", "skies", "early", "retry", "time out", "timing out", "x86_64"} {
		if w := Words(text)[0]; !strings.HasPrefix(text, Begins(w)) {
			t.Errorf("%q does not begin with %q", text, Begins(w))
		}
	}
}

func TestWordsKeepWhatCanBeAskedFor(t *testing.T) {
	got := Words("The commit a1b2c3d broke extract/links.go, the commit of 2026")
	for _, w := range []string{"commit", "a1b2c3d", "2026"} {
		if !slices.Contains(got, w) {
			t.Errorf("%q is lost in %q", w, got)
		}
	}
	if slices.Contains(got, "the") {
		t.Errorf("a stop word is kept in %q", got)
	}
}

var anyText = rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.SampledFrom(strings.Fields("build failed the lock 404 a1b2c3d MD032 exit code 1 v1.2.3 docs/a.md #12 timed out 10:11 not « ‹num› …"))), func(w []string) string { return strings.Join(w, " ") }))

func TestMaskLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyText.Draw(t, "text")
		once := Mask(s)
		if twice := Mask(once); strings.Join(strings.Fields(once), " ") != strings.Join(strings.Fields(twice), " ") {
			t.Fatalf("masking again changes %q to %q", once, twice)
		}
	})
}

func TestCanonicalLaws(t *testing.T) {
	words := rapid.SliceOfN(rapid.StringMatching(`[a-z]{2,9}`), 1, 12)
	rapid.Check(t, func(t *rapid.T) {
		w := words.Draw(t, "words")
		key := Canonical(strings.Join(w, " "))
		if got := Canonical(strings.Join(rapid.Permutation(w).Draw(t, "order"), " ")); got != key {
			t.Fatalf("order matters: %q, %q", key, got)
		}
		if got := Canonical(strings.ToUpper(strings.Join(w, ", "))); got != key {
			t.Fatalf("case or punctuation matters: %q, %q", key, got)
		}
		if got := Canonical("the " + strings.Join(w, " of ") + " again"); got != key {
			t.Fatalf("stop words matter: %q, %q", key, got)
		}
		if f := strings.Fields(key); !slices.IsSorted(f) || len(slices.Compact(f)) != len(strings.Fields(key)) {
			t.Fatalf("%q is not a sorted set", key)
		}
	})
}

func TestSimilarityLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := Canonical(anyText.Draw(t, "a")), Canonical(anyText.Draw(t, "b"))
		s := Similarity(a, b)
		if s < 0 || s > 1 || s != Similarity(b, a) {
			t.Fatalf("Similarity(%q, %q) = %v, reversed %v", a, b, s, Similarity(b, a))
		}
		if a != "" && Similarity(a, a) != 1 {
			t.Fatalf("%q is unlike itself", a)
		}
	})
}

func FuzzKeys(f *testing.F) {
	for _, s := range []string{"", "The build failed", "exit code 1", "‹num› ‹", "\xff\xfe", "timed out", "a.b.c/d.e:1:2", "SQLITE_BUSY: x", "。", "é" + strings.Repeat("\u0301", 9)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, key := range map[string]string{"Canonical": Canonical(s), "Event": Event("error", s), "Decision": Decision(s), "Option": Option(s)} {
			if strings.ContainsAny(key, "\n\t") || strings.TrimSpace(key) != key {
				t.Errorf("%s(%q) = %q is not one line", name, s, key)
			}
		}
		key, words := Canonical(s), Words(s)
		if again := Canonical(s); again != key || !slices.Equal(Words(s), words) {
			t.Errorf("the same text has two keys: %q, %q", key, again)
		}
		if c := Clause(s); len(c) > len(s) {
			t.Errorf("Clause(%q) = %q", s, c)
		}
	})
}

// The verdict of a check follows from its figures, whatever the words around them.
func TestVerdictOfAKey(t *testing.T) {
	for content, want := range map[string]string{
		"Tests Passed: 25, Failed: 0, Skipped: 1": "pass",
		"Tests passed: 25, failed: 2":             "fail",
		"118 passed, 0 failed":                    "pass",
		"1 check failed":                          "fail",
		"0 failing tests":                         "pass",
		"3 of 20 red":                             "fail",
		"make lint failed":                        "fail",
		"24/25 checks passing":                    "part",
	} {
		if got := verdict(content); got != want {
			t.Errorf("verdict(%q) = %s, want %s", content, got, want)
		}
	}
}
