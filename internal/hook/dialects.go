package hook

// Moment is when an agent calls.
type Moment uint8

// The moments. At Silent ones nothing is asked, since the agent drops the answer or there
// is nothing to ask.
const (
	Silent Moment = iota
	Start         // a session begins, goes on, or was compacted
	Prompt        // a person gave a task
	Before        // a tool is about to be called
	After         // a tool was called; whether it failed is to be found out
	Failed        // a tool was called and failed
	End           // a turn or a session ended: its transcript can be read
)

// String names the moment.
func (m Moment) String() string {
	return [...]string{"silent", "start", "prompt", "before", "after", "failed", "end"}[m]
}

// event is how an agent calls at one moment, and what it takes for an answer.
type event struct {
	moment Moment
	answer func(event, text string) any // nil where it takes none
	worked bool                         // it calls where the tool exited with 0, unless the payload says otherwise
}

var silent, ends = event{}, event{moment: End}

func tells(m Moment, answer func(event, text string) any) event {
	return event{moment: m, answer: answer}
}

// ifWorked is the event of an agent that has another one for what failed.
func (e event) ifWorked() event { e.worked = true; return e }

// fields are the names under which payloads have things, the first that is there counts.
type fields struct {
	session, sub, cwd, source        []string
	tool, input, response, failure   []string
	command                          []string // of a payload about a command line alone
	stopped, prompt, transcript, own []string // own: the transcript of a sub-agent
}

// dialect is an agent's way to call.
type dialect struct {
	fields fields
	events map[string]event
}

// snake are the names of Claude Code, which others took over.
var snake = fields{
	session: []string{"session_id"}, sub: []string{"agent_id"}, cwd: []string{"cwd"}, source: []string{"source"},
	tool: []string{"tool_name"}, input: []string{"tool_input"}, response: []string{"tool_response", "tool_result", "tool_output"},
	failure: []string{"error", "error_message"}, stopped: []string{"is_interrupt"}, prompt: []string{"prompt"},
	transcript: []string{"transcript_path"}, own: []string{"agent_transcript_path"},
}

// dialects are the agents by the names that settings call them by. These names, and those
// of the events, stand in the settings of users and are never changed.
var dialects = map[string]dialect{
	"claude": {snake, map[string]event{
		"SessionStart":       tells(Start, specific),
		"UserPromptSubmit":   tells(Prompt, specific),
		"PreToolUse":         tells(Before, specific),
		"PostToolUse":        tells(After, specific).ifWorked(),
		"PostToolUseFailure": tells(Failed, specific),
		"SubagentStop":       ends,
		"Stop":               ends,
		"SessionEnd":         ends,
		"PreCompact":         silent,
	}},
	"codex": {snake, map[string]event{
		"SessionStart":      tells(Start, specific),
		"UserPromptSubmit":  tells(Prompt, specific),
		"PreToolUse":        tells(Before, specific),
		"PostToolUse":       tells(After, specific),
		"SubagentStop":      ends,
		"Stop":              ends,
		"SessionEnd":        ends,
		"PreCompact":        silent,
		"PostCompact":       silent,
		"PermissionRequest": silent,
		"SubagentStart":     silent,
		"Interrupt":         silent,
	}},
	"copilot": {copilotFields, twoSpellings(map[[2]string]event{
		{"sessionStart", "SessionStart"}:             tells(Start, topLevel),
		{"userPromptSubmitted", "UserPromptSubmit"}:  silent, // what it answers is dropped
		{"preToolUse", "PreToolUse"}:                 silent, // it takes decisions only
		{"postToolUse", "PostToolUse"}:               tells(After, topLevel).ifWorked(),
		{"postToolUseFailure", "PostToolUseFailure"}: tells(Failed, topLevel),
		{"agentStop", "Stop"}:                        ends,
		{"subagentStop", "SubagentStop"}:             ends,
		{"sessionEnd", "SessionEnd"}:                 ends,
		{"preCompact", "PreCompact"}:                 silent,
		{"errorOccurred", "ErrorOccurred"}:           silent,
		{"subagentStart", "SubagentStart"}:           silent,
	})},
	"cursor": {cursorFields, map[string]event{
		"sessionStart":         tells(Start, cursorContext),
		"preToolUse":           tells(Before, agentMessage),
		"beforeShellExecution": tells(Before, agentMessage),
		"postToolUse":          tells(After, cursorContext).ifWorked(),
		"postToolUseFailure":   tells(Failed, cursorContext),
		"stop":                 ends,
		"subagentStop":         ends,
		"sessionEnd":           ends,
		"afterShellExecution":  silent, // what it answers is dropped
		"afterFileEdit":        silent,
		"beforeSubmitPrompt":   silent,
		"preCompact":           silent,
		"subagentStart":        silent,
	}},
	"gemini": {snake, map[string]event{
		"SessionStart": tells(Start, specific),
		"BeforeAgent":  tells(Prompt, specific),
		"BeforeTool":   silent, // it takes decisions only
		"AfterTool":    tells(After, specific),
		"AfterAgent":   ends,
		"SessionEnd":   ends,
		"PreCompress":  silent,
	}},
}

var copilotFields = fields{
	session: []string{"sessionId", "session_id"}, sub: []string{"agentId", "agent_id"}, cwd: []string{"cwd"}, source: []string{"source"},
	tool: []string{"toolName", "tool_name"}, input: []string{"toolArgs", "tool_input"}, response: []string{"toolResult", "tool_result"},
	failure: []string{"error"}, prompt: []string{"prompt"}, transcript: []string{"transcriptPath", "transcript_path"},
}

var cursorFields = fields{
	session: []string{"conversation_id", "session_id"}, sub: []string{"subagent_id"}, cwd: []string{"cwd", "workspace_roots"}, source: []string{"source"},
	tool: []string{"tool_name"}, input: []string{"tool_input"}, response: []string{"tool_output"}, command: []string{"command"},
	failure: []string{"error_message", "error"}, stopped: []string{"is_interrupt"}, prompt: []string{"prompt"},
	transcript: []string{"transcript_path"}, own: []string{"agent_transcript_path"},
}

// twoSpellings gives events that have two spellings.
func twoSpellings(of map[[2]string]event) map[string]event {
	out := map[string]event{}
	for names, e := range of {
		out[names[0]], out[names[1]] = e, e
	}
	return out
}

// The ways in which agents take a text to be read beside what they do. None of them allows,
// denies or changes anything, and none has a field that its agent does not know.

func specific(event, text string) any {
	type output struct {
		Event string `json:"hookEventName"`
		Text  string `json:"additionalContext"`
	}
	return struct {
		Output output `json:"hookSpecificOutput"`
	}{output{event, text}}
}

func topLevel(_, text string) any {
	return struct {
		Text string `json:"additionalContext"`
	}{text}
}

func cursorContext(_, text string) any {
	return struct {
		Text string `json:"additional_context"`
	}{text}
}

func agentMessage(_, text string) any {
	return struct {
		Text string `json:"agent_message"`
	}{text}
}

// Agents lists the names of the agents.
func Agents() []string { return []string{"claude", "codex", "copilot", "cursor", "gemini"} }
