package lex

// The vocabulary maps words to roles. It is the only place where words are listed.
// Names are compared as lower-case words, without numbering, marks and punctuation.

// names are whole headings, labels and column names.
var names = map[Role]string{
	RoleDecision:    `decision, decisions, decided, decisions made, key decisions, design decisions, technical decisions, decision record, decisions and rationale, choice, choices, what we decided, beslut, beslutet, besluten, besluit, besluiten, beslissing, beslissingen, entscheidung, entscheidungen, решение, решения, 決定, 決定事項, 决定, décision, décisions`,
	RoleChosen:      `selected, chosen, chosen option, selected option, choice, selected approach, chosen approach, decision outcome, vald, gekozen, выбрано`,
	RoleOptions:     `options, option, options considered, considered options, alternatives, alternatives considered, alternative considered, considered, candidates, solution paths evaluated, alternativ, alternatieven, opties, варианты, 選択肢`,
	RoleRejected:    `rejected, rejected options, rejected alternatives, not chosen, discarded, alternatives rejected, options rejected, declined, declined with rationale`,
	RoleReason:      `evidence, rationale, reason, reasons, why, why this choice, justification, because, reasoning, motivering, varför, waarom, reden, begründung, причина выбора, 理由`,
	RoleContext:     `investigation context, memory context, context summary, prior context, initial state, inherited state, pr context, context, question, background, situation, trigger, analysis, context and problem statement, sammanhang, bakgrund, achtergrond, контекст, 背景`,
	RoleProblem:     `problem, problems, failure, failures, failure reason, reason for failure, issue, issues, error, errors, symptom, symptoms, bug, bugs, failure mode, challenge, challenges, challenges encountered, blocker, blockers, problem statement, what broke, what went wrong, issue found, issues found, issues discovered, issues encountered, problems encountered, errors encountered, defect, defects, incident, impact, problem met, fel, problemet, blocked by, complaint, problem met, problems met, not working, fout, fouten, probleem, problemen, vad gick fel, wat ging er mis, проблема, проблемы, ошибка, ошибки, 問題, 症状, エラー, 障害`,
	RoleCause:       `root cause, root causes, cause, causes, root cause analysis, why it failed, why it happened, rca, contributing factors, orsak, grundorsak, rotorsak, oorzaak, hoofdoorzaak, ursache, первопричина, причина, причины, 原因, 根本原因, 根本原因分析`,
	RoleFix:         `fix, fixes, solution, solutions, resolution, resolutions, remediation, fix applied, fixes applied, solution implemented, the fix, what helped, solution tried, workaround, mitigation, recovery, way out, corrective action, action taken, what we did about it, lösning, åtgärd, oplossing, lösung, исправление, решение проблемы, 修正, 対応, 解決策, 対策`,
	RoleConflict:    `conflict resolution, merge conflict resolution, conflicts resolved, merge conflicts resolved, conflict resolutions`,
	RoleTopic:       `topic, scope, subject, theme, ämne, onderwerp, thema, тема`,
	RoleStrategy:    `strategy, resolution strategy, merge strategy, method`,
	RoleAttempt:     `attempt, attempts, what was tried, what i tried, attempts made, approaches tried, things tried, attempted fixes, fix attempts, strategy, resolution strategy, approach, approaches, tried, what we tried, hypothesis, experiment, försök, poging, попытка, 試行`,
	RoleResult:      `result, results, effect, consequence, resultat, resultaat, результат, 結果`,
	RoleFailed:      `failure, failures, failed, what didn't work, what didn’t work, what did not work, what failed, failed attempts, dead ends, failed approaches, what didnt work`,
	RoleTest:        `verification, validation, test, tests, testing, test results, test result, tested, qa, checks, check, verified, lint output, ci status, ci, test plan results, build state, verifiering, verificatie, проверка, 検証, テスト`,
	RoleLesson:      `reusable patterns, patterns to reuse, patterns to avoid, anti-patterns to avoid, anti-patterns identified, best practices, lesson, lessons, lessons learned, lesson learned, learning, learnings, key learnings, key learning, key lessons, key insight, key insights, insight, insights, takeaway, takeaways, key takeaways, what i learned, what we learned, what was learned, prevention, preventive measures, prevention measures, best practices, rules for next time, patterns to keep, lessons codified, guidance, what we know now, gotchas, gotcha, for next time, remember, lärdom, lärdomar, lessen, geleerde lessen, geleerd, wat we leerden, vad vi lärde oss, erkenntnisse, уроки, выводы, 学び, 教訓, 再発防止, 再発防止策`,
	RoleStatus:      `status, state, final status, overall status, session status, current status, tillstånd, läge, stand, статус, ステータス, 状態`,
	RoleOutcome:     `outcome, outcomes, session outcome, final outcome, overall outcome, where we are, where we stand, bottom line, final result, end state, conclusion, utfall, uitkomst, ergebnis, итог, итоги, 結論`,
	RoleVerdict:     `verdict, recommendation, final verdict, review verdict, consensus achieved, consensus, consensus result, classification, position, vote, disposition, convergence, adr status, omdöme, oordeel, вердикт`,
	RoleCommit:      `commit, commits, committed, commit history, commit details, commit log, commit sha, sha, hash, commit hash, ending commit, final commit, task commits, commits this session, git commits, коммит, コミット`,
	RoleDone:        `what was done, done, work done, completed, changes made, changes, change, actions taken, actions, action, accomplished, accomplishments, what i did, what we did, deliverables, deliverable, artifacts created, work completed, tasks completed, items completed, milestones, milestone, progress, implementation, implemented, work log, what changed, recent changes, completed work, fixes applied, fixes implemented, completion criteria, completed items, prs created, tasks completed this session, vad vi gjorde, gjort, genomfört, gedaan, wat is er gedaan, voltooid, uitgevoerd, сделано, 実施内容, 作業内容`,
	RoleHandoff:     `next steps, next step, next, next session, notes for next session, handoff, hand-off, handover, handed over, left over, later, nästa gång, handoff notes, what remains, remaining, remaining work, open items, open questions, follow-up, follow-ups, followup, follow up, to do next, still open, not done, pending, what should be done in the future, future work, nästa steg, kvar att göra, överlämning, volgende stappen, overdracht, следующие шаги, 次のステップ, 今後の対応`,
	RoleTask:        `focus, work scope, user prompt, objective, objectives, goal, goals, task, session goal, session objective, session objectives, purpose, mission, aim, assignment, user request, request, mål, syfte, uppgift, doel, doelstelling, taak, opdracht, ziel, aufgabe, цель, задача, 目的, 目標`,
	RolePlan:        `validation and acceptance, acceptance criteria, acceptance, plan, implementation plan, plan of work, todo, to do, to-do, ideas not for now, action items, action needed, action required, actions needed, proposed, proposal, backlog, roadmap, recommendations, recommended actions, recommended changes, recommended amendments, recommended fixes, suggested fix, suggested fixes, suggested changes, expected impact, plan of record, test plan, rollback plan, risks, risk, risks and mitigations, risk assessment, likelihood, probability`,
	RoleSkip:        `protocol compliance, session start, session end, session start checklist, session end checklist, session start requirements, session end requirements, skill inventory, git state, final git status, git status, branch verification, work blocked until, reference, references, related, related decisions, related documents, see also, links, code location, code locations, code review instructions, technical details, table of contents, glossary, appendix, template, session protocol, session protocol compliance, protocol compliance checklist, commands run, stakeholders, approvals, sign-off, referenser, referenties, ссылки, 参考, 関連`,
	RoleBase:        `starting commit, head at start, start head, base, base commit, start commit, parent commit, starting point, baseline commit, baseline, base sha, starting sha`,
	RoleDate:        `date, started, start, created, session date, when, time, timestamp, datum, дата, 日付, 日時`,
	RoleDuration:    `duration, time spent, elapsed, session duration, varaktighet, duur, длительность, 所要時間`,
	RoleWho:         `agent, author, owner, decided by, made by, assignee, reviewer, branch, pr, repo, repository, type, priority, severity, model, worktree, session, version, confidence, users affected, decision makers, deciders, author date, date author`,
	RoleFinding:     `findings, finding, critique findings, review findings, critical issues, high issues, medium issues, low issues, issues found, issues identified, key findings, key finding, observations, observation, discovery, discoveries, surprises and discoveries, surprises, critical finding, research findings, fynd, bevindingen, находки, 発見`,
	RoleSummary:     `summary, session summary, overview, executive summary, tldr, tl dr, sammanfattning, samenvatting, zusammenfassung, резюме, 概要, まとめ, 要約`,
	RoleWorked:      `what worked, what went well, what went right, successes, went well, vad gick bra, wat ging goed, что получилось, 良かった点`,
	RoleFiles:       `files changed, files modified, files created, files reviewed, files, files touched, modified files, file, path, location, artifacts, file list, files affected, ändrade filer, gewijzigde bestanden, файлы`,
	RoleAgent:       `agent dispatch log, dispatch log, agents, agent id, delegated to, routed to, agent routed, delegations, agent dispatch`,
	RoleTimeline:    `timeline, what happened, time line, log, chronology, tidslinje, tijdlijn, хронология, タイムライン, 経緯`,
	RoleItem:        `task, item, step, feature, work item, story, deliverable, phase, todo, taak, uppgift, задача, タスク`,
	RoleOne:         `decision, decision outcome, the decision, beslut, beslutet, besluit, entscheidung, решение, 決定`,
	RoleOpen:        `not done, blockers, blocked, still open, not finished, kvar, nog open`,
	RolePrevent:     `prevention, preventive measures, prevention measures, 再発防止, 再発防止策`,
	RoleRefused:     `intentional exclusions, exclusions, not shipped, deferred items, deferred work, skipped items, not included, won't fix, won’t fix, wontfix, wont fix, will not fix, by design, deferred, declined, declined with rationale, not changed, what was not changed, intentionally not changed, out of scope decisions, skipped, not implemented, not addressed, no action needed, no change needed`,
	RoleMade:        `artifacts created, artifacts produced, artifacts, skills generated, skills created, deliverables, files created, created files, new files, regenerated files, generated files, documents created, index created, outputs, output files`,
	RolePulls:       `prs created, pull requests, pull requests created, prs opened`,
	RoleConsequence: `consequences, forces, constraint, constraints, decision drivers, drivers, trade-offs, tradeoffs, pros, cons, positive, negative, neutral, pros and cons, trade-off, implications, konsekvenser, gevolgen, последствия`,
}

