package agent

import (
	"strconv"
	"strings"

	"episodes/internal/lazy"
)

// readClaude reads what claude -p prints as JSON or as a stream of JSON, and qwen, whose
// form is the same.
func readClaude(r *reading, data []byte) {
	events(data, func(e event) {
		message := e.obj("message")
		switch e.str("type") {
		case "assistant":
			for _, c := range message.list("content") {
				switch c.str("type") {
				case "text":
					r.text = c.str("text")
				case "tool_use":
					r.use(c.str("id"), c.str("name"), c.obj("input"))
				}
			}
			if u := message.obj("usage"); u != nil { // repeated for each part of a message
				r.tokens[message.str("id")] = claudeTokens(u)
			}
		case "user":
			for _, c := range message.list("content") {
				if failed, _ := c["is_error"].(bool); c.str("type") == "tool_result" {
					r.result(c.str("tool_use_id"), failed)
				}
			}
		case "result":
			if text := e.str("result"); text != "" {
				r.text = text
			}
			if u := e.obj("usage"); u != nil {
				t := claudeTokens(u)
				r.total = &t
			}
			r.addCost(e.money("total_cost_usd"))
			if failed, _ := e["is_error"].(bool); failed || strings.HasPrefix(e.str("subtype"), "error") {
				r.failed = strings.Trim(e.str("subtype")+": "+e.str("result"), ": ")
			}
		}
	})
}

func claudeTokens(u event) tokens {
	cached := u.count("cache_read_input_tokens")
	return tokens{u.count("input_tokens") + u.count("cache_creation_input_tokens") + cached, cached, u.count("output_tokens")}
}

// readCodex reads what codex exec --json prints. It says no cost.
func readCodex(r *reading, data []byte) {
	turns := 0
	events(data, func(e event) {
		item := e.obj("item")
		switch e.str("type") {
		case "item.completed":
			r.codexItem(item)
		case "turn.completed":
			u := e.obj("usage")
			turns++
			r.tokens[strconv.Itoa(turns)] = tokens{u.count("input_tokens"), u.count("cached_input_tokens"), u.count("output_tokens")}
			r.failed = ""
		case "turn.failed":
			r.failed = e.obj("error").str("message")
		case "error": // of the stream; it may recover
			r.failed = e.str("message")
		}
	})
}

func (r *reading) codexItem(item event) {
	id := item.str("id")
	failed := item.str("status") == "failed" || item.str("status") == "declined" || item.count("exit_code") > 0
	switch item.str("type") {
	case "agent_message":
		r.text = item.str("text")
	case "command_execution":
		r.use(id, "shell", item).failed = failed
	case "file_change":
		c := r.use(id, "patch", nil)
		c.failed, c.changes = failed, []change{}
		for _, x := range item.list("changes") {
			c.changes = append(c.changes, change{x.str("path"), x.str("kind")})
		}
	case "mcp_tool_call":
		r.use(id, "mcp "+item.str("server")+" "+item.str("tool"), nil).failed = failed
	case "web_search":
		r.use(id, "search", nil)
	}
}

// readGemini reads what gemini prints as a stream of JSON, or as JSON. It says no cost.
func readGemini(r *reading, data []byte) {
	last := ""
	events(data, func(e event) {
		kind := e.str("type")
		switch kind {
		case "message":
			if e.str("role") == "assistant" {
				if last != "message" {
					r.text = ""
				}
				r.text += e.str("content")
			}
		case "tool_use":
			r.use(e.str("tool_id"), e.str("tool_name"), e.obj("parameters"))
		case "tool_result":
			r.result(e.str("tool_id"), e.str("status") == "error")
		case "result", "":
			r.geminiResult(e)
		}
		last = kind
	})
}

func (r *reading) geminiResult(e event) {
	if text := e.str("response"); text != "" {
		r.text = text
	}
	if failure := e.obj("error"); failure != nil || e.str("status") == "error" {
		r.failed = strings.Trim(failure.str("type")+": "+failure.str("message"), ": ")
	}
	stats := e.obj("stats")
	if _, ok := stats["input_tokens"]; ok {
		r.total = &tokens{stats.count("input_tokens"), stats.count("cached"), stats.count("output_tokens")}
		return
	}
	for name := range stats.obj("models") {
		t := stats.obj("models").obj(name).obj("tokens")
		r.tokens[name] = tokens{t.count("prompt") + t.count("tool"), t.count("cached"), t.count("candidates") + t.count("thoughts")}
	}
}

