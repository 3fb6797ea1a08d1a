package codex

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// codeTool is the tool of code mode: its input is a script in JavaScript that calls the
// other tools, and its result is what the script chose to print.
const codeTool = "exec"

var (
	innerCall  = lazy.Pattern(`\btools\.(\w+)\s*\(`)
	literal    = "(\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`)"
	innerCmd   = lazy.Pattern(`(?s)\b(?:cmd|command)["']?\s*:\s*` + literal)
	innerDir   = lazy.Pattern(`(?s)\bworkdir["']?\s*:\s*` + literal)
	innerText  = lazy.Pattern(`(?s)\b(?:q|query|message|prompt|url)["']?\s*:\s*` + literal)
	innerID    = lazy.Pattern(`\b(?:session_id|cell_id)["']?\s*:\s*["']?(\d+)`)
	patchText  = lazy.Pattern(`(?s)\*\*\* Begin Patch.*?\*\*\* End Patch`)
	scriptLine = lazy.Pattern(`^Script (?:completed|failed|terminated|running with cell ID)`)
	cellLine   = lazy.Pattern(`^Script running with cell ID (\S+)`)
)

// held are turns that wait for the result of a script, which shows whether its commands have
// separate results.
type held struct {
	id     string // of the call
	inner  []*turns.ToolCall
	whole  turns.Turn // the call as one
	behind []turns.Turn
}

// mostHeld is how many turns wait for the result of one script.
const mostHeld = 100

// hold emits a turn, or queues it if a script waits for its result.
func (r *reader) hold(t turns.Turn) {
	if r.held == nil {
		r.Put(t)
		return
	}
	r.held.behind = append(r.held.behind, t)
	if len(r.held.behind) > mostHeld {
		r.release()
	}
}

// release emits the queued turns, with the script as one call.
func (r *reader) release() {
	h := r.held
	if h == nil {
		return
	}
	r.held = nil
	r.putAll(append([]turns.Turn{h.whole}, h.behind...))
}

func (r *reader) putAll(all []turns.Turn) {
	for _, t := range all {
		r.Put(t)
	}
}

// code reads the call of a script.
func (r *reader) code(it *item, p place) {
	if r.copied || r.guardian {
		return
	}
	c := &call{ids: []string{it.CallID}, code: true}
	if it.CallID != "" {
		r.calls[it.CallID] = c
	}
	if r.passes {
		return
	}
	inner, waits := innerCalls(it.CallID, it.Input)
	if waits != "" && len(inner) == 1 {
		if c.as = r.processes[waits]; c.as != "" {
			return
		}
	}
	whole := asOne(it, inner)
	if len(inner) == 1 {
		whole = inner[0]
		whole.ID = it.CallID
	}
	if it.CallID == "" {
		r.put(p, turns.Turn{Role: turns.Call, Call: whole})
		return
	}
	r.release()
	r.stopped = false
	r.held = &held{id: it.CallID, inner: inner, whole: turns.Turn{Role: turns.Call, At: p.at, Time: p.time, Call: whole}}
}

// innerCalls are the calls that a script makes, as far as its text shows them. If the last
// one waits for a process, waits names that.
func innerCalls(id, script string) (calls []*turns.ToolCall, waits string) {
	places := innerCall().FindAllStringSubmatchIndex(script, -1)
	for i, at := range places {
		end := len(script)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		name, args := script[at[2]:at[3]], script[at[1]:end]
		c := &turns.ToolCall{ID: fmt.Sprintf("%s/%d", id, i+1), Name: name, Tool: turns.KindOf(name)}
		waits = ""
		switch {
		case c.Tool == turns.Shell:
			c.Dir, c.Outside = quoted(innerDir(), args), strings.Contains(args, escalated)
			if c.Command = turns.Script(quoted(innerCmd(), args)); c.Command == "" {
				c.Command = strings.TrimSpace(script) // made by the script
			}
		case c.Tool == turns.Edit:
			c.New = patchIn(args, script)
			c.Files = turns.PatchFiles(c.New)
		case name == "write_stdin":
			waits = first(innerID(), args)
		case name == "wait":
			waits = cell + first(innerID(), args)
		default:
			c.Text = quoted(innerText(), args)
		}
		calls = append(calls, c)
	}
	return calls, waits
}

// asOne is a script as one call: that of a shell if it runs any command.
func asOne(it *item, inner []*turns.ToolCall) *turns.ToolCall {
	whole := &turns.ToolCall{ID: it.CallID, Name: it.Name}
	var commands []string
	for _, c := range inner {
		switch {
		case c.Tool == turns.Shell:
			commands = append(commands, c.Command)
			whole.Dir, whole.Outside = c.Dir, whole.Outside || c.Outside
		case c.Tool == turns.Edit:
			whole.New += c.New
			whole.Files = append(whole.Files, c.Files...)
		default:
			whole.Text = strings.TrimSpace(whole.Text + "\n" + c.Text)
		}
	}
	switch {
	case len(commands) > 0:
		whole.Tool, whole.Command = turns.Shell, strings.Join(commands, "\n")
	case whole.New != "":
		whole.Tool = turns.Edit
	case len(inner) == 0:
		whole.Text = it.Input
	}
	return whole
}

