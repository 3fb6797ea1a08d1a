package extract

import (
	"strings"

	"episodes/episode"
	"episodes/keys"
)

// failsAt finds a word that says that something failed, is not taken back by a
// negation, and is not the object of a repair ("fixed the failing test").
func (x *extraction) failsAt(t text) int {
	for i := range t.words {
		if !x.lex.at(t, i, classFail) || x.negated(t, i) {
			continue
		}
		if i+1 < len(t.words) {
			switch t.words[i+1].s {
			case "handling", "handler", "message", "messages", "code", "codes", "path", "paths", "case", "cases", "page", "state", "check", "checks", "log", "logs", "type", "types", "rate", "boundary", "recovery", "mode", "modes", "reporting", "output", "response", "responses":
				if !strings.HasSuffix(t.words[i].s, "ed") && !strings.HasSuffix(t.words[i].s, "ing") {
					continue
				}
			}
		}
		return i
	}
	return -1
}

// negated reports whether the words before i take it back: "0 errors", "no
// regressions", "without errors"; also "errors: 0".
func (x *extraction) negated(t text, i int) bool {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		if strings.ContainsAny(t.s[t.words[j].end:t.words[j+1].start], ",;.:") {
			break
		}
		if x.lex.class(t.words[j]).has(classNegate) {
			return true
		}
	}
	if i+1 < len(t.words) && (t.words[i+1].s == "0" || t.words[i+1].s == "none") {
		return true
	}
	return false
}

// repaired reports whether a text tells of a repair or of a thing made, rather
// than of a failure: it opens with the verb for it.
func (x *extraction) repaired(t text) bool {
	for i := 0; i < len(t.words) && i < 2; i++ {
		c := x.lex.class(t.words[i])
		if c.has(classMake) || c.has(classAdopt) {
			return true
		}
	}
	return false
}

// errors takes what failed or was found broken.
func (x *extraction) errors() {
	for _, s := range x.doc.sections {
		x.headingError(s)
	}
	for _, b := range x.doc.blocks {
		if x.quiet(b) || b.struck {
			continue
		}
		if b.kind == rowBlock {
			if f := x.used[b]; f == nil || f.kind == decisionFact { // a row may tell of a fault and of its fix
				x.rowError(b)
			}
			continue
		}
		if x.used[b] != nil {
			continue
		}
		if b.kind == codeBlock {
			x.codeError(b)
			continue
		}
		if why, cause, ok := x.errorPlace(b); ok {
			span, content := x.withOutput(b, x.errorText(b))
			span, content = x.withList(b, span, content)
			if t, ok := x.failingSentence(b); ok && content == b.text.s {
				span, content = t.span(b.span), t.s
			}
			f := x.event(episode.Error, b, span, x.faultOf(content), why)
			f.cause = cause
		}
	}
}

// headingError takes "### Issue 2: X" and "### Fixed: X", unless the section
// states its problem in a line of its own.
func (x *extraction) headingError(s *section) {
	if s.subject == "" || s.level < 2 || !s.roles.any(roleProblem, roleFix, roleCause) || s.within(roleSkip) || s.within(rolePlan) || s.within(roleHandoff) {
		return
	}
	t := plain(s.subject)
	if s.roles.has(roleFix) && (x.repaired(t) || x.actLike(t)) || len(t.words) < 2 {
		return
	}
	for _, b := range s.blocks {
		if b.labelRole.any(roleProblem) || x.used[b] != nil && x.used[b].event == episode.Error {
			return
		}
	}
	f := x.event(episode.Error, nil, episode.Span{s.line, s.line}, t.s, "heading names a problem")
	f.section, f.cause = s, s.roles.has(roleCause)
}

func (x *extraction) errorText(b *block) string {
	if b.labelRole.any(roleProblem, roleCause, roleFailed) || b.label == "" {
		return b.text.s
	}
	return b.full()
}