// nameParts are phrases that give a role anywhere in a short name.
var nameParts = map[Role]string{
	RoleDecision: `decision, decisions, beslut, besluiten, beslissingen, entscheidungen`,
	RoleOptions:  `options, options considered, considered options, alternatives considered, alternatives, options evaluated`,
	RoleRejected: `rejected, declined`,
	RoleReason:   `rationale, why`,
	RoleProblem:  `failure, failures, violation, violations, incident, incidents, bug, problem, problems, issue, issues, error, errors, symptoms, challenges, blockers, defects, bugs, went wrong, broke`,
	RoleCause:    `root cause, root causes, cause, causes, orsak, oorzaak`,
	RoleFix:      `fix, fixes, fixed, solution, resolution, remediation, workaround, lösning, oplossing, resolved`,
	RoleAttempt:  `attempt, attempted, strategy, approach`,
	RoleResult:   `result, results`,
	RoleFailed:   `didn't work, didn’t work, did not work, doesn't work, doesn’t work, does not work, failed`,
	RoleTest:     `test coverage, compilation status, build status, verification, validation, verify, confirmation, test results, tests, testing, qa, lint output, build state`,
	RoleLesson:   `lesson, lessons, learning, learnings, learned, insight, insights, takeaway, takeaways, lärdomar, lessen`,
	RoleOutcome:  `outcome, outcomes`,
	RoleVerdict:  `verdict`,
	RoleCommit:   `commits, commit`,
	RoleDone:     `what was done, deliverables, changes made, completed, accomplishments, milestones, what changed, prs created, what i did`,
	RoleHandoff:  `next steps, next session, handoff, hand-off, remaining, what remains, follow-up, follow-ups, pending`,
	RoleTask:     `objective, objectives, goal, goals`,
	RolePlan:     `plan, proposed, suggestion, suggestions, recommendations, todo, action items, future`,
	RoleSkip:     `checklist, related, protocol compliance, session protocol, inventory, git state, git status, branch verification, references, session start, session end, compliance`,
	RoleFinding:  `findings, discoveries, discovery, observations`,
	RoleSummary:  `summary`,
	RoleWorked:   `went well, went right, what worked, what works, what does work`,
	RoleFiles:    `files`,
	RoleAgent:    `dispatch, delegation`,
	RoleTimeline: `timeline`,
	RolePulls:    `prs created, pull requests`,
	RoleRefused:  `won't fix, won’t fix, by design`,
	RolePrevent:  `prevention, preventive`,
}

