package claude

import (
	"strings"

	"episodes/agents/agent"
)

// ReadPrinted reads what claude -p prints as JSON or as a stream of JSON.
func ReadPrinted(p *agent.Printed, data []byte) {
	agent.Objects(data, func(e agent.Object) {
		message := e.Obj("message")
		switch e.Str("type") {
		case "assistant":
			for _, c := range message.List("content") {
				switch c.Str("type") {
				case "text":
					p.Text = c.Str("text")
				case "tool_use":
					p.Use(c.Str("id"), c.Str("name"), c.Obj("input"))
				}
			}
			if u := message.Obj("usage"); u != nil { // repeated for each part of a message
				p.Tokens[message.Str("id")] = tokens(u)
			}
		case "user":
			for _, c := range message.List("content") {
				if c.Str("type") == "tool_result" {
					p.Result(c.Str("tool_use_id"), c.Is("is_error"))
				}
			}
		case "result":
			if text := e.Str("result"); text != "" {
				p.Text = text
			}
			if u := e.Obj("usage"); u != nil {
				t := tokens(u)
				p.Total = &t
			}
			p.AddCost(e.Money("total_cost_usd"))
			if e.Is("is_error") || strings.HasPrefix(e.Str("subtype"), "error") {
				p.Failed = strings.Trim(strings.TrimPrefix(e.Str("subtype"), "success")+": "+e.Str("result"), ": ")
			}
		}
	})
}

func tokens(u agent.Object) agent.Tokens {
	cached := u.Count("cache_read_input_tokens")
	return agent.Tokens{Read: u.Count("input_tokens") + u.Count("cache_creation_input_tokens") + cached,
		Cached: cached, Written: u.Count("output_tokens")}
}
