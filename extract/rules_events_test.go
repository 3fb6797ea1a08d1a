package extract

var errorCases = []ruleCase{
	{"what proved untrue", "## Findings\n\n- The importer crashes on empty rows. REFUTED: it skips them\n- **Lexer (NOT A BUG)**: the lexer fails on tabs\n- The importer failed on Monday, which was NOT REFUTED\n\n### The writer loses rows: OVERTURNED\n\n- The writer failed on long rows\n\n| Finding | Problem | State |\n|---|---|---|\n| 1 | The reader crashes on tabs | WITHDRAWN |\n\n### Record 2\n\n**Problem**: the reader fails on dates\n**Status**: RETRACTED\n", `
		error: The importer failed on Monday, which was NOT REFUTED`},
	{"ends of a range are no commits", "## Commits\n\n- `e09fc3b..dd95a00` (4 commits)\n- dd95a00 docs: the table of checks\n", `
		commit: dd95a00 docs: the table of checks`},
	{"a fix behind the fault", "## Issues\n\n- **Empty canvas at first** — the size comes after the layout. Solved by waiting for the first resize.\n- **Slow list** — every row is drawn. Fixed in a later change.\n", `
		decision, recovery: Solved by waiting for the first resize <- Empty canvas at first
		error: Empty canvas at first: the size comes after the layout.
		link: e001 causes d001, explicit`},
	{"how a thing is meant to fail", "## Notes\n\n- The reader will fail loud on any drift of the order\n", ``},
	{"failure in prose", "## Work\n\nThe build failed on arm.\n", `
		error: The build failed on arm.`},
	{"items under problems", "## Issues Encountered\n\n- The cache was stale\n- No lock\n- Two jobs wrote at once\n", `
		error: The cache was stale
		error: No lock`},
	{"output below a text", "## Problem\n\nThe build stops:\n\n```\nok one\nTypeError: x is undefined\n```\n", `
		error: TypeError: x is undefined`},
	{"labels of what was found and done", "## Session 12\n\n**Root cause identified**: two jobs write to one cache\n\n**Issues closed**: 3 of 4\n", `
		error: two jobs write to one cache`},
	{"causes under a label, and the steps of a repair", "## Why the cache fails\n\n**Root causes found**:\n\n1. Two jobs write to one folder\n2. No lock around the reader\n\n**Fix implemented**:\n\nFrom one folder to several:\n\n1. Each job has its own folder\n2. The last one reads all of them\n", `
		error: Two jobs write to one folder
		error: No lock around the reader`},
	{"a time is no end of a label", "## Work completed\n\n1. **Root cause analysis** (12:15-12:30)\n   - Compared both caches\n", ``},
	{"what keeps faults away", "## Work\n\n- Improved the log of failed jobs\n- The lock fails closed\n- Smaller files, reduced errors\n", ``},
	{"no errors", "## Result\n\n- 0 errors\n- Errors: 0\n- no regressions\n- no failing job\n- the linter ran without errors\n", ``},
	{"repairs are no faults", "## Work\n\n- Fixed the failing build\n- Resolved the timeout error\n", `
		milestone: Fixed the failing build; Resolved the timeout error`},
	{"nothing was found, at length", "**Blockers**: None - all work is done\n\n## Problems\n\n- None (see above)\n", ``},
	{"what might happen", "## Rules of work\n\n- If the job failed three times, pause and ask\n", ``},
	{"tickets under a heading", "## Issues\n\n- #672: the job failed once\n- Issue #781 - the wrong parameter\n", ``},
	{"entries of a tracker", "**Issue comments**:\n\n- reviewer: the job failed once\n- bot: 3 files changed\n", ``},
}

var testCases = []ruleCase{
	{"a number before the name of a value", "## Tests\n\n**Result**: Counts return to `{right: 6, wrong: 0}`, `passed: false`\n\n- Criterion `wrong: 0, passed: true`\n- Last run: passed: false\n", ``},
	{"a tree that is clean", "## Tests\n\n- The head is the merge commit. State before the edit: tree verified clean.\n- Links verified clean\n", `
		test: Links verified clean
		outcome: success, measured`},
	{"what is to come of a command", "## Verification\n\n```sh\npytest -q   # expect: 1096 passed\n```\n", ``},
	{"counted failure", "## Tests\n\n- Test suite: 10 passed, 3 failed\n", `
		test: Test suite: 10 passed, 3 failed
		outcome: failure, measured`},
	{"table of checks", "## Verification\n\n| Check | Result |\n|---|---|\n| build | PASS |\n| lint | FAIL |\n", `
		test: build | PASS
		test: lint | FAIL
		outcome: partial, measured`},
	{"output of a check", "## Test results\n\n```\nrunning\n14 passed in 2s\n```\n", `
		test: 14 passed in 2s
		outcome: success, measured`},
	{"what is expected is no result", "## Tests\n\n```\n# Expected: 35 tests passing\n```\n", ``},
	{"a check that names a fault", "## Tests\n\n- Testing: 25 minutes, all green but for one stale bug\n", `
		test: Testing: 25 minutes, all green but for one stale bug`},
	{"a plan of tests is none", "## Test plan\n\n- [ ] run the tests, all pass\n", ``},
	{"failures in a baseline count", "## Tests\n\n- 3 failed in baseline suite\n", `
		test: 3 failed in baseline suite
		outcome: failure, measured`},
}

