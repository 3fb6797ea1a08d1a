package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"episodes/extract"
	"episodes/extract/rules"
)

// Every rule that takes something of a log is in a table of the rules, since its score is counted by its name.
func TestWhatIsTakenIsInATable(t *testing.T) {
	names := rules.Names()
	logs, err := filepath.Glob("../../testdata/sessions/*.md")
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs: %v", err)
	}
	kinds, err := os.ReadFile("../../outcome/kinds.go") // names its rules by what they find
	if err != nil {
		t.Fatal(err)
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
				of := kind == "outcome" && strings.Contains(string(kinds), strconv.Quote(name))
				if taken++; !of && !slices.Contains(names[kind], name) {
					t.Errorf("%s: %s was taken by %q, which is in no table", log, item.What, name)
				}
			}
		}
	}
	if taken == 0 {
		t.Error("nothing was taken")
	}
}
