package model

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

var scripts = map[string][]Step{"mend": {
	{Do: Shell, Cmd: "make check", Text: "I check first."},
	{Do: Edit, File: "a.go", Old: "x := 1", New: "x := 2"},
	{Do: Say, Text: "Mended."},
}}

// dialects are requests of each protocol, with %CALLS% where the history is.
var dialects = []struct {
	name, path, body, call string
	wants                  []string // in the answers to the three steps, in this order
}{
	{"anthropic", "/v1/messages?beta=true", `{"model":"m","stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"play:mend\nDo it."}]}%CALLS%],
		"tools":[{"name":"Bash","input_schema":{"properties":{"command":{"type":"string"},"description":{}}}},{"name":"Edit","input_schema":{"properties":{"file_path":{},"old_string":{},"new_string":{}}}}]}`,
		`,{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"ok"}]}`,
		[]string{`"name":"Bash"`, `/src/a.go`, `end_turn`}},
	{"responses", "/v1/responses", `{"model":"m","stream":true,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"play:mend"}]}%CALLS%],
		"tools":[{"type":"function","name":"exec_command","parameters":{"properties":{"cmd":{}}}},{"type":"custom","name":"apply_patch"}]}`,
		`,{"type":"function_call","name":"exec_command","call_id":"1","arguments":"{}"},{"type":"function_call_output","call_id":"1","output":"ok"}`,
		[]string{`"name":"exec_command"`, `*** Update File: a.go`, `response.completed`}},
	{"code mode", "/v1/responses", `{"model":"m","stream":true,"input":[{"type":"additional_tools","tools":[{"type":"namespace","name":"functions","tools":[{"type":"function","name":"shell","parameters":{"properties":{"command":{"type":"array"}}}}]}]},{"type":"message","role":"user","content":"play:mend"}%CALLS%]}`,
		`,{"type":"custom_tool_call","name":"exec","call_id":"1"}`,
		[]string{`bash\",\"-lc\"`, `sed -i`, `response.completed`}},
	{"chat", "/v1/chat/completions", `{"model":"m","stream":true,"messages":[{"role":"user","content":"\"play:mend\nDo it.\""}%CALLS%],
		"tools":[{"type":"function","function":{"name":"bash","parameters":{"properties":{"command":{}}}}},{"type":"function","function":{"name":"edit","parameters":{"properties":{"filePath":{},"oldString":{},"newString":{}}}}}]}`,
		`,{"role":"assistant","tool_calls":[{"id":"1"}]}`,
		[]string{`"name":"bash"`, `/src/a.go`, `"finish_reason":"stop"`}},
	{"gemini", "/v1beta/models/m:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"play:mend"}]}%CALLS%],
		"tools":[{"functionDeclarations":[{"name":"run_shell_command","parametersJsonSchema":{"properties":{"command":{},"is_background":{}}}},{"name":"replace","parameters":{"properties":{"file_path":{},"old_string":{},"new_string":{},"instruction":{}}}}]}]}`,
		`,{"role":"model","parts":[{"functionCall":{"name":"run_shell_command","args":{}}}]}`,
		[]string{`"name":"run_shell_command"`, `/src/a.go`, `"text":"Mended."`}},
}

// TestScripts plays a script in each protocol, as a stream and as one value.
func TestScripts(t *testing.T) {
	s := &Server{Dir: "/src", Scripts: scripts}
	url, err := s.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, d := range dialects {
		for step, want := range d.wants {
			body := strings.Replace(d.body, "%CALLS%", strings.Repeat(d.call, step), 1)
			got := post(t, url+d.path, body)
			if !strings.Contains(got, want) {
				t.Errorf("%s, step %d: no %s in\n%s", d.name, step, want, got)
			}
			events(t, d.name, got)
			whole := post(t, url+strings.Replace(d.path, "stream", "", 1), strings.Replace(body, `"stream":true`, `"stream":false`, 1))
			if !json.Valid([]byte(whole)) {
				t.Errorf("%s, step %d: not JSON: %s", d.name, step, whole)
			}
		}
	}
	rs := s.Requests()
	if len(rs) != 6*len(dialects) || rs[0].Script != "mend" || !slices.Contains(rs[0].Tools, "Bash") || rs[0].Answer != "Bash" {
		t.Errorf("%d requests, the first %+v", len(rs), rs[0])
	}
	if again := s.Requests(); len(again) != 0 {
		t.Errorf("requests are returned twice: %d", len(again))
	}
}

// TestScriptOfPrompt: quotes of earlier prompts do not choose the script.
func TestScriptOfPrompt(t *testing.T) {
	for text, want := range map[string]string{
		"play:mend\nDo it":                    "mend",
		"\"play:mend\nDo it\"":                "mend",
		"<date>1</date>\n\nplay:mend do it":   "mend",
		`Past sessions: Log: "play:other do"`: "",
		"Nothing":                             "",
	} {
		if got := script([]string{text}); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func post(t *testing.T, url, body string) string {
	t.Helper()
	r, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	out, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v: %s", url, r.Status, err, out)
	}
	return string(out)
}

// events checks that a stream is a sequence of events with JSON.
func events(t *testing.T, name, stream string) {
	t.Helper()
	n := 0
	for lines := bufio.NewScanner(strings.NewReader(stream)); lines.Scan(); {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok || string(data) == "[DONE]" {
			continue
		}
		if n++; !json.Valid(data) {
			t.Errorf("%s: not JSON: %s", name, data)
		}
	}
	if n == 0 {
		t.Errorf("%s: no events in %s", name, stream)
	}
}
