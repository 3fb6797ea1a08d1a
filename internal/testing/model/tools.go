package model

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// tool is what is needed of a tool that an agent offers.
type tool struct {
	free   bool           // it reads free text instead of an object
	params map[string]any // JSON schemas by the names of parameters
}

// schema reads the parameters of a JSON schema.
func schema(raw json.RawMessage) tool {
	var s struct {
		Properties map[string]any `json:"properties"`
	}
	_ = json.Unmarshal(raw, &s)
	return tool{params: s.Properties}
}

// names are the tools that do a step, over all agents.
var names = map[Do][]string{
	Shell: {"Bash", "exec_command", "shell_command", "run_shell_command", "bash", "shell"},
	Read:  {"Read", "read_file", "read", "view"},
	Edit:  {"Edit", "replace", "edit", "str_replace_editor", "apply_patch"},
	Task:  {"Task", "Agent", "task", "spawn_agent", "invoke_agent"},
}

// resolve returns the call for a step, with one of some tools; nil if none does it.
func resolve(s Step, tools map[string]tool, dir string) *call {
	if s.Do == Tool {
		for _, name := range sorted(tools) {
			if name == s.Name || strings.HasSuffix(name, s.Name) && strings.Contains(name, "episodes") {
				return &call{name, s.Args}
			}
		}
		return nil
	}
	for _, want := range names[s.Do] {
		for _, name := range sorted(tools) {
			t := tools[name]
			if name != want && !strings.HasSuffix(name, "/"+want) {
				continue
			}
			if t.free {
				return &call{name, patch(s)}
			}
			return &call{name, fill(s, t, filepath.Join(dir, s.File))}
		}
	}
	switch s.Do { // an agent without such a tool does it in a shell
	case Read:
		return resolve(Step{Do: Shell, Cmd: "cat " + s.File}, tools, dir)
	case Edit:
		return resolve(Step{Do: Shell, Cmd: "sed -i 's|" + s.Old + "|" + s.New + "|' " + s.File}, tools, dir)
	}
	return nil
}

// fill returns the arguments of a call: a value for each parameter that the tool has.
func fill(s Step, t tool, file string) obj {
	values := map[Do]obj{
		Shell: {"cmd": s.Cmd, "command": s.Cmd, "description": "Run a command", "is_background": false},
		Read:  {"file_path": file, "filePath": file, "absolute_path": file, "path": file},
		Edit: {"file_path": file, "filePath": file, "path": file, "old_string": s.Old, "oldString": s.Old, "old_str": s.Old,
			"new_string": s.New, "newString": s.New, "new_str": s.New, "instruction": "change a line", "input": patch(s), "patchText": patch(s)},
		Task: {"prompt": s.Prompt, "message": s.Prompt, "description": "Run the tests", "subagent_type": "general-purpose",
			"agent_type": "task", "agent_name": "generalist", "name": "helper", "mode": "sync", "run_in_background": false},
	}[s.Do]
	args := obj{}
	for p, sch := range t.params {
		v, ok := values[p]
		if !ok {
			continue
		}
		kind, _ := sch.(map[string]any)
		switch {
		case kind["type"] == "array":
			v = []any{"bash", "-lc", v}
		case p == "subagent_type" && t.params["task_id"] != nil:
			v = "general" // as OpenCode names it
		}
		args[p] = v
	}
	if s.Do == Edit && t.params["command"] != nil {
		args["command"] = "str_replace"
	}
	return args
}

// patch returns an edit in the patch format of Codex.
func patch(s Step) string {
	return "*** Begin Patch\n*** Update File: " + s.File + "\n@@\n-" + s.Old + "\n+" + s.New + "\n*** End Patch"
}

func sorted(tools map[string]tool) (names []string) {
	for name := range tools {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
