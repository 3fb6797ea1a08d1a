package cursor

import (
	"strings"

	"episodes/agents/agent"
)

// readPrinted reads what cursor-agent prints as a stream of JSON, or as JSON. It says no cost,
// and only newer versions say tokens.
func readPrinted(p *agent.Printed, data []byte) {
	agent.Objects(data, func(e agent.Object) {
		switch e.Str("type") {
		case "assistant":
			for _, c := range e.Obj("message").List("content") {
				if c.Str("type") == "text" {
					p.Text = c.Str("text")
				}
			}
		case "tool_call":
			for name := range e.Obj("tool_call") {
				x := e.Obj("tool_call").Obj(name)
				u := p.Use(e.Str("call_id"), strings.TrimSuffix(name, "ToolCall"), x.Obj("args"))
				if result := x.Obj("result"); result != nil {
					_, ok := result["success"]
					u.Failed = !ok
				}
			}
		case "result":
			if text := e.Str("result"); text != "" {
				p.Text = text
			}
			if u := e.Obj("usage"); u != nil {
				cached := u.Count("cacheReadTokens")
				p.Total = &agent.Tokens{Read: u.Count("inputTokens") + cached + u.Count("cacheWriteTokens"),
					Cached: cached, Written: u.Count("outputTokens")}
			}
			if e.Is("is_error") {
				p.Failed = strings.Trim(e.Str("subtype")+": "+e.Str("result"), ": ")
			}
		}
	})
}
