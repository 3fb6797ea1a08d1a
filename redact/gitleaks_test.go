package redact

import (
	"bytes"
	"encoding/json"
	flags "flag"
	"os"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

var update = flags.Bool("update", false, "write gitleaks/rules.json anew")

// covered are the rules of gitleaks that are not used, and what does their work.
var covered = map[string]string{
	"generic-api-key":        "assignments: it fires on ids, and its stop words let keys pass",
	"hashicorp-tf-password":  "assignments: it is for files of one kind",
	"kubernetes-secret-yaml": "manifest: it is for files of one kind, and takes one value",
	"curl-auth-user":         "tools",
	"curl-auth-header":       "headers",
	"jwt":                    "jwt",
	"private-key":            "private keys: it would cut off keys without an end",
	"pkcs12-file":            "it is for names of files",
}

// The program holds the rules of gitleaks.toml, without those that it does not use.
func TestRulesOfGitleaks(t *testing.T) {
	set := &ruleset{}
	data, err := os.ReadFile("gitleaks/gitleaks.toml")
	if err != nil {
		t.Fatal(err)
	}
	if err := toml.Unmarshal(data, set); err != nil {
		t.Fatal(err)
	}
	names, rules := map[string]bool{}, set.Rules[:0]
	for _, r := range set.Rules {
		names[r.ID] = true
		if covered[r.ID] == "" && r.Regex != "" && len(r.Keywords) > 0 {
			rules = append(rules, r)
		}
	}
	for id := range covered {
		if !names[id] {
			t.Errorf("gitleaks has no rule %q that could be left out", id)
		}
	}
	set.Rules = rules
	var want bytes.Buffer
	to := json.NewEncoder(&want)
	to.SetEscapeHTML(false)
	to.SetIndent("", " ")
	if err := to.Encode(set); err != nil {
		t.Fatal(err)
	}
	const path = "gitleaks/rules.json"
	if *update {
		if err := os.WriteFile(path, want.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not what gitleaks.toml gives (go test ./redact -run RulesOfGitleaks -update): %v", path, err)
	}
}