func first(re *regexp.Regexp, s string) string {
	if m := re.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

// quoted is the text of the string that re finds.
func quoted(re *regexp.Regexp, s string) string {
	m := first(re, s)
	if m == "" {
		return ""
	}
	return unquote(m)
}

// unquote is the text of a string of JavaScript.
func unquote(s string) string {
	inner := s[1 : len(s)-1]
	if s[0] != '"' {
		inner = strings.NewReplacer(`\'`, `'`, "\\`", "`", "\n", `\n`, "\r", `\r`, "\t", `\t`, `"`, `\"`, `\\`, `\\`, `\"`, `\"`, `\$`, `$`).Replace(inner)
	}
	var text string
	if json.Unmarshal([]byte(`"`+inner+`"`), &text) != nil {
		return s[1 : len(s)-1]
	}
	return text
}

// patchIn is the patch among the arguments, or, since it is often a constant before the
// call, in the script.
func patchIn(args, script string) string {
	patch := patchText().FindString(args)
	if patch == "" {
		patch = patchText().FindString(script)
	}
	if patch != "" && !strings.Contains(patch, "\n") {
		patch = unquote("`" + patch + "`")
	}
	return patch
}

// codeOutput reads what a script printed. The commands get results of their own where it
// printed as many things as it ran.
func (r *reader) codeOutput(c *call, out pieces, p place) {
	if r.passes {
		return
	}
	var results []*turns.ToolResult
	var running []string
	state, process := turns.Unsaid, ""
	if len(out) > 0 {
		status, body := turns.SplitHead(out[0])
		if m := cellLine().FindStringSubmatch(status); m != nil {
			state, process = turns.Running, cell+m[1]
		} else if strings.HasPrefix(status, "Script failed") {
			state = turns.Failed
		} else if strings.HasPrefix(status, "Script terminated") {
			state = turns.NotRun
		}
		if scriptLine().MatchString(status) {
			out = out[1:]
			if body != "" {
				out = append(pieces{body}, out...)
			}
		}
	}
	for _, res := range printed(out) {
		results, running = append(results, res.res), append(running, res.running)
	}
	var inner []*turns.ToolCall
	h := r.held
	if h != nil && h.id == c.ids[0] {
		inner = h.inner
	}
	if len(inner) > 1 && len(results) == len(inner) && state == turns.Unsaid {
		r.held = nil
		r.apart(h, c, results, running, p)
		return
	}
	if h != nil && h.id == c.ids[0] {
		r.release()
	}
	res, inside := joined(results, running)
	if state != turns.Unsaid {
		res.State = state
	}
	process = cmp.Or(process, inside)
	r.ended(c, c.ids[0], res, process, p)
}

// apart gives each command its own call and result.
func (r *reader) apart(h *held, c *call, results []*turns.ToolResult, running []string, p place) {
	for _, inner := range h.inner {
		t := h.whole
		t.Call = inner
		r.Put(t)
	}
	r.putAll(h.behind)
	for i, res := range results {
		r.ended(c, h.inner[i].ID, res, running[i], p)
	}
}

type printedResult struct {
	res     *turns.ToolResult
	running string
}

// printed are the things that a script printed: texts, results as JSON, lists of results.
func printed(out pieces) []printedResult {
	var all []printedResult
	for _, text := range out {
		var list []structured
		if strings.HasPrefix(strings.TrimSpace(text), "[{") && turns.Decode([]byte(text), &list) {
			if some := results(list); some != nil {
				all = append(all, some...)
				continue
			}
		}
		res, running := result(text)
		all = append(all, printedResult{res, running})
	}
	return all
}

func results(list []structured) []printedResult {
	var all []printedResult
	for i := range list {
		res, running, ok := list[i].result()
		if !ok {
			return nil
		}
		all = append(all, printedResult{res, running})
	}
	return all
}

// joined are several results as one: the exit code is that of the first that failed.
func joined(results []*turns.ToolResult, running []string) (res *turns.ToolResult, process string) {
	res = &turns.ToolResult{}
	var texts []string
	for i, one := range results {
		texts = append(texts, one.Text)
		if one.Exit != nil && (res.Exit == nil || *res.Exit == 0) {
			res.Exit = one.Exit
		}
		if one.State != turns.Unsaid {
			res.State, process = one.State, running[i]
		}
	}
	res.Text = strings.Join(texts, "\n")
	return res, process
}
