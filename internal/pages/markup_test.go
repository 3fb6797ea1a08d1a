package pages

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestEscaped(t *testing.T) {
	for _, x := range []struct {
		l     literal
		value any
		want  markup
	}{
		{"<p>{}</p>", `</p><script>"x" & 'y'</script>{}`, `<p>&lt;/p&gt;&lt;script&gt;&#34;x&#34; &amp; &#39;y&#39;&lt;/script&gt;{}</p>`},
		{"<p>{}</p>", h("<b>{}</b>", "<"), "<p><b>&lt;</b></p>"},
		{"<p>{}</p>", 33.5, "<p>33.5</p>"},
		{`<input value="{}">`, `" onfocus="owned()`, `<input value="&#34; onfocus=&#34;owned()">`},
		{`<a href="{}">`, `/a b/%20%?q=1&r=é#e>1`, `<a href="/a%20b/%20%25?q=1&amp;r=%C3%A9#e%3E1">`},
		{`<a href="{}">`, "#a:b", `<a href="#a:b">`},
		{`<a href="{}">`, "HTTPS://x.example", `<a href="HTTPS://x.example">`},
		{`<a href="{}">`, `\\evil.example`, `<a href="%5C%5Cevil.example">`},
		{`<a href="{}">`, `"><script>`, `<a href="%22%3E%3Cscript%3E">`},
		{`<a href="{}">`, "javascript:owned()", `<a href="#">`},
		{`<a href="{}">`, " JavaScript\n:owned()", `<a href="#">`},
		{`<a href="{}">`, "java\tscript:owned()//", `<a href="#">`},
		{`<a class="q" href="{}">`, "data:text/html,owned", `<a class="q" href="#">`},
		{`<script src="{}">`, "vbscript:owned", `<script src="#">`},
		{`<form action="{}">`, "javascript:owned()", `<form action="#">`},
		{`<script type="application/json">{}</script>`, data(`</script><!--` + "\u2028"), `<script type="application/json">"\u003c/script\u003e\u003c!--\u2028"</script>`},
	} {
		if got := h(x.l, x.value); got != x.want {
			t.Errorf("%s with %q:\n%s\nwant\n%s", x.l, x.value, got, x.want)
		}
	}
}

// Only constants, and what h makes, are markup; each {} has a value, and each is where h escapes what is in it: in
// text, or in a quoted value that is no script or style.
func TestLiterals(t *testing.T) {
	checked, inTag := 0, regexp.MustCompile(`<[^>]*$`)
	value := regexp.MustCompile(`\s((id|class|value|content|x|width|aria-labelledby|data-more)="[^"]*|(href|src|action)=")$`)
	inScript := regexp.MustCompile(`<(script|style)[^>]*>[^<]*$`)
	files, _ := filepath.Glob("*.go")
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "markup.go" {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			name, _ := call.Fun.(*ast.Ident)
			if name == nil {
				return true
			}
			at := map[string]int{"h": 0, "when": 1, "with": 0, "markup": 0, "literal": 0}
			i, is := at[name.Name]
			if !is {
				return true
			}
			text := ""
			ast.Inspect(call.Args[i], func(n ast.Node) bool {
				if l, is := n.(*ast.BasicLit); is {
					s, _ := strconv.Unquote(l.Value)
					text += s
				}
				return true
			})
			_, constant := call.Args[i].(*ast.BasicLit)
			if name.Name == "markup" || name.Name == "literal" {
				if arg, _ := call.Args[i].(*ast.Ident); !constant && !(file == "file.go" && arg != nil && (arg.Name == "style" || arg.Name == "text")) {
					t.Errorf("%s: what is no constant becomes markup", set.Position(call.Pos()))
				}
				return true
			}
			parts := strings.Split(text, "{}")
			if values := call.Args[i+1:]; len(values) != len(parts)-1 {
				t.Errorf("%s: %d values for %q", set.Position(call.Pos()), len(values), text)
				return true
			}
			for k, v := range call.Args[i+1:] {
				checked++
				before := strings.Join(parts[:k+1], "")
				made, _ := v.(*ast.CallExpr)
				by := ""
				if made != nil {
					if f, is := made.Fun.(*ast.Ident); is {
						by = f.Name
					}
				}
				switch {
				case inTag.MatchString(before) && !value.MatchString(before) && by != "when" && by != "with":
					t.Errorf("%s: a value of %q is in a tag, and not quoted", set.Position(v.Pos()), text)
				case inScript.MatchString(before) && by != "data" && by != "markup":
					t.Errorf("%s: a value of %q is in a script or style", set.Position(v.Pos()), text)
				}
			}
			return true
		})
	}
	if checked < 200 {
		t.Errorf("%d values", checked)
	}
}
