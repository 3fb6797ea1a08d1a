package extract

import (
	"episodes/keys"
	"path"
	"strings"
)

// failsAt finds a word that says that something failed, is not taken back by a
// negation, and is not the object of a repair ("fixed the failing test").
func (t text) failsAt() int {
	for i := range t.words {
		if !t.at(i, classFail) || t.negated(i) || t.verdictNames(i) {
			continue
		}
		if t.words[i].s == "fails" && t.at(i+1, classByDesign) {
			continue
		}
		if t.at(i+1, classAbout) && !strings.HasSuffix(t.words[i].s, "ed") && !strings.HasSuffix(t.words[i].s, "ing") {
			continue
		}
		return i
	}
	return -1
}

// verdictNames reports whether the word stands among the names of verdicts, next
// to its opposite: "pass/fail counts", "shows [PASS], [FAIL]", "pass or fail".
func (t text) verdictNames(i int) bool {
	for j := i - 1; j > 0 && j >= i-2; j-- {
		if t.words[j].s == "or" && t.at(j-1, classPass) { // "all succeed or all fail"
			return true
		}
	}
	if !t.at(i, classMark) {
		return false
	}
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && t.at(j, classMark) && t.words[j].s != t.words[i].s && !strings.ContainsAny(t.s[t.words[min(i, j)].end:t.words[max(i, j)].start], ";:.–—") {
			return true
		}
	}
	return false
}

// strongFail reports whether a text says in the past or present tense that
// something failed, not only that a word of failure stands in it.
func (t text) strongFail() bool {
	if !t.classes.has(classStrong) {
		return false
	}
	for i := 1; i < len(t.words); i++ {
		if t.at(i, classStrong) && !t.negated(i) && !t.at(i+1, classBefore) && !t.conditional(i) {
			return true
		}
	}
	return false
}

// negated reports whether the words before i take it back: "0 errors", "no
// regressions", "without errors"; also "errors: 0".
func (t text) negated(i int) bool {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		if strings.ContainsAny(t.s[t.words[j].end:t.words[j+1].start], ",;.:") {
			break
		}
		if t.words[j].classes.has(classNegate) {
			return true
		}
	}
	return i+1 < len(t.words) && (t.words[i+1].s == "0" || t.words[i+1].s == "none") && !strings.ContainsAny(t.s[t.words[i].end:t.words[i+1].start], "-–—,;")
}

// found reports whether a text says that faults came to light.
func (t text) found() bool {
	if i := t.failsAt(); t.at(0, classFind) && i > 0 && !t.at(i, classUnsettled) {
		return true
	}
	for i, w := range t.words {
		if !w.classes.has(classFind) {
			continue
		}
		for j := i + 1; j < len(t.words) && j <= i+8; j++ {
			if !t.at(j, classFaultNoun) || j+1 < len(t.words) && isNumber(t.words[j+1].s) {
				continue // "found issue #230" is a reference
			}
			if !t.negated(j) && !t.negated(i) {
				return true
			}
		}
	}
	return false
}

// repaired reports whether a text tells of a repair or of a thing made, rather
// than of a failure: it opens with the verb for it.
func (t text) repaired() bool {
	for i := 0; i < len(t.words) && i < 2; i++ {
		c := t.words[i].classes
		if c.has(classMake) || c.has(classAdopt) {
			return true
		}
	}
	if i := strings.IndexByte(t.s, ':'); i > 0 { // "Ticket #12 created: ..."
		for j := range t.words {
			if t.words[j].end == i {
				return j > 0 && t.at(j, classMake) && strings.HasSuffix(t.words[j].s, "ed")
			}
		}
	}
	return false
}

// noFault reports whether a text that stands where faults do tells of none: it
// opens with a good result, with what guards against faults, or with nothing; or it
// is where an analysis lies.
func (t text) noFault() bool {
	if len(t.words) == 0 {
		return true
	}
	first := t.words[0]
	switch {
	case t.at(0, classGuard), first.s == "none", first.s == "pending":
		return true
	case t.at(0, classMark) && t.at(0, classPass):
		return true
	case isFileName(t.s):
		return true
	}
	well := t.index(classWell)
	return well >= 0 && !t.negated(well) && t.failsAt() < 0
}

// labelFails reports whether a label names a fault: "Performance regression: …".
func (l text) labelFails() bool {
	n := len(l.words)
	return n > 0 && n <= 4 && l.at(n-1, classFail) && !l.negated(n-1)
}

// lacks reports whether a text opens with what is not there: "No integration tests".
func (l text) lacks() bool {
	n := len(l.words)
	return n > 1 && (l.at(0, classNone) || l.at(0, classLack)) && !l.at(n-1, classNeeded)
}

// opensWithFault reports whether the first clause of a text is short and says
// that something is wrong.
func (t text) opensWithFault() bool {
	first := t.lex.text(keys.Clause(t.s))
	return len(first.words) <= 16 && first.failsAt() >= 0 && !first.repaired()
}

