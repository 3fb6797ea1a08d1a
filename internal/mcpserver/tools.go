package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"episodes/agents/agent"
	"episodes/internal/ask"
	"episodes/internal/lazy"
	"episodes/query"
)

// The arguments of tools that are not those of a request. Kind is that of passages.
type (
	askArgs struct {
		Texts                                          []string
		Error, Action, Choice, Task, File, Since, Kind string
	}
	whatIfArgs   struct{ Decision, Context, Episode string }
	patternsArgs struct {
		Bad   bool
		Limit int
	}
)

// complete is the tool by which an agent completes its own session.
const complete = "complete_session"

// defaultPatterns is how many patterns are listed when nothing else is asked for.
const defaultPatterns = 10

func (s *server) addTools() {
	add(s, tool{"ask",
		"What was said and done here before, in whole passages of the logs. Look before your first edit of what is not yours, at a choice, at an error that returns, before you call it done.",
		[]string{
			`"texts":{"type":"array","items":{"type":"string"},"description":"three to six words of your own; once more in others"}`,
			arg("error", "what a command printed"), arg("action", ""), arg("choice", ""), arg("task", ""),
			arg("file", "path it is about"), arg("since", "7d, or a date"),
			`"kind":{"enum":["error","decision","lesson","task","line","note"]}`,
		},
		"", "no passage has these words: ask once more, in others"},
		func(m *ask.Memory, ctx context.Context, in askArgs) (*ask.AskAnswer, error) {
			r := ask.AskRequest{Texts: in.Texts, File: in.File, Since: in.Since, Of: in.Kind}
			for kind, text := range map[string]string{"error": in.Error, "action": in.Action, "choice": in.Choice, "task": in.Task} {
				if text != "" && r.Kind != "" {
					return nil, &ask.RequestError{Params: []string{"error", "action", "choice", "task"}, Message: "are one of them"}
				} else if text != "" {
					r.Kind, r.Texts = kind, append([]string{text}, in.Texts...)
				}
			}
			return checked(m, ctx, r, (*ask.Memory).Ask)
		})
	add(s, tool{"brief", "What a session should know as it begins: failures that came back, what people demanded. Once, unless it was given to you.",
		[]string{arg("text", "your task")}, "", "nothing to say"}, (*ask.Memory).Brief)
	// Earlier versions listed these two; who knows their names is answered.
	add(s, tool{"advise", "", []string{
		arg("text", ""), arg("kind", ""), arg("file", ""),
	}, "text", "nothing to say; ask has whole passages"},
		(*ask.Memory).Advise)
	add(s, tool{"search", "", []string{
		arg("text", ""), arg("kind", ""), arg("since", ""), `"skip":{"type":"integer"}`,
		`"limit":{"type":"integer","minimum":1,"maximum":50}`,
	},
		"text", "nothing fits"}, (*ask.Memory).Search)
	add(s, tool{"show", "One episode (a past session: task, outcome, decisions, failures, lessons), or one record of it.",
		[]string{arg("ref", "id, unique prefix or log from another answer, EPISODE#d001, or EPISODE:12-40 for lines of its log")},
		"ref", ""},
		(*ask.Memory).Show)
	add(s, tool{"path", "How one thing led to another in past sessions: the chains of cause and effect that logs state.",
		[]string{
			arg("from", "words, a record EPISODE#d001, or a node id"), arg("to", "likewise; or success, failure"),
		},
		"from,to", "no path is known"}, (*ask.Memory).Path)
	add(s,
		tool{"whatif",
			"Compare an option with what was chosen instead, over all sessions that faced the question: rates with intervals, or that the evidence is not enough.",
			[]string{
				arg("decision", "the option in words, or EPISODE#d001"), arg("context", "the question that is decided"),
				arg("episode", "compare with what it chose"),
			},
			"decision", "not enough evidence"},
		func(m *ask.Memory, ctx context.Context, in whatIfArgs) (*ask.WhatIfAnswer, error) {
			return checked(m, ctx, ask.WhatIfRequest{Option: in.Decision, Context: in.Context, Episode: in.Episode}, (*ask.Memory).WhatIf)
		})
	add(s,
		tool{"patterns",
			"What works in this repository more often than what else was done; with bad, what fails. Claimed only with enough evidence.",
			[]string{
				`"bad":{"type":"boolean"}`, `"limit":{"type":"integer","minimum":1,"maximum":50}`,
			},
			"", "no pattern can be claimed"},
		func(m *ask.Memory, ctx context.Context, in patternsArgs) (*ask.PatternsAnswer, error) {
			r := ask.DefaultPatterns(query.GoodPattern)
			if in.Bad {
				r = ask.DefaultPatterns(query.AntiPattern)
			}
			r.Limit = cmp.Or(in.Limit, defaultPatterns)
			return checked(m, ctx, r, (*ask.Memory).Patterns)
		})
	add(s,
		tool{"record",
			"Keep for later sessions what a person demanded, what you chose and why, what cost a second try, what is open, what came of it.",
			[]string{
				`"kind":{"enum":["fix","choice","rule","trap","open","outcome","refuted","decision","lesson"]}`,
				arg("text", "one sentence that stands by itself; or success, partial, failure, unknown; of refuted the lesson"),
				`"when":{"type":"array","items":{"type":"string"},"description":"when it is needed, in words of a later one"}`,
				arg("because", ""), arg("was", ""), arg("mends", ""),
				`"over":{"type":"array","items":{"type":"string"}}`, arg("question", ""), arg("why", ""),
				`"asked":{"type":"array","items":{"type":"string"}}`,
				arg("of", "episode; of an outcome also EPISODE#d001"), arg("session", "your session id, in place of of"),
			},
			"kind,text", ""}, (*ask.Memory).State)
	add(s, tool{complete,
		"Complete what is kept of your session, at its end and when asked to: without answer you get a draft and the form of an answer; call it again with one.",
		[]string{
			arg("session", "your session id; default: the newest"), arg("answer", "lines of that form"),
		},
		"", ""}, (*ask.Memory).Complete)
}

