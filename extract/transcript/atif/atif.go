// Package atif reads the Agent Trajectory Interchange Format, 1.0 to 1.7 (RFC 0001 of Harbor): one
// JSON value with steps. Spans count the steps. Some writers use JSON lines with a header in the
// first line instead; then spans count lines. Common deviations from the RFC are read too:
// observations that are not lists of results, versions without a prefix, steps of sub-agents among
// those of the session, results before their calls.
//
// Each step is decoded and emitted as turns: its message, its calls, and the results in its
// observation.
//
//	atif.go          trajectories and steps
//	results.go       observations → results
//	orchestrator.go  work that an orchestrator did itself, and results before their calls
//	wrappers.go      lines that agents add to an output
package atif

import (
	"cmp"
	"encoding/json"
	"strings"

	"episodes/agents/claude"
	"episodes/episode"
	"episodes/internal/turns"
)

// Format is the format.
var Format = turns.Format{Name: "atif", Title: "ATIF", Detect: detect, Read: read}

// detect reports whether head begins a trajectory in ATIF.
func detect(head []byte) bool {
	if turns.AnyLine(head, func(h *header) bool {
		return h.Header != nil && h.SchemaVersion != ""
	}) {
		return true
	}
	shape := turns.ShapeOf(head)
	if strings.HasPrefix(shape["schema_version"], "ATIF") {
		return true
	}
	return shape.Has("schema_version") && shape.Has("agent.name") && shape.Has("steps[].source") ||
		shape.Has("steps[].step_id") && shape.Has("steps[].source") && shape.Has("steps[].message")
}

// read reads a trajectory.
func read(in *turns.Reader) error {
	r := &reader{Reader: in, refs: map[string]int{}, called: map[string]bool{}, early: map[string]turns.Turn{}}
	if in.JSONLines() {
		return turns.Records(in, "", r.line)
	}
	in.Session.Unit = "step"
	return in.Document(r.document)
}

type reader struct {
	*turns.Reader
	claude bool
	refs   map[string]int        // the steps that refer to trajectories of sub-agents
	called map[string]bool       // ids of the calls so far
	early  map[string]turns.Turn // results that precede their calls, by id
	open   bool                  // the last call has no result yet
	asked  string                // what the human said last; may be repeated
}

// header is the first of JSON lines.
type header struct {
	Header          json.RawMessage `json:"__header__"`
	SchemaVersion   string          `json:"schema_version"`
	SessionID       string          `json:"session_id"`
	ParentSessionID string          `json:"parent_session_id"`
	CreatedAt       string          `json:"created_at"`
	Agent           agent           `json:"agent"`
}

type agent struct {
	Name  string `json:"name"`
	Extra struct {
		Cwd         string   `json:"cwd"`
		Cwds        []string `json:"cwds"`
		GitBranch   string   `json:"git_branch"`
		GitBranches []string `json:"git_branches"`
	} `json:"extra"`
}

// ownAgent is the agent of the digests that this program exports.
const ownAgent = "episodes"

// agent takes in who wrote the steps. It fails with turns.ErrOwn for this program.
func (r *reader) agent(a *agent) {
	if a.Name == ownAgent {
		r.Fail(turns.ErrOwn)
	}
	r.claude = a.Name == "claude-code"
	first := func(one string, many []string) string {
		if one == "" && len(many) == 1 { // several are in no order
			return many[0]
		}
		return one
	}
	r.Session.Dir = first(a.Extra.Cwd, a.Extra.Cwds)
	for _, b := range append(a.Extra.GitBranches, a.Extra.GitBranch) {
		r.Session.On(b)
	}
}

// line is one of JSON lines.
type line struct {
	header
	step
}

func (r *reader) line(h *line, at episode.Span) {
	switch {
	case h.Header != nil:
		s := &r.Session
		s.ID, s.Parent, s.Started = h.SessionID, h.ParentSessionID, h.CreatedAt
		if s.Parent != "" {
			s.Agent = h.SessionID
		}
		r.agent(&h.Agent)
		return
	case h.Agent.Name == ownAgent: // trajectories, one a line
		r.Fail(turns.ErrOwn)
		return
	case h.Source == "":
		r.Unknown("no step")
		return
	}
	r.step(&h.step, at, "")
}

func (r *reader) document(d *turns.Document) {
	d.Members(func(name string) {
		switch name {
		case "session_id":
			d.Value(&r.Session.ID)
		case "agent":
			var a agent
			if !d.Value(&a) {
				return
			}
			r.agent(&a)
		case "steps":
			d.Elements(func(n int) {
				r.At = n
				var s step
				if d.Value(&s) {
					r.step(&s, episode.Span{n, n}, "")
				}
			})
		case "final_metrics":
			var m struct {
				Prompt     int     `json:"total_prompt_tokens"`
				Completion int     `json:"total_completion_tokens"`
				Cost       float64 `json:"total_cost_usd"`
			}
			d.Value(&m)
			r.Session.Tokens, r.Session.Cost = m.Prompt+m.Completion, m.Cost
		case "subagent_trajectories":
			d.Elements(func(int) { r.subagent(d) })
		default:
			d.Skip()
		}
	})
}

