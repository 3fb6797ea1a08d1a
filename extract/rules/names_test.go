package rules

import (
	"strings"

	"testing"
)

// The score of a rule is counted by its name.
func TestNamesOfRulesAreUnique(t *testing.T) {
	for kind, names := range Names() {
		seen := map[string]bool{}
		for _, n := range names {
			if n == "" || seen[n] || strings.Contains(n, ", ") {
				t.Errorf("a rule for %s is named %q: names are unique, and have no comma, which joins them", kind, n)
			}
			seen[n] = true
		}
	}
	tables := map[string][]string{
		"testRules": allNames(testRules), "thingRules": allNames(thingRules), "workRules": allNames(workRules),
		"rowWorkRules": allNames(rowWorkRules), "lessonRules": allNames(lessonRules),
		"commitRules": allNames(commitRules), "signRules": allNames(signRules), "logRules": allNames(logRules),
		"errorRules": allNames(errorRules), "errorCells": allNames(errorCells), "locationRules": allNames(locationRules), "wordCues": allNames(wordCues),
		"headingRules": allNames(headingRules), "rowRules": allNames(rowRules),
	}
	for table, names := range tables {
		seen := map[string]bool{}
		for _, n := range names {
			if n == "" || seen[n] {
				t.Errorf("two rules of %s are named %q, or one has no name", table, n)
			}
			seen[n] = true
		}
	}
}

func allNames[F, V any](table []ruleOn[F, V]) []string {
	return namesOf(table, func(V) bool { return true })
}
