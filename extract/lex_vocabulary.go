package extract

// The vocabulary: which words stand for which role. It is the one place where
// words live. Names are compared as lower-case words, without numbering, marks
// and punctuation.

// names are whole headings, labels and column names.
var names = map[role]string{
	roleDecision:    `decision, decisions, decided, decisions made, key decisions, design decisions, technical decisions, decision record, decisions and rationale, choice, choices, what we decided, beslut, beslutet, besluten, besluit, besluiten, beslissing, beslissingen, entscheidung, entscheidungen, решение, решения, 決定, 決定事項, 决定, décision, décisions`,
	roleChosen:      `selected, chosen, chosen option, selected option, choice, selected approach, chosen approach, decision outcome, vald, gekozen, выбрано`,
	roleOptions:     `options, option, options considered, considered options, alternatives, alternatives considered, alternative considered, considered, candidates, solution paths evaluated, alternativ, alternatieven, opties, варианты, 選択肢`,
	roleRejected:    `rejected, rejected options, rejected alternatives, not chosen, discarded, alternatives rejected, options rejected, declined, declined with rationale`,
	roleReason:      `evidence, rationale, reason, reasons, why, why this choice, justification, because, reasoning, motivering, varför, waarom, reden, begründung, причина выбора, 理由`,
	roleContext:     `investigation context, memory context, context, question, background, situation, trigger, analysis, context and problem statement, sammanhang, bakgrund, achtergrond, контекст, 背景`,
	roleProblem:     `problem, problems, failure, failures, failure reason, reason for failure, issue, issues, error, errors, symptom, symptoms, bug, bugs, failure mode, challenge, challenges, challenges encountered, blocker, blockers, problem statement, what broke, what went wrong, issue found, issues found, issues discovered, issues encountered, problems encountered, errors encountered, defect, defects, incident, impact, problem met, fel, problemet, blocked by, complaint, problem met, problems met, not working, fout, fouten, probleem, problemen, vad gick fel, wat ging er mis, проблема, проблемы, ошибка, ошибки, 問題, 症状, エラー, 障害`,
	roleCause:       `root cause, root causes, cause, causes, root cause analysis, why it failed, why it happened, rca, contributing factors, orsak, grundorsak, rotorsak, oorzaak, hoofdoorzaak, ursache, первопричина, причина, причины, 原因, 根本原因, 根本原因分析`,
	roleFix:         `fix, fixes, solution, solutions, resolution, resolutions, remediation, fix applied, fixes applied, solution implemented, the fix, what helped, solution tried, workaround, mitigation, recovery, way out, corrective action, action taken, what we did about it, lösning, åtgärd, oplossing, lösung, исправление, решение проблемы, 修正, 対応, 解決策, 対策`,
	roleConflict:    `conflict resolution, merge conflict resolution, conflicts resolved, merge conflicts resolved, conflict resolutions`,
	roleTopic:       `topic, scope, subject, theme, ämne, onderwerp, thema, тема`,
	roleStrategy:    `strategy, resolution strategy, merge strategy, method`,
	roleAttempt:     `attempt, attempts, strategy, resolution strategy, approach, approaches, tried, what we tried, hypothesis, experiment, försök, poging, попытка, 試行`,
	roleResult:      `result, results, effect, consequence, resultat, resultaat, результат, 結果`,
	roleFailed:      `failure, failures, failed, what didn't work, what didn’t work, what did not work, what failed, failed attempts, dead ends, failed approaches, what didnt work`,
	roleTest:        `verification, validation, test, tests, testing, test results, test result, tested, qa, checks, check, verified, lint output, ci status, ci, test plan results, build state, verifiering, verificatie, проверка, 検証, テスト`,
	roleLesson:      `reusable patterns, patterns to reuse, patterns to avoid, anti-patterns to avoid, anti-patterns identified, best practices, lesson, lessons, lessons learned, lesson learned, learning, learnings, key learnings, key learning, key lessons, key insight, key insights, insight, insights, takeaway, takeaways, key takeaways, what i learned, what we learned, what was learned, prevention, preventive measures, prevention measures, best practices, rules for next time, patterns to keep, lessons codified, guidance, what we know now, gotchas, gotcha, for next time, remember, lärdom, lärdomar, lessen, geleerde lessen, geleerd, wat we leerden, vad vi lärde oss, erkenntnisse, уроки, выводы, 学び, 教訓, 再発防止, 再発防止策`,
	roleStatus:      `status, state, final status, overall status, session status, current status, tillstånd, läge, stand, статус, ステータス, 状態`,
	roleOutcome:     `outcome, outcomes, session outcome, final outcome, overall outcome, where we are, where we stand, bottom line, final result, end state, conclusion, utfall, uitkomst, ergebnis, итог, итоги, 結論`,
	roleVerdict:     `verdict, recommendation, final verdict, review verdict, consensus achieved, consensus, consensus result, classification, position, vote, disposition, convergence, adr status, omdöme, oordeel, вердикт`,
	roleCommit:      `commit, commits, committed, commit history, commit details, commit log, commit sha, sha, hash, commit hash, ending commit, final commit, task commits, commits this session, git commits, коммит, コミット`,
	roleDone:        `what was done, done, work done, completed, changes made, changes, change, actions taken, actions, action, accomplished, accomplishments, what i did, what we did, deliverables, deliverable, artifacts created, work completed, tasks completed, items completed, milestones, milestone, progress, implementation, implemented, work log, what changed, recent changes, completed work, fixes applied, fixes implemented, completion criteria, completed items, prs created, tasks completed this session, vad vi gjorde, gjort, genomfört, gedaan, wat is er gedaan, voltooid, uitgevoerd, сделано, 実施内容, 作業内容`,
	roleHandoff:     `next steps, next step, next, next session, notes for next session, handoff, hand-off, handover, handed over, left over, later, nästa gång, handoff notes, what remains, remaining, remaining work, open items, open questions, follow-up, follow-ups, followup, follow up, to do next, still open, not done, pending, what should be done in the future, future work, nästa steg, kvar att göra, överlämning, volgende stappen, overdracht, следующие шаги, 次のステップ, 今後の対応`,
	roleTask:        `focus, work scope, user prompt, objective, objectives, goal, goals, task, session goal, session objective, session objectives, purpose, mission, aim, assignment, user request, request, mål, syfte, uppgift, doel, doelstelling, taak, opdracht, ziel, aufgabe, цель, задача, 目的, 目標`,
	rolePlan:        `validation and acceptance, acceptance criteria, acceptance, plan, implementation plan, plan of work, todo, to do, to-do, ideas not for now, action items, action needed, action required, actions needed, proposed, proposal, backlog, roadmap, recommendations, expected impact, plan of record, test plan, rollback plan`,
	roleSkip:        `protocol compliance, session start, session end, session start checklist, session end checklist, session start requirements, session end requirements, skill inventory, git state, final git status, git status, branch verification, work blocked until, references, related, related decisions, related documents, see also, links, code location, code locations, code review instructions, technical details, table of contents, glossary, appendix, template, session protocol, session protocol compliance, protocol compliance checklist, commands run, stakeholders, approvals, sign-off, referenser, referenties, ссылки, 参考, 関連`,
	roleBase:        `starting commit, head at start, start head, base, base commit, start commit, parent commit, starting point, baseline commit, base sha, starting sha`,
	roleDate:        `date, started, start, created, session date, when, time, timestamp, datum, дата, 日付, 日時`,
	roleDuration:    `duration, time spent, elapsed, session duration, varaktighet, duur, длительность, 所要時間`,
	roleWho:         `agent, author, owner, decided by, made by, assignee, reviewer, branch, pr, repo, repository, type, priority, severity, model, worktree, session, version, confidence, users affected, decision makers, deciders, author date, date author`,
	roleFinding:     `findings, finding, critique findings, review findings, critical issues, high issues, medium issues, low issues, issues found, issues identified, key findings, key finding, observations, observation, discovery, discoveries, surprises and discoveries, surprises, critical finding, research findings, fynd, bevindingen, находки, 発見`,
	roleSummary:     `summary, session summary, overview, executive summary, tldr, tl dr, sammanfattning, samenvatting, zusammenfassung, резюме, 概要, まとめ, 要約`,
	roleWorked:      `what worked, what went well, what went right, successes, went well, vad gick bra, wat ging goed, что получилось, 良かった点`,
	roleFiles:       `files changed, files modified, files created, files reviewed, files, files touched, modified files, file, path, location, artifacts, file list, files affected, ändrade filer, gewijzigde bestanden, файлы`,
	roleAgent:       `agent dispatch log, dispatch log, agents, agent id, delegated to, routed to, agent routed, delegations, agent dispatch`,
	roleTimeline:    `timeline, what happened, time line, log, chronology, tidslinje, tijdlijn, хронология, タイムライン, 経緯`,
	roleItem:        `task, item, step, feature, work item, story, deliverable, phase, todo, taak, uppgift, задача, タスク`,
	roleOne:         `decision, decision outcome, the decision, beslut, beslutet, besluit, entscheidung, решение, 決定`,
	roleOpen:        `not done, blockers, blocked, still open, not finished, kvar, nog open`,
	rolePrevent:     `prevention, preventive measures, prevention measures, 再発防止, 再発防止策`,
	roleRefused:     `intentional exclusions, exclusions, not shipped, deferred items, deferred work, skipped items, not included, won't fix, won’t fix, wontfix, wont fix, will not fix, by design, deferred, declined, declined with rationale, not changed, what was not changed, intentionally not changed, out of scope decisions, skipped, not implemented, not addressed, no action needed, no change needed`,
	roleMade:        `artifacts created, artifacts produced, artifacts, skills generated, skills created, deliverables, files created, created files, new files, regenerated files, generated files, documents created, index created, outputs, output files`,
	rolePulls:       `prs created, pull requests, pull requests created, prs opened`,
	roleConsequence: `consequences, forces, constraint, constraints, decision drivers, drivers, trade-offs, tradeoffs, pros, cons, positive, negative, neutral, pros and cons, trade-off, implications, konsekvenser, gevolgen, последствия`,
}

