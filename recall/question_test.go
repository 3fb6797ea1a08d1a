package recall_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/recall"
)

// Which line of a pasted output tells what went wrong, which words are evidence, and which
// are only said around it. Below 0.3 the words of a line are no evidence.
func TestLinesThatTell(t *testing.T) {
	for _, c := range []struct {
		name, paste, telling string
		loud, faint, absent  string // words that are evidence, that are none, that are left out
	}{
		{"a named error", "collecting lantern\nValueError: no such tenant", "ValueError: no such tenant", "tenant valueerror", "", ""},
		{"Python", "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    harbor()\nKeyError: 'tenant'",
			"KeyError: 'tenant'", "tenant keyerror", "", ""},
		{"pytest", "=== FAILURES ===\n___ test_total ___\n    def test_total():\n>       assert parcel == 3\nE   AssertionError: bucket\ncart.py:9: AssertionError",
			"E   AssertionError: bucket", "bucket assertionerror", "", ""},
		{"Go", "=== RUN   TestUpload\n    upload_test.go:12: tenant is nil\n--- FAIL: TestUpload (0.00s)\nFAIL\nexit status 1",
			"upload_test.go:12: tenant is nil", "tenant testupload", "", ""},
		{"a compiler", "# parcels/store\nstore/lock.go:12:4: undefined: tenant", "store/lock.go:12:4: undefined: tenant", "undefin tenant lock.go", "", ""},
		{"npm", "npm ERR! code ELIFECYCLE\nnpm ERR! missing script: lint\nnpm ERR! A complete log of this run can be found in: lantern.log",
			"npm ERR! missing script: lint", "script lint", "lantern", ""},
		{"a runner", pasted, "QuotaExceededError: tenant bucket is full (418 of 400 GB)", "tenant bucket full", "", "bash shell"},
		{"the first of two equals", "fatal: harbor is shut\nfatal: meadow is wet", "fatal: harbor is shut", "harbor meadow", "", ""},
		{"named before reported", "fatal: harbor is shut\nPanicError: meadow is wet", "PanicError: meadow is wet", "meadow harbor", "", ""},
		{"colours", "\x1b[31mValueError\x1b[0m: no such \x1b[1mtenant\x1b[0m\r\n", "ValueError: no such tenant", "tenant", "", ""},
		{"time stamps", "[10:11:12] checking\n[10:11:13] ValueError: no such tenant", "ValueError: no such tenant", "tenant", "", ""},
		{"a folded group", "##[group]harbor\nmeadow\n##[endgroup]\n##[error]tenant is gone\n##[debug]walnut", "tenant is gone", "tenant", "", "harbor meadow walnut"},
		{"far away", "fatal: harbor is shut\n" + strings.Repeat("walnut\n", 5) + "copper\n", "fatal: harbor is shut", "harbor", "copper", ""},
	} {
		q := recall.Analyse(recall.AnError, c.paste)
		if q.KeyLine != c.telling {
			t.Errorf("%s: telling line %q, want %q", c.name, q.KeyLine, c.telling)
		}
		for _, w := range strings.Fields(c.loud) {
			if q.Weights[w] < 0.3 {
				t.Errorf("%s: %q weighs %v", c.name, w, q.Weights[w])
			}
		}
		for _, w := range strings.Fields(c.faint) {
			if v := q.Weights[w]; v <= 0 || v >= 0.3 {
				t.Errorf("%s: %q weighs %v", c.name, w, v)
			}
		}
		for _, w := range strings.Fields(c.absent) {
			if v, ok := q.Weights[w]; ok {
				t.Errorf("%s: %q weighs %v", c.name, w, v)
			}
		}
		if len(q.Key) == 0 {
			t.Errorf("%s: the telling line has no terms", c.name)
		}
	}
}

// A word weighs what the best of its lines weighs; a line weighs less the further it is from
// the one that tells, and commands more than what they print.
func TestWeightsFallWithDistance(t *testing.T) {
	q := recall.Analyse(recall.AnError, "anchor\nribbon\ntunnel\nfatal: falcon\nmeadow\ncandle\nbasket")
	for _, order := range [][]string{{"falcon", "tunnel", "ribbon", "anchor"}, {"falcon", "meadow", "candl", "basket"}} {
		for i := range order[1:] {
			if near, far := q.Weights[order[i]], q.Weights[order[i+1]]; near <= far || far <= 0 {
				t.Errorf("%s weighs %v, %s %v", order[i], near, order[i+1], far)
			}
		}
	}
	q = recall.Analyse(recall.AnError, "$ anchor build\nmeadow\n$ ribbon test\ncandle\n$ tunnel push\nfatal: falcon")
	if a, r, n := q.Weights["anchor"], q.Weights["ribbon"], q.Weights["tunnel"]; a != r || r >= n || n >= q.Weights["falcon"] ||
		q.Weights["meadow"] >= a || q.Weights["candl"] >= a {
		t.Errorf("commands %v, %v, %v: %v", a, r, n, q.Weights)
	}
	q = recall.Analyse(recall.AnError, "falcon\n\n\n\n\n\nfatal: falcon\nok")
	if q.Weights["falcon"] != 1 {
		t.Errorf("a word of two lines weighs %v", q.Weights["falcon"])
	}
}

