package rules

import "episodes/outcome"

// Names are the names of the rules that take something, by the kind of what they take: an event type, "lesson",
// "outcome" or "link". Tests that read whole logs hold what was taken against them.
func Names() map[string][]string {
	out := map[string][]string{
		"test":      {outputCounts, rowOfChecks, tableOfChecks, rowCountsResult, headingCounts, attemptWorked},
		"milestone": {headingDoneProse, headingDoneList, fixWithCommit},
		"decision":  {nestedChoice},
		"commit":    {inHeading},
		"error":     {statedInWords, outputOfProblem, attemptFailed, causeInList},
	}
	add := func(kind string, names []string) { out[kind] = append(out[kind], names...) }
	add("decision", namesOf(locationRules, func(l location) bool { return l.points >= 0 }))
	add("decision", namesOf(wordCues, func(cue) bool { return true }))
	add("decision", namesOf(headingRules, func(take headingTaker) bool { return take != nil }))
	add("decision", namesOf(rowRules, func(c rowChoice) bool { return c.take != nil }))
	byTaking := func(t taking) bool { return t.take }
	add("error", namesOf(errorRules, byTaking))
	add("error", namesOf(errorHeadings, byTaking))
	add("error", namesOf(errorCells, byTaking))
	add("test", namesOf(testRules, byTaking))
	add("milestone", namesOf(thingRules, byTaking))
	add("milestone", namesOf(workRules, byTaking))
	add("milestone", namesOf(rowWorkRules, byTaking))
	add("lesson", namesOf(lessonRules, byTaking))
	add("commit", namesOf(commitRules, func(e commitEvidence) bool { return e != noCommit }))
	add("outcome", namesOf(signRules, func(s lineSign) bool { return s.kind != outcome.NothingShown }))
	for _, r := range logRules {
		add(string(r.verdict), []string{r.name})
	}
	for _, r := range recordLinks {
		add("link", []string{r.name})
	}
	return out
}

// namesOf are the names of the rules of a table whose verdict takes something.
func namesOf[F, V any](table []ruleOn[F, V], takes func(V) bool) []string {
	var out []string
	for _, r := range table {
		if takes(r.verdict) {
			out = append(out, r.name)
		}
	}
	return out
}
