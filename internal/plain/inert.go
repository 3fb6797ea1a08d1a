package plain

import (
	"regexp"
	"strings"
	"sync"
)

// Inert makes a text of others one that opens and closes nothing around it, for those that
// give a meaning to marks in a text: tags, the marks of chat templates, fences of code,
// pictures. What is replaced reads alike.
func Inert(s string) string {
	if !strings.ContainsAny(s, "<`~[") {
		return s
	}
	for _, m := range marks() {
		s = m.find.ReplaceAllStringFunc(s, m.by)
	}
	return s
}

type mark struct {
	find *regexp.Regexp
	by   func(string) string
}

var marks = sync.OnceValue(func() []mark {
	first := func(by string) func(string) string {
		return func(m string) string { return by + m[1:] }
	}
	return []mark{
		{regexp.MustCompile(`<+[\pL/!?|｜_{%$]`), func(m string) string { return strings.ReplaceAll(m, "<", "‹") }},
		{regexp.MustCompile("`{3,}|~{3,}"), func(string) string { return "'''" }},
		{regexp.MustCompile(`(?i)\[/?(?:inst|sys)\b`), first("(")},
		{regexp.MustCompile(`!\[`), func(string) string { return "! [" }},
	}
})
