package codex

import (
	"strconv"

	"episodes/agents/agent"
)

// readPrinted reads what codex exec --json prints. It says no cost.
func readPrinted(p *agent.Printed, data []byte) {
	turns := 0
	agent.Objects(data, func(e agent.Object) {
		switch e.Str("type") {
		case "item.completed":
			printedItem(p, e.Obj("item"))
		case "turn.completed":
			u := e.Obj("usage")
			turns++
			p.Tokens[strconv.Itoa(turns)] = agent.Tokens{Read: u.Count("input_tokens"),
				Cached: u.Count("cached_input_tokens"), Written: u.Count("output_tokens")}
			p.Failed = ""
		case "turn.failed":
			p.Failed = e.Obj("error").Str("message")
		case "error": // of the stream; it may recover
			p.Failed = e.Str("message")
		}
	})
}

func printedItem(p *agent.Printed, item agent.Object) {
	id := item.Str("id")
	failed := item.Str("status") == "failed" || item.Str("status") == "declined" || item.Count("exit_code") > 0
	switch item.Str("type") {
	case "agent_message":
		p.Text = item.Str("text")
	case "command_execution":
		p.Use(id, "shell", item).Failed = failed
	case "file_change":
		u := p.Use(id, "patch", nil)
		u.Failed, u.Changes = failed, []agent.Change{}
		for _, x := range item.List("changes") {
			u.Changes = append(u.Changes, agent.Change{Path: x.Str("path"), Kind: x.Str("kind")})
		}
	case "mcp_tool_call":
		p.Use(id, "mcp "+item.Str("server")+" "+item.Str("tool"), nil).Failed = failed
	case "web_search":
		p.Use(id, "search", nil)
	}
}
