package extract

var decisionCases = []ruleCase{
	{"a choice in bold that no verb of choice opens", "## Decisions\n\n- **Poll the mailbox** — the server has no push\n- **In the runner** — retry twice\n- **The lease**: ten minutes\n", `
		decision: Poll the mailbox // the server has no push
		decision: retry twice <- In the runner
		decision: ten minutes <- The lease`},
	{"a choice that opens a list", "## Decisions\n\n- The following stay as they are:\n  - the lease (ten minutes, not one)\n  - the key\n- Two sets were merged. Both were small:\n  - names\n  - texts\n", `
		decision: The following stay as they are: the lease (ten minutes, not one); the key
		decision: Two sets were merged // Both were small: names; texts`},
	{"an aside that names what was not taken", "## Decisions\n\n- Use the weight (not the price) for the modifier\n- Run below the folder of the file (where it lies, not here)\n", `
		decision: Use the weight for the modifier [Use the weight for the modifier / the price]
		decision: Run below the folder of the file (where it lies, not here)`},
	{"a choice that opens the list below it", "### Scope\n\n**Decision:** The first version includes only:\n\n- names\n- texts\n", `
		decision: The first version includes only: names; texts`},
	{"how an audit went about it", "# Audit of the importer\n\n**Method**: read each file, then run its tests, all green\n\n## Methodology\n\n- **Round 1**: eight readers in parallel\n- **Check**: each finding verified in the source\n", ``},
	{"a proposal of two ways", "## Review\n\n**Problem**: the key is never read\n**Fix**: Either read the key or remove it\n", `
		error: the key is never read`},
	{"a bold text that wraps before its dash", "## Decisions\n\n- Sorted by name; **the deferred\n  half** — the merge — waits\n- **Use the\n  lock**: it is simple\n", `
		decision: Sorted by name // the deferred half — the merge — waits
		decision: Use the lock // it is simple`},
	{"a time in bold before the choice", "## Decisions\n\n- **2026-03-02T10:52-08:00** **Mailbox**: poll it every minute\n- `09:30` Keep one worker because two of them race\n", `
		decision: poll it every minute <- Mailbox
		decision: Keep one worker // two of them race`},
	{"lines that open with a time", "## Decisions\n\n2026-03-02T10:52-08:00 Used a file lock because it needs no server\n2026-03-02T11:20-08:00 Kept the queue in memory because it is small\n", `
		decision: Used a file lock // it needs no server
		decision: Kept the queue in memory // it is small`},
	{"a line of prose that goes on with a date", "## Notes\n\nThe importer was released on\n2026-03-02 and nobody has complained.\n", ``},
	{"decisions and why", "## Decisions / why\n\n- **Poll the mailbox.** The server has no push.\n\n## Decision rationale\n\n- The queue is small.\n", `
		decision: Poll the mailbox // The server has no push`},
	{"what reviewers said", "## Work log\n\n1. **Critic review**:\n   - Status: NEEDS REVISION (later)\n2. **Security review**:\n   - Status: [PASS] with remarks\n3. **Change 12**:\n   - Status: BLOCKED by the rate limit\n", `
		decision: NEEDS REVISION (later) <- Critic review
		decision: [PASS] with remarks <- Security review`},
	{"work whose parts follow", "## Work log\n\n1. **Created the importer**:\n   - reads dates\n   - sorts by day\n\n### ✅ Phase 2: Exporter\n\n**Changes**:\n\n- one format\n- one file\n\n### Best practices\n\n- Never read small files in parts\n", `
		milestone: Created the importer
		milestone: ✅ Phase 2: Exporter
		lesson: Never read small files in parts`},
	{"options told one by one, and the number of one", "## Decisions\n\n### Where the tests stand\n\n**Option 1**: Name the new folder in the tests\n**Option 2**: Move the tests back\n\n**Decision**: Option 1 (new folder)\n\n### Format of the dates\n\n**Decision**: [TBD after the review]\n", `
		decision: Option 1 (new folder) [Option 1 (new folder) / Name the new folder in the tests / Move the tests back]`},
	{"work that opens the list of its parts", "## Work log\n\n- Fixed the importer:\n  - dates\n  - times\n\n### Tests\n\nAll 27 tests pass:\n\n- importer: 20\n- exporter: 7\n", `
		milestone: Fixed the importer: dates; times
		test: All 27 tests pass:
		outcome: success, stated`},
	{"a decision that opens a clause", "## Decisions\n\n- Chose a new schema that:\n  - keeps the dates\n  - drops the zones\n- Default window of 2 days for `since` filters\n", `
		decision: Chose a new schema // keeps the dates; drops the zones
		decision: Default window of 2 days for since filters`},
	{"a small word before the reason", "## Decisions\n\n- Keep the cache on because it halves the wait\n- Use the parser that we paid for because it is faster\n- Left the flag on:\n  - for readers\n", `
		decision: Keep the cache on // it halves the wait
		decision: Use the parser that we paid for // it is faster
		decision: Left the flag on: for readers`},
	{"a verdict says not what it rests on", "The review found 3 errors in the importer.\n\n| Reviewer | Verdict |\n|---|---|\n| critic | Accept |\n| security | REJECT |\n", `
		decision: critic: Accept <- critic
		decision: security: REJECT <- security
		error: The review found 3 errors in the importer.`},
	{"item under a heading", "## Decisions\n\n- Use a file lock\n", `
		decision: Use a file lock`},
	{"numbered item with a bold label", "## Key Decisions\n\n1. **Use a file lock**: it needs no server\n", `
		decision: Use a file lock // it needs no server`},
	{"bold label of a subject", "## Decisions\n\n- **Cache keys**: use the manifest digest\n", `
		decision: use the manifest digest <- Cache keys`},
	{"label at the start of a line", "**Decision**: use a file lock\n**Rationale**: it needs no server\n", `
		decision: use a file lock // it needs no server`},
	{"plain label", "Decision: use a file lock. Rationale: it needs no server.\n", `
		decision: use a file lock // it needs no server.`},
	{"bold line as a heading", "**Decisions made:**\n\n- Use a file lock\n- Drop the queue\n", `
		decision: Use a file lock
		decision: Drop the queue`},
	{"heading with a subject", "### Decision: use a file lock\n\n**Rationale**: it needs no server\n", `
		decision: use a file lock // it needs no server`},
	{"table by column names", "| Why | Decision | Options considered |\n|---|---|---|\n| no server | use a file lock | file lock, queue |\n", `
		decision: use a file lock // no server [use a file lock / queue]`},
	{"table of issues and fixes", "| Issue | Fix |\n|---|---|\n| the build fails on arm | pin the compiler |\n", `
		decision, recovery: pin the compiler <- the build fails on arm
		error: the build fails on arm
		link: e001 causes d001, explicit`},
	{"prose", "## Summary\n\nWe chose a file lock over a queue because it needs no server.\n", `
		decision: a file lock // it needs no server. [a file lock / a queue]`},
	{"prose in another sentence", "## Notes\n\nThe meeting was long. In the end we decided to drop the queue and keep the file lock. Nobody minded.\n", `
		decision: In the end we decided to drop the queue and keep the file lock // Nobody minded.`},
	{"what was rejected, on a line of its own", "## Decisions\n\n- Decision: an order is sent once; a late answer that timed out goes to the clerk.\n  Rejected: retries (tried twice, failed twice), a queue.\n", `
		decision: an order is sent once // a late answer that timed out goes to the clerk. [an order is sent once / retries (tried twice, failed twice) / a queue]`},
	{"a failure of the option that was not taken", "## Decisions\n\n- Split lines by hand. The csv module was tried and failed.\n- Raised the limit. The job failed again, so it was reverted.\n", `
		decision: Split lines by hand // The csv module was tried and failed.
		decision, failure: Raised the limit // The job failed again, so it was reverted.`},
	{"instead of", "## Decisions\n\n- Use a file lock instead of a queue\n", `
		decision: Use a file lock [Use a file lock / a queue]`},
	{"rather than", "## Decisions\n\n- Keep the old format rather than migrate\n", `
		decision: Keep the old format [Keep the old format / migrate]`},
	{"not", "## Decisions\n\n- Retry in the runner, not in the client\n", `
		decision: Retry in the runner [Retry in the runner / in the client]`},
	{"contrast without a place", "## Notes\n\n- Replaced the queue with a file lock instead of a bigger queue\n", `
		decision: Replaced the queue with a file lock [Replaced the queue with a file lock / a bigger queue]`},
	{"options and context", "## Decision\n\n**Context**: two jobs write at once\n**Options**: file lock, queue, retry\n**Decision**: file lock\n**Rationale**: no server\n", `
		decision: file lock <- two jobs write at once // no server [file lock / queue / retry]`},
	{"rejected options", "## Decision\n\n**Decision**: use a file lock\n**Rejected**: queue, retry\n", `
		decision: use a file lock [use a file lock / queue / retry]`},
	{"verdict", "## Review\n\n**Verdict**: APPROVE\n", `
		decision: APPROVE
		outcome: success, stated`},
	{"verdict under its heading", "## Verdict\n\n**APPROVED with conditions**\n\nThe data is safe now.\n", `
		decision: Verdict: APPROVED with conditions // The data is safe now.
		outcome: success, stated`},
	{"verdict in the first words", "## Verdict\n\nReject: the lock is never freed.\n", `
		decision: Reject: the lock is never freed`},
	{"verdict that is none", "## Review\n\n**Verdict**: see the table below\n", ``},
	{"struck out", "## Decisions\n\n- ~~Use a queue~~\n- Use a file lock\n", `
		decision: Use a file lock`},
	{"bare status is no choice, and that of decisions not the session's", "## Decisions\n\n**Status**: Complete\n", ``},
	{"wrapped item", "## Decisions\n\n- Use a file lock,\n  which needs no server, instead of\n  a queue\n", `
		decision: Use a file lock, which needs no server [Use a file lock, which needs no server / a queue]`},
	{"nested items are detail", "## Decisions\n\n- Use a file lock\n  - it needs no server\n  - it is portable\n", `
		decision: Use a file lock`},
}