var commitCases = []ruleCase{
	{"commits section", "## Commits\n\n- `a1b2c3d` fix(ci): pin the compiler\n- b2c3d4e docs: say why\n", `
		commit: a1b2c3d fix(ci): pin the compiler
		commit: b2c3d4e docs: say why`},
	{"several in a line", "- **Commits**: a1b2c3d (lock), b2c3d4e (cache), c3d4e5f\n", `
		commit: a1b2c3d (lock)
		commit: b2c3d4e (cache)
		commit: c3d4e5f`},
	{"table", "| Commit | Message |\n|---|---|\n| a1b2c3d | pin the compiler |\n| b2c3d4e | say why |\n", `
		commit: a1b2c3d | pin the compiler
		commit: b2c3d4e | say why`},
	{"seven and forty digits are one", "## Commits\n\n- a1b2c3d pin the compiler\n- a1b2c3d4e5f60718293a4b5c6d7e8f9012345678 pin the compiler\n", `
		commit: a1b2c3d pin the compiler`},
	{"starting commit", "**Starting Commit**: a1b2c3d\n\n## Commits\n\n- a1b2c3d4e5f6 base\n- b2c3d4e say why\n", `
		commit: b2c3d4e say why`},
	{"decimal in the field", "**Commit**: 1234567\n", `
		commit: Commit: 1234567`},
	{"decimal in prose", "Committed as 1234567 in run 26123456789.\n", ``},
	{"digests and runs", "The image digest is `a1b2c3d4e5f6` and the run `b2c3d4e` went on; md5 c3d4e5f.\n", ``},
	{"words that are hex", "## Commits\n\n- defaced facade effaced\n", ``},
	{"evidence of a protocol", "## Session End\n\n| Req | Step | Status | Evidence |\n|---|---|---|---|\n| MUST | Commit all changes | [x] | Commit SHA: a1b2c3d |\n", `
		commit: Commit a1b2c3d`},
}

var workCases = []ruleCase{
	{"list of work done", "## What was done\n\n- Added a file lock to the runner\n- Removed the queue from the client\n", `
		milestone: Added a file lock to the runner; Removed the queue from the client`},
	{"task table", "| Task | Status |\n|---|---|\n| File lock | ✅ complete |\n| Queue | in progress |\n", `
		milestone: File lock | complete
		outcome: partial, stated`},
	{"routine steps", "## What was done\n\n- Updated the hand-off file again\n- Posted a comment on the request\n", ``},
	{"what is to be done, by its grade", "## Findings\n\n- Compare the importer with the exporter (P1)\n- P2: The reader has no bound\n", `
		error: P2: The reader has no bound`},
	{"a file in code and what was done to it", "### Faults fixed this session\n\n- `import.toml`: renamed the queue of the importer\n- `import.go`: created, since the queue had no reader\n", `
		milestone: import.toml: renamed the queue of the importer; import.go: created, since the queue had no reader`},
	{"next steps of this session", "## Next Steps\n\n- Merge it\n", ``},
}

