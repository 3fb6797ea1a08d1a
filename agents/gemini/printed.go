package gemini

import (
	"strings"

	"episodes/agents/agent"
)

// readPrinted parses the output of gemini, a stream of JSON or one JSON value. It has no cost.
func readPrinted(p *agent.Printed, data []byte) {
	last := ""
	agent.Objects(data, func(e agent.Object) {
		kind := e.Str("type")
		switch kind {
		case "message":
			if e.Str("role") == "assistant" {
				if last != "message" {
					p.Text = ""
				}
				p.Text += e.Str("content")
			}
		case "tool_use":
			p.Use(e.Str("tool_id"), e.Str("tool_name"), e.Obj("parameters"))
		case "tool_result":
			p.Result(e.Str("tool_id"), e.Str("status") == "error")
		case "result", "":
			printedEnd(p, e)
		}
		last = kind
	})
}

func printedEnd(p *agent.Printed, e agent.Object) {
	if text := e.Str("response"); text != "" {
		p.Text = text
	}
	if failure := e.Obj("error"); failure != nil || e.Str("status") == "error" {
		p.Failed = strings.Trim(failure.Str("type")+": "+failure.Str("message"), ": ")
	}
	stats := e.Obj("stats")
	if _, ok := stats["input_tokens"]; ok {
		p.Total = &agent.Tokens{Read: stats.Count("input_tokens"), Cached: stats.Count("cached"), Written: stats.Count("output_tokens")}
		return
	}
	for name := range stats.Obj("models") {
		t := stats.Obj("models").Obj(name).Obj("tokens")
		p.Tokens[name] = agent.Tokens{Read: t.Count("prompt") + t.Count("tool"), Cached: t.Count("cached"),
			Written: t.Count("candidates") + t.Count("thoughts")}
	}
}
