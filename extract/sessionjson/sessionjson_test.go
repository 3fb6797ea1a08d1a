package sessionjson

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/extract/internal/lex"
	"episodes/internal/testing/golden"
)

// dump writes what was read, a line each fact.
func dump(l *lex.Lexicon, path string, data []byte) string {
	draft, d := Read(l, path, data)
	ep, taken := draft.Build()
	var b strings.Builder
	fmt.Fprintf(&b, "task %q\ntime %s session %q\noutcome %s %s\n", ep.Task, ep.Timestamp, draft.SessionID, ep.Outcome, ep.OutcomeSource)
	for _, d := range ep.Decisions {
		fmt.Fprintf(&b, "%s %v %s chosen=%q context=%q options=%q why=%q outcome=%s\n", d.ID, ep.Provenance.Spans[d.ID], d.Type, d.Chosen, d.Context, d.Options, d.Rationale, d.Outcome)
	}
	for _, e := range ep.Events {
		fmt.Fprintf(&b, "%s %v %s %q\n", e.ID, ep.Provenance.Spans[e.ID], e.Type, e.Content)
	}
	for i, s := range ep.Lessons {
		fmt.Fprintf(&b, "l%03d %q\n", i+1, s)
	}
	for _, k := range ep.Links {
		fmt.Fprintf(&b, "%s>%s %s explicit=%v\n", k.Source, k.Target, k.Type, k.Explicit)
	}
	for _, t := range taken {
		fmt.Fprintf(&b, "taken %v %s: %s\n", t.Span, t.What, t.Why)
	}
	for _, s := range d.Diagnostics {
		fmt.Fprintf(&b, "remark %d %s: %s\n", s.Line, s.Code, s.Message)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	l := lex.New(lex.Vocabulary{})
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !Detect(data) {
				t.Error("not detected")
			}
			golden.Is(t, path+".facts", dump(l, filepath.Base(path), data))
		})
	}
}

func TestDetect(t *testing.T) {
	for head, want := range map[string]bool{
		`{"schemaVersion":"1.0","session":{"objective":"x"},"workLog":[`: true,
		"\ufeff" + `{"protocolCompliance":{"sessionStart":{"a":`:         true,
		`{"session_id":"a","date":"2026-01-01","objective":"x"}`:         true,
		`{"info":{"session":1},"messages":[{"protocolCompliance":{}}]}`:  false,
		`{"schema_version":"ATIF-v1.5","session_id":"a","steps":[]}`:     false,
		`{"sessionId":"a","date":"d","objective":"o","messages":[]}`:     false,
		"# Notes": false,
	} {
		if got := Detect([]byte(head)); got != want {
			t.Errorf("Detect(%q) = %v", head, got)
		}
	}
}

// A log that ends with a commit succeeded where the last check that it counts passed, be it at a gate
// of the protocol.
func TestEndsWithCommit(t *testing.T) {
	l := lex.New(lex.Vocabulary{})
	const named = `"endingCommit":"1a2b3c4d","workLog":[{"action":"Committed the importer as 1a2b3c4d"}]`
	for fields, want := range map[string]episode.Outcome{
		named: episode.Unknown,
		named + `,"protocolCompliance":{"sessionEnd":{"validated":{"complete":true,"evidence":"41 tests passed; lint clean"}}}`: episode.Success,
		named + `,"protocolCompliance":{"sessionEnd":{"validated":{"evidence":"40 passed, 1 failed"}}}`:                         episode.Unknown,
		named + `,"nextSteps":["See 41 tests passed"]`:                                                                          episode.Unknown,
		`"endingCommit":"","workLog":[],"protocolCompliance":{"sessionEnd":{"validated":{"evidence":"41 tests passed"}}}`:       episode.Unknown,
	} {
		draft, _ := Read(l, "2026-01-01-log.json", []byte(`{"session":{"objective":"mend the importer"},`+fields+`}`))
		if ep, _ := draft.Build(); ep.Outcome != want {
			t.Errorf("%s: %s, want %s", fields, ep.Outcome, want)
		}
	}
}

// Every fact names lines that the file has, and no bytes make reading fail.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.json")
	for _, path := range files {
		if data, err := os.ReadFile(path); err == nil {
			f.Add(data)
		}
	}
	f.Add([]byte(`{"session":[],"workLog":{"workLog":[[{"action":{}}]]},"decisions":{"decision":["x"]},"endingCommit":"abcdef0"}`))
	l := lex.New(lex.Vocabulary{})
	f.Fuzz(func(t *testing.T, data []byte) {
		Detect(data)
		draft, _ := Read(l, "a/2026-01-01-log.json", data)
		lines := 1 + bytes.Count(data, []byte("\n"))
		for _, x := range draft.Facts {
			if x.Span[0] < 1 || x.Span[1] < x.Span[0] || x.Span[1] > lines {
				t.Fatalf("%q stands at %v of %d lines", x.Content, x.Span, lines)
			}
		}
		draft.Build()
	})
}
