package rules

import (
	"strings"
	"testing"
)

// Reports count by the names of rules, and join several by commas.
func TestRuleNames(t *testing.T) {
	seen := map[string]bool{}
	for kind, names := range map[string][]string{
		"error":     names(errorRules),
		"cell":      names(errorCells),
		"location":  names(locationRules),
		"cue":       names(wordCues),
		"heading":   names(headingRules),
		"table row": names(rowRules),
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

func names[F, V any](table []ruleOn[F, V]) []string {
	var out []string
	for _, r := range table {
		out = append(out, r.name)
	}
	return out
}