// subagent reads a trajectory that is nested in that of its parent. Its steps have no positions of
// their own: their spans are the step of the parent that refers to it.
func (r *reader) subagent(d *turns.Document) {
	at, id := 0, ""
	claude := r.claude
	defer func() { r.claude = claude }()
	d.Members(func(name string) {
		switch name {
		case "trajectory_id", "session_id":
			var s string
			if !d.Value(&s) {
				return
			}
			if n := r.refs[s]; n > 0 && at == 0 {
				at, id = n, s
			}
		case "agent":
			var a agent
			d.Value(&a)
			if r.claude = a.Name == "claude-code"; a.Name == ownAgent {
				r.Fail(turns.ErrOwn)
			}
		case "steps":
			if at == 0 {
				r.Unknown("sub-agent that no step refers to")
				d.Skip()
				return
			}
			d.Elements(func(int) {
				var s step
				if d.Value(&s) {
					r.step(&s, episode.Span{at, at}, id)
				}
			})
		default:
			d.Skip()
		}
	})
}

// step is a step. Only what is needed is decoded.
type step struct {
	Source          string        `json:"source"`
	Timestamp       string        `json:"timestamp"`
	Message         turns.Content `json:"message"`
	IsCopiedContext bool          `json:"is_copied_context"`
	ToolCalls       []toolCall    `json:"tool_calls"`
	Observation     observation   `json:"observation"`
	Extra           stepExtra     `json:"extra"`
}

type stepExtra struct {
	outcome
	IsCopiedContext bool   `json:"is_copied_context"`
	IsSidechain     bool   `json:"is_sidechain"`
	AgentID         string `json:"agent_id"`
	Cwd             string `json:"cwd"`
}

type toolCall struct {
	ID        string          `json:"tool_call_id"`
	Name      string          `json:"function_name"`
	Arguments json.RawMessage `json:"arguments"`
}

// sub is the sub-agent whose step it is; "" for the session's own agent.
func (s *step) sub(of string) string {
	switch {
	case of != "":
		return of
	case !s.Extra.IsSidechain:
		return ""
	case s.Extra.AgentID != "":
		return s.Extra.AgentID
	}
	return "sidechain"
}

func (r *reader) step(s *step, at episode.Span, of string) {
	if s.IsCopiedContext || s.Extra.IsCopiedContext {
		return // a copy of an earlier step
	}
	r.Session.Started = cmp.Or(r.Session.Started, s.Timestamp)
	r.Session.Dir = cmp.Or(r.Session.Dir, s.Extra.Cwd)
	t := turns.Turn{At: at, Time: s.Timestamp, Sub: s.sub(of)}
	r.message(s, t)
	for _, c := range s.ToolCalls {
		t.Role, t.Call = turns.Call, turns.CallOf(c.ID, c.Name, c.Arguments)
		r.call(t)
	}
	t.Role, t.Call = turns.Result, nil
	for i := range s.Observation.Results {
		res := &s.Observation.Results[i]
		for _, ref := range res.SubagentRef {
			for _, id := range []string{ref.TrajectoryID, ref.SessionID} {
				if id != "" && len(r.refs) < mostRefs {
					r.refs[id] = at[0]
				}
			}
		}
		if res.SourceCallID == "" && len(s.ToolCalls) > 0 { // one result for all calls: the screen after the last one
			res.SourceCallID = s.ToolCalls[len(s.ToolCalls)-1].ID
		}
		if s.Source == "system" && res.SourceCallID == "" {
			if res.known() || !r.open && res.checked() {
				r.ran(res, string(s.Message), t)
				continue
			}
			if res.Type != "" {
				continue // the choice of a task, the end of the run
			}
		}
		if t.Result = r.result(res, s); t.Result == nil {
			continue
		}
		r.answered(t)
	}
}

// mostRefs is how many references to trajectories of sub-agents are remembered.
const mostRefs = 10000

func (r *reader) message(s *step, t turns.Turn) {
	text := strings.TrimSpace(string(s.Message))
	switch s.Source {
	case "user":
		if t.Sub != "" {
			return // from an agent
		}
		if text = Typed(text); text == "" || text == r.asked {
			return
		}
		r.asked = text
		t.Role = turns.User
		if strings.HasPrefix(text, "[Request interrupted by user") {
			t.Role, text = turns.Stop, ""
		}
	case "agent", "assistant":
		if len(s.ToolCalls) > 0 && strings.HasPrefix(text, "Executed "+s.ToolCalls[0].Name) &&
			strings.HasSuffix(text, s.ToolCalls[0].ID) {
			return // written by the converter
		}
		r.asked = ""
		t.Role = turns.Agent
	case "system", "":
		return
	default:
		r.Unknown(s.Source)
		return
	}
	if text == "" && t.Role != turns.Stop {
		return
	}
	t.Text = text
	r.Put(t)
}

// taskMarks enclose the task in the prompts of Terminus and of evaluations.
var taskMarks = [][2]string{
	{"Task Description:\n", "\n\nCurrent terminal state:"}, {"<pr_description>",
		"</pr_description>"}, {"<issue_description>", "</issue_description>"},
}

// generated are prefixes of messages in the role of the user that agents write when they summarize
// or hand over.
var generated = []string{"You are about to hand off your work to another AI agent",
	"You are picking up work from a previous AI agent", "Here are the answers the other agent provided"}

// Typed is the part of a message of the role user that a human wrote.
func Typed(text string) string {
	for _, g := range generated {
		if strings.HasPrefix(text, g) {
			return ""
		}
	}
	for _, m := range taskMarks {
		if _, inner, found := strings.Cut(text, m[0]); found {
			text, _, _ = strings.Cut(inner, m[1])
			break
		}
	}
	return claude.Typed(text)
}