// nameParts are phrases that give a role wherever they stand in a short name.
var nameParts = map[role]string{
	roleDecision: `decision, decisions, beslut, besluiten, beslissingen, entscheidungen`,
	roleOptions:  `options considered, considered options, alternatives considered, alternatives, options evaluated`,
	roleRejected: `rejected, declined`,
	roleReason:   `rationale, why`,
	roleProblem:  `failure, failures, violation, violations, incident, incidents, bug, problem, problems, issue, issues, error, errors, symptoms, challenges, blockers, defects, bugs, went wrong, broke`,
	roleCause:    `root cause, root causes, cause, causes, orsak, oorzaak`,
	roleFix:      `fix, fixes, fixed, solution, resolution, remediation, workaround, lösning, oplossing, resolved`,
	roleAttempt:  `attempt, attempted, strategy, approach`,
	roleResult:   `result, results`,
	roleFailed:   `didn't work, didn’t work, did not work, doesn't work, doesn’t work, does not work, failed`,
	roleTest:     `test coverage, compilation status, build status, verification, validation, verify, confirmation, test results, tests, testing, qa, lint output, build state`,
	roleLesson:   `lesson, lessons, learning, learnings, learned, insight, insights, takeaway, takeaways, lärdomar, lessen`,
	roleOutcome:  `outcome, outcomes`,
	roleVerdict:  `verdict`,
	roleCommit:   `commits, commit`,
	roleDone:     `what was done, deliverables, changes made, completed, accomplishments, milestones, what changed, prs created, what i did`,
	roleHandoff:  `next steps, next session, handoff, hand-off, remaining, what remains, follow-up, follow-ups, pending`,
	roleTask:     `objective, objectives, goal, goals`,
	rolePlan:     `plan, proposed, recommendations, todo, action items, future`,
	roleSkip:     `checklist, related, protocol compliance, session protocol, inventory, git state, git status, branch verification, references, session start, session end, compliance`,
	roleFinding:  `findings, discoveries, discovery, observations`,
	roleSummary:  `summary`,
	roleWorked:   `went well, went right, what worked, what works, what does work`,
	roleFiles:    `files`,
	roleAgent:    `dispatch, delegation`,
	roleTimeline: `timeline`,
	rolePulls:    `prs created, pull requests`,
	roleRefused:  `won't fix, won’t fix, by design`,
	rolePrevent:  `prevention, preventive`,
}