// withList adds to a text that ends in a colon the list that it opens.
func (x *extraction) withList(b *block, span episode.Span, content string) (episode.Span, string) {
	items := x.introduced(b)
	if !strings.HasSuffix(content, ":") || len(items) == 0 || len(items) > 8 {
		return span, content
	}
	for i, c := range items {
		if i > 0 {
			content += ";"
		}
		content += " " + c.full()
		span[1] = max(span[1], c.span[1])
	}
	return span, content
}

// faultOf drops the few words that lead up to a fault: "Complaint from the sales
// demo: X" is about X.
func (x *extraction) faultOf(s string) string {
	i := strings.Index(s, ": ")
	if i <= 0 {
		return s
	}
	head, tail := plain(s[:i]), plain(s[i+2:])
	if len(head.words) <= 6 && x.failsAt(head) < 0 && !errorConstant(s[:i+1]) && x.failsAt(tail) >= 0 {
		return tail.s
	}
	return s
}

// failingSentence is the sentence of a longer text that tells of the failure.
func (x *extraction) failingSentence(b *block) (text, bool) {
	ss := b.text.sentences()
	if len(ss) < 2 || b.labelRole.any(roleProblem, roleCause) {
		return text{}, false
	}
	for _, s := range ss {
		if x.strongFail(s) {
			return s, true
		}
	}
	return text{}, false
}

// withOutput adds to a text that ends in a colon the line of the quoted output
// below it that names the error.
func (x *extraction) withOutput(b *block, content string) (episode.Span, string) {
	if !strings.HasSuffix(content, ":") || b.index+1 >= len(x.doc.blocks) {
		return b.span, content
	}
	out := x.doc.blocks[b.index+1]
	if out.kind != codeBlock || out.span[0] > b.span[1]+3 {
		return b.span, content
	}
	for i, l := range strings.Split(strings.TrimRight(out.code, "\n"), "\n") {
		t := plain(collapse(l))
		if x.failsAt(t) < 0 && !namesError(t.s) {
			continue
		}
		return episode.Span{b.span[0], out.span[0] + i}, strings.TrimRight(content, ":") + ": " + t.s
	}
	return b.span, content
}

// codeError takes quoted output that stands by itself under a problem heading.
func (x *extraction) codeError(b *block) {
	if !b.section.roles.any(roleProblem, roleFailed) || b.section.roles.has(roleFix) || b.section.blocks[0] != b && !(b.index > 0 && opensList(x.doc.blocks[b.index-1])) {
		return
	}
	if b.index > 0 && x.used[x.doc.blocks[b.index-1]] != nil && b.section.blocks[0] != b {
		return // the text above it was taken with its output
	}
	for i, l := range strings.Split(strings.TrimRight(b.code, "\n"), "\n") {
		if t := collapse(l); errorConstant(t) || namesError(t) {
			line := b.span[0] + i
			x.event(episode.Error, b, episode.Span{line, line}, t, "output under heading "+quote(b.section.title.s))
			return
		}
	}
}

// errorConstant reports whether a text holds a name such as SQLITE_BUSY or
// ECONNREFUSED followed by what it says.
func errorConstant(s string) bool {
	for _, f := range strings.Fields(s) {
		if name, ok := strings.CutSuffix(f, ":"); ok && len(name) > 4 && isUpper(name) {
			return true
		}
	}
	return false
}

// namesError reports whether a line of output names an error: "error: …",
// "TypeError: …".
func namesError(s string) bool {
	low := strings.ToLower(s)
	return strings.Contains(low, "error:") || strings.Contains(low, "error ") || strings.Contains(low, "exception") || strings.Contains(low, "panic:") || strings.Contains(low, "fatal:")
}

