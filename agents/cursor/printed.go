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
			p.Answer(e.Obj("message"))
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
			p.End(e, func(u agent.Object) agent.Tokens {
				cached := u.Count("cacheReadTokens")
				return agent.Tokens{Read: u.Count("inputTokens") + cached + u.Count("cacheWriteTokens"),
					Cached: cached, Written: u.Count("outputTokens")}
			})
		}
	})
}
