package claude

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

func call(b *block) *turns.ToolCall {
	args, _ := json.Marshal(b.Input)
	return turns.CallOf(b.ID, b.Name, args)
}

// tellsMore reports whether a toolUseResult has one of the fields of an outcome: most only
// repeat the output.
func tellsMore(use []byte) bool {
	fields := []string{"returnCodeInterpretation", "backgroundTaskId", "answers", "gitOperation",
		`"interrupted":true`, `"interrupted": true`}
	return slices.ContainsFunc(fields, func(f string) bool { return bytes.Contains(use, []byte(f)) })
}

// outcome holds the fields of toolUseResult that are needed. After a failure, toolUseResult is a
// string.
type outcome struct {
	ReturnCode   string            `json:"returnCodeInterpretation"`
	Interrupted  bool              `json:"interrupted"`
	Background   string            `json:"backgroundTaskId"`
	Answers      map[string]string `json:"answers"`
	GitOperation struct {
		Commit struct {
			SHA string `json:"sha"`
		} `json:"commit"`
	} `json:"gitOperation"`
}

var exitCode = lazy.Pattern(`^(?:Error: )?Exit code (\d+)\b(?:\n+|$)?`)

const (
	saidMark    = "the user said:"
	siblingMark = "Sibling tool call errored"
	cancelMark  = "Cancelled: parallel tool call"
	rejectMark  = "The user doesn't want to"
	askMark     = "User has answered your questions"
)

// Result reads the result of a tool of Claude Code: what the agent was shown, whether it is
// flagged as an error, and the record of it (toolUseResult), if there is one.
func Result(id, text string, isError bool, use json.RawMessage) *turns.ToolResult {
	res := &turns.ToolResult{ID: id, Text: text, State: turns.OK}
	if m := exitCode().FindStringSubmatch(res.Text); m != nil {
		code, _ := strconv.Atoi(m[1])
		res.Exit, res.Text = turns.Exited(code), res.Text[len(m[0]):]
	}
	switch {
	case strings.HasPrefix(res.Text, rejectMark), isError && strings.HasPrefix(res.Text, "[Request interrupted by user"):
		res.State = turns.Refused
		if _, said, found := strings.Cut(res.Text, saidMark); found {
			res.Said = turns.Replied(said)
		}
		res.Text = ""
		return res
	case strings.Contains(res.Text, siblingMark), strings.Contains(res.Text, cancelMark):
		res.State = turns.NotRun
		return res
	case isError:
		res.State = turns.Failed
		return res
	}
	var o outcome
	if len(use) == 0 || use[0] != '{' || !tellsMore(use) || json.Unmarshal(use, &o) != nil {
		return res
	}
	res.Commit = o.GitOperation.Commit.SHA
	switch {
	case o.ReturnCode != "":
		res.State = turns.Empty
	case o.Interrupted:
		res.State = turns.NotRun
	case o.Background != "":
		res.State = turns.Running
	}
	if len(o.Answers) > 0 { // answers, in the order of the questions
		res.Said = res.Text
		if _, said, found := strings.Cut(res.Text, askMark); found {
			res.Said = turns.Replied(strings.TrimPrefix(said, ":"))
		}
	}
	return res
}
