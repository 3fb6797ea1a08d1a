package hook

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"episodes/extract/actions"
	"episodes/internal/turns"
)

// Result is what a tool gave back.
type Result struct {
	Text    string
	Exit    *int // nil where it is not known
	Said    actions.Verdict
	Stopped bool // by hand, or not allowed: no failure of the tool
}

// response are the members that agents and tools use for what came back.
type response struct {
	Stdout, Stderr *string
	Interrupted    bool
	Exit           *int `json:"exit_code"`
	ExitCode       *int `json:"exitCode"`
	ReturnCode     *int `json:"returnCode"`
	IsError        bool `json:"is_error"`
	IsErrorToo     bool `json:"isError"`
	Success        *bool
	Type           string `json:"resultType"`
	TypeToo        string `json:"result_type"`
	Metadata       struct {
		Exit *int `json:"exit_code"`
	}
	Output, Content, LLMContent, Text, Result, Error, Message json.RawMessage
	ForLLM                                                    json.RawMessage `json:"textResultForLlm"`
	ForLLMToo                                                 json.RawMessage `json:"text_result_for_llm"`
}

// unwrap is the Unwrap of an agent, which may be nil.
type unwrap func(text string) *turns.ToolResult

// mostNested is how deep a result in a result is looked at.
const mostNested = 3

// result reads what came back of a call.
func (u unwrap) result(raw json.RawMessage, depth int) (r Result) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if inner := strings.TrimSpace(text); depth < mostNested && strings.HasPrefix(inner, "{") && json.Valid([]byte(inner)) {
			if r = u.result(json.RawMessage(inner), depth+1); r.Text != "" || r.Exit != nil {
				return r
			}
		}
		return u.text(text)
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) == nil {
		return u.text(u.joined(parts, depth))
	}
	var v response
	_ = json.Unmarshal(raw, &v) // members of other types than expected are left out
	r = u.put(&v, depth)
	r.Exit = cmp.Or(v.Exit, v.ExitCode, v.ReturnCode, v.Metadata.Exit, r.Exit)
	kind := v.Type + v.TypeToo
	r.Stopped = r.Stopped || v.Interrupted || kind == "rejected" || kind == "denied"
	if v.IsError || v.IsErrorToo || v.Success != nil && !*v.Success || kind == "failure" || said(v.Error) {
		r.Said = actions.DidFail
	}
	return r
}

// said reports whether a member says anything.
func said(raw json.RawMessage) bool {
	s := string(raw)
	return s != "" && s != "null" && s != `""` && s != "{}"
}

// put is what a tool put out, with what an agent says around it.
func (u unwrap) put(v *response, depth int) (r Result) {
	if v.Stdout != nil {
		r = u.text(*v.Stdout)
		if v.Stderr != nil && *v.Stderr != "" {
			r.Text = strings.TrimLeft(strings.TrimRight(r.Text, "\n")+"\n"+*v.Stderr, "\n")
		}
		return r
	}
	for _, t := range []json.RawMessage{v.Output, v.LLMContent, v.ForLLM, v.ForLLMToo, v.Content, v.Text, v.Result,
		v.Error, v.Message} {
		if depth < mostNested && r.Text == "" && said(t) {
			inner := u.result(t, depth+1)
			r.Text, r.Exit, r.Said, r.Stopped = inner.Text, inner.Exit, inner.Said, inner.Stopped
		}
	}
	return r
}

// joined are the texts of a list: of texts, or of objects that have one.
func (u unwrap) joined(parts []json.RawMessage, depth int) string {
	var b strings.Builder
	for _, p := range parts {
		if depth < mostNested {
			b.WriteString(u.result(p, depth+1).Text + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// text reads the text of a result.
func (u unwrap) text(text string) (r Result) {
	r.Text = text
	if u != nil {
		res := u(text)
		r.Text, r.Exit = res.Text, res.Exit
		switch res.State {
		case turns.Failed:
			r.Said = actions.DidFail
		case turns.Refused, turns.NotRun:
			r.Stopped = true
		}
	}
	r.Text = strings.Trim(r.Text, "\n")
	r.Stopped = r.Stopped || refused(r.Text)
	return r
}

// refusals begin what agents say in place of an output where a person said no, or stopped
// it.
var refusals = []string{"the user doesn't want to", "the user rejected", "user rejected", "user denied",
	"user cancelled", "user canceled", "rejected by user",
	"exec command rejected by user", "patch rejected by user", "[request interrupted", "request interrupted",
	"tool execution was cancelled", "operation cancelled", "permission denied by hook", "denied by "}

func refused(text string) bool {
	head := strings.ToLower(strings.TrimSpace(text[:min(len(text), 200)]))
	return slices.ContainsFunc(refusals, func(r string) bool { return strings.HasPrefix(head, r) })
}
