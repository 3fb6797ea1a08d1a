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
	if !strings.ContainsAny(s, "<＜﹤◁`~[［") {
		return s
	}
	for _, m := range marks() {
		s = m.find.ReplaceAllStringFunc(s, m.by)
	}
	return s
}

// opening replaces what a mark begins with.
var opening = strings.NewReplacer("<", "‹", "＜", "‹", "﹤", "‹", "◁", "‹", "[", "(", "［", "(")

type mark struct {
	find *regexp.Regexp
	by   func(string) string
}

var marks = sync.OnceValue(func() []mark {
	return []mark{
		{regexp.MustCompile(`[<＜﹤◁]+[\pL/!?|｜_{%$／]`), opening.Replace},
		{regexp.MustCompile("`{3,}|~{3,}"), func(string) string { return "'''" }},
		{regexp.MustCompile(`[\[［][/／]?(?:(?i:inst|sys)|SYSTEM_PROMPT|MODEL_SETTINGS|AVAILABLE_TOOLS|TOOL_(?:CALLS?|CONTENT|RESULTS?)|CALL_ID|ARGS|THINK|[gs]?MASK|IMG|PREFIX|MIDDLE|SUFFIX)\b`),
			opening.Replace},
		{regexp.MustCompile(`!\[`), func(string) string { return "! [" }},
	}
})
