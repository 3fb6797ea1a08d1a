package hook

import (
	"path/filepath"
	"strings"

	"episodes/agents/agent"
	"episodes/extract/actions"
	"episodes/internal/ask"
)

// Maximum sizes of the parts of a question, in bytes. More would only cost time.
const (
	mostCommand = 2 << 10
	mostOutput  = 32 << 10
	mostPrompt  = 8 << 10
)

// atFailure is the moment at which a command failed, see ask.AdviseRequest.
const atFailure = "failure"

// question is what is asked about an event; ok is false where there is nothing to ask.
func (v *Event) question(root string) (r ask.AdviseRequest, ok bool) {
	switch v.Moment {
	case agent.Prompt:
		r = ask.AdviseRequest{Moment: "prompt", Text: begin(v.Prompt, mostPrompt)}
	case agent.Before:
		r = ask.AdviseRequest{Moment: "command", Text: begin(v.Call.Command(), mostCommand)}
		if file := edited(v.Call, root); file != "" {
			r.Moment, r.Text, r.File = "edit", "", begin(file, mostCommand)
		}
	case agent.After, agent.Failed:
		if v.failed() {
			r = ask.AdviseRequest{Moment: atFailure, Text: failure(v.Call.Command(), v.Result.Text)}
		}
	}
	return r, strings.TrimSpace(r.Text)+r.File != ""
}

// failed reports whether a tool failed, as opposed to a person who said no, or a question
// with the answer no.
func (v *Event) failed() bool {
	r := &v.Result
	return !r.Stopped && v.Call.Runs() && strings.TrimSpace(r.Text) != "" && v.Call.Failed(r.Said, r.Exit, r.Text)
}

// failure is what is asked about a failed command: what it put out, below the command as in
// a terminal.
func failure(command, output string) string {
	if len(output) > mostOutput { // errors are at the end, or at the beginning
		head := begin(output, mostOutput/4)
		output = head + "\n" + end(output, mostOutput-len(head)-1)
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(command), "\n"); first != "" {
		return "$ " + begin(first, mostCommand) + "\n" + output
	}
	return output
}

// edited is the file of an edit that is about to be made, relative to the repository if it is in it; "" for another call.
func edited(c *actions.Live, root string) string {
	file, _, _, _, edits := c.Edit()
	if !edits {
		return ""
	}
	if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

// begin is the beginning of a text, in whole lines where it has several.
func begin(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = text[:most]
	if at := strings.LastIndexByte(text, '\n'); at > most/2 {
		text = text[:at]
	}
	return strings.ToValidUTF8(text, "")
}

// end is the end of a text, likewise.
func end(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	if at := strings.IndexByte(text, '\n'); at >= 0 && at < most/2 {
		text = text[at+1:]
	}
	return strings.ToValidUTF8(text, "")
}
