//go:build unix

package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// client is one version of an agent, and how it is started without a terminal. In its texts {URL} is
// the address of the model.
type client struct {
	name, title  string // name is that of the agent in this program
	pkg, version string // of npm
	program      string
	args         []string // before the prompt
	env          []string
	before       map[string]string  // files in a new home
	settings     []string           // files in the home that setup may write
	events       []string           // that have to come in a session with a failed check
	failed       string             // the event after a failed command
	trusts       []string           // arguments and variables that trust a folder or hooks, left out to try it without
	sub          string             // the event at the end of a sub-agent; "" for no event
	shared       []string           // folders in a home that hold what the program unpacks; all homes share it
	plugin       [][]string         // arguments that install the plugin of a repository, {ROOT}
	rewrite      []string           // arguments with which the agent changes its own settings
	trust        func(*place) error // trusts the repository and all hooks, and lets the agent write that down
	written      []string           // files in the home that the agent writes by itself, next to the settings
	exports      string             // folder in the home with transcripts that no hook names
	refuses      []string           // arguments without which the agent refuses to run commands
	subagent     string             // the script that starts a sub-agent
	mcp          string             // the script that asks the MCP server
	completes    string             // the script that completes its own session; "" where its transcript is in no file
	asks         bool               // it can be asked at the end of a session
	first        []string           // arguments that make its database, where two at once would make it twice
}

// variant is a client with a model and with the scripts that suit it.
type variant struct {
	name   string
	client *client
	first  string            // script of the session that fails, mends and passes
	before map[string]string // instead of the client's
}