// Prompts and what a runner puts before a line are no part of it.
func TestPromptsAreTakenOff(t *testing.T) {
	for _, before := range []string{"$ ", "❯ ", "walnut@copper:~/garden$ ", "(walnut) $ ", `C:\walnut> `, "PS C:\\walnut> ", "2026-03-01T10:11:12.123Z ", "10:11:12,345 "} {
		q := recall.Analyse(recall.AnAction, before+"falcon --force")
		if q.KeyLine != "falcon --force" || q.Weights["walnut"] != 0 || q.Weights["falcon"] != 1 {
			t.Errorf("after %q: %q, %v", before, q.KeyLine, q.Weights)
		}
	}
}

// The message of a failed test is the line that counts, not its name.
func TestMessageOfATest(t *testing.T) {
	for text, want := range map[string]string{
		"--- FAIL: TestA (0.01s)\n    a_test.go:8: the bucket is missing\nFAIL":          "a_test.go:8: the bucket is missing",
		"--- FAIL: TestA (0.01s)\n--- FAIL: TestB (0.01s)\n    b_test.go:8: unknown key": "b_test.go:8: unknown key",
		"--- FAIL: TestA (0.01s)\nFAIL":                                                  "--- FAIL: TestA (0.01s)",
		"FAILED tests/test_a.py::test_a - KeyError: 'walnut'\nerror: walnut is gone":     "FAILED tests/test_a.py::test_a - KeyError: 'walnut'",
	} {
		if q := recall.Analyse(recall.AnError, text); q.KeyLine != want {
			t.Errorf("%q tells %q, want %q", text, q.KeyLine, want)
		}
	}
}

// What a text is taken for when nobody says.
func TestGuessOfManyForms(t *testing.T) {
	for want, texts := range map[recall.Want][]string{
		recall.AnError: {"ValueError: no such tenant", "fatal: bad object HEAD", "lock.go:12:4: undefined: tenant", "##[error]tenant is gone",
			"SQLITE_BUSY: database is locked", "ENOENT: no such file or directory, open 'a.json'",
			"building\nlinking\nthe bucket could not be opened", "one\ntwo\nthree\nfour\nfive"},
		recall.AnAction: {"run ./sync.sh", "$ ledger upload", "sed -i s/a/b/ parcels.txt", "cd parcels && make", "write src/lock.go\n+   retry()", "docker compose -f dev.yml up"},
		recall.AChoice: {"Should the importer wait?", "which queue is faster", "Postgres or SQLite?", "whether to retry",
			"SQLiteとPostgresのどちらを使うべきか", "파일로 둘까요, 표로 둘까요?", "用文件还是数据库", "Чи варто чекати?", "Файл или база?"},
		recall.ATask: {"Make uploads resumable", "", "  \n ", "the bucket could not be opened", "Describe the importer, then its tests"},
	} {
		for _, text := range texts {
			if got := recall.Guess(text); got != want {
				t.Errorf("Guess(%q) = %s, want %s", text, got, want)
			}
		}
	}
}

// No text makes the analysis fail; weights are above 0 and at most 1, and the same text is
// always weighed alike.
func TestAnalyseOfAnything(t *testing.T) {
	kinds := []recall.Want{recall.AnError, recall.AnAction, recall.ATask, recall.AChoice}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.SampledFrom(strings.SplitAfter(pasted, "\n")), rapid.SampledFrom(vocabulary))).Draw(t, "parts")
		text := strings.Join(parts, rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "between"))
		want := rapid.SampledFrom(kinds).Draw(t, "want")
		q, again := recall.Analyse(want, text), recall.Analyse(want, text)
		if q.KeyLine != again.KeyLine || len(q.Weights) != len(again.Weights) {
			t.Fatalf("%q is analysed as %+v and as %+v", text, q, again)
		}
		for w, v := range q.Weights {
			if v <= 0 || v > 1 || again.Weights[w] != v {
				t.Fatalf("%q of %q weighs %v, then %v", w, text, v, again.Weights[w])
			}
			if want != recall.AnError && v != 1 {
				t.Fatalf("%q of the %s %q weighs %v", w, want, text, v)
			}
		}
		for _, w := range q.Key {
			if q.Weights[w] == 0 {
				t.Fatalf("%q is told by %q and is no term", w, text)
			}
		}
		recall.Guess(text)
	})
}
