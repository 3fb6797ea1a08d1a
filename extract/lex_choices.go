package extract

import "strings"

// chosenAt finds a verb of choice used of the writer's own act, or -1.
func (t text) chosenAt() int {
	if !t.classes.has(classChoose) {
		return -1
	}
	for i := range t.words {
		if !t.at(i, classChoose) {
			continue
		}
		if i == 0 || i > 0 && t.at(i-1, classSubject) || i < 4 && !t.words[0].code && t.s[0] >= 'A' && t.s[0] <= 'Z' {
			return i
		}
	}
	return -1
}

// contrast returns the words that set one option against another, or "".
func (t text) contrast() string {
	if i := t.index(classContrast); i >= 0 && !t.deviates() {
		return t.words[i].s + " " + t.words[i+1].s
	}
	if t.chosenAt() >= 0 {
		if i := t.find("over"); i > 0 && i+1 < len(t.words) {
			return "over"
		}
	}
	if strings.Contains(t.s, "not ") && (strings.Contains(t.s, "(not ") || strings.Contains(t.s, ", not ")) {
		return "not"
	}
	return ""
}

// deviates reports whether the sentence that sets one thing against another tells of a
// failure: "it failed since the tool read B instead of A" is no choice.
func (t text) deviates() bool {
	if !t.classes.has(classFail) {
		return false
	}
	for _, s := range t.sentences() {
		if s.is(classContrast) {
			return s.failsAt() >= 0 && !s.repaired() && !s.at(0, classAdopt) && s.chosenAt() < 0
		}
	}
	return false
}

// routes returns the verb with which a text gives work to several agents, or "".
func (t text) routes() string {
	if !t.classes.has(classAgents) || len(t.words) > 30 {
		return ""
	}
	for i := range 3 {
		if !t.at(i, classLaunch) {
			continue
		}
		for j := i + 1; j < len(t.words) && j < i+7; j++ {
			if t.at(j, classAgents) {
				return t.words[i].s
			}
		}
	}
	return ""
}

// refusal finds a participle that says that a thing is not done now: "X deferred
// to the next release", or -1.
func (t text) refusal() int {
	if !t.classes.has(classRefuseAct) || len(t.words) > 30 {
		return -1
	}
	for i := range t.words {
		if t.at(i, classRefuseAct) && t.at(i, classChoose) && i > 0 && t.participleEnds(i) && !isNumber(t.words[i-1].s) {
			return i
		}
	}
	return -1
}

// participleEnds reports whether the participle at word i ends a statement
// ("X was added to Y", "X added."), rather than describing a thing.
func (t text) participleEnds(i int) bool {
	if i > 0 && (t.at(i-1, classSpoils) || t.at(i-1, classNegate)) {
		return false
	}
	if i+1 < len(t.words) && strings.HasSuffix(t.words[i+1].s, "ly") {
		i++
	}
	if i+1 == len(t.words) || t.at(i+1, classPrep) {
		return true
	}
	return strings.ContainsAny(t.s[t.words[i].end:t.words[i+1].start], ".,;:()-–—。、・）")
}

// fixedIt reports whether a text says which act ended a fault: "Clearing the
// cache fixed it", "The test was fixed by pinning the clock".
func (t text) fixedIt() bool {
	if len(t.words) < 4 || len(t.words) > 20 || !t.classes.has(classRepaired) {
		return false
	}
	gerund := !t.words[0].code && strings.HasSuffix(t.words[0].s, "ing")
	for i := 1; i < len(t.words); i++ {
		if !t.at(i, classRepaired) {
			continue
		}
		if gerund && i > 1 && !t.at(i-1, classSpoils) {
			return true
		}
		if i+2 < len(t.words) && t.words[i+1].s == "by" && strings.HasSuffix(t.words[i+2].s, "ing") {
			return true
		}
	}
	return false
}

// byMeans reports whether the writer says by what means the work was done: "I
// implemented X by introducing Y".
func (t text) byMeans() bool {
	if !t.at(0, classFirst) && !t.at(0, classMake) || len(t.words) > 60 {
		return false
	}
	act := -1
	for i := 0; i < len(t.words); i++ {
		switch {
		case act < 0 && i < 4 && t.at(i, classMake):
			act = i
		case act > 0 && t.words[i].s == "by" && i+1 < len(t.words) && strings.HasSuffix(t.words[i+1].s, "ing"):
			return true
		}
	}
	return false
}

// purpose reports whether a text says what its act is to prevent.
func (t text) purpose() bool {
	return t.is(classPurpose)
}

// verdict reports whether a text is a judgement: approve, reject and the like.
func (t text) verdict() bool {
	for i := range 4 {
		if t.at(i, classVerdict) {
			return true
		}
	}
	return t.at(0, classMark) && t.capitals(0)
}

// reasonLike reports whether a text explains rather than states: it opens like
// a clause, not like an act.
func (t text) reasonLike() bool {
	return t.at(0, classExplain)
}

// actLike reports whether a label states an act: it opens with a verb of choice
// or of making.
func (t text) actLike() bool {
	return len(t.words) > 1 && (t.at(0, classAdopt) || t.at(0, classChoose) || t.at(0, classMake))
}

// chooses reports whether a text says that one side was kept or taken.
func (t text) chooses() bool { return t.is(classKeep) }

// leadIn cuts off the words at the end of a text that open its list.
func (t text) leadIn() (string, bool) {
	n := len(t.words)
	for n > 1 && t.at(n-1, classLeadIn) {
		n--
	}
	if !strings.HasSuffix(t.s, ":") || n == len(t.words) {
		return t.s, false
	}
	return strings.TrimRight(t.s[:t.words[n].start], " ,;"), true
}
