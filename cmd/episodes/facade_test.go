package main

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"episodes"
)

// The package for other programs gives the answers of the command line: what marshals
// from an answer is the data of --json.
func TestFacadeGivesTheSameAnswers(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\n\n**Status**: Complete\n\n## Decision: how to wait\n\n- **Problem**: LockTimeout: index is locked & lost\n- **Options**: fail & forget; retry\n- **Chosen**: retry\n")
	w.ok("extract", "a.md")
	m, err := episodes.Open(w.dir)
	must0(t, err)
	defer m.Close()
	ctx := context.Background()
	for _, c := range []struct {
		args []string
		ask  func() (any, error)
	}{
		{[]string{"path", "--from", "LockTimeout", "--to", "success"}, func() (any, error) {
			return m.Path(ctx, episodes.PathRequest{From: "LockTimeout", To: "success"})
		}},
		{[]string{"whatif", "--decision", "fail"}, func() (any, error) {
			return m.WhatIf(ctx, episodes.WhatIfRequest{Option: "fail"})
		}},
		{[]string{"patterns"}, func() (any, error) { return m.Patterns(ctx, episodes.DefaultPatterns(episodes.Works)) }},
		{[]string{"explain", "a#d001"}, func() (any, error) { return m.Explain(ctx, episodes.ExplainRequest{Ref: "a#d001"}) }},
		{[]string{"explain", "a#d009"}, func() (any, error) { return m.Explain(ctx, episodes.ExplainRequest{Ref: "a#d009"}) }},
	} {
		w.run(append(c.args, "--json")...)
		var got struct{ Data json.RawMessage }
		if err := json.Unmarshal(w.stdout.Bytes(), &got); err != nil {
			t.Fatalf("%q: %v", c.args, err)
		}
		answer, err := c.ask()
		must0(t, err)
		var want bytes.Buffer
		must0(t, writeJSON(&want, answer))
		if string(got.Data) != string(bytes.TrimSpace(want.Bytes())) {
			t.Errorf("%q: %s\nthe package: %s", c.args, got.Data, &want)
		}
	}
}