// words are the classes of words inside prose. Words joined by "_" are a phrase.
var words = map[class]string{
	// choices
	classChoose: `chose chosen choose accept reject approve decline opt select pick decided decide opted selected picked settled_on went_with rejected declined deferred defer adopted
		standardized standardize standardise standardised switched abandoned dropped reverted disagree accepted approved wontfix
		valde beslutade bestämde koos besloot gekozen entschieden entschied gewählt решили выбрали решено 決定した 採用`,
	classSettle: `chose decided opted switched deferred declined abandoned settled went valde beslutade koos besloot entschieden`,
	classAdopt: `use used using keep kept add added remove removed skip skipped split make made move moved set create created fix fixed
		implement implemented replace replaced convert converted prefer preserve preserved limit limited classify classified treat treated
		verify standardize require required allow allowed reset enable disable exclude excluded include raise raised lower lowered pin pinned merge squash route
		delegate delegated avoid restrict extend extended reuse reused consolidate consolidated correct corrected change changed
		använd använde behåll gebruik gebruikt`,
	classSubject:  `we i team user agent was were vi jag wij ik wir ich мы and been has have is all`,
	classContrast: `instead_of rather_than in_favor_of in_favour_of as_opposed_to istället_för i_stället_för in_plaats_van`,
	classPurpose:  `to_prevent to_avoid to_stop to_keep to_ensure so_that för_att om_te um_zu`,
	classExplain: `because since due ensures prevents no already keeps avoids allows maximizes maximises reduces provides matches all
		compatible consistency consistent conservative`,
	classRefuseAct: `skipped deferred declined rejected wontfix`,
	classAgents:    `agents subagents sub-agents workers worktrees`,
	classLaunch:    `launched invoked spawned dispatched used ran delegated`,
	classReady:     `ready_for_merge ready_to_merge approved_for_merge lgtm`,
	classRoute:     `route delegate hand assign dispatch`,
	classAgent:     `agent subagent sub-agent worker`,
	classNow:       `now`,
	classWayOut:    `the_solution_was the_fix_was the_plan_is the_approach_is the_answer_was`,
	classPrep:      `in to for with on at via by per from as and under into until because due pending since when so`,
	classSpoils:    `to be not being that which the a an of needs if when as should must will would can could`,
	classVerdict: `approve approved approval blocked won't_fix wont_fix reject rejected accept accepted needs revise revision proceed block disagree ready merge conditional go no-go
		defer decline`,
	classMark:      `pass fail warn`,
	classApprove:   `approve approved approval accept accepted proceed ready merge pass`,
	classRefuse:    `not no reject rejected needs`,
	classOption:    `option alternative alternativ optie вариант`,
	classTaken:     `selected chosen adopted accepted vald gekozen выбран`,
	classRevert:    `revert reverts reverted reverting workaround`,
	classTestAct:   `test_case test_cases regression_test regression_tests`,
	classImplement: `fix fixed fixing implement implemented implementing refactor refactored refactoring rename renamed renaming`,

	// faults
	classFail: `failed fails failing failure failures fail error errors broke broken breaks crash crashed crashes exception exceptions
		timeout timeouts times_out timed_out time_out cancelled canceled regression regressions conflict conflicts missing incorrect inconsistent inconsistency wrong invalid stuck rejected
		denied refused unreachable corrupt corrupted deadlock leak leaked leaks hang hung hangs bug bugs vulnerability unresolved flaky broken
		cannot couldn't can't unable not_found did_not does_not doesn't didn't could_not blocked blocker defect incident outage stale violation violations
		misconfigured mismatch inaccurate undefined panic panicked lost duplicate duplicates skipped_tests degraded stopped unauthorized forbidden
		unavailable not_available conflicting violates violated outdated ambiguous ambiguity lacks lacking gap gaps obsolete incompatible insufficient
		hardcoded undocumented untested unclear
		throws threw_an errored
		misslyckades kraschade avbryts avbröts saknas fel fout faalde mislukt mislukte crashte fehlgeschlagen fehler ошибка упал упала сломан 失敗 エラー`,
	classByDesign: `closed gracefully safe safely`,
	classStrong:   `still_failing still_fails failed fails fail crashed crashes broke threw_an throws hung panicked errored timed_out times_out misslyckades kraschade avbröts faalde mislukte crashte 失敗 クラッシュ タイムアウト なかった`,
	classNegate: `no zero 0 without never none not any avoid avoids prevent prevents prevented preventing handles handled handling handle ignore
		ignores nothing nobody neither inga utan geen zonder kein keine ohne без нет fewer reduced reducing`,
	classAbout: `handling handler message messages code codes path paths case cases page state check checks log logs type types rate boundary recovery mode modes
		reporting output response responses`,
	classFind:      `identified found revealed discovered detected uncovered surfaced exposed reported reports 特定 検知 発見 判明`,
	classUnsettled: `unresolved olöst onopgelost ungelöst`,
	classFaultNoun: `issue issues problem problems gap gaps findings vulnerabilities vulnerability bug bugs conflicts conflict errors failures defects inconsistencies mismatch regression`,
	classRepaired:  `fixed resolved solved repaired addressed closed löst opgelost behoben исправлено`,
	classHas:       `has have had is was were are does did shows gives fails takes needs`,
	classReported:  `reported reports complained complains`,
	classWhy:       `why when how när hur wanneer hoe wann wie varför waarom warum なぜ почему`,
	classOff:       `not only accidentally rather_than instead_of missing never no cannot`,
	classGrade:     `critical blocker major high medium moderate low minor severe must`,
	classIf:        `if om als wenn falls если`,
	classWhen:      `when whenever unless while wanneer wann när`,
	classTodo:      `process fix resolve address implement add create update review verify investigate handle`,
	classWish:      `update improve prevent address apply better consider support document`,
	classStory:     `problem impact incident context analysis background happened`,
	classTracker: `thread threads comment comments number numbers title titles body link links url label labels template templates tracker
		touched closed created linked referenced triage`,

	// checks
	classPass: `passed pass passes passing green ok clean cleanly succeed succeeds succeeded success successful successfully verified validated confirmed works worked
		working resolved approved gröna gick_igenom geslaagd slaagt bestanden пройдены прошли 成功 通過 有効`,
	classTest: `test tests tested testing lint linted linting linter build builds compile compiles compiled typecheck suite ci check checks checked validation
		verification verified validated benchmark benchmarks coverage pester pytest jest vitest e2e smoke qa scan syntax analyzer dry-run
		tester testen testet bouw тесты テスト`,
	classTally:     `passed passing passes pass green red failed failing stale complete ok succeeded skipped godkända gröna geslaagd`,
	classVerify:    `verified confirmed validated tested re-verified re-tested double-checked 確認`,
	classSetup:     `branch state git session skills inventory environment prior`,
	classRun:       `ran re-ran reran executed`,
	classRan:       `completed produced printed returned ran built prints returns`,
	classLint:      `lint linting markdownlint markdownlint-cli2 mdlint`,
	classSuite:     `test tests build suite pester pytest`,
	classLooked:    `analyzed analysed identified investigated reviewed found diagnosed`,
	classUnrelated: `not_related unrelated pre-existing preexisting not_caused_by`,
	classCI:        `job pipeline workflow`,

	// work
	classMake: `created added implemented removed deleted updated fixed replaced refactored migrated merged completed finished documented
		wrote built generated regenerated converted extracted restored consolidated configured integrated resolved deployed released shipped published
		renamed moved introduced established opened posted replied closed cleaned upgraded enabled disabled split rewrote redesigned
		set reset raised capped reverted standardized designed drafted identified produced launched addressed clarified changed extended applied authored pushed synced tightened wired conducted reused enhanced simplified optimized optimised referenced linked registered scaffolded populated
		skapade lade_till tog_bort fixade uppdaterade la_till bytte införde gjorde skrev
		toegevoegd verwijderd gemaakt bijgewerkt gerepareerd geïmplementeerd
		erstellt hinzugefügt entfernt behoben добавлен добавлена исправлено создан
		追加 修正 実装 作成 更新 削除 変更 デプロイ リリース 導入 統一 再ビルド 適用`,
	classKeep:    `kept keep accepted took merged preserved resolved used chose`,
	classSession: `session sessions sessie sitzung sessionen сессия sprint day dag sitting iteration`,
	classThis:    `this_file this_log this_session this_document session_log session_logs`,
	classRoutine: `pushed replied posted opened closed set identified verified updated moved`,
	classEarlier: `already prior previous earlier`,
	classHand:    `handed handoff hand-off delegated dispatched routed assigned passed_to next_session escalated parallel_agents subagent sub-agent överlämnad överlämnas overgedragen`,
	classAddress: `handed handoff hand-off handover whoever session sessions agent remains överlämning överlämnat overdracht`,
	classFirst:   `i we jag vi ik wij ich wir`,

	// states
	classGood: `success successful succeeded complete completed done pass passed passing resolved fixed merged approved solved closed shipped released accepted green verified works worked
		implemented finished ok validated deployed ready delivered met
		klart klar slutförd löst färdig godkänd lyckades voltooid gereed opgelost afgerond geslaagd erledigt abgeschlossen готово завершено 完了 解決 解決済み 成功`,
	classBad: `failed failure fail failing abandoned aborted reverted broken unresolved rejected cancelled canceled unsuccessful lost red
		misslyckades misslyckad avbruten mislukt afgebroken gescheitert провал неудача 失敗 中止`,
	classHalf: `partial partially progress pending blocked incomplete wip superseded ongoing paused deferred awaiting remaining unfinished mixed proposed
		investigating open still partly compromises conditional conditions
		pågår delvis blockerad väntar gedeeltelijk bezig geblokkeerd teilweise offen частично 部分的 進行中 保留`,
	classUnderway:  `in_progress`,
	classLack:      `missing lacks lacked lack lacking saknas saknar ontbreekt fehlt отсутствует`,
	classNone:      `no incomplete inga ingen geen kein keine нет`,
	classConflict:  `conflict conflicts conflicting diverged konflikt konflikter conflicten 競合`,
	classMerge:     `merge merged rebase rebased`,
	classImpact:    `impact effect consequence påverkan gevolg auswirkung 影響`,
	classNeeded:    `needed required pending to_be`,
	classCriteria:  `acceptance criteria`,
	classGuard:     `prevents catches detects avoids guards resolves eliminates removes reduces improves improved enhanced strengthened hardened reduced`,
	classWell:      `correctly properly successfully`,
	classCondition: `with_conditions with_concerns with_changes with_amendments conditional`,
	classNot:       `not un`,
	classReview:    `review reviews granskning beoordeling überprüfung ревью レビュー`,
	classDocState:  `accepted proposed superseded draft active open closed`,
	classBlank:     `none n/a na tbd nil nothing nvt ingen inga geen keine нет なし 無し todo placeholder not_applicable none_yet`,
	classEffect:    `failed worked fixed helped solved effect wrong right better worse broke`,
	classWorkedOut: `fixed_it solved_it that_worked this_worked job_green löste_det`,
	classNoGood:    `not_solved no_good did_not_help reverted`,
	classNoHelp:    `did_not_help did_not_resolve didn't_resolve didn't_help didn't_fix did_not_fix`,
	classAll:       `all alla alle`,
	classAddressed: `addressed`,
	classBefore:    `before until without`,
	classAccept:    `acceptance criteria tasks todo todos`,

	// commits
	classForeign:  `from prior latest head already before since starting base parent previous upstream md5 sha256 sha1 digest run etag checksum uuid trace request container layer image token key`,
	classUpstream: `upstream base rogue references same`,
	classMention:  `caused_by introduced_in introduced_by likely had searching search already prior previous earlier`,
	classLeadIn:   `with including because since due to for of that which when if reasons med eftersom met omdat mit weil`,
	classBase:     `starting_commit start_commit base_commit`,
	classHashName: `commit_sha commit_hash`,
}
