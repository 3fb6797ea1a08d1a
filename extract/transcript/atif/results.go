package atif

import (
	"cmp"
	"encoding/json"
	"strings"

	"episodes/agents/claude"
	"episodes/internal/turns"
)

// observation is a list of results; some writers leave out the list.
type observation struct{ Results []result }

// result is the result of a call, or what an orchestrator did itself.
type result struct {
	outcome
	did
	SourceCallID string        `json:"source_call_id"`
	Content      turns.Content `json:"content"`
	Extra        outcome       `json:"extra"`
	SubagentRef  []struct {
		TrajectoryID string `json:"trajectory_id"`
		SessionID    string `json:"session_id"`
	} `json:"subagent_trajectory_ref"`
}

// outcome holds the fields that writers add for the outcome of a call; the RFC has none.
type outcome struct {
	IsError      *bool               `json:"is_error"`
	ResultError  *bool               `json:"tool_result_is_error"`
	ExitCode     *int                `json:"exit_code"`
	ExitCode2    *int                `json:"exitCode"`
	ReturnCode   *int                `json:"return_code"`
	ReturnCode2  *int                `json:"returncode"`
	Success      *bool               `json:"success"`
	Passed       *bool               `json:"passed"`
	Status       turns.Loose[string] `json:"status"`
	Metadata     nested              `json:"metadata"`
	ToolMetadata nested              `json:"tool_result_metadata"`
}

// nested is an object in which some writers put these fields.
type nested struct {
	IsError  *bool           `json:"is_error"`
	ExitCode *int            `json:"exit_code"`
	Use      json.RawMessage `json:"tool_use_result"` // of Claude Code, as are these
	Raw      *struct {
		Content turns.Content `json:"content"`
		IsError bool          `json:"is_error"`
	} `json:"raw_tool_result"`
}

// UnmarshalJSON never fails: an observation of an unknown form is empty.
func (o *observation) UnmarshalJSON(data []byte) error {
	var list struct {
		Results json.RawMessage `json:"results"`
	}
	switch data[0] {
	case '"':
		var one result
		_ = json.Unmarshal(data, &one.Content)
		o.Results = []result{one}
		return nil
	case '[':
		o.list(data)
		return nil
	case '{':
		turns.Decode(data, &list)
	default:
		return nil
	}
	if len(list.Results) > 0 && list.Results[0] == '[' {
		o.list(list.Results)
		return nil
	}
	o.Results = []result{single(data)}
	return nil
}

func (o *observation) list(data []byte) {
	turns.Decode(data, &o.Results)
	for i := range o.Results {
		o.Results[i].inner()
	}
}

// single reads an observation that is itself a result: {type, content, result}, or any other object,
// whose JSON then becomes the text of the result.
func single(data []byte) result {
	var r struct {
		result
		Result json.RawMessage `json:"result"`
		Error  turns.Content   `json:"error"`
		Stdout string          `json:"stdout"`
		Stderr string          `json:"stderr"`
	}
	turns.Decode(data, &r)
	if r.state() == turns.Unsaid && r.exit() == nil {
		turns.Decode(r.Result, &r.outcome)
	}
	if turns.Decode(r.Result, &r.did); r.did.known() {
		return r.result
	}
	var parts []string
	var text turns.Content
	_ = json.Unmarshal(r.Result, &text)
	if text == "" && len(r.Result) > 0 && string(r.Result) != "null" {
		text = turns.Content(r.Result)
	}
	for _, s := range []string{string(r.Content), string(text), string(r.Output), r.Stdout, r.Stderr, string(r.Error)} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 && r.exit() == nil {
		parts = append(parts, string(data))
	}
	r.Content = turns.Content(strings.Join(parts, "\n"))
	r.inner()
	return r.result
}

func (o *outcome) exit() *int {
	for _, code := range []*int{o.ExitCode, o.ExitCode2, o.ReturnCode, o.ReturnCode2, o.Metadata.ExitCode, o.ToolMetadata.ExitCode} {
		if code != nil {
			return code
		}
	}
	return nil
}

func (o *outcome) state() turns.State {
	for _, failed := range []*bool{o.IsError, o.ResultError, o.Metadata.IsError, o.ToolMetadata.IsError} {
		if failed != nil {
			return stateOf(!*failed)
		}
	}
	for _, worked := range []*bool{o.Success, o.Passed} {
		if worked != nil {
			return stateOf(*worked)
		}
	}
	switch o.Status.Is {
	case "error", "failed", "failure":
		return turns.Failed
	case "success", "ok":
		return turns.OK
	}
	return turns.Unsaid
}

func stateOf(ok bool) turns.State {
	if ok {
		return turns.OK
	}
	return turns.Failed
}

// failedMark is the suffix that the converter of Claude Code adds to a result flagged as an error.
const failedMark = "[error] tool reported failure"

// result converts the result of a call; nil if the step has no result for it.
func (r *reader) result(in *result, s *step) *turns.ToolResult {
	said := []*outcome{&in.outcome, &in.Extra, &s.Extra.outcome}
	if len(s.Observation.Results) > 1 {
		said = said[:2] // the step does not name the result it describes
	}
	res := &turns.ToolResult{ID: in.SourceCallID}
	for _, o := range said {
		for _, m := range []*nested{&o.ToolMetadata, &o.Metadata} {
			if r.claude && m.Raw != nil {
				return claude.Result(in.SourceCallID, string(m.Raw.Content), m.Raw.IsError, m.Use)
			}
		}
		if res.State == turns.Unsaid {
			res.State = o.state()
		}
		if res.Exit == nil {
			res.Exit = o.exit()
		}
	}
	text := string(in.Content)
	if rest, found := strings.CutSuffix(strings.TrimRight(text, "\n"), failedMark); found {
		text, res.State = strings.TrimRight(rest, "\n"), turns.Failed
	}
	var parts converted
	res.Text = parts.strip(text)
	if len(s.ToolCalls) == 0 && res.Text == "" && res.Exit == nil && res.State == turns.Unsaid {
		return nil
	}
	res.Exit = cmp.Or(res.Exit, parts.exit)
	if !r.claude {
		Unwrap(res)
		return res
	}
	as := claude.Result(in.SourceCallID, res.Text, res.State == turns.Failed, parts.metadata)
	as.Exit = cmp.Or(as.Exit, res.Exit)
	if parts.interrupted && as.State == turns.OK {
		as.State = turns.NotRun
	}
	return as
}
