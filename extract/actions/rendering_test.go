package actions

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/internal/turns"
)

func rendered(tb testing.TB, k *talk) []Rendered {
	tb.Helper()
	b := New()
	for _, t := range k.turns {
		if err := b.Add(t); err != nil {
			tb.Fatal(err)
		}
	}
	return b.Rendering()
}

func TestRendering(t *testing.T) {
	k := (&talk{}).user("Retries must stop after a minute.\nNever change the schema.").
		says("Let me look.").
		tool(turns.Read, "Read", "src/retry.go", turns.OK, strings.Repeat("a line of the file\n", 500)).
		sh("cd /src && go test ./...", 1, "ok  \tother\t0.1s\n--- FAIL: TestRetry (0.01s)\n    retry_test.go:9: want 60, have 61\nFAIL\n"+strings.Repeat("noise\n", 300)).
		says("The limit is off by one because the clock starts at 1.").
		edit("src/retry.go", "for n <= limit {\n\tx()\n}", "for n < limit {\n\tx()\n}").
		sh("go test ./...", 0, "ok  \tretry\t0.1s\n").
		sh("git commit -qam 'retry: stop in time'", 0, "[main 1a2b3c4] retry: stop in time\n 1 file changed\n").
		call(turns.ToolCall{Name: "Ask", Tool: turns.Ask, Text: "Push now?", Options: []string{"Yes", "Later"}}, turns.ToolResult{State: turns.OK, Said: "Later"}).
		says("Done: retries end after 60 s.\n\n- the schema is as it was").
		stop()
	var got []string
	for _, r := range rendered(t, k) {
		got = append(got, fmt.Sprintf("%d %s", r.Record, r.Text))
	}
	want := []string{
		"1 user: Retries must stop after a minute.\nNever change the schema.",
		"2 agent: Let me look.",
		"3 Read src/retry.go",
		"6 $ go test ./... → failed: TestRetry: want 60, have 61\n  --- FAIL: TestRetry (0.01s)\n  retry_test.go:9: want 60, have 61",
		"7 agent: The limit is off by one because the clock starts at 1.",
		"8 edits src/retry.go\n- for n <= limit {\n+ for n < limit {",
		"10 $ go test ./... → passes",
		"12 $ git commit -qam 'retry: stop in time' → commit 1a2b3c4",
		"14 asks: Push now? [Yes | Later]",
		"15 user: Later",
		"16 agent: Done: retries end after 60 s.\n\n- the schema is as it was",
		"17 the user stopped the agent",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Of a long session all that people said stays, and the agent's last words and stated causes; it has a limit.
func TestRenderingOfALongSession(t *testing.T) {
	k := &talk{}
	for i := range 300 {
		k.user(fmt.Sprintf("Demand number %d.", i)).
			says(strings.Repeat("I look at one more file. ", 20)+fmt.Sprintf("It broke because of cause %d. ", i)+strings.Repeat("And at another. ", 20)).
			sh(fmt.Sprintf("make step%d", i), 0, "done").
			edit(fmt.Sprintf("f%d.go", i), "a := 1", "a := 2").
			says(fmt.Sprintf("Conclusion %d. %s", i, strings.Repeat("It holds. ", 10)))
	}
	list := rendered(t, k)
	if n := size(list); n > mostRendering {
		t.Errorf("it has %d bytes", n)
	}
	var all strings.Builder
	for _, r := range list {
		all.WriteString(r.Text + "\n")
	}
	for i := range 300 {
		for _, want := range []string{"Demand number %d.", "Conclusion %d.", "because of cause %d."} {
			if want = fmt.Sprintf(want, i); !strings.Contains(all.String(), want) {
				t.Fatalf("%q is not shown", want)
			}
		}
	}
	if said := list[len(list)-1].Text; !regexp.MustCompile(`\nleft out: [0-9]{5,} bytes of `).MatchString(said) {
		t.Errorf("it ends with %q, not with what is left out", said)
	}
	if k = (&talk{}).user(strings.Repeat("paste ", 5000)); len(rendered(t, k)[0].Text) > personBytes+20 {
		t.Error("a paste is shown whole")
	}
}

// The same turns give the same rendering, in the order of the records, within its limit.
func TestRenderingLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k := &talk{}
		for range rapid.IntRange(0, 60).Draw(rt, "turns") {
			text := rapid.StringN(0, 400, 4000).Draw(rt, "text")
			switch rapid.IntRange(0, 4).Draw(rt, "kind") {
			case 0:
				k.user(text)
			case 1:
				k.says(text)
			case 2:
				k.sh(text, rapid.IntRange(0, 1).Draw(rt, "code"), text)
			case 3:
				k.edit("a.go", text, "b")
			default:
				k.in(rapid.SampledFrom([]string{"", "sub"}).Draw(rt, "sub"))
			}
		}
		list := rendered(t, k)
		if d := cmp.Diff(list, rendered(t, k), cmp.AllowUnexported(Rendered{})); d != "" {
			rt.Error(d)
		}
		if size(list) > mostRendering {
			rt.Errorf("%d bytes", size(list))
		}
		if !slices.IsSortedFunc(list, func(a, b Rendered) int { return a.Record - b.Record }) {
			rt.Error("not in the order of the records")
		}
	})
}