var claudeCode = client{
	name: "claude", title: "Claude Code", pkg: "@anthropic-ai/claude-code", version: "2.1.330", program: "claude",
	args:     []string{"--permission-mode", "acceptEdits", "--allowedTools", "Bash(*)", "mcp__episodes", "-p"},
	env:      []string{"ANTHROPIC_BASE_URL={URL}", "ANTHROPIC_API_KEY=sk-ant-none", "ANTHROPIC_MODEL=claude-opus-4-6", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1"},
	settings: []string{".claude/settings.json"},
	written:  []string{".claude.json"},
	events:   []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"},
	failed:   "PostToolUseFailure",
	sub:      "SubagentStop",
	plugin:   [][]string{{"plugin", "marketplace", "add", "{ROOT}"}, {"plugin", "install", "episodes@episodes"}},
	rewrite:  []string{"mcp", "add", "--scope", "user", "other", "--", "true"},
	subagent: "task", mcp: "deferred", completes: "deferredcomplete", asks: true,
}

const codexConfig = `# settings of the user
model = "MODEL"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "{URL}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"

[analytics]
enabled = false
`

var codex = client{
	name: "codex", title: "Codex", pkg: "@openai/codex", version: "0.169.0", program: "codex",
	args:     []string{"exec", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"},
	env:      []string{"SCRIPTED_KEY=none"},
	before:   map[string]string{".codex/config.toml": strings.ReplaceAll(codexConfig, "MODEL", "gpt-5.1-codex")},
	settings: []string{".codex/hooks.json", ".codex/config.toml"},
	events:   []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"},
	failed:   "PostToolUse",
	sub:      "SubagentStop",
	plugin:   [][]string{{"plugin", "marketplace", "add", "{ROOT}"}, {"plugin", "add", "episodes@episodes"}},
	trusts:   []string{"--dangerously-bypass-hook-trust"},
	rewrite:  []string{"mcp", "add", "other", "--", "true"},
	trust:    trustCodex,
	subagent: "spawn", mcp: "ask", completes: "complete", asks: true,
}

func codexModel(model string) map[string]string {
	return map[string]string{".codex/config.toml": strings.ReplaceAll(codexConfig, "MODEL", model)}
}

var gemini = client{
	name: "gemini", title: "Gemini CLI", pkg: "@google/gemini-cli", version: "0.61.0", program: "gemini",
	args: []string{"--yolo", "-m", "gemini-2.5-pro", "-p"},
	env:  []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL={URL}", "GEMINI_CLI_TRUST_WORKSPACE=true"},
	before: map[string]string{".gemini/settings.json": `{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false}
}
`},
	settings: []string{".gemini/settings.json"},
	events:   []string{"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"},
	failed:   "AfterTool",
	trusts:   []string{"GEMINI_CLI_TRUST_WORKSPACE=true"},
	rewrite:  []string{"mcp", "add", "--scope", "user", "other", "true"},
	subagent: "task", mcp: "ask", completes: "complete",
}

var copilot = client{
	name: "copilot", title: "Copilot CLI", pkg: "@github/copilot", version: "1.0.102", program: "copilot",
	args:     []string{"--allow-all-tools", "--no-color", "-p"},
	env:      []string{"COPILOT_PROVIDER_BASE_URL={URL}/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=none", "COPILOT_MODEL=gpt-5", "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false"},
	settings: []string{".copilot/hooks/episodes.json", ".copilot/mcp-config.json"},
	events:   []string{"sessionStart", "postToolUse", "agentStop", "sessionEnd"},
	failed:   "postToolUse",
	sub:      "subagentStop",
	shared:   []string{".cache/copilot"},
	refuses:  []string{"--allow-all-tools"},
	rewrite:  []string{"mcp", "add", "other", "--", "true"},
	subagent: "task", mcp: "ask", completes: "complete",
}

var openCode = client{
	name: "opencode", title: "OpenCode", pkg: "opencode-ai", version: "1.18.33", program: "opencode",
	args: []string{"run"},
	env:  []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_SHARE=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1", "OPENCODE_DISABLE_EMBEDDED_WEB_UI=1"},
	// It installs a library for plugins before a session; there is no registry here.
	before: map[string]string{".npmrc": "registry={URL}/none/\nfetch-retries=0\n", ".config/opencode/opencode.json": `{
  "$schema": "https://opencode.ai/config.json",
  "model": "scripted/one",
  "small_model": "scripted/one",
  "autoupdate": false,
  "share": "disabled",
  "provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "{URL}/v1", "apiKey": "none"}, "models": {"one": {}}}}
}
`},
	settings: []string{".config/opencode/opencode.json", ".config/opencode/plugin/episodes.js"},
	rewrite:  []string{"mcp", "add", "other", "--url", "http://127.0.0.1:9/mcp"},
	exports:  ".local/state/episodes/opencode",
	first:    []string{"session", "list"},
	failed:   "toolExecuteAfter",
	events:   []string{"sessionCreated", "chatMessage", "toolExecuteAfter", "sessionIdle"},
	subagent: "task", mcp: "ask",
}

// variants are all that is run, in the order of the table.
var variants = []*variant{
	{name: "claude", client: &claudeCode, first: "mend"},
	{name: "codex", client: &codex, first: "mend"},
	{name: "codex-5.5", client: &codex, first: "mend", before: codexModel("gpt-5.5")},
	{name: "codex-code", client: &codex, first: "code", before: codexModel("gpt-5.6-sol")},
	{name: "codex-all", client: &codex, first: "codeall", before: codexModel("gpt-5.6-sol")},
	{name: "gemini", client: &gemini, first: "mend"},
	{name: "copilot", client: &copilot, first: "mend"},
	{name: "opencode", client: &openCode, first: "mend"},
}

// choose returns the variants with some names, separated by commas; all for "".
func choose(only string) (out []*variant, err error) {
	if only == "" {
		return variants, nil
	}
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(variants, func(v *variant) bool { return v.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no variant %q", name)
		}
		out = append(out, variants[i])
	}
	return out, nil
}

// clientsOf returns each client of some variants once.
func clientsOf(vs []*variant) (out []*client) {
	for _, v := range vs {
		if !slices.Contains(out, v.client) {
			out = append(out, v.client)
		}
	}
	return out
}

// files are those that a new home has, with the address of the model.
func (v *variant) files(url string) map[string]string {
	out := maps.Clone(v.client.before)
	if v.before != nil {
		out = maps.Clone(v.before)
	}
	for name, text := range out {
		out[name] = strings.ReplaceAll(text, "{URL}", url)
	}
	return out
}

// binary is the folder with the program of a client.
func (c *client) binary(cache string) string {
	return filepath.Join(c.prefix(cache), "node_modules", ".bin")
}

// alone reports whether a variant is the first of its client: only that one goes through single
// situations, which do not depend on the model.
func (v *variant) alone() bool {
	i := slices.IndexFunc(variants, func(x *variant) bool { return x.client == v.client })
	return variants[i] == v
}
