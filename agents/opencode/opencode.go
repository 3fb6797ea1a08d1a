// Package opencode describes OpenCode.
package opencode

import (
	"bytes"
	_ "embed" // plugin.js
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// Agent is OpenCode.
var Agent = agent.Agent{
	Name: "opencode", Title: "OpenCode",
	Format: &turns.Format{Name: "opencode", Title: "OpenCode", Detect: detect, Read: read},
	Transcripts: &agent.Transcripts{Folders: folders, Note: "sessions that its plugin did not export are in its database; `opencode export SESSION >FILE`, and then `episodes extract FILE`, takes one in",
		Is: isExport, Apart: true, Place: place, Member: member, Export: export},
	Hooks: &agent.Hooks{Fields: agent.Snake(), Events: events},
	Settings: &agent.Settings{
		Home: func(e agent.Environment) string {
			return filepath.Join(e.Folder("XDG_CONFIG_HOME", ".config"), "opencode")
		},
		User:     agent.InHome(agent.At("plugin/episodes.js", agent.HooksPart, agent.ServerPart)),
		Project:  []agent.File{agent.At(".opencode/plugin/episodes.js", agent.HooksPart, agent.ServerPart)},
		Traces:   []string{".opencode", "opencode.json"},
		Programs: []string{"opencode"},
		Handler: func(c agent.Call) any { // only its program is used: see Script
			return map[string]string{"command": c.Line}
		},
		Script: script,
	},
	// Of its small model only the user knows the name: --model in the user's configuration. Without a title it
	// asks the model for one, with the whole order.
	Reader: `OPENCODE_CONFIG_CONTENT='{"permission":{"*":"deny"},"share":"disabled"}' opencode run --pure --title reader`,
	Actor:  &agent.Actor{Head: "run --format json", Read: readPrinted, Cost: true},
}

// folders are a folder of this program, for sessions that were exported from the database in which
// OpenCode keeps them, and that of the database.
func folders(e agent.Environment) []string {
	return []string{filepath.Join(e.Folder("XDG_STATE_HOME", ".local", "state"), exportsIn, "opencode"),
		filepath.Join(e.Folder("XDG_DATA_HOME", ".local", "share"), "opencode")}
}

const exportsIn = "episodes"

func isExport(path string) bool {
	return strings.HasSuffix(path, ".json") && filepath.Base(filepath.Dir(filepath.Dir(path))) == exportsIn
}

var sessionID = lazy.Pattern(`^ses_[A-Za-z0-9]{8,64}$`)

// export is the command that prints a session.
func export(id string) []string {
	if !sessionID().MatchString(id) {
		return nil
	}
	return []string{"opencode", "export", id}
}

// place is the folder in the member "info" of an export.
func place(h *agent.Heads, path string) agent.Place {
	return agent.Place{Dir: infoOf(h.Begin(path)).Directory}
}

// infoOf reads the member "info" of an export, which is empty if there is none.
func infoOf(begin []byte) (s session) {
	dec := json.NewDecoder(bytes.NewReader(begin))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return s
	}
	for {
		var other json.RawMessage
		switch name, err := dec.Token(); {
		case err != nil:
			return s
		case name == "info":
			_ = dec.Decode(&other)
			turns.Decode(other, &s)
			return s
		case dec.Decode(&other) != nil:
			return s
		}
	}
}

// The events are those of the plugin. It adds an answer to the prompt, or to the output of a tool.
var events = []agent.Event{
	{Name: "sessionCreated", Moment: agent.Start, Answer: answer},
	{Name: "chatMessage", Moment: agent.Prompt, Answer: answer},
	{Name: "toolExecuteAfter", Moment: agent.After, Answer: answer},
	{Name: "sessionIdle", Moment: agent.End},
}

func answer(_, text string) any {
	return struct {
		Text string `json:"text"`
	}{text}
}

//go:embed plugin.js
var plugin string

// script is the plugin that calls a program.
func script(program string) string {
	quoted, _ := json.Marshal(program)
	return strings.Replace(plugin, `"PROGRAM"`, string(quoted), 1)
}

// member reads the ids of the session and of its parent from the member "info" of an export.
func member(h *agent.Heads, path string, head []byte) *agent.Member {
	if !bytes.Contains(head, []byte(`"info"`)) || !strings.EqualFold(filepath.Ext(path), ".json") {
		return nil
	}
	m, s := &agent.Member{}, infoOf(h.Begin(path))
	if s.ID != "" {
		m.IDs = []string{s.ID}
		if s.ParentID != "" {
			m.Of = []string{s.ParentID}
		}
	}
	return m
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