// silentCases give no fact at all.
var silentCases = []ruleCase{
	{"template", "# {{title}}\n\n## Decisions\n\n- [Decision]: [Rationale]\n- {{decision}}\n\n## Lessons\n\n- \n- TBD\n", ``},
	{"comment of a template", "## Decisions\n\n<!-- - Use a file lock -->\n", ``},
	{"protocol checklist", "## Session Start (COMPLETE ALL)\n\n| Req | Step | Status |\n|---|---|---|\n| MUST | Read the hand-off | [x] |\n| MUST | Fixed the failing build | [x] |\n", ``},
	{"a fault in a check's place", "## Validation\n\n- Syntax check of the workflow (does not catch runtime errors)\n- Cron jobs are excluded from linting, no tests\n", ``},
	{"ticked protocol items", "## Session End Checklist\n\n- [x] Tests failed and were fixed\n- [x] Decided to use a file lock\n", ``},
	{"plan", "## Plan\n\n- [ ] Use a file lock instead of a queue\n- [ ] The build fails; mend it\n", ``},
	{"quoted code", "## Notes\n\n```\nWe chose a file lock over a queue.\nFAIL: TestLock\n```\n", ``},
	{"names of verdicts", "## Findings\n\n- Clear output with [PASS], [FAIL] and [WARN]\n- Shows pass/fail counts\n", ``},
	{"tickets are no faults", "## Issue #4721: naming of the manifests\n\n### Phase 1: Survey\n\nThree places.\n\n## Manual runs\n\n- Issue #4721: \"naming of the manifests\"\n", ``},
	{"details under a decision's own heading", "## Decision 2: Split the router from the agent\n\n**Risk**: more files to keep\n\n**Timeline**: after the release\n", `
		decision: Split the router from the agent`},
	{"a decision that is needed", "## Remediation decision required\n\n- **Option A**: Open the ticket again\n- **Option B**: Close it with a remark\n", ``},
	{"threads resolved", "## Problems\n\n- The lexer crashes\n\n## Thread resolution: COMPLETE\n\nAll threads are resolved. No action needed.\n", `
		error: The lexer crashes
		milestone: All threads are resolved. No action needed.
		outcome: success, stated`},
	{"either way", "## Notes\n\n- Atomic writes (all succeed or all fail)\n", ``},
	{"only prose", "# Log\n\nNothing much happened.\n", ``},
}

var languageCases = []ruleCase{
	{"swedish", "## Beslut\n\n- Använd ett fillås istället för en kö\n\n## Problem\n\n- Bygget misslyckades på arm\n\n## Lärdomar\n\n- Lås alltid innan du skriver\n", `
		decision: Använd ett fillås [Använd ett fillås / en kö]
		error: Bygget misslyckades på arm
		lesson: Lås alltid innan du skriver`},
	{"dutch", "## Besluiten\n\n- Gebruik een bestandsslot in plaats van een wachtrij\n\n## Uitkomst\n\nVoltooid.\n", `
		decision: Gebruik een bestandsslot [Gebruik een bestandsslot / een wachtrij]
		outcome: success, stated`},
	{"russian", "## Решения\n\n- Использовать файловую блокировку\n\n## Уроки\n\n- Всегда блокировать перед записью\n", `
		decision: Использовать файловую блокировку
		lesson: Всегда блокировать перед записью`},
	{"japanese", "## 決定\n\n- ファイルロックを使う\n\n## 教訓\n\n- 書き込みの前に 必ず ロックする こと\n", `
		decision: ファイルロックを使う
		lesson: 書き込みの前に 必ず ロックする こと`},
}