// Phrases inside sentences, written as in the text, with the spaces and the punctuation
// around them. A project cannot add to them.
var (
	// ReasonMarks open the reason inside a text that states a choice.
	ReasonMarks = append(Phrases{" because ", NameOrReason, " due to ", " eftersom ", " omdat ", " weil ", " потому что "}, PurposeReasons...)
	// PurposeReasons open a reason and are a part of it.
	PurposeReasons = Phrases{" so that ", " to avoid ", " to prevent ", " to keep "}
	// CauseOpeners open the text of a fix that gives the cause first.
	CauseOpeners = Phrases{"caused by", "due to", "because of", "root cause", "the cause was"}
	// ContrastMarks separate the option taken from another.
	ContrastMarks = Phrases{" instead of ", " rather than ", " in favor of not ", " as opposed to ", " istället för ", " i stället för ", " in plaats van ", " statt ", ", not ", " (not "}
	// negations set apart what was not taken.
	negations = Phrases{"(not ", ", not "}
	// Over precedes an option not taken, after one of ChoiceVerbs.
	Over        = Phrases{" over "}
	ChoiceVerbs = Phrases{"chose ", "chosen ", "choose ", "prefer ", "preferred ", "picked ", "selected ", "favored ", "valde ", "koos "}
	// ClauseEnds end the first clause of a text.
	ClauseEnds = Phrases{". ", "; ", ", ", " because ", " since ", " based on ", " to ", " for ", " so ", ") ", ")", " — ", " – "}
	// ClauseJoiners join two clauses.
	ClauseJoiners = Phrases{", and ", ", but ", "; ", ", och ", ", men ", ", en ", ", maar "}
	// butMarks precede the final result of an attempt whose first effect was different.
	butMarks = Phrases{", but ", " but ", ", men ", ", maar ", ", aber "}
	// ListJoiners precede the last part of a list.
	ListJoiners = Phrases{"or ", "and "}
	// Consequence joins a cause and its effect.
	Consequence = Phrases{", so "}
	// DateFields are fields that end the reason of a decision.
	DateFields = Phrases{"Date:", "Date/Author:"}
)