var lessonCases = []ruleCase{
	{"a lesson that opens a list", "## Retrospective\n\n**The lesson**: Before a merge, the importer should have:\n\n- a test of dates\n- a test of zones\n", `
		lesson: Before a merge, the importer should have: a test of dates; a test of zones`},
	{"a numbered lesson that opens a list", "## Lessons learned\n\n### 1. Loading in two steps\n\nIt works only when both are sorted:\n\n- names first\n- texts on demand\n", `
		lesson: Loading in two steps: It works only when both are sorted: names first; texts on demand`},
	{"lesson section", "## Lessons Learned\n\n- Lock before you write the file\n- A cache needs a key\n", `
		lesson: Lock before you write the file
		lesson: A cache needs a key`},
	{"inline label", "- The job hung. **Learning**: a lock needs an owner\n", `
		error: The job hung.
		lesson: a lock needs an owner`},
	{"bold line as a heading of lessons", "**Lessons codified:**\n\n- Lock before you write the file\n", `
		lesson: Lock before you write the file`},
	{"lesson with a name", "## Key Learnings\n\n1. **Locks first**: lock before you write\n", `
		lesson: Locks first: lock before you write`},
	{"prose under lessons", "## Lessons\n\nA lock that nobody owns is a lock that nobody frees.\n", `
		lesson: A lock that nobody owns is a lock that nobody frees.`},
	{"evidence prose is no lesson", "## Evidence\n\n- The lesson of the log is in the table\n- We always lock before we write\n", ``},
	{"learning about something", "## Work\n\nThe learning rate was raised to 3.\n", ``},
	{"placeholder lessons", "## Lessons Learned\n\n- None\n- TBD\n- [lesson]\n", ``},
}

var outcomeCases = []ruleCase{
	{"status in progress", "# Log\n\n**Status**: In Progress\n", "outcome: partial, stated"},
	{"checks in a decision record are no run of them", "# Record 7: strategy for checks\n\n**Status**: Accepted\n\n## Tests\n\n- `go test`: 4 passed\n", "test: go test: 4 passed"},
	{"a sentence among checks gives no verdict", "# Log\n\n## Tests\n\n- The integration tests of the importer are run after all cheap checks of the values pass\n", "test: The integration tests of the importer are run after all cheap checks of the values pass"},
	{"open boxes report nothing", "# Log\n\n## Tests\n\n- [ ] All 12 tests pass\n\n## Problems\n\n- [ ] The importer crashed twice\n", ``},
	{"a table of risks", "# Log\n\n## Notes\n\n| Risk | Impact | Mitigation |\n|---|---|---|\n| Locks | The job fails | Add a lease |\n", ``},
	{"the plan is ready and the work is not", "# Log\n\n**Status**: Plan ready, the import is deferred\n", "outcome: partial, stated"},
	{"the impact of a decision", "# Log\n\n## Decisions\n\n| Decision | Rationale | Impact |\n|---|---|---|\n| Keep the importer | It is tested | The importer needs one flag less |\n", `
		decision: Keep the importer // It is tested`},
	{"what was rejected under a problem", "# Log\n\n## Problem\n\n- The port was open, but the keys of the tenant were rejected\n- The importer failed with error 17\n", `
		error: The port was open, but the keys of the tenant were rejected
		error: The importer failed with error 17`},
	{"problems of a to-do", "# Importer TODO\n\n## Problem 1: rows\n\n**Problem**: The importer failed on rows without a key.\n", ``},
	{"a log of what was done, named after its plan", "# Session 12: Execute the rollout plan\n\n- The importer failed with error 17\n- Fix: gave the tenant a key\n", `
		error: The importer failed with error 17`},
	{"items before a problem are of something else", "# Log\n\n## Done\n\n1. **Title fix** - The title of the page names the tenant\n2. **Importer bug** - The importer failed on rows without a key\n", `
		decision, recovery: The title of the page names the tenant
		error: The importer failed on rows without a key`},
	{"session outcome label", "**Session Outcome**: Partial, two jobs are left\n", "outcome: partial, stated"},
	{"all boxes ticked", "## Todo list\n\n## Tasks\n\n- [x] one thing here\n- [x] two things here\n", "outcome: success, stated"},
	{"boxes left open", "## Tasks\n\n- [x] one thing here\n- [ ] two things here\n", "outcome: partial, stated"},
	{"prose is no failure", "# Log\n\nOne of the jobs still fails now and then.\n", `
		error: One of the jobs still fails now and then.`},
	{"some checks missed", "# Log\n\n## Tests\n\n- Test suite: 106/108 passing\n", `
		test: Test suite: 106/108 passing
		outcome: partial, measured`},
	{"skipped is not missed", "# Log\n\n## Tests\n\n- Test suite: 106/108 passed, 2 skipped\n", `
		test: Test suite: 106/108 passed, 2 skipped
		outcome: success, measured`},
	{"heading of an attempt", "## First attempt - SUCCESS\n\nx\n\n## Second attempt\n\ny\n", ``},
}