// readOpencode reads what opencode run --format json prints: steps with their tokens and
// cost.
func readOpencode(r *reading, data []byte) {
	steps := 0
	events(data, func(e event) {
		part := e.obj("part")
		switch e.str("type") {
		case "text":
			r.text = part.str("text")
		case "tool_use":
			state := part.obj("state")
			r.use(part.str("callID"), part.str("tool"), state.obj("input")).failed = state.str("status") == "error"
		case "step_finish":
			t := part.obj("tokens")
			cached := t.obj("cache").count("read")
			steps++
			r.tokens[strconv.Itoa(steps)] = tokens{t.count("input") + cached + t.obj("cache").count("write"), cached, t.count("output") + t.count("reasoning")}
			r.addCost(part.money("cost"))
		case "error":
			failure := e.obj("error")
			r.failed = strings.Trim(failure.str("name")+": "+failure.obj("data").str("message"), ": ")
		}
	})
}

// readCursor reads what cursor-agent prints as a stream of JSON, or as JSON. It says no
// cost, and only newer versions say tokens.
func readCursor(r *reading, data []byte) {
	events(data, func(e event) {
		switch e.str("type") {
		case "assistant":
			for _, c := range e.obj("message").list("content") {
				if c.str("type") == "text" {
					r.text = c.str("text")
				}
			}
		case "tool_call":
			for name := range e.obj("tool_call") {
				x := e.obj("tool_call").obj(name)
				c := r.use(e.str("call_id"), strings.TrimSuffix(name, "ToolCall"), x.obj("args"))
				if result := x.obj("result"); result != nil {
					_, ok := result["success"]
					c.failed = !ok
				}
			}
		case "result":
			if text := e.str("result"); text != "" {
				r.text = text
			}
			if u := e.obj("usage"); u != nil {
				cached := u.count("cacheReadTokens")
				r.total = &tokens{u.count("inputTokens") + cached + u.count("cacheWriteTokens"), cached, u.count("outputTokens")}
			}
			if failed, _ := e["is_error"].(bool); failed {
				r.failed = strings.Trim(e.str("subtype")+": "+e.str("result"), ": ")
			}
		}
	})
}

// What aider prints for people: the files that it changed, and the tokens and the cost of
// each message, in thousands where they are many.
var (
	aiderEdit   = lazy.Pattern(`^Applied edit to (.+)$`)
	aiderTokens = lazy.Pattern(`^Tokens: ([\d.,]+[kM]?) sent(?:, [\d.,]+[kM]? cache write)?(?:, ([\d.,]+[kM]?) cache hit)?, ([\d.,]+[kM]?) received\.(?: Cost: \$([\d.,]+) message)?`)
)

// readAider reads what aider prints without colours.
func readAider(r *reading, data []byte) {
	var text []string
	messages := 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if m := aiderEdit().FindStringSubmatch(line); m != nil {
			r.use("", "edit", event{"path": m[1]})
			continue
		}
		m := aiderTokens().FindStringSubmatch(line)
		if m == nil {
			text = append(text, line)
			continue
		}
		messages++
		r.tokens[strconv.Itoa(messages)] = tokens{thousands(m[1]), thousands(m[2]), thousands(m[3])}
		if cost, err := strconv.ParseFloat(strings.ReplaceAll(m[4], ",", ""), 64); err == nil {
			r.addCost(&cost)
		}
		r.text, text = strings.Join(text, "\n"), nil // what stood before is the message
	}
}

// thousands reads a count such as 950, 12k, 1.5M or 1,024.
func thousands(s string) int {
	s = strings.ReplaceAll(s, ",", "")
	factor := 1.0
	for suffix, f := range map[string]float64{"k": 1e3, "M": 1e6} {
		if strings.HasSuffix(s, suffix) {
			s, factor = strings.TrimSuffix(s, suffix), f
		}
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0 && x < 1e9) {
		return 0
	}
	return int(x * factor)
}

// readText takes all that was printed for the agent's words.
func readText(r *reading, data []byte) { r.text = string(data) }
