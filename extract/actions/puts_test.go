package actions

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/turns"
)

// A fix keeps the lines that its edits left, in files of the folder of the session.
func TestFixesKeepTheLinesTheyPutIn(t *testing.T) {
	const total, taxed = "total := sum(items)", "total := taxed(sum(items))"
	long := strings.Repeat("line of a file;\n", 3) + strings.Join(strings.Split("abcdefghijklmnopq", ""), " is a line of it\n")
	patch := "*** Begin Patch\n*** Update File: cart/cart.go\n-" + total + "\n+" + taxed + "\n*** End Patch"
	mended := func(k *talk) *talk { return k.sh("go test ./...", 0, passing) }
	for name, c := range map[string]struct {
		k    *talk
		want []episode.Put
	}{
		"an edit":                   {(&talk{}).edit("/src/shop/cart.go", "old line", total+"\n}\n"), []episode.Put{episode.NewPut("cart.go", []string{total})}},
		"another folder":            {(&talk{}).edit("/etc/shop/cart.go", "old line", total), nil},
		"a path that leads out":     {(&talk{}).edit("/src/shop/../cart.go", "old line", total), nil},
		"a line that was put twice": {(&talk{}).edit("/src/shop/cart.go", "old line", total).edit("/src/shop/cart.go", total, taxed), []episode.Put{episode.NewPut("cart.go", []string{taxed})}},
		"the last file first": {(&talk{}).edit("/src/shop/a.go", "old line", total).edit("b/b.go", "old line", taxed),
			[]episode.Put{episode.NewPut("b/b.go", []string{taxed}), episode.NewPut("a.go", []string{total})}},
		"a patch": {(&talk{}).call(turns.ToolCall{Tool: turns.Edit, Files: []string{"cart/cart.go"}, New: patch}, turns.ToolResult{State: turns.OK}), []episode.Put{episode.NewPut("cart/cart.go", []string{taxed})}},
		"a small file": {(&talk{}).call(turns.ToolCall{Tool: turns.Write, Files: []string{"/src/shop/a.go"}, New: "package shop\n\n" + total + "\n"}, turns.ToolResult{State: turns.OK}),
			[]episode.Put{episode.NewPut("a.go", []string{"package shop", total})}},
		"a large file":      {(&talk{}).call(turns.ToolCall{Tool: turns.Write, Files: []string{"/src/shop/a.go"}, New: long}, turns.ToolResult{State: turns.OK}), nil},
		"what was redacted": {(&talk{}).edit("/src/shop/a.go", "old line", "key := \"[redacted api-key]\""), nil},
		"what only goes":    {(&talk{}).edit("/src/shop/a.go", total, ""), nil},
	} {
		b := New()
		for _, turn := range mended(&talk{turns: append((&talk{}).sh("go test ./...", 1, failing).turns, moved(c.k.turns)...), line: 50}).turns {
			if err := b.Add(turn); err != nil {
				t.Fatal(err)
			}
		}
		var got []episode.Put
		fixes := 0
		for _, f := range b.Draft(turns.Session{ID: "s", Dir: "/src/shop"}).Facts {
			if f.Kind == facts.Event && f.Event == episode.ToolCall {
				got, fixes = f.Put, fixes+1
			}
		}
		if fixes != 1 {
			t.Errorf("%s: %d fixes", name, fixes)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// moved are turns behind those of another talk.
func moved(list []turns.Turn) []turns.Turn {
	for i := range list {
		list[i].At = episode.Span{10 + i, 10 + i}
		if c := list[i].Call; c != nil {
			c.ID = "m" + c.ID
		}
		if r := list[i].Result; r != nil {
			r.ID = "m" + r.ID
		}
	}
	return list
}
