// Package minisweagent reads the trajectories of mini-swe-agent, 1.x (a command in a block
// of Markdown) and 2.x (calls of a tool): one JSON value with the messages that model and
// shell sent each other. Spans count messages.
package minisweagent

import (
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// Format is the format.
var Format = turns.Format{Name: "mini-swe-agent", Title: "mini-swe-agent", Detect: detect, Read: read}

// detect reports whether head begins a trajectory of mini-swe-agent.
func detect(head []byte) bool {
	shape := turns.ShapeOf(head)
	return strings.HasPrefix(shape["trajectory_format"], "mini-swe-agent") || shape.Has("info.mini_version") ||
		shape.Has("info.model_stats.instance_cost") && shape.Has("messages[].role")
}

// read reads a trajectory.
func read(in *turns.Reader) error {
	in.Session.Unit = "message"
	r := &reader{Reader: in}
	return in.Document(r.read)
}

type reader struct {
	*turns.Reader
	task  bool   // the task was emitted
	calls []call // calls without a result
}

type call struct{ ID, Command string }

type info struct {
	Config struct {
		Environment struct {
			Cwd string `json:"cwd"`
		} `json:"environment"`
	} `json:"config"`
	Stats struct {
		Cost float64 `json:"instance_cost"`
	} `json:"model_stats"`
}

type message struct {
	Role       string        `json:"role"`
	Content    turns.Content `json:"content"`
	ToolCallID string        `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Arguments turns.Inner[struct {
				Command string `json:"command"`
			}] `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	Extra struct {
		Actions []struct {
			Command    string `json:"command"`
			ToolCallID string `json:"tool_call_id"`
		} `json:"actions"`
		RawOutput     *string `json:"raw_output"`
		ReturnCode    *int    `json:"returncode"`
		InterruptType string  `json:"interrupt_type"`
		Response      struct {
			Usage struct {
				Total int `json:"total_tokens"`
			} `json:"usage"`
		} `json:"response"`
	} `json:"extra"`
}

func (r *reader) read(d *turns.Document) {
	d.Members(func(name string) {
		switch name {
		case "info":
			var i info
			d.Value(&i)
			r.Session.Dir, r.Session.Cost = i.Config.Environment.Cwd, i.Stats.Cost
		case "instance_id":
			d.Value(&r.Session.Task)
		case "messages":
			turns.Each(d, r.message)
		default:
			d.Skip()
		}
	})
}

func (r *reader) message(m *message, at episode.Span) {
	switch m.Role {
	case "assistant":
		r.assistant(m, at)
		return
	case "user", "tool":
		if !r.task {
			r.task = true
			r.Put(turns.Turn{Role: turns.User, At: at, Text: task(string(m.Content))})
			return
		}
		r.answer(m, at)
		return
	case "system", "exit", "": // exit repeats the submission
		return
	}
	r.Unknown(m.Role)
}

// block is the form in which 1.x, and 2.x without tools, want the command.
var block = lazy.Pattern("(?s)```(?:bash|mswea_bash_command)\\s*\\n(.*?)\\n```")

func (r *reader) assistant(m *message, at episode.Span) {
	r.Session.Tokens += m.Extra.Response.Usage.Total
	text := string(m.Content)
	r.calls = r.calls[:0]
	for _, a := range m.Extra.Actions {
		r.calls = append(r.calls, call{a.ToolCallID, a.Command})
	}
	if len(r.calls) == 0 {
		for _, c := range m.ToolCalls {
			r.calls = append(r.calls, call{c.ID, c.Function.Arguments.Is.Command})
		}
	}
	blocks := block().FindAllStringSubmatch(text, -1)
	if len(blocks) == 1 { // with several, none is run
		text = strings.Replace(text, blocks[0][0], "", 1)
		if len(r.calls) == 0 {
			r.calls = append(r.calls, call{Command: blocks[0][1]})
		}
	}
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "THOUGHT:"))
	if text != "" {
		r.Put(turns.Turn{Role: turns.Agent, At: at, Text: text})
	}
	for _, c := range r.calls {
		t := turns.Turn{Role: turns.Call, At: at, Call: &turns.ToolCall{ID: c.ID, Name: "bash",
			Tool: turns.Shell, Command: strings.TrimSpace(c.Command)}}
		r.Put(t)
	}
}

// The texts of mini-swe-agent in messages of users that are not outputs.
const (
	rejected    = "Command not executed. The user rejected your command"
	notRun      = "Command not executed."
	interrupted = "Interrupted by user"
	newTask     = "The user added a new task:"
	timedOut    = "The last command <command>"
)

// answer reads the output of a command, or the words of a human in place of the output.
func (r *reader) answer(m *message, at episode.Span) {
	text := string(m.Content)
	if said, found := strings.CutPrefix(text, newTask); found {
		r.Put(turns.Turn{Role: turns.User, At: at, Text: strings.TrimSpace(said)})
		return
	}
	if strings.HasPrefix(text, interrupted) || m.Extra.InterruptType == "UserInterruption" {
		r.stopped(text, at)
		return
	}
	if len(r.calls) == 0 {
		return // an error message about the format of the model's answer
	}
	c := r.calls[0]
	for i := range r.calls {
		if r.calls[i].ID == m.ToolCallID {
			c = r.calls[i]
			r.calls = append(r.calls[:i], r.calls[i+1:]...)
			break
		}
	}
	res := &turns.ToolResult{ID: c.ID}
	switch {
	case strings.HasPrefix(text, rejected):
		res.State = turns.Refused
		_, said, _ := strings.Cut(text, "following message:")
		res.Said = strings.TrimSpace(said)
	case strings.HasPrefix(text, notRun):
		res.State = turns.NotRun
	case strings.HasPrefix(text, timedOut):
		res.State = turns.Failed
		res.Text = text
	default:
		res.Text = text // of the last command, which submits
		turns.Returned(res)
		if m.Extra.ReturnCode != nil {
			res.Exit = m.Extra.ReturnCode
		}
		if m.Extra.RawOutput != nil {
			res.Text = *m.Extra.RawOutput
		}
	}
	r.Result(turns.Turn{At: at}, res)
}

func (r *reader) stopped(text string, at episode.Span) {
	r.Put(turns.Turn{Role: turns.Stop, At: at})
	_, said, _ := strings.Cut(text, ":")
	if said = strings.TrimSpace(said); said == "" || !strings.HasPrefix(text, interrupted) ||
		strings.HasPrefix(said, "Temporary interruption caught") {
		return
	}
	r.Put(turns.Turn{Role: turns.User, At: at, Text: said})
}

// task returns the task in a prompt, without the instructions around it.
func task(prompt string) string {
	if _, inner, found := strings.Cut(prompt, "<pr_description>"); found {
		inner, _, _ = strings.Cut(inner, "</pr_description>")
		return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(inner), "Consider the following PR description:"))
	}
	prompt, _, _ = strings.Cut(prompt, "\n\nYou can execute bash commands")
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(prompt), "Please solve this issue:"))
}
