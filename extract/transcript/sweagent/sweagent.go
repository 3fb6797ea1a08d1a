// Package sweagent reads the trajectories of SWE-agent, 0.x and 1.x: one JSON value with a step for
// each action and its output. Spans count steps. The history next to the steps repeats them, with
// prompts, and is read only for the task.
//
// sweagent.go reads steps, and tools.go parses the commands that SWE-agent adds to the shell.
package sweagent

import (
	"cmp"
	"strings"

	"episodes/episode"
	"episodes/internal/turns"
)

// Format is the format.
var Format = turns.Format{Name: "swe-agent", Title: "SWE-agent", Detect: detect, Read: read}

// detect reports whether head begins a trajectory of SWE-agent.
func detect(head []byte) bool {
	shape := turns.ShapeOf(head)
	return shape.Has("trajectory[].action") && shape.Has("trajectory[].observation") && shape.Has("trajectory[].response")
}

// read reads a trajectory.
func read(in *turns.Reader) error {
	in.Session.Unit = "step"
	r := &reader{Reader: in}
	return in.Document(r.read)
}

type reader struct {
	*turns.Reader
}

// step is an element of the trajectory. What was sent to the model is called "messages"
// or "query" from 1.0 on.
type step struct {
	Action      string             `json:"action"`
	Observation string             `json:"observation"`
	Thought     string             `json:"thought"`
	State       turns.Inner[state] `json:"state"`
}

// state is the state of the shell: an object, or in 0.x a string that contains one.
type state struct {
	WorkingDir string `json:"working_dir"`
	OpenFile   string `json:"open_file"`
}

// message is an element of the history.
type message struct {
	Role    string        `json:"role"`
	Content turns.Content `json:"content"`
	IsDemo  bool          `json:"is_demo"`
}

func (r *reader) read(d *turns.Document) {
	d.Members(func(name string) {
		switch name {
		case "trajectory":
			turns.Each(d, r.step)
		case "history":
			d.Elements(func(int) {
				if r.Session.Title != "" {
					d.Skip()
					return
				}
				var m message
				d.Value(&m)
				if m.Role == "user" && !m.IsDemo {
					r.Session.Title = title(string(m.Content))
				}
			})
		case "info":
			var i struct {
				Stats struct {
					Cost     float64 `json:"instance_cost"`
					Sent     int     `json:"tokens_sent"`
					Received int     `json:"tokens_received"`
				} `json:"model_stats"`
			}
			d.Value(&i)
			r.Session.Tokens, r.Session.Cost = i.Stats.Sent+i.Stats.Received, i.Stats.Cost
		default:
			d.Skip()
		}
	})
}

// taskMarks precede the text of an issue in the prompts that SWE-agent ships.
var taskMarks = []string{"<pr_description>", "\nISSUE:", "The description is:"}

// title returns the first line of the issue in a prompt. SWE-agent writes the prompt, so it is not a
// turn of the user.
func title(prompt string) string {
	for _, mark := range taskMarks {
		if _, task, found := strings.Cut(prompt, mark); found {
			prompt = task
			break
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	return strings.TrimSpace(line)
}

func (r *reader) step(s *step, at episode.Span) {
	r.Session.Dir = cmp.Or(r.Session.Dir, s.State.Is.WorkingDir)
	if strings.TrimSpace(s.Thought) != "" {
		r.Put(turns.Turn{Role: turns.Agent, At: at, Text: strings.TrimSpace(s.Thought)})
	}
	if strings.TrimSpace(s.Action) == "" {
		return // the model's answer had a wrong format
	}
	c := call(s)
	r.Call(turns.Turn{At: at}, c)
	res := &turns.ToolResult{Text: strings.TrimSpace(s.Observation)}
	if c.Tool != turns.Shell {
		res.State = outcome(res.Text)
	}
	r.Result(turns.Turn{At: at}, res)
}

// said maps states to the first words of the messages in which SWE-agent's own tools report them.
// The format has no field for the state, and shell commands report none.
var said = map[turns.State][]string{
	turns.Failed: {
		"Your proposed edit has introduced new syntax error(s)", "Your edit was not applied", "No replacement was performed", "No file open.", "Error: ", "ERROR:", "The path ",
		"Invalid `path` parameter", "Invalid `insert_line` parameter", "Invalid `view_range` parameter",
	},
	turns.OK: {"[File: ", "Text replaced.", "The file ", "File created successfully", "Here's the result of running", "Last edit to "},
}

func outcome(text string) turns.State {
	for state, texts := range said {
		for _, begin := range texts {
			if strings.HasPrefix(text, begin) {
				return state
			}
		}
	}
	return turns.Unsaid
}
