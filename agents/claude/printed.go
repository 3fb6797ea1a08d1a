package claude

import "episodes/agents/agent"

// ReadPrinted reads what claude -p prints as JSON or as a stream of JSON.
func ReadPrinted(p *agent.Printed, data []byte) {
	agent.Objects(data, func(e agent.Object) {
		message := e.Obj("message")
		switch e.Str("type") {
		case "assistant":
			p.Answer(message)
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
			p.End(e, tokens)
			p.AddCost(e.Money("total_cost_usd"))
		}
	})
}

func tokens(u agent.Object) agent.Tokens {
	cached := u.Count("cache_read_input_tokens")
	return agent.Tokens{Read: u.Count("input_tokens") + u.Count("cache_creation_input_tokens") + cached,
		Cached: cached, Written: u.Count("output_tokens")}
}