// errorPlace decides whether a block tells of an error.
func (x *extraction) errorPlace(b *block) (why string, cause, ok bool) {
	t := b.text
	if t.empty() && b.label == "" || x.blank(t) && b.label == "" {
		return "", false, false
	}
	switch {
	case b.labelRole.any(roleProblem, roleCause, roleFailed):
		if t.empty() || x.blank(t) || len(t.words) < 2 || x.countOnly(t) || isTicket(t) || isCount(t) {
			return "", false, false
		}
		if strings.Contains(strings.ToLower(b.label), "impact") && x.failsAt(t) < 0 {
			return "", false, false // what a thing is good for, as often as what it broke
		}
		if x.headField(b) {
			return "", false, false
		}
		return "label " + quote(b.label), b.labelRole.has(roleCause), true
	case b.labelRole.any(roleFix, roleLesson, roleReason, roleTask, roleStatus, roleCommit, roleOptions, roleDecision, roleFiles, roleHandoff, rolePlan, roleTest, roleConsequence, roleDone, roleOutcome):
		return "", false, false
	}
	if b.parent != nil && x.used[b.parent] != nil {
		return "", false, false // detail of a fact
	}
	s := b.section
	if b.kind == itemBlock && b.label == "" && s.roles.any(roleFix, roleProblem) && !x.repaired(t) && x.nextIsFix(b) {
		return "stands with its solution", false, true
	}
	if s.within(rolePlan) || s.within(roleHandoff) || s.within(roleLesson) || s.has(roleTask) || s.has(roleFix) || s.has(roleCommit) || s.within(roleOptions) || s.within(roleConsequence) || s.within(roleFiles) {
		return "", false, false
	}
	fails := x.failsAt(t) >= 0
	if x.found(t) && b.parent == nil && len(t.words) <= 40 && !b.labelRole.any(roleTask) {
		return "says that faults were found", false, true
	}
	if b.intro != nil && b.intro.labelRole.any(roleProblem, roleFailed) && b.parent == nil {
		return "under label " + quote(b.intro.label), false, !x.blank(t) && !x.repaired(t)
	}
	if b.intro != nil && b.intro.labelRole != 0 && !b.intro.labelRole.any(roleFinding, roleContext, roleTimeline, roleResult) && !(openWork(b.intro) && x.strongFail(t)) {
		return "", false, false
	}
	if b.labelRole.has(roleResult) && !s.has(roleSkip) && len(t.words) > 1 && !hasCount(t) {
		return "label " + quote(b.label) + " of a failure", false, b.tick == badTick || x.statusOf(t) == episode.Failure || x.strongFail(t)
	}
	if b.labelRole.has(roleFinding) {
		return "label " + quote(b.label), false, fails && !x.repaired(t)
	}
	placed := s.roles.any(roleProblem, roleFailed) && !s.roles.any(roleFix, roleDone)
	causal := s.roles.has(roleCause)
	switch {
	case (placed || causal) && b.kind == itemBlock && b.parent == nil && b.label == "":
		if x.blank(t) || x.repaired(t) || b.tick == doneTick {
			return "", false, false
		}
		if !fails && (causal || !s.listsFaults()) {
			return "", false, false
		}
		return "under heading " + quote(s.title.s), causal, true
	case (placed || causal) && b.kind == paraBlock && s.firstProse() == b && b.label == "":
		return "under heading " + quote(s.title.s), causal, fails || causal
	case !fails || b.tick == doneTick && x.repaired(t) || x.repaired(t) || len(t.words) > 60:
		return "", false, false
	case x.beforeChoice(b):
		return "stands before the section's decision", false, true
	case (s.has(roleSummary) || s.has(roleContext)) && b.kind == paraBlock && s.firstProse() == b:
		first := plain(keys.Clause(t.s))
		return "first words under heading " + quote(s.title.s), false, len(first.words) <= 16 && x.failsAt(first) >= 0 && !x.repaired(first)
	case s.has(roleTimeline) || s.has(roleContext) || s.has(roleFinding) || s.has(roleSummary):
		return "says " + quote(t.words[x.failsAt(t)].s), false, x.strongFail(t)
	}
	return "says " + quote(t.words[x.failsAt(t)].s), false, b.parent == nil && x.strongFail(t)
}

