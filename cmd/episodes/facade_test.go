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
	w.write("a.md", "# A\n\n**Status**: Complete\n\n## Decision: how to wait\n\n- **Options**: fail <at once>; retry\n- **Chosen**: retry\n\n- Error: LockTimeout: index is locked & lost\n")
	if code := w.run("extract", "a.md"); code != 0 {
		t.Fatalf("exit %d: %s", code, &w.stderr)
	}
	m, err := episodes.Open(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	ctx := context.Background()
	for _, c := range []struct {
		args []string
		ask  func() (any, error)
	}{
		{[]string{"path", "--from", "LockTimeout", "--to", "success"}, func() (any, error) {
			return m.Path(ctx, episodes.PathRequest{From: "LockTimeout", To: "success"})
		}},
		{[]string{"path", "--from", "zebra", "--to", "success"}, func() (any, error) {
			return m.Path(ctx, episodes.PathRequest{From: "zebra", To: "success"})
		}},
		{[]string{"whatif", "--decision", "fail", "--verbose"}, func() (any, error) {
			return m.WhatIf(ctx, episodes.WhatIfRequest{Option: "fail", Explain: true})
		}},
		{[]string{"patterns"}, func() (any, error) { return m.Patterns(ctx, episodes.DefaultPatterns(episodes.Works)) }},
		{[]string{"antipatterns"}, func() (any, error) { return m.Patterns(ctx, episodes.DefaultPatterns(episodes.Fails)) }},
		{[]string{"explain", "LockTimeout"}, func() (any, error) { return m.Explain(ctx, episodes.ExplainRequest{Ref: "LockTimeout"}) }},
		{[]string{"explain", "zebra"}, func() (any, error) { return m.Explain(ctx, episodes.ExplainRequest{Ref: "zebra"}) }},
	} {
		w.run(append(c.args, "--json")...)
		var got struct{ Data json.RawMessage }
		if err := json.Unmarshal(w.stdout.Bytes(), &got); err != nil {
			t.Fatalf("%q: %v", c.args, err)
		}
		answer, err := c.ask()
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := writeJSON(&want, answer); err != nil {
			t.Fatal(err)
		}
		if string(got.Data) != string(bytes.TrimSpace(want.Bytes())) {
			t.Errorf("%q: %s\nthe package: %s", c.args, got.Data, &want)
		}
	}
}
