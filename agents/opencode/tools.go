package opencode

import (
	"cmp"
	"fmt"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// state is a call and its result.
type state struct {
	Status   string                `json:"status"` // pending, running, completed, error
	Input    turns.Args[input]     `json:"input"`
	Output   string                `json:"output"`
	Error    string                `json:"error"`
	Metadata turns.Loose[metadata] `json:"metadata"`
	Time     struct {
		Start float64 `json:"start"`
		End   float64 `json:"end"`
	} `json:"time"`
}

type metadata struct {
	Exit    *int       `json:"exit"`
	Answers [][]string `json:"answers"`
}

// input are the arguments of the tools that are known.
type input struct {
	Command   string `json:"command"`
	Workdir   string `json:"workdir"`
	FilePath  string `json:"filePath"`
	Path      string `json:"path"`
	OldString string `json:"oldString"`
	NewString string `json:"newString"`
	Edits     []struct {
		FilePath  string `json:"filePath"`
		OldString string `json:"oldString"`
		NewString string `json:"newString"`
	} `json:"edits"`
	Content   string           `json:"content"`
	PatchText string           `json:"patchText"`
	Pattern   string           `json:"pattern"`
	Query     string           `json:"query"`
	URL       string           `json:"url"`
	Prompt    string           `json:"prompt"`
	Name      string           `json:"name"`
	Tool      string           `json:"tool"` // of a malformed call
	Questions []turns.Question `json:"questions"`
}

// tools are the kinds of the tools of OpenCode; all others are turns.Other.
var tools = map[string]turns.Tool{
	"bash": turns.Shell, "shell": turns.Shell,
	"edit": turns.Edit, "multiedit": turns.Edit, "apply_patch": turns.Edit, "patch": turns.Edit,
	"write": turns.Write, "read": turns.Read,
	"grep": turns.Search, "glob": turns.Search, "list": turns.Search, "codesearch": turns.Search, "websearch": turns.Search,
	"question": turns.Ask, "plan_exit": turns.Ask, "task": turns.Delegate,
	"todowrite": turns.Plan, "todoread": turns.Plan, "plan_enter": turns.Plan,
}

// invalid is the name under which OpenCode records a malformed call.
const invalid = "invalid"

// tool emits a call and its result, which are in one part. Their ids are made from the position,
// since the ids in the record may be redacted.
func (r *reader) tool(p *part, t turns.Turn) error {
	s := &p.State
	id := fmt.Sprintf("part %d", r.n)
	if s.Time.Start > 0 {
		t.Time = stamp(s.Time.Start)
	}
	t.Role, t.Call = turns.Call, call(p.Tool, &s.Input)
	t.Call.ID = id
	if err := r.Put(t); err != nil {
		return err
	}
	if s.Status != "completed" && s.Status != "error" {
		return nil // pending, or still running where the file ends
	}
	if s.Time.End > 0 {
		t.Time = stamp(s.Time.End)
	}
	t.Role, t.Call, t.Result = turns.Result, nil, result(p.Tool, s)
	t.Result.ID = id
	return r.Put(t)
}

func call(name string, args *turns.Args[input]) *turns.ToolCall {
	in := &args.Is
	c := &turns.ToolCall{Name: name, Tool: tools[name], Dir: in.Workdir}
	if in.FilePath != "" {
		c.Files = []string{in.FilePath}
	}
	switch c.Tool {
	case turns.Shell:
		c.Command = turns.Script(in.Command)
	case turns.Edit:
		c.Old, c.New = in.OldString, in.NewString
		for _, e := range in.Edits {
			c.Old += e.OldString + "\n"
			c.New += e.NewString + "\n"
		}
		if in.PatchText != "" {
			c.New, c.Files = in.PatchText, turns.PatchFiles(in.PatchText)
		}
	case turns.Write:
		c.New = in.Content
	case turns.Delegate:
		c.Text = in.Prompt
	case turns.Ask:
		c.Asks(in.Questions)
	case turns.Search:
		c.Text = cmp.Or(in.Pattern+in.Query, in.Path)
	default:
		c.Text = strings.TrimSpace(in.Query + " " + in.URL + in.Name + in.Tool)
		c.Unnamed(args.Raw)
	}
	return c
}

const (
	noOutput     = "(no output)"
	rejectMark   = "The user rejected permission"
	dismissMark  = "The user dismissed this question"
	feedbackMark = "feedback: "
	abortMark    = "Tool execution aborted"
	ruleMark     = "The user has specified a rule"
)

// told is the answer that the plugin appended to an output.
var told = lazy.Pattern(`(?s)\n\n<episodes>\n.*</episodes>$`)

// result reads the result of a call. For a command the status "completed" only means that it ran, so
// only its exit code shows whether it succeeded.
func result(tool string, s *state) *turns.ToolResult {
	res := &turns.ToolResult{Text: s.Output, Exit: s.Metadata.Is.Exit, State: turns.OK}
	res.Text = told().ReplaceAllString(res.Text, "")
	if strings.TrimSpace(res.Text) == noOutput {
		res.Text = ""
	}
	switch {
	case s.Status == "error":
		res.Text, res.State = s.Error, turns.Failed
		switch {
		case strings.HasPrefix(s.Error, rejectMark):
			res.State = turns.Refused
			_, res.Said, _ = strings.Cut(s.Error, feedbackMark)
		case strings.HasPrefix(s.Error, dismissMark):
			res.State = turns.Refused
		case strings.HasPrefix(s.Error, abortMark), strings.HasPrefix(s.Error, ruleMark):
			res.State = turns.NotRun
		}
	case tool == invalid:
		res.State = turns.Failed
	case tools[tool] == turns.Shell:
		res.State = turns.Unsaid
	}
	var said []string
	for _, answers := range s.Metadata.Is.Answers {
		said = append(said, strings.Join(answers, ", "))
	}
	if len(said) > 0 {
		res.Said = strings.Join(said, "\n")
	}
	return res
}