var linkCases = []ruleCase{
	{"a resolution nested under its fault", "## Work\n\n**Challenges**:\n\n- **Mock set-up**: the parser tests failed on empty input\n  - **Resolution**: Dropped the mock and fed the parser real files\n- **Paths**: after the move the lexer tests failed to start\n  - **Resolution**: Set the working folder in the runner\n", `
		decision, recovery: Dropped the mock and fed the parser real files <- the parser tests failed on empty input
		decision, recovery: Set the working folder in the runner <- after the move the lexer tests failed to start
		error: the parser tests failed on empty input
		error: after the move the lexer tests failed to start
		link: e001 causes d001, explicit
		link: e002 causes d002, explicit`},
	{"records under named paragraphs", "## Threads handled\n\n**Thread 1 (ab12)**: lexer.go\n\n- Status: answered\n- Fix: Sorted the tokens before the merge\n\n**Thread 2 (cd34)**: parser.go\n\n- Issue: Exit code 3 is missing from the manual\n- Fix: Wrote exit code 3 into the manual\n", `
		decision, recovery: Sorted the tokens before the merge
		decision, recovery: Wrote exit code 3 into the manual <- Exit code 3 is missing from the manual
		error: Exit code 3 is missing from the manual
		link: e001 causes d002, explicit`},
	{"what will not delay a merge is no verdict", "## Checks\n\n- All 40 parser tests passed\n\n## Final verdict\n\n**Decision**: the manual will not delay merge\n", `
		decision: the manual will not delay merge
		test: All 40 parser tests passed
		outcome: success, stated`},
	{"a problem and its impact", "## Upload\n\n- Problem: the token is not renewed\n- Impact: uploads failed after an hour\n- Solution: Renew the token before each part\n", `
		decision, recovery: Renew the token before each part <- the token is not renewed
		error: the token is not renewed
		error: uploads failed after an hour
		link: e001 causes d001, explicit
		link: e001 causes e002, explicit`},
	{"a way out that did not help", "## Index\n\n- Problem: the index is built twice\n- Solution: Removed the second call\n- Result: Correct, but didn't resolve the issue\n", `
		decision, recovery, failure: Removed the second call <- the index is built twice
		error: the index is built twice
		link: e001 causes d001, explicit`},
	{"a cause told as the way out", "## Summary\n\n**Problem**: all uploads stopped\n**Resolution**: The key was missing in production\n", `
		error: all uploads stopped`},
	{"the root cause of what the log is about", "# Uploads\n\n## Summary\n\nAll uploads failed since noon.\n\n## Findings\n\n### 1. Retry loop\n\nIt waits too long.\n\n### 2. ROOT CAUSE: the key\n\nThe key is missing in production.\n", `
		error: All uploads failed since noon.
		error: The key is missing in production.
		link: e002 causes e001, explicit`},
	{"a verdict repairs nothing", "## Review\n\n**Critical finding**: the lexer fails on empty input\n\n**Verdict**: APPROVED for now\n", `
		decision: APPROVED for now <- the lexer fails on empty input
		error: the lexer fails on empty input
		link: e001 causes d001, implied
		outcome: success, stated`},
	{"what went wrong, under lessons", "## Lessons learned\n\n### What went wrong\n\n1. **No integration tests**: Nothing covers the upload path\n2. **Dates**: The importer reads them as local time\n\n### What went right\n\n1. **Review**: The reviewer found it in a day\n", `
		error: No integration tests: Nothing covers the upload path`},
	{"a problem that is a lack", "## Problem\n\n- No lock around the upload\n- No retry needed\n", `
		error: No lock around the upload`},
	{"a list of things made is one milestone", "## Artifacts created\n\n- docs/import.md - how the importer reads dates\n- docs/export.md - the same for the exporter\n- docs/review.md (to be written)\n", `
		milestone: docs/import.md - how the importer reads dates; docs/export.md - the same for the exporter`},
	{"a label that ends in what was done", "## Work log\n\n**Insights extracted:**\n\n1. **Fixtures**: small ones can be read\n", `
		lesson: Fixtures: small ones can be read`},
	{"a failure that may come", "## Work log\n\n- Stops the upload if a check fails\n- When the importer fails, the old file stays\n- The importer failed on Monday\n", `
		error: The importer failed on Monday`},
	{"a fault that was found", "## Work log\n\n- Identified a broken link in the manual\n- Identified 7 unresolved threads\n", `
		error: Identified a broken link in the manual`},
	{"a commit that is only spoken of", "## Work log\n\n- Likely caused by the new settings (commit 60bbd1c)\n- Pinned the compiler (commit a1b2c3d)\n", `
		commit: Pinned the compiler (commit a1b2c3d)`},
	{"no choice", "## Review\n\n- **Decision**: None (it is strict on purpose)\n- **Decision**: [TBD after the tests]\n", ``},
	{"a colon inside a name", "## Work log\n\n- Permissions: issues:write, files:read\n", ``},
	{"a fault whose text is its repair", "## Work log\n\n- **Merge conflicts**: Resolved with the newer index\n\n**Session created**: 2026-02-03 10:00 UTC\n", `
		error: Merge conflicts`},
	{"a choice in bold and why", "## Decisions\n\n- **Change 12 is put off** by failures of the index. The rest is done.\n", `
		decision: Change 12 is put off // by failures of the index. The rest is done`},
	{"what was there already", "## Changes made\n\n- The reviewer already replied in both places\n", ``},
	{"a table of failures and what was done", "## CI failures\n\n| Check | Failure Reason | Resolution |\n|---|---|---|\n| unit | Tests use the old clock | Replaced it by removing the mock |\n| size | 24 files (limit: 20) | Split the change |\n", `
		decision, recovery: Replaced it by removing the mock <- Tests use the old clock
		decision, recovery: Split the change <- 24 files (limit: 20)
		error: Tests use the old clock
		error: 24 files (limit: 20)
		link: e001 causes d001, explicit
		link: e002 causes d002, explicit`},
	{"a deviation is no choice", "## Summary\n\nThe upload failed since the script read the old manifest instead of the new one.\n", `
		error: The upload failed since the script read the old manifest instead of the new one.`},
	{"problem and solution", "## Lock\n\n**Problem**: two jobs write at once\n**Root cause**: there is no lock\n**Solution**: take a file lock\n", `
		decision, recovery: take a file lock <- there is no lock
		error: two jobs write at once
		error: there is no lock
		link: e001 causes d001, explicit
		link: e002 causes e001, explicit`},
	{"because", "## Work\n\nThe build failed because the cache was stale.\n", `
		error: The build failed
		error: the cache was stale
		link: e002 causes e001, explicit`},
	{"led to", "## Work\n\nThe build failed with a stale cache, causing a broken release.\n", `
		error: The build failed with a stale cache
		error: a broken release
		link: e001 causes e002, explicit`},
	{"enables", "## Decisions\n\n- Put the clock behind an interface. This enables tests without waiting\n", `
		decision: Put the clock behind an interface // This enables tests without waiting
		milestone: tests without waiting
		link: d001 enables e001, explicit`},
	{"unblocks", "## Work done\n\n- Merged the parser, enabling readers of the old format to go on\n", `
		milestone: Merged the parser, enabling readers of the old format to go on
		milestone: readers of the old format to go on
		link: e001 enables e002, explicit`},
	{"to prevent", "## Work done\n\n- Added a lock to prevent torn writes of the index\n", `
		milestone: Added a lock to prevent torn writes of the index
		error: torn writes of the index
		link: e001 prevents e002, explicit`},
	{"fixed by", "## Errors\n\n- The importer crashed on empty rows, fixed by a check of the length\n", `
		decision, recovery: a check of the length <- The importer crashed on empty rows
		error: The importer crashed on empty rows
		link: d001 prevents e001, explicit`},
	{"denied", "## Work done\n\n- Added a lock that does not yet work to prevent torn writes\n", `
		milestone: Added a lock that does not yet work to prevent torn writes`},
	{"issue, fix and commit", "- **Issue:** the build fails on arm\n- **Fix:** pin the compiler\n- **Commit:** a1b2c3d\n", `
		decision, recovery: pin the compiler <- the build fails on arm
		error: the build fails on arm
		commit: Commit: a1b2c3d
		link: d001 causes e002, explicit
		link: e001 causes d001, explicit`},
	{"order alone links nothing", "## Work\n\nThe build failed on arm.\n\n## Other\n\n**Decision**: write the manual first\n\n## Commits\n\n- a1b2c3d docs: an introduction\n", `
		decision: write the manual first
		error: The build failed on arm.
		commit: a1b2c3d docs: an introduction`},
	{"a commit is never caused by what is done before it", "## Review\n\n**Verdict**: APPROVE\n\n## Commits\n\n- a1b2c3d pin the compiler\n", `
		decision: APPROVE
		commit: a1b2c3d pin the compiler
		outcome: success, stated`},
	{"two records do not mix", "**Problem**: the build fails on arm\n**Fix**: pin the compiler\n\n**Problem**: two jobs write at once\n**Fix**: take a file lock\n", `
		decision, recovery: pin the compiler <- the build fails on arm
		decision, recovery: take a file lock <- two jobs write at once
		error: the build fails on arm
		error: two jobs write at once
		link: e001 causes d001, explicit
		link: e002 causes d002, explicit`},
}