// NameOrReason is the mark of a reason that is a name as well, of a flag or a column.
const NameOrReason = " since "

var (
	// reportMarks separate somebody who reports from the report.
	reportMarks = Phrases{":", " that", " \""}
	// ticketMarks open a reference to a ticket.
	ticketMarks = Phrases{"#", "PR #", "Issue #", "http", "Fixes #", "Closes #", "Resolves #"}
	// ticketNumbers precede the number of a ticket in a label or title.
	ticketNumbers = Phrases{"ssue #"}
	// errorOutput names an error in a line of output.
	errorOutput = Phrases{"error:", "error ", "exception", "panic:", "fatal:"}
	// origins precede the source of the items of a heading.
	origins = Phrases{"from "}
	// abbreviations end in a dot that ends no sentence.
	abbreviations = Phrases{"e.g", "i.e", "vs", "etc", "approx", "cf", "no", "bzw", "z.B", "t.ex", "bijv"}
	// clauseOpeners may precede the first word of a clause.
	clauseOpeners = Phrases{" same", " the"}
)

// The endings by which the form of a word shows where the vocabulary does not know it.
const (
	gerundEnding = "ing"
	pastEnding   = "ed"
	strongEnding = "ken" // broken
	adverbEnding = "ly"
)

// words are the classes of words inside prose. Words joined by "_" are a phrase.
var words = map[Class]string{
	// choices
	ClassChoose: `chose chosen choose accept reject approve decline opt select pick decided decide opted selected picked settled_on went_with proceeded_with proceeding_with rejected declined deferred defer adopted
		standardized standardize standardise standardised switched abandoned dropped reverted disagree accepted approved wontfix
		valde beslutade bestämde koos besloot gekozen entschieden entschied gewählt решили выбрали решено 決定した 採用`,
	ClassSettle: `chose decided opted switched deferred declined abandoned settled went proceeded_with proceeding_with valde beslutade koos besloot entschieden`,
	ClassAdopt: `use used using keep kept add added remove removed skip skipped split make made move moved set create created fix fixed
		implement implemented replace replaced convert converted prefer preserve preserved limit limited classify classified treat treated
		verify standardize require required allow allowed reset enable disable exclude excluded include raise raised lower lowered pin pinned merge squash route
		delegate delegated avoid restrict extend extended reuse reused consolidate consolidated correct corrected change changed
		använd använde behåll gebruik gebruikt`,
	ClassSubject:  `we i team user agent was were vi jag wij ik wir ich мы and been has have is all`,
	ClassContrast: `instead_of rather_than in_favor_of in_favour_of as_opposed_to istället_för i_stället_för in_plaats_van`,
	ClassPurpose:  `to_prevent to_avoid to_stop to_keep to_ensure so_that för_att om_te um_zu`,
	ClassExplain: `because since due ensures prevents no already keeps avoids allows maximizes maximises reduces provides matches all
		compatible consistency consistent conservative`,
	ClassRefuseAct: `skipped deferred declined rejected wontfix`,
	ClassReady:     `ready_for_merge ready_to_merge approved_for_merge lgtm`,
	ClassNow:       `now`,
	ClassWayOut:    `the_solution_was the_fix_was the_plan_is the_approach_is the_answer_was`,
	ClassPrep:      `in to for with on at via by per from as and under into until because due pending since when so`,
	ClassSpoils:    `to be not being that which the a an of needs if when as should must will would can could`,
	ClassVerdict: `approve approved approval blocked won't_fix wont_fix reject rejected accept accepted needs revise revision proceed block disagree ready merge conditional go no-go
		defer decline`,
	ClassMark:      `pass fail warn`,
	ClassApprove:   `approve approved approval accept accepted proceed ready merge pass`,
	ClassRefuse:    `not no reject rejected needs`,
	ClassOption:    `option alternative alternativ optie вариант`,
	ClassTaken:     `selected chosen adopted accepted vald gekozen выбран`,
	ClassRevert:    `revert reverts reverted reverting workaround`,
	ClassTestAct:   `test_case test_cases regression_test regression_tests`,
	ClassImplement: `fix fixed fixing implement implemented implementing refactor refactored refactoring rename renamed renaming`,
	ClassHad:       `had`,
	ClassHadTo:     `had_to`,
	ClassBy:        `by`,
	ClassOver:      `over`,
	ClassMakeshift: `workaround`,
	ClassTestFirst: `test verify`,
	ClassFiller:    `null in yet fixed addressed with pr by commit`,

	// faults
	ClassFail: `failed fails failing failure failures fail error errors broke broken breaks crash crashed crashes exception exceptions
		timeout timeouts times_out timed_out time_out cancelled canceled regression regressions conflict conflicts missing incorrect inconsistent inconsistency wrong invalid stuck rejected
		denied refused unreachable corrupt corrupted deadlock leak leaked leaks hang hung hangs bug bugs vulnerability unresolved flaky broken
		cannot couldn't can't unable not_found did_not does_not doesn't didn't could_not blocked blocker defect incident outage stale violation violations
		misconfigured mismatch inaccurate undefined panic panicked lost duplicate duplicates skipped_tests degraded stopped unauthorized forbidden
		unavailable not_available conflicting violates violated outdated ambiguous ambiguity lacks lacking gap gaps obsolete incompatible insufficient
		hardcoded undocumented untested unclear
		throws threw_an errored
		misslyckades kraschade avbryts avbröts saknas fel fout faalde mislukt mislukte crashte fehlgeschlagen fehler ошибка упал упала сломан 失敗 エラー`,
	ClassByDesign: `fails_closed fails_gracefully fails_safe fails_safely fails_loudly fails_fast fails_explicitly`,
	ClassStrong:   `still_failing still_fails failed fails fail crashed crashes broke threw_an throws hung panicked errored timed_out times_out misslyckades kraschade avbröts faalde mislukte crashte 失敗 クラッシュ タイムアウト なかった`,
	ClassNegate: `no zero 0 without never none not any avoid avoids prevent prevents prevented preventing handles handled handling handle ignore
		ignores nothing nobody neither inga utan geen zonder kein keine ohne без нет fewer reduced reducing`,
	ClassAbout: `handling handler message messages code codes path paths case cases page state check checks log logs type types rate boundary recovery mode modes
		reporting output response responses`,
	ClassFind:      `identified found revealed discovered detected uncovered surfaced exposed reported reports 特定 検知 発見 判明`,
	ClassUnsettled: `unresolved olöst onopgelost ungelöst`,
	ClassErrorNoun: `issue issues problem problems gap gaps findings vulnerabilities vulnerability bug bugs conflicts conflict errors failures defects inconsistencies mismatch regression`,
	ClassRepaired:  `fixed resolved solved repaired addressed closed löst opgelost behoben исправлено`,
	ClassHas:       `has have had is was were are does did shows gives fails takes needs`,
	ClassReported:  `reported reports complained complains`,
	ClassWhy:       `why when how när hur wanneer hoe wann wie varför waarom warum なぜ почему`,
	ClassOff:       `not only accidentally rather_than instead_of missing never no cannot`,
	ClassGrade:     `critical blocker major high medium moderate low minor severe must`,
	ClassIf:        `if om als wenn falls если`,
	ClassWhen:      `once when whenever unless while wanneer wann när`,
	ClassTodo:      `process fix resolve address implement add create update review verify investigate handle`,
	ClassWish:      `update improve prevent address apply better consider support document`,
	ClassStory:     `problem impact incident context analysis background happened`,
	ClassTracker: `thread threads comment comments number numbers title titles body link links url label labels template templates tracker
		touched closed created linked referenced triage`,
	ClassBenefit: `impact impacts`,
	ClassCauses:  `causes`,
	ClassWas:     `was were`,
	ClassOr:      `or`,
	ClassZero:    `0 none`,
	ClassNoneYet: `none pending`,
	ClassTicket:  `issue issues`,
	ClassModal:   `could couldn't would wouldn't should shouldn't may might must can can't potential potentially possible possibly`,
	ClassMeant:   `as_expected expected_to_fail expected_failure fails_first failing_first red_phase red_state red_step intentionally deliberately on_purpose`,
	ClassRed:     `red`,
	ClassCommand: `command commands kommando commando`,
	ClassDayPart: `morning afternoon evening night am pm utc förmiddag eftermiddag kväll ochtend middag avond`,
	ClassLogName: `notes note log logs readme session progress handoff index diary journal memory summary history docs agents tmp logbook transcript chat anteckningar`,
	ClassWent:    `went gick ging lief`,

	// decisions that no longer hold
	ClassSuperseded: `superseded ersatt vervangen ersetzt`,
	ClassReplaces:   `supersedes replaces overrides superseding ersätter vervangt ersetzt`,

	// work of earlier sessions
	ClassAssess:  `assessment strengths weaknesses`,
	ClassOwnWork: `implementation change changes work fixes edits`,

	// checks
	ClassPass: `passed pass passes passing green ok clean cleanly succeed succeeds succeeded success successful successfully verified validated confirmed works worked
		working resolved approved gröna gick_igenom geslaagd slaagt bestanden пройдены прошли 成功 通過 有効`,
	ClassTest: `test tests tested testing lint linted linting linter build builds compile compiles compiled typecheck suite ci check checks checked validation
		verification verified validated benchmark benchmarks coverage pester pytest jest vitest e2e smoke qa scan syntax analyzer dry-run
		tester testen testet bouw тесты テスト`,
	ClassTally:     `passed passing passes pass green red failed failing stale complete ok succeeded skipped godkända gröna geslaagd`,
	ClassVerify:    `verified confirmed validated tested re-verified re-tested double-checked 確認`,
	ClassSetup:     `branch state git session skills inventory environment prior`,
	ClassRun:       `ran re-ran reran executed`,
	ClassRan:       `completed produced printed returned ran built prints returns`,
	ClassLint:      `lint linting markdownlint markdownlint-cli2 mdlint`,
	ClassSuite:     `test tests build suite pester pytest`,
	ClassLooked:    `analyzed analysed identified investigated reviewed found diagnosed`,
	ClassUnrelated: `not_related unrelated pre-existing preexisting not_caused_by`,
	ClassCI:        `job pipeline workflow`,

	// work
	ClassMake: `created added implemented removed deleted updated fixed replaced refactored migrated merged completed finished documented
		wrote built generated regenerated converted extracted restored consolidated configured integrated resolved deployed released shipped published
		renamed moved introduced established opened posted replied closed cleaned upgraded enabled disabled split rewrote redesigned
		set reset raised capped reverted standardized designed drafted identified produced launched addressed clarified changed extended applied authored pushed synced tightened wired conducted reused enhanced simplified optimized optimised referenced linked registered scaffolded populated
		skapade lade_till tog_bort fixade uppdaterade la_till bytte införde gjorde skrev
		toegevoegd verwijderd gemaakt bijgewerkt gerepareerd geïmplementeerd
		erstellt hinzugefügt entfernt behoben добавлен добавлена исправлено создан
		追加 修正 実装 作成 更新 削除 変更 デプロイ リリース 導入 統一 再ビルド 適用`,
	ClassKeep:    `kept keep accepted took merged preserved resolved used chose`,
	ClassSession: `session sessions sessie sitzung sessionen сессия sprint day dag sitting iteration`,
	ClassThis:    `this_file this_log this_session this_document this_adr this_record this_decision session_log session_logs protocol_requirements`,
	ClassRoutine: `pushed replied posted opened closed set identified verified updated moved`,
	ClassEarlier: `already prior previous earlier`,
	ClassHand:    `handed handoff hand-off delegated dispatched routed assigned passed_to next_session escalated parallel_agents subagent sub-agent överlämnad överlämnas overgedragen`,
	ClassAddress: `handed handoff hand-off handover whoever session sessions agent remains överlämning överlämnat overdracht`,
	ClassFirst:   `i we jag vi ik wij ich wir`,

	// states
	ClassGood: `success successful succeeded complete completed done pass passed passing resolved fixed merged approved solved closed shipped released accepted green verified works worked
		implemented finished ok validated deployed ready delivered met
		klart klar slutförd löst färdig godkänd lyckades voltooid gereed opgelost afgerond geslaagd erledigt abgeschlossen готово завершено 完了 解決 解決済み 成功`,
	ClassBad: `failed failure fail failing abandoned aborted reverted broken unresolved rejected unsuccessful lost red
		misslyckades misslyckad avbruten mislukt afgebroken gescheitert провал неудача 失敗 中止`,
	ClassHalf: `partial partially progress pending blocked incomplete wip ongoing paused awaiting remaining unfinished mixed
		investigating open still partly compromises conditional conditions
		pågår delvis blockerad väntar gedeeltelijk bezig geblokkeerd teilweise offen частично 部分的 進行中 保留`,
	ClassUnderway:  `in_progress`,
	ClassPlanned:   `planned planning kickoff ready_for ready_to scheduled queued proposed not_started`,
	ClassCancelled: `cancelled canceled withdrawn`,
	ClassDeferred:  `deferred postponed shelved on_hold`,
	ClassLack:      `missing lacks lacked lack lacking saknas saknar ontbreekt fehlt отсутствует`,
	ClassNone:      `no incomplete inga ingen geen kein keine нет`,
	ClassConflict:  `conflict conflicts conflicting diverged konflikt konflikter conflicten 競合`,
	ClassMerge:     `merge merged rebase rebased`,
	ClassImpact:    `impact effect consequence påverkan gevolg auswirkung 影響`,
	ClassNeeded:    `needed required pending to_be`,
	ClassCriteria:  `acceptance criteria`,
	ClassGuard:     `prevents catches detects avoids guards resolves eliminates removes reduces improves improved enhanced strengthened hardened reduced`,
	ClassWell:      `correctly properly successfully`,
	ClassCondition: `with_conditions with_concerns with_changes with_amendments conditional`,
	ClassNot:       `not un`,
	ClassReview:    `review reviews granskning beoordeling überprüfung ревью レビュー`,
	ClassDocState:  `accepted proposed superseded draft active open closed`,
	ClassBlank:     `none n/a na tbd nil nothing nvt ingen inga geen keine нет なし 無し todo placeholder not_applicable none_yet`,
	ClassWorkedOut: `fixed_it solved_it that_worked this_worked job_green löste_det`,
	ClassNoGood:    `not_solved no_good did_not_help reverted`,
	ClassNoHelp:    `did_not_help did_not_resolve didn't_resolve didn't_help didn't_fix did_not_fix`,
	ClassAll:       `all alla alle`,
	ClassAddressed: `addressed`,
	ClassBefore:    `before until without`,
	ClassAccept:    `acceptance criteria tasks todo todos`,
	ClassFailed:    `failed`,

	// commits
	ClassForeign:  `from prior latest head already before since starting base parent previous upstream md5 sha256 sha1 digest run etag checksum uuid trace request container layer image token key`,
	ClassUpstream: `upstream base rogue references same`,
	ClassMention:  `related claimed claims caused_by introduced_in introduced_by likely had searching search already prior previous earlier`,
	ClassLeadIn:   `with including because since due to for of that which when if reasons med eftersom met omdat mit weil`,
	ClassBase:     `starting_commit start_commit base_commit`,
	ClassHashName: `commit_sha commit_hash`,
}

