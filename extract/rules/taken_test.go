package rules_test

import (
	"slices"
	"strings"

	"episodes/extract"
	"episodes/extract/rules"
	"os"
	"path/filepath"
	"testing"
)

// Every rule that takes something of a log is in a table of the rules, since its score is counted by its name.
func TestWhatIsTakenIsInATable(t *testing.T) {
	names := rules.Names()
	logs, err := filepath.Glob("../../testdata/sessions/*.md")
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs: %v", err)
	}
	taken := 0
	for _, log := range logs {
		data, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		res, err := extract.New(extract.Vocabulary{}).Log(extract.Source{Path: filepath.Base(log)}, data)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range res.Taken {
			kind := strings.Fields(item.What)[0]
			if kind == "event" {
				kind = strings.Trim(strings.Fields(item.What)[2], "()")
			}
			for _, name := range strings.Split(item.Rule, ", ") {
				if name == "" {
					continue
				}
				if taken++; !slices.Contains(names[kind], name) {
					t.Errorf("%s: %s was taken by %q, which is in no table", log, item.What, name)
				}
			}
		}
	}
	if taken == 0 {
		t.Error("nothing was taken")
	}
}
