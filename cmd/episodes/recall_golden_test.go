package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// questions are asked of the repository's own memory, the 28 invented logs of
// testdata/sessions.
var questions = [][]string{
	{"advise", "--error", "$ go test ./...\n--- FAIL: TestUpload (0.41s)\n    upload_test.go:88: store manifest: SQLITE_BUSY: database is locked\nFAIL\tharbord/internal/upload\t4.032s"},
	{"advise", "--error", "migrate: job 0024 timed out waiting for the migration lock after 120s"},
	{"advise", "--choice", "Raise the lock timeout, or release the lock before the index build?"},
	{"advise", "--action", "edit .github/workflows/ci.yml\n-      - uses: actions/checkout@8f4b7f8\n+      - uses: actions/checkout@v4"},
	{"advise", "--task", "Make the manifest cache survive a restart"},
	{"advise", "--task", "Make the manifest cache survive a restart", "--closest"},
	{"advise", "--error", "ERROR: no matching distribution found for torchvision==0.99"},
	{"search", "lock timeout", "--limit", "5"},
	{"search", "cache", "--kind", "lesson", "--limit", "3"},
	{"search", "pin actions by digest", "--kind", "decision", "--limit", "3", "--json"},
	{"advise", "--json", "upload tests fail because of SQLITE_BUSY: database is locked, from BeginUpload or CommitUpload"},
}

// TestAnswersToQuestions shows in the diff how a change of ranking, gate or words changes
// what is told. The graph is over the memory engine, and so is the index.
func TestAnswersToQuestions(t *testing.T) {
	root, err := filepath.Abs("../..")
	must0(t, err)
	var b strings.Builder
	for _, args := range questions {
		b.WriteString("episodes " + strings.Join(quotedWords(args), " ") + "\n" + runInRepository(t, root, args) + "\n")
	}
	file := filepath.Join("testdata", "questions.golden")
	if *update {
		must0(t, os.WriteFile(file, []byte(b.String()), 0o644))
		return
	}
	want := read(t, file)
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("other answers than before (go test ./cmd/episodes -run AnswersToQuestions -update; read the diff):\n%s", diff)
	}
}

// quotedWords puts arguments with white space into quotes.
func quotedWords(args []string) (out []string) {
	for _, a := range args {
		if strings.ContainsAny(a, " \n\t") {
			a = "'" + a + "'"
		}
		out = append(out, a)
	}
	return out
}

// cited matches a quotation, and where it is.
var cited = regexp.MustCompile(`(?m)^(?:Fix: |not: )?"([^\n]*)" \([^()\n]*?([\w.-]+\.md):(\d+)(?:-(\d+))?`)

// parts separates the facts that a quotation joins.
var parts = regexp.MustCompile(` / | → `)

// A quotation, or a fact in it, stands on the lines that are cited for it.
func TestQuotationsAreOnTheirLines(t *testing.T) {
	root, err := filepath.Abs("../..")
	must0(t, err)
	n := 0
	for _, args := range questions {
		if args[0] != "advise" {
			continue
		}
		for _, m := range cited.FindAllStringSubmatch(runInRepository(t, root, args), -1) {
			lines := strings.Split(string(read(t, filepath.Join(root, "testdata", "sessions", m[2]))), "\n")
			from, _ := strconv.Atoi(m[3])
			to, err := strconv.Atoi(m[4])
			if err != nil { // one line
				to = from
			}
			clean := strings.NewReplacer("*", "", "`", "").Replace
			text := clean(strings.Join(lines[from-1:to], "\n"))
			n++
			if !slices.ContainsFunc(parts.Split(clean(m[1]), -1), func(part string) bool {
				words := strings.Fields(part)
				return len(words) > 1 && strings.Contains(text, words[0]+" "+words[1])
			}) {
				t.Errorf("%q is not on %s:%d-%d, which say %q", m[1], m[2], from, to, text)
			}
		}
	}
	if n < 4 {
		t.Errorf("only %d quotations were looked up", n)
	}
}