// Words and phrases that are matched literally, also in quoted code and with the
// punctuation around them. A project cannot add to them.
var (
	// results of checks, as tools print them
	outOf         = Phrases{"of", "av", "van"} // between what passed and how many there are
	staleEntries  = Phrases{"stale"}
	skippedChecks = Phrases{"skipped"}
	partResults   = Phrases{"passed", "pass", "green", "red", "failed", "stale", "complete", "ok", "tests", "runs", "succeeded"} // after "12 of 14"
	slashResults  = Phrases{"passed", "passing", "pass", "passes", "green", "tests", "ok"}                                       // after "12/14"
	countedAfter  = Phrases{"godkända", "gröna", "passed", "passing", "pass", "failed", "failing", "skipped", "geslaagd"}        // after a number
	countedErrors = Phrases{"errors", "error", "failures", "warnings"}                                                           // the same; only "no errors" is a result
	countedBefore = Phrases{"passed", "failed", "errors", "failures"}                                                            // before ": 12"
	countedFailed = Phrases{"failed", "failures", "failing"}
	Expectations  = Phrases{"expected"} // open a line of output that gives no result

	// states
	undone        = Phrases{"not", "already"} // before a verb of work: it was not done here
	notApplicable = Phrases{"n/a"}
	WeakDone      = Phrases{"changed"} // ends a label that lists rather than reports: "Files changed"

	// commits
	CommitStems   = Phrases{"commit"} // open words of committing
	CommitWords   = Phrases{"commit"}
	CommitActs    = Phrases{"merged", "squash"}
	CommitNames   = Phrases{"sha", "merged"} // shortly before a hash
	CommitBefore  = Phrases{"before", "to"}  // "prior to 5eb1dcb": not where the session started, but its own first commit
	ReferenceEnds = Phrases{" in", " as", " with", " by", " som", " i"}

	// what joins two parts of one sentence
	CauseMarks    = Phrases{" because of ", " because ", " due to ", " caused by ", ", since ", " as a result of ", " eftersom ", " på grund av ", " omdat ", " door ", " weil ", " wegen ", " из-за "}
	OccasionMarks = Phrases{"After ", "Efter ", "Na ", "Nach "}                                                  // open what went before
	PurposeMarks  = Phrases{" to prevent ", " to avoid ", " to stop ", " för att undvika ", " om te voorkomen "} // open what a choice is to prevent
)

// The units of a duration, as parts of a regular expression.
const (
	HourUnits   = `hours?|hrs?|h|timmar|uur`
	MinuteUnits = `minutes?|mins?|min|m|minuter|minuten`
)
