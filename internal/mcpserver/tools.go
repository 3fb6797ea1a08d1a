package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"episodes/internal/ask"
	"episodes/internal/lazy"
	"episodes/query"
)

// The arguments of the tools, as their schemas describe them.
type (
	askArgs struct {
		Texts  []string `json:"texts"`
		Error  string   `json:"error"`
		Action string   `json:"action"`
		Choice string   `json:"choice"`
		Task   string   `json:"task"`
		File   string   `json:"file"`
		Since  string   `json:"since"`
		Kind   string   `json:"kind"`
	}
	adviseArgs struct {
		Text string `json:"text"`
		Kind string `json:"kind"`
		File string `json:"file"`
	}
	searchArgs struct {
		Text  string `json:"text"`
		Kind  string `json:"kind"`
		Since string `json:"since"`
		Skip  int    `json:"skip"`
		Limit int    `json:"limit"`
	}
	showArgs struct {
		Ref string `json:"ref"`
	}
	pathArgs struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	whatIfArgs struct {
		Decision string `json:"decision"`
		Context  string `json:"context"`
		Episode  string `json:"episode"`
	}
	patternsArgs struct {
		Bad   bool `json:"bad"`
		Limit int  `json:"limit"`
	}
	recordArgs struct {
		Kind     string   `json:"kind"`
		Text     string   `json:"text"`
		Over     []string `json:"over"`
		Question string   `json:"question"`
		Why      string   `json:"why"`
		Asked    []string `json:"asked"`
		Of       string   `json:"of"`
		Session  string   `json:"session"`
		Agent    string   `json:"-"` // the client's name
	}
	completeArgs struct {
		Session string `json:"session"`
		Answer  string `json:"answer"`
		Agent   string `json:"-"` // the client's name
	}
)

// complete is the tool by which an agent completes its own session.
const complete = "complete_session"

// defaultPatterns is how many patterns are listed when nothing else is asked for.
const defaultPatterns = 10