// arg is a property that is a string, as JSON schema.
func arg(name, description string) string {
	if description != "" {
		description = `,"description":"` + description + `"`
	}
	return `"` + name + `":{"type":"string"` + description + `}`
}

// tool describes a tool to clients.
type tool struct {
	name, description string
	properties        []string // of its arguments, as JSON schema
	required          string   // their names, with commas
	empty             string   // what is said where there is no answer
}

func (t tool) definition() *mcp.Tool {
	schema := `{"type":"object","properties":{` + strings.Join(t.properties, ",") + `},"additionalProperties":false`
	if t.required != "" {
		schema += `,"required":["` + strings.ReplaceAll(t.required, ",", `","`) + `"]`
	}
	local := false
	d := &mcp.Tool{Name: t.name, Description: t.description, InputSchema: json.RawMessage(schema + "}"),
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &local, IdempotentHint: true, OpenWorldHint: &local}}
	if slices.Contains(agent.ReadOnlyTools, t.name) {
		d.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &local}
	}
	return d
}

// add adds a tool. Its arguments are those fields of a request that the schema names.
func add[R any, A ask.Answer](s *server, t tool, question func(*ask.Memory, context.Context, R) (A, error)) {
	mcp.AddTool(s.mcp, t.definition(), func(ctx context.Context, req *mcp.CallToolRequest, args json.RawMessage) (*mcp.CallToolResult, any, error) {
		var in R
		if err := json.Unmarshal(args, &in); err != nil && len(args) > 0 {
			return s.failed(err), nil, nil
		}
		switch r := any(&in).(type) {
		case *ask.StateRequest:
			r.By = clientName(req.Session)
		case *ask.CompleteRequest:
			r.By, r.Since, r.Sources = clientName(req.Session), s.began, s.Sources
		}
		r, notes, err := asked(ctx, s, caller{req.Session, req.Params.GetProgressToken()},
			func(m *ask.Memory) (*mcp.CallToolResult, error) {
				answer, err := checked(m, ctx, in, question)
				if err != nil {
					return nil, err
				}
				return s.result(m, answer)
			})
		if err != nil {
			return s.failed(err), nil, nil
		}
		noted(r, t.empty, notes)
		return r, nil, nil
	})
}

// checked asks what can be answered.
func checked[R, A any](m *ask.Memory, ctx context.Context, r R, question func(*ask.Memory, context.Context, R) (A, error)) (none A, err error) {
	if err := ask.Check(r); err != nil {
		return none, err
	}
	return question(m, ctx, r)
}

var noName = lazy.Pattern(`[^A-Za-z0-9._-]+`)

// clientName is how what a client's agent states is signed.
func clientName(session *mcp.ServerSession) string {
	p := session.InitializeParams()
	if p == nil || p.ClientInfo == nil {
		return ""
	}
	name := strings.Trim(noName().ReplaceAllString(p.ClientInfo.Name, "-"), "._-")
	return name[:min(len(name), 40)]
}
