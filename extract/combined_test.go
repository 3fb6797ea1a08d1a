package extract

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A log of any headings over outputs, tables, lists and labelled lines, in any order, is read. Many facts have no
// block or no section: those of headings, of lines of output and of stated causes.
func TestAnyHeadingOverAnyContent(t *testing.T) {
	headings := []string{
		"Task summary", "Test summary: 12 passed, 3 failed", "Passing test output summary", "Tests: 12 passed", "Outcome: 12 tests passed",
		"Problems", "1. Tests moved with broken paths", "2. The cache is missing its index", "Root cause", "Root cause: the key is missing",
		"Decision: use a lock", "Decisions", "Option B: a queue (selected)", "Review verdict: APPROVED", "Verdict", "Index cleanup: SKIPPED",
		"Attempts", "Attempt 1: pin the compiler (failed)", "Attempt 2: raise the limit (worked)", "What did not work",
		"Commits", "Escape the query (commit 1a2b3c4)", "Work done", "✅ Importer fixed", "Acceptance criteria", "Conflict resolution",
		"Lessons", "Next steps", "Session protocol", "Timeline", "Summary", "Validation", "Pull requests", "Earlier session", "Notes",
	}
	contents := []string{
		"```\n$ go test ./...\n 12 pass\n 3 fail\n```", "```\n12 pass / 0 fail\n1a2b3c4 fix(ci): pin the compiler\n```",
		"```\nerror: the cache is missing\n```", "```json\n{\"passed\": 12, \"failed\": 3}\n```", "```\n```",
		"| Issue | Fix | Commit |\n|---|---|---|\n| the build fails | pin the compiler | 1a2b3c4 |\n| the lock hangs |\n", "| Test | Status |\n|---|---|\n| parser tests | ✅ |\n| lexer tests | ❌ |",
		"| Decision | Verdict | Reason |\n|---|---|---|\n| use a lock | Accept | it is simple |\n||", "| Time | Step |\n|---|---|\n| 10:15 | Ran the tests, 3 failed |\n| 10:20 | Fixed the parser |",
		"- [x] CI checks pass\n- [x] 12 tests pass\n- [ ] the docs", "- ✅ tests pass\n- ❌ lint fails", "1. Tests moved with broken paths\n   - Resolution: moved the fixtures",
		"- **Problem**: the job failed because the key is missing\n- **Fix**: raise the limit\n- **Impact**: the night's data is lost\n- **Result**: it passed",
		"**Attempt**: pin the compiler. It failed.\n\n**Attempt**: raise the limit. It worked.", "**Reason**: it is simple\n**Result**: all 12 tests failed again in the parser",
		"**Decision**: use a lock. Supersedes decision 2.\n**Status**: superseded by the queue", "The build failed because the cache was missing. Fixed by pinning it.",
		"All tests pass: 12 passed, 0 failed.", "Committed as 1a2b3c4.", "We chose the lock over the queue, because it is simple.", "Fixed the importer:\n\n- dates\n- zones",
	}
	rapid.Check(t, func(rt *rapid.T) {
		var log strings.Builder
		for range rapid.IntRange(1, 10).Draw(rt, "sections") {
			level := strings.Repeat("#", rapid.IntRange(1, 4).Draw(rt, "level"))
			log.WriteString(level + " " + rapid.SampledFrom(headings).Draw(rt, "heading") + "\n\n")
			for _, c := range rapid.SliceOfN(rapid.SampledFrom(contents), 0, 3).Draw(rt, "contents") {
				log.WriteString(c + "\n\n")
			}
		}
		data := []byte(log.String())
		res, err := extractor.Log(Source{Path: "log.md"}, data)
		if err != nil {
			rt.Fatal(err)
		}
		for _, p := range res.Episode.Validate() {
			rt.Errorf("invalid episode: %s", p.Msg)
		}
		n := lineCount(data)
		for id, s := range res.Episode.Provenance.Spans {
			if s[0] < 1 || s[1] < s[0] || s[1] > n {
				rt.Errorf("%s has the lines %v of %d", id, s, n)
			}
		}
	})
}
