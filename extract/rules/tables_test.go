package rules

import (
	"strings"
	"testing"
)

// Reports count by the names of rules, and join several by commas.
func TestRuleNames(t *testing.T) {
	seen := map[string]bool{}
	for kind, names := range map[string][]string{
		"error":     ruleNames(errorRules),
		"cell":      ruleNames(errorCells),
		"location":  ruleNames(locationRules),
		"cue":       ruleNames(wordCues),
		"heading":   ruleNames(headingRules),
		"table row": ruleNames(rowRules),
	} {
		for _, n := range names {
			if n == "" || strings.ContainsAny(n, `,:"`) {
				t.Errorf("%s rule %q", kind, n)
			}
			if seen[kind+n] {
				t.Errorf("two %s rules are called %q", kind, n)
			}
			seen[kind+n] = true
		}
	}
}

func ruleNames[F, V any](table []ruleOn[F, V]) []string {
	var out []string
	for _, r := range table {
		out = append(out, r.name)
	}
	return out
}