// reported reports whether a text opens with somebody's report of a fault: "User
// reported: …".
func (t text) reported() bool {
	for i := 1; i < 3; i++ {
		if t.at(i, classReported) {
			end := t.words[i].end
			return strings.HasPrefix(t.s[end:], ":") || strings.HasPrefix(t.s[end:], " that") || strings.HasPrefix(t.s[end:], " \"")
		}
	}
	return false
}

// badState reports whether a text opens with a bad state, in capitals: "BLOCKED by
// the rate limit". It says nothing without what is in that state.
func (t text) badState() bool {
	if !t.capitals(0) {
		return false
	}
	if t.at(0, classFail) {
		return true
	}
	last := t.words[0].s[strings.LastIndexByte(t.words[0].s, '_')+1:] // CRITICAL_FAIL
	return last != t.words[0].s && t.lex.words[last].classes.has(classFail)
}

// countOnly reports whether a text is a bare count or state, as in "Errors: 0".
func (t text) countOnly() bool {
	for _, w := range t.words {
		if !isNumber(w.s) && !w.classes.has(classNegate) {
			return false
		}
	}
	return true
}

// supposed reports whether a text speaks of what might happen: "if the gate fails
// three times, pause".
func (t text) supposed() bool {
	for i := 1; i < len(t.words) && i <= 4; i++ { // "Tries: if the gate fails ..."
		if strings.HasPrefix(t.s[t.words[i-1].end:], ": ") {
			return t.at(0, classIf) || t.at(i, classIf)
		}
	}
	return t.at(0, classIf)
}

// conditional reports whether the failure at word i is one that may come: "stops
// when a check fails".
func (t text) conditional(i int) bool {
	if strings.HasSuffix(t.words[i].s, "ed") || strings.HasSuffix(t.words[i].s, "ing") {
		return false
	}
	for j := i - 1; j >= 0 && j >= i-5; j-- {
		if strings.ContainsAny(t.s[t.words[j].end:t.words[j+1].start], ".;:") {
			return false
		}
		if t.at(j, classIf) || t.at(j, classWhen) {
			return true
		}
	}
	return false
}

// wished reports whether a text names an improvement to make rather than a fault.
func (t text) wished() bool {
	return t.at(0, classWish)
}

// toBeDone reports whether a text that stands as a problem sets a task: "Process
// the open threads".
func (t text) toBeDone() bool {
	return t.at(0, classTodo) && t.failsAt() < 0 || t.at(0, classTodo) && t.at(0, classAdopt)
}

// dealtWith reports whether a text says that a fault was met before: "already
// addressed".
func (t text) dealtWith() bool {
	for i := 1; i < len(t.words); i++ {
		if t.at(i, classRepaired) && t.at(i-1, classEarlier) {
			return true
		}
	}
	return false
}

// isCount reports whether a text is a figure with a remark: "3 (informational)".
func (t text) isCount() bool {
	if len(t.words) > 1 && len(t.words) <= 3 && isNumber(t.words[0].s) && !t.classes.has(classFail) {
		return true // "10+ endpoints"
	}
	return len(t.words) > 1 && isNumber(t.words[0].s) && (strings.Contains(t.s[t.words[0].end:t.words[1].start], "(") || isNumber(t.words[1].s) && t.words[1].start == t.words[0].end+1)
}

// isTicket reports whether a text is a reference to a ticket and its title.
func (t text) isTicket() bool {
	for _, p := range []string{"#", "PR #", "Issue #", "http", "Fixes #", "Closes #", "Resolves #"} {
		if strings.HasPrefix(t.s, p) {
			n := strings.Count(p, " ") // "PR #12 had 97 comments" says something of it
			return !t.at(n+1, classHas)
		}
	}
	return false
}

// namesTicket reports whether a label or title opens with a ticket's number, as
// in "Issue #312: ..."; a small number counts the faults of the log.
func (t text) namesTicket() bool {
	for i := 1; i < len(t.words) && i < 4; i++ {
		if w := t.words[i]; isNumber(w.s) && len(w.s) > 2 && strings.HasSuffix(t.s[:w.start], "ssue #") {
			return true
		}
	}
	return false
}

// isFileName reports whether a text is the name of a file and no more.
func isFileName(s string) bool {
	return !strings.ContainsAny(s, " (:@") && (strings.Contains(s, "/") && path.Ext(s) != "" || textFiles[path.Ext(s)])
}

// textFiles are the files that logs name without a folder.
var textFiles = func() map[string]bool {
	known := map[string]bool{}
	for _, ext := range strings.Fields(".md .txt .json .jsonl .yaml .yml .toml .xml .html .css .csv .sql .sh .ps1 .psm1 .psd1 .py .go .rs .js .mjs .ts .tsx .jsx .java .kt .cs .c .h .cpp .rb .php .swift") {
		known[ext] = true
	}
	return known
}()

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
