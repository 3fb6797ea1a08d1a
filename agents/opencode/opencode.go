// Package opencode describes OpenCode.
package opencode

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/turns"
)

// Agent is OpenCode.
var Agent = agent.Agent{
	Name: "opencode", Title: "OpenCode",
	Format: &turns.Format{Name: "opencode", Title: "OpenCode", Detect: detect, Read: read},
	Transcripts: &agent.Transcripts{
		Folders: func(e agent.Environment) []string {
			return []string{filepath.Join(e.Folder("XDG_DATA_HOME", ".local", "share"), "opencode")}
		},
		Unread: "keeps them in a database, which is not read; `opencode export SESSION >FILE`, and then `episodes extract FILE`, takes one in",
		Member: member,
	},
	// Of its small model only the user knows the name: --model in the user's configuration.
	Reader: `OPENCODE_CONFIG_CONTENT='{"permission":{"*":"deny"},"share":"disabled"}' opencode run --pure`,
	Actor:  &agent.Actor{Head: "run --format json", Read: readPrinted, Cost: true},
}

// member reads the ids of the session and of its parent from the member "info" of an export.
func member(h *agent.Heads, path string, head []byte) *agent.Member {
	if !bytes.Contains(head, []byte(`"info"`)) || !strings.EqualFold(filepath.Ext(path), ".json") {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(h.Begin(path)))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return &agent.Member{}
	}
	for {
		name, err := dec.Token()
		if err != nil {
			return &agent.Member{}
		}
		var info struct {
			ID       string `json:"id"`
			ParentID string `json:"parentID"`
		}
		if name != "info" {
			var other json.RawMessage
			if dec.Decode(&other) != nil {
				return &agent.Member{}
			}
			continue
		}
		m := &agent.Member{}
		if err := dec.Decode(&info); info.ID != "" && err == nil {
			m.IDs = []string{info.ID}
			if info.ParentID != "" {
				m.Of = []string{info.ParentID}
			}
		}
		return m
	}
}

// readPrinted reads what opencode run --format json prints: steps with their tokens and cost.
func readPrinted(p *agent.Printed, data []byte) {
	steps := 0
	agent.Objects(data, func(e agent.Object) {
		part := e.Obj("part")
		switch e.Str("type") {
		case "text":
			p.Text = part.Str("text")
		case "tool_use":
			state := part.Obj("state")
			p.Use(part.Str("callID"), part.Str("tool"), state.Obj("input")).Failed = state.Str("status") == "error"
		case "step_finish":
			t := part.Obj("tokens")
			cached := t.Obj("cache").Count("read")
			steps++
			p.Tokens[strconv.Itoa(steps)] = agent.Tokens{
				Read: t.Count("input") + cached + t.Obj("cache").Count("write"), Cached: cached, Written: t.Count("output") + t.Count("reasoning"),
			}
			p.AddCost(part.Money("cost"))
		case "error":
			failure := e.Obj("error")
			p.Failed = strings.Trim(failure.Str("name")+": "+failure.Obj("data").Str("message"), ": ")
		}
	})
}