// beforeChoice reports whether b stands in a short record: a section that holds
// one labelled decision, further down.
func (x *extraction) beforeChoice(b *block) bool {
	n, after := 0, false
	for _, o := range b.section.blocks {
		if o.labelRole.any(roleDecision, roleChosen) && !o.text.empty() {
			n++
			after = o.index > b.index
		}
	}
	return n == 1 && after && len(b.section.blocks) <= 12
}

// nextIsFix reports whether the next line of b's list is labelled as its solution.
func (x *extraction) nextIsFix(b *block) bool {
	next := b.index + 1
	return next < len(x.doc.blocks) && x.doc.blocks[next].section == b.section && x.doc.blocks[next].parent == b.parent && x.doc.blocks[next].labelRole.has(roleFix)
}

// listsFaults reports whether every item under a heading is a fault by what the
// heading says; "Problem" may also hold the story around one.
func (s *section) listsFaults() bool {
	for _, w := range s.title.words {
		switch w.s {
		case "problem", "impact", "incident", "context", "analysis", "background", "happened":
			return false
		}
	}
	return true
}

// strongFail reports whether a text says in the past or present tense that
// something failed, not only that a word of failure stands in it.
func (x *extraction) strongFail(t text) bool {
	for i, w := range t.words {
		if w.code || x.negated(t, i) {
			continue
		}
		switch w.s {
		case "failed", "fails", "fail", "postponed", "avbryts", "avbröts", "crashed", "crashes", "broke", "threw", "throws", "hung", "panicked", "errored", "misslyckades", "kraschade", "faalde", "mislukte", "crashte":
			if i > 0 {
				return true
			}
		}
		if i+1 < len(t.words) && (w.s == "timed" || w.s == "times") && t.words[i+1].s == "out" {
			return true
		}
	}
	return false
}

// headField reports whether b is one of the fields at the head of a log (date,
// branch, issue), which name the work and tell nothing of it.
func (x *extraction) headField(b *block) bool {
	if b.section.level > 1 || len(b.text.words) > 15 {
		return false
	}
	for _, o := range x.group(b) {
		if d := o.span[0] - b.span[1]; d >= -3 && d <= 3 && o.labelRole.any(roleWho, roleDate, roleBase) {
			return true
		}
	}
	return false
}

// found reports whether a text says that faults came to light.
func (x *extraction) found(t text) bool {
	for i, w := range t.words {
		switch w.s {
		case "identified", "found", "revealed", "discovered", "detected", "uncovered", "surfaced", "exposed":
			for j := i + 1; j < len(t.words) && j <= i+8; j++ {
				switch t.words[j].s {
				case "issue", "issues", "problem", "problems", "gap", "gaps", "findings", "vulnerabilities", "vulnerability", "bug", "bugs", "conflicts", "conflict", "errors", "failures", "defects", "inconsistencies", "mismatch", "regression":
					if !x.negated(t, j) && !x.negated(t, i) {
						return true
					}
				}
			}
		}
	}
	return false
}

// countOnly reports whether a text is a bare count or state, as in "Errors: 0".
func (x *extraction) countOnly(t text) bool {
	for _, w := range t.words {
		if !isNumber(w.s) && !x.lex.class(w).has(classNegate) {
			return false
		}
	}
	return true
}

// isTicket reports whether a text is a reference to a ticket and its title.
func isTicket(t text) bool {
	for _, p := range []string{"#", "PR #", "Issue #", "http"} {
		if strings.HasPrefix(t.s, p) {
			return true
		}
	}
	return false
}

// wished reports whether a text names an improvement to make rather than a fault.
func wished(t text) bool {
	switch t.first() {
	case "update", "improve", "prevent", "address", "apply", "better", "consider", "support", "document":
		return true
	}
	return false
}