func (s *server) addTools() {
	add(s, tool{"ask",
		"What was said and done here before, in whole passages of the logs. Look before your first edit of what is not yours, at a choice, at an error that returns, before you call it done.",
		`"texts":{"type":"array","items":{"type":"string"},"description":"three to six words of your own; once more in others"},` +
			`"error":{"type":"string","description":"in place of texts: what a command printed"},"action":{"type":"string"},"choice":{"type":"string"},"task":{"type":"string"},` +
			`"file":{"type":"string","description":"path it is about"},"since":{"type":"string","description":"7d, or a date"},"kind":{"enum":["error","decision","lesson","task","line","note"]}`,
		"", "no passage has these words: ask once more, in others"},
		func(ctx context.Context, m *ask.Memory, in askArgs) (ask.Answer, error) {
			r := ask.AskRequest{Texts: in.Texts, File: in.File, Since: in.Since, Of: in.Kind}
			for kind, text := range map[string]string{"error": in.Error, "action": in.Action, "choice": in.Choice, "task": in.Task} {
				if text != "" && (r.Kind != "" || len(in.Texts) > 0) {
					return nil, &ask.RequestError{Params: []string{"texts", "error", "action", "choice", "task"}, Message: "are one of them"}
				} else if text != "" {
					r.Kind, r.Texts = kind, []string{text}
				}
			}
			return checked(ctx, r, m.Ask)
		})
	// Earlier versions listed these two; who knows their names is answered.
	add(s, tool{"advise", "", `"text":{"type":"string"},"kind":{"type":"string"},"file":{"type":"string"}`, "text", "nothing to say; ask has whole passages"},
		func(ctx context.Context, m *ask.Memory, in adviseArgs) (ask.Answer, error) {
			return checked(ctx, ask.AdviseRequest{Text: in.Text, Kind: in.Kind, File: in.File}, m.Advise)
		})
	add(s, tool{"search", "", `"text":{"type":"string"},"kind":{"type":"string"},"since":{"type":"string"},"skip":{"type":"integer"},"limit":{"type":"integer","minimum":1,"maximum":50}`,
		"text", "nothing fits"},
		func(ctx context.Context, m *ask.Memory, in searchArgs) (ask.Answer, error) {
			return checked(ctx,
				ask.SearchRequest{Text: in.Text, Kind: in.Kind, Since: in.Since, Skip: in.Skip, Limit: in.Limit},
				m.Search)
		})
	add(s, tool{"show", "One episode (a past session: task, outcome, decisions, failures, lessons), or one record of it.",
		`"ref":{"type":"string","description":"id, unique prefix or log from another answer, EPISODE#d001, or EPISODE:12-40 for lines of its log"}`,
		"ref", ""},
		func(ctx context.Context, m *ask.Memory, in showArgs) (ask.Answer, error) {
			if r, ok := ask.LogRequestOf(in.Ref); ok {
				return checked(ctx, r, m.Log)
			}
			if r, ok := ask.RecordRequestOf(in.Ref); ok {
				return checked(ctx, r, m.Record)
			}
			return checked(ctx, ask.EpisodeRequest{Ref: in.Ref}, m.Episode)
		})
	add(s, tool{"path", "How one thing led to another in past sessions: the chains of cause and effect that logs state.",
		`"from":{"type":"string","description":"words, a record EPISODE#d001, or a node id"},"to":{"type":"string","description":"likewise; or success, failure"}`,
		"from,to", "no path is known"},
		func(ctx context.Context, m *ask.Memory, in pathArgs) (ask.Answer, error) {
			return checked(ctx, ask.PathRequest{From: in.From, To: in.To}, m.Path)
		})
	add(s,
		tool{"whatif",
			"Compare an option with what was chosen instead, over all sessions that faced the question: rates with intervals, or that the evidence is not enough.",
			`"decision":{"type":"string","description":"the option in words, or EPISODE#d001"},"context":{"type":"string","description":"the question that is decided"},"episode":{"type":"string","description":"compare with what it chose"}`,
			"decision", "not enough evidence"},
		func(ctx context.Context, m *ask.Memory, in whatIfArgs) (ask.Answer, error) {
			return checked(ctx, ask.WhatIfRequest{Option: in.Decision, Context: in.Context, Episode: in.Episode}, m.WhatIf)
		})
	add(s,
		tool{"patterns",
			"What works in this repository more often than what else was done; with bad, what fails. Claimed only with enough evidence.",
			`"bad":{"type":"boolean"},"limit":{"type":"integer","minimum":1,"maximum":50}`,
			"", "no pattern can be claimed"},
		func(ctx context.Context, m *ask.Memory, in patternsArgs) (ask.Answer, error) {
			r := ask.DefaultPatterns(query.GoodPattern)
			if in.Bad {
				r = ask.DefaultPatterns(query.AntiPattern)
			}
			if r.Limit = in.Limit; r.Limit == 0 {
				r.Limit = defaultPatterns
			}
			return checked(ctx, r, m.Patterns)
		})
	add(s,
		tool{"record",
			"Keep for later sessions what you chose and why, what you learned, or what came of an earlier choice.",
			`"kind":{"enum":["decision","lesson","outcome"]},"text":{"type":"string","description":"what was chosen or learned; of an outcome: success, partial, failure or unknown"},` +
				`"over":{"type":"array","items":{"type":"string"},"description":"of a decision: the other options"},"question":{"type":"string","description":"what was decided"},"why":{"type":"string"},"asked":{"type":"array","items":{"type":"string"},"description":"when it is needed, in the words of a later one"},` +
				`"of":{"type":"string","description":"episode; of an outcome also EPISODE#d001"},"session":{"type":"string","description":"your session id, in place of of"}`,
			"kind,text", ""},
		func(ctx context.Context, m *ask.Memory, in recordArgs) (ask.Answer, error) {
			return checked(ctx,
				ask.StateRequest{Kind: in.Kind, Text: in.Text, Over: in.Over, Question: in.Question, Why: in.Why, Asked: in.Asked,
					Of: in.Of, Session: in.Session, By: in.Agent},
				m.State)
		})
	add(s, tool{complete,
		"Complete what is kept of your session, at its end and when asked to: without answer you get a draft and the form of an answer; call it again with one.",
		`"session":{"type":"string","description":"your session id; default: the newest"},"answer":{"type":"string","description":"lines of that form"}`,
		"", ""},
		func(ctx context.Context, m *ask.Memory, in completeArgs) (ask.Answer, error) {
			return checked(ctx, ask.CompleteRequest{Session: in.Session, Answer: in.Answer, By: in.Agent,
				Since: s.began, Sources: s.Sources}, m.Complete)
		})
}

// tool describes a tool to clients.
type tool struct {
	name, description string
	properties        string // of its arguments, as JSON schema
	required          string // their names, with commas
	empty             string // what is said where there is no answer
}

// writing are the tools that are not read-only.
var writing = []string{"record", complete}

func (t tool) definition() *mcp.Tool {
	schema := `{"type":"object","properties":{` + t.properties + `},"additionalProperties":false`
	if t.required != "" {
		schema += `,"required":["` + strings.ReplaceAll(t.required, ",", `","`) + `"]`
	}
	local := false
	d := &mcp.Tool{Name: t.name, Description: t.description, InputSchema: json.RawMessage(schema + "}"),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &local}}
	if slices.Contains(writing, t.name) {
		d.Annotations = &mcp.ToolAnnotations{DestructiveHint: &local, IdempotentHint: true, OpenWorldHint: &local}
	}
	return d
}

// add adds a tool: In are its arguments.
func add[In any](s *server, t tool, question func(context.Context, *ask.Memory, In) (ask.Answer, error)) {
	mcp.AddTool(s.mcp, t.definition(), func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		switch r := any(&in).(type) {
		case *recordArgs:
			r.Agent = clientName(req.Session)
		case *completeArgs:
			r.Agent = clientName(req.Session)
		}
		r, notes, err := asked(ctx, s, caller{req.Session, req.Params.GetProgressToken()},
			func(m *ask.Memory) (*mcp.CallToolResult, error) {
				answer, err := question(ctx, m, in)
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
func checked[R any, A ask.Answer](ctx context.Context, r R, method func(context.Context, R) (A, error)) (ask.Answer, error) {
	if c, ok := any(r).(interface{ Check() error }); ok {
		if err := c.Check(); err != nil {
			return nil, err
		}
	}
	a, err := method(ctx, r)
	if err != nil {
		return nil, err
	}
	return a, nil
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
