package hook

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"episodes/extract/actions"
	"episodes/internal/lazy"
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

// resultOf reads what came back of a call that need not have failed.
func resultOf(raw json.RawMessage) Result { return readResult(raw, 0) }

// mostNested is how deep a result in a result is looked at.
const mostNested = 3

func readResult(raw json.RawMessage, depth int) (r Result) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if inner := strings.TrimSpace(text); depth < mostNested && strings.HasPrefix(inner, "{") && json.Valid([]byte(inner)) {
			if r = readResult(json.RawMessage(inner), depth+1); r.Text != "" || r.Exit != nil {
				return r
			}
		}
		return unwrap(text)
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) == nil {
		return unwrap(joined(parts, depth))
	}
	var v response
	_ = json.Unmarshal(raw, &v) // members of other types than expected are left out
	r = v.put(depth)
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
func (v *response) put(depth int) (r Result) {
	if v.Stdout != nil {
		r = unwrap(*v.Stdout)
		if v.Stderr != nil && *v.Stderr != "" {
			r.Text = strings.TrimLeft(strings.TrimRight(r.Text, "\n")+"\n"+*v.Stderr, "\n")
		}
		return r
	}
	for _, t := range []json.RawMessage{v.Output, v.LLMContent, v.ForLLM, v.ForLLMToo, v.Content, v.Text, v.Result,
		v.Error, v.Message} {
		if depth < mostNested && r.Text == "" && said(t) {
			inner := readResult(t, depth+1)
			r.Text, r.Exit, r.Stopped = inner.Text, inner.Exit, inner.Stopped
		}
	}
	return r
}

// joined are the texts of a list: of texts, or of objects that have one.
func joined(parts []json.RawMessage, depth int) string {
	var b strings.Builder
	for _, p := range parts {
		if depth < mostNested {
			b.WriteString(readResult(p, depth+1).Text + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// failureOf reads what came back of a call of which the agent says that it failed.
func failureOf(raw json.RawMessage) Result {
	r := readResult(raw, 0)
	r.Said = actions.DidFail
	return r
}

// Agents put lines of their own around what a command printed: first or last.
var (
	wrapper = lazy.Pattern(`^(?:Chunk ID: |Wall time:? |Original token count: |Total output lines: |Process running with session ID |Signal: |Background PIDs: |Process Group PGID: |Command: |Directory: |Error: \(none\)$|Output:\s*$)`)
	exited  = lazy.Pattern(`^(?:Error: )?(?:Process exited with code|Exit [Cc]ode:?|Command failed with exit code|<(?:exited|command completed|command exited|shellId: \S+ completed) with exit code) (-?\d+)[.>]?\s*$`)
	output  = lazy.Pattern(`^Output: `)
)

// edgeLines is how many lines at either end can be an agent's own.
const edgeLines = 8

// unwrap takes an agent's own lines from an output, and the exit code from these.
func unwrap(text string) (r Result) {
	lines := strings.Split(text, "\n")
	kept := lines[:0:len(lines)]
	for i, l := range lines {
		if edge := i < edgeLines || i >= len(lines)-edgeLines; edge {
			l = strings.TrimSuffix(l, "\r")
			if m := exited().FindStringSubmatch(l); m != nil {
				if n, err := strconv.Atoi(m[1]); err == nil && r.Exit == nil {
					r.Exit = &n
				}
				continue
			}
			if wrapper().MatchString(l) {
				continue
			}
			l = output().ReplaceAllString(l, "")
		}
		kept = append(kept, l)
	}
	r.Text = strings.Trim(strings.Join(kept, "\n"), "\n")
	r.Stopped = refused(r.Text)
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