// isCount reports whether a text is a figure with a remark: "3 (informational)".
func isCount(t text) bool {
	return len(t.words) > 1 && isNumber(t.words[0].s) && (strings.Contains(t.s[t.words[0].end:t.words[1].start], "(") || isNumber(t.words[1].s) && t.words[1].start == t.words[0].end+1)
}

// rowError takes the problem column of a table row.
func (x *extraction) rowError(b *block) {
	s := b.section
	if s.within(rolePlan) || s.within(roleOptions) || s.within(roleConsequence) || s.has(roleTest) {
		return
	}
	for i, c := range b.table.columns {
		if i >= len(b.cells) || !c.roles.any(roleProblem, roleCause) || c.roles.has(roleFix) {
			continue
		}
		t := b.cells[i].text
		if t.empty() || x.blank(t) || x.countOnly(t) || isTicket(t) || isCount(t) || x.repaired(t) || wished(t) || len(t.words) < 3 && x.failsAt(t) < 0 {
			continue
		}
		f := x.event(episode.Error, b, b.span, t.s, "column "+quote(c.name))
		f.cause = c.roles.has(roleCause)
	}
}

// tests takes verifications that show their result.
func (x *extraction) tests() {
	done := map[*table]bool{}
	for _, b := range x.doc.blocks {
		if x.used[b] != nil || b.struck {
			continue
		}
		switch b.kind {
		case codeBlock:
			x.codeTest(b)
		case rowBlock:
			if !done[b.table] && b.section.roles.has(roleTest) && !b.section.roles.any(rolePlan) {
				done[b.table] = x.tableTest(b)
			}
		default:
			if x.quiet(b) || b.section.within(rolePlan) || b.section.within(roleHandoff) || b.section.within(roleLesson) || b.section.has(roleTask) {
				continue
			}
			if why, ok := x.testText(b); ok {
				x.event(episode.Test, b, b.span, b.full(), why)
			}
		}
	}
}

// testText decides whether a block gives the result of a check.
func (x *extraction) testText(b *block) (string, bool) {
	t := b.text
	if t.empty() || b.parent != nil && x.used[b.parent] != nil || len(t.words) > 45 || (b.tick == openTick || b.tick == badTick) && !hasCount(t) && !b.labelRole.has(roleResult) {
		return "", false
	}
	if b.labelRole.any(roleFix, roleReason, roleDecision, roleTask, roleCommit, roleFiles, roleProblem, roleCause, roleHandoff, rolePlan, roleLesson) {
		return "", false
	}
	place := b.section.roles.has(roleTest) || b.labelRole.has(roleTest)
	if b.labelRole.has(roleResult) && len(t.words) > 1 && (b.tick == doneTick || hasCount(t) || x.siblingRole(b, roleAttempt, roleFix) != nil && x.lex.is(t, classPass)) {
		return "result of an attempt", true
	}
	counted := hasCount(t)
	pass := x.lex.is(t, classPass)
	fail := x.failsAt(t) >= 0
	test := x.lex.is(t, classTest) || x.lex.is(plain(b.label), classTest)
	switch {
	case counted && (test || place):
		return "counted result", true
	case place && b.parent == nil && (pass || fail) && (test || b.tick == doneTick):
		return "result of a check", true
	case b.section.has(roleWorked) && b.kind == itemBlock && b.parent == nil && hasCode(t) && (pass || ranThrough(t)):
		return "what worked", true
	case place && b.parent == nil && b.kind == itemBlock && b.tick == doneTick && test:
		return "ticked check", true
	}
	return "", false
}

func hasCode(t text) bool {
	for _, w := range t.words {
		if w.code {
			return true
		}
	}
	return false
}

// ranThrough reports whether a text says that a command came to its end.
func ranThrough(t text) bool {
	for _, w := range t.words {
		switch w.s {
		case "completed", "produced", "printed", "returned", "ran", "built", "prints", "returns":
			return !w.code
		}
	}
	return false
}

