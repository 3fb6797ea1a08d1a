package atif

import (
	"strconv"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// did records work of an orchestrator itself, in the observation of a step of the source system: the
// command that it ran, or the commit that it made.
type did struct {
	Type       string        `json:"type"`
	Command    string        `json:"command"`
	Output     turns.Content `json:"output"`
	Sha        string        `json:"sha"`
	Hash       string        `json:"hash"`
	CommitHash string        `json:"commit_hash"`
	CommitSha  string        `json:"commitSha"`
	Subject    string        `json:"message"`
}

// commit returns the hash of the commit that was made, or "".
func (d *did) commit() string {
	for _, hash := range []string{d.CommitHash, d.CommitSha, d.Sha, d.Hash} {
		if commitHash().MatchString(hash) {
			return hash
		}
	}
	return ""
}

// known reports whether the record names the command or the commit.
func (d *did) known() bool { return d.Command != "" || d.commit() != "" }

var commitHash = lazy.Pattern(`^[0-9a-f]{7,40}$`)

// inner decodes a content that is a JSON object. A result of the RFC has no other field for it.
func (r *result) inner() {
	if r.known() || !strings.HasPrefix(string(r.Content), "{") {
		return
	}
	var in result
	if !turns.Decode([]byte(r.Content), &in) || !in.known() {
		return
	}
	r.did, r.Content = in.did, in.Content
	if r.state() == turns.Unsaid && r.exit() == nil {
		r.outcome = in.outcome
	}
}

// checked reports whether an orchestrator checked something, without saying by which command.
func (r *result) checked() bool { return r.exit() != nil || r.Passed != nil }

// ran emits what an orchestrator did as a call with its result. name is used for a check without
// a command.
func (r *reader) ran(res *result, name string, t turns.Turn) {
	call := &turns.ToolCall{Name: "orchestrator", Tool: turns.Shell, Command: res.Command}
	out := &turns.ToolResult{State: res.state(), Exit: res.exit(), Text: string(res.Output)}
	if out.Text == "" && res.commit() == "" {
		out.Text = string(res.Content)
	}
	if !res.known() {
		*call = turns.ToolCall{Name: turns.Start(name, mostName)}
	}
	if hash := res.commit(); hash != "" && call.Command == "" {
		subject, _, _ := strings.Cut(res.Subject, "\n")
		call.Command = "git commit -m " + strconv.Quote(subject)
		if out.Commit = hash; out.State == turns.Unsaid {
			out.State = turns.OK
		}
	}
	r.Call(t, call)
	Unwrap(out)
	r.Result(t, out)
}

// mostName is how much of a message may name a check, in bytes.
const mostName = 40

// mostEarly is how many results wait for their calls.
const mostEarly = 100

// answered emits a result, once its call was emitted: some writers put it before the call.
func (r *reader) answered(t turns.Turn) {
	id := t.Result.ID
	if _, waits := r.early[id]; id != "" && !r.called[id] && !waits && len(r.early) < mostEarly {
		r.early[id] = t
		return
	}
	r.open = false
	r.Put(t)
}

// call emits a call, and its result if that was there before.
func (r *reader) call(t turns.Turn) {
	r.Put(t)
	id := t.Call.ID
	if r.open = true; id == "" {
		return
	}
	if len(r.called) == mostRefs {
		clear(r.called)
	}
	r.called[id] = true
	early, waits := r.early[id]
	if !waits {
		return
	}
	delete(r.early, id)
	r.open = false
	r.Put(early)
}
