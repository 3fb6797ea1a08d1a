package gemini

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

type toolCall struct {
	ID            string               `json:"id"`
	Name          string               `json:"name"`
	Args          json.RawMessage      `json:"args"`
	Status        string               `json:"status"`
	Timestamp     string               `json:"timestamp"`
	Result        turns.Loose[results] `json:"result"`
	ResultDisplay json.RawMessage      `json:"resultDisplay"`
}

type results []struct {
	Text             string `json:"text"`
	FunctionResponse struct {
		Response struct {
			Output turns.Content `json:"output"`
			Error  turns.Content `json:"error"`
		} `json:"response"`
	} `json:"functionResponse"`
}

// tool emits the call and the result of tool call i of a message, unless was says that they were
// emitted already.
func (r *reader) tool(m *message, i int, was *told, at episode.Span) {
	tc := &m.ToolCalls[i]
	id := tc.ID
	if id == "" {
		id = fmt.Sprintf("%s/%d", m.ID, i+1)
	}
	t := turns.Turn{At: at, Time: m.Timestamp}
	if !was.calls[id] {
		was.calls[id] = true
		call := turns.CallOf(id, tc.Name, tc.Args)
		r.place(call.Files)
		r.Call(t, call)
	}
	if was.results[id] || tc.Status != "success" && tc.Status != "error" && tc.Status != "cancelled" {
		return // emitted already, or not ended
	}
	was.results[id] = true
	t.Role, t.Call, t.Result = turns.Result, nil, result(tc)
	t.Result.ID = id
	if tc.Timestamp != "" {
		t.Time = tc.Timestamp
	}
	r.Put(t)
}

// place finds the folder of the project, of which a chat has only the hash: it is above a file that the agent names.
func (r *reader) place(files []string) {
	for _, file := range files {
		for dir := path.Dir(file); r.Session.Dir == "" && r.project != "" && path.IsAbs(dir) && dir != path.Dir(dir); dir = path.Dir(dir) {
			if sum := sha256.Sum256([]byte(dir)); hex.EncodeToString(sum[:]) == r.project {
				r.Session.Dir = dir
			}
		}
	}
}

const (
	deniedMark     = "User denied execution"
	stoppedMark    = "Command was cancelled by user"
	backgroundMark = "Command moved to background"
)

func result(tc *toolCall) *turns.ToolResult {
	res := &turns.ToolResult{}
	var texts []string
	for _, part := range tc.Result.Is {
		response := part.FunctionResponse.Response
		texts = append(texts, part.Text+string(response.Output)+string(response.Error))
	}
	if res.Text = strings.Join(texts, "\n"); res.Text == "" {
		_ = json.Unmarshal(tc.ResultDisplay, &res.Text)
	}
	shell := turns.KindOf(tc.Name) == turns.Shell
	if res.Text = trusted(res.Text); shell {
		res = Unwrap(res.Text)
	}
	switch {
	case tc.Status == "cancelled" && strings.Contains(res.Text, deniedMark):
		res.State = turns.Refused
	case tc.Status == "cancelled", shell && strings.HasPrefix(res.Text, stoppedMark):
		res.State = turns.NotRun
	case tc.Status == "error":
		res.State = turns.Failed
	case shell && strings.HasPrefix(res.Text, backgroundMark):
		res.State = turns.Running
	case !shell:
		res.State = turns.OK
	}
	if turns.KindOf(tc.Name) == turns.Ask {
		res.Said = answers(res.Text)
	}
	return res
}

// The tool adds lines before and after the output of a command. Only older versions write the lines
// Command and Directory. The lines after the output are omitted if they have no value.
var (
	before = lazy.Pattern(`(?s)^(?:Command: .*?\nDirectory: [^\n]*\n)?(?:Output|Stdout): `)
	stderr = lazy.Pattern(`\nStderr: `)
	behind = lazy.Pattern(`\n(Error|Exit Code|Signal|Background PIDs|Process Group PGID): ([^\n]*)\n?$`)
)

// trusted removes what newer versions add to a result: the untrusted_context tag around it, and the
// answer of a hook after it.
func trusted(text string) string {
	text = strings.TrimSpace(text)
	if at := strings.LastIndex(text, "\n\n"+hookMark); at >= 0 && strings.HasSuffix(text, hookEnd) {
		text = text[:at]
	}
	inner, found := strings.CutPrefix(text, "<untrusted_context>\n")
	if !found {
		return text
	}
	return strings.TrimRight(strings.TrimSuffix(inner, "</untrusted_context>"), "\n")
}

// The tags around the answer of a hook.
const (
	hookMark = "<hook_context>"
	hookEnd  = "</hook_context>"
)

// Unwrap separates the output of a command from the lines that the tool adds, and parses the exit
// code. The tool omits an exit code of 0, so complete added lines without a code mean 0.
func Unwrap(text string) *turns.ToolResult {
	res := &turns.ToolResult{Text: trusted(text)}
	text = res.Text
	start := before().FindStringIndex(text)
	if start == nil {
		return res
	}
	text = text[start[1]:]
	code, whole := 0, false
	for {
		m := behind().FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		value := text[m[4]:m[5]]
		switch name := text[m[2]:m[3]]; {
		case name == "Exit Code":
			n, err := strconv.Atoi(value)
			code, whole = n, err == nil
		case name == "Process Group PGID":
			whole = true
		case name == "Signal" && value != "(none)" && value != "0", name == "Error" && value != "(none)":
			whole = false
			res.State = turns.Failed
		}
		text = text[:m[0]]
	}
	if whole {
		res.Exit = turns.Exited(code)
	}
	lines := strings.Split(stderr().ReplaceAllString(text, "\n"), "\n")
	res.Text = strings.Join(slices.DeleteFunc(lines, func(l string) bool { return l == "(empty)" }), "\n")
	return res
}

// answers returns the user's answers, sorted by the names of the questions.
func answers(text string) string {
	var said struct {
		Answers map[string]string `json:"answers"`
	}
	turns.Decode([]byte(text), &said)
	var all []string
	for _, question := range slices.Sorted(maps.Keys(said.Answers)) {
		all = append(all, said.Answers[question])
	}
	return strings.Join(all, "\n")
}