// hasCount finds "12 passed", "12/12", "0 failed", "0 errors", "3 failures".
func hasCount(t text) bool {
	for i, w := range t.words {
		if !isNumber(w.s) || i+1 >= len(t.words) {
			continue
		}
		next := t.words[i+1]
		if (next.s == "of" || next.s == "av" || next.s == "van" || next.s == "stale") && i+2 < len(t.words) {
			if next.s == "stale" {
				return true
			}
			if isNumber(t.words[i+2].s) {
				for _, v := range t.words[i+2:] {
					switch v.s {
					case "passed", "pass", "green", "red", "failed", "stale", "complete", "ok", "tests", "runs", "succeeded":
						return true
					}
				}
			}
		}
		if isNumber(next.s) && next.start > 0 && t.s[next.start-1] == '/' && w.end == next.start-1 {
			for _, v := range t.words[i+2:] {
				switch v.s {
				case "passed", "passing", "pass", "passes", "green", "tests", "ok":
					return true
				}
			}
		}
		switch next.s {
		case "godkända", "gröna", "passed", "passing", "pass", "failed", "failing", "errors", "error", "failures", "warnings", "skipped", "geslaagd":
			return next.s != "error" && next.s != "errors" && next.s != "failures" && next.s != "warnings" || w.s == "0"
		}
		if next.s == "tests" && i+2 < len(t.words) {
			switch t.words[i+2].s {
			case "passed", "passing", "pass", "green", "ok":
				return true
			}
		}
	}
	for i := 0; i+1 < len(t.words); i++ {
		switch t.words[i].s {
		case "passed", "failed", "errors", "failures":
			if isNumber(t.words[i+1].s) && strings.ContainsAny(t.s[t.words[i].end:t.words[i+1].start], ":=") {
				return true
			}
		}
	}
	return false
}

// codeTest takes the result lines of a check's quoted output, where the place
// says that it is one.
func (x *extraction) codeTest(b *block) {
	if !b.section.roles.has(roleTest) && (b.intro == nil || !x.lex.is(b.intro.text, classTest) && !b.intro.labelRole.has(roleTest)) {
		return
	}
	for i, l := range strings.Split(strings.TrimRight(b.code, "\n"), "\n") {
		t := plain(collapse(l))
		if !hasCount(t) {
			continue
		}
		line := b.span[0] + i
		x.event(episode.Test, b, episode.Span{line, line}, t.s, "output of a check")
		return
	}
}

// tickColumn is the column whose cells all carry a status mark, or -1.
func (t *table) tickColumn() int {
	for i := range t.columns {
		all := true
		for _, r := range t.rows {
			all = all && i < len(r.cells) && r.cells[i].tick != noTick
		}
		if all {
			return i
		}
	}
	return -1
}

// tableTest takes a table of checks as one event when it has a state column, and
// reports whether the table is dealt with.
func (x *extraction) tableTest(first *block) bool {
	tab := first.table
	state := -1
	for i, c := range tab.columns {
		if c.roles.any(roleStatus, roleResult) {
			state = i
		}
	}
	if state < 0 {
		state = tab.tickColumn()
	}
	if state < 0 {
		return true
	}
	span := first.span
	pass, fail, rest := 0, 0, 0
	for _, b := range tab.rows {
		span[1] = b.span[1]
		if state >= len(b.cells) {
			continue
		}
		switch x.cellStatus(b.cells[state]) {
		case episode.Success:
			pass++
		case episode.Failure:
			fail++
		default:
			rest++
		}
	}
	if pass+fail == 0 {
		return true
	}
	if len(tab.rows) <= 6 {
		for _, b := range tab.rows {
			x.event(episode.Test, b, b.span, b.full(), "row of a table of checks")
		}
		return true
	}
	f := x.event(episode.Test, first, span, first.section.title.s+": "+countText(pass, fail, rest), "table of checks")
	for _, b := range tab.rows {
		x.used[b] = f
	}
	return true
}
