package specstory

import (
	"cmp"
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// tool is a tool-use block that is being read.
type tool struct {
	name     string
	kind     turns.Tool
	known    bool // a tool of Claude Code itself
	claude   bool
	bare     bool // no block, only a line that names the tool
	from     int  // its first line
	said     int  // the last line of the call
	lastLine int

	summary    string
	inSummary  bool
	label      string // the last line that can name what follows
	plain      []string
	open       part
	ticks      string // what closes the open fence
	shut       int    // lines since something that looked like its end
	command    turns.Text
	content    turns.Text
	params     turns.Text
	answer     turns.Text // the result
	resultFrom int
	failed     bool
	status     string
}

// part is what the open fence of a tool holds.
type part uint8

const (
	none part = iota
	commandPart
	contentPart
	paramsPart
	resultPart
	otherPart
)

// mostPlain is how many lines outside of fences are kept.
const mostPlain = 200

func newTool(typ, name string, from int) *tool {
	t := &tool{name: name, from: from, said: from}
	if kind, ok := claudeTools[name]; ok {
		t.kind, t.known = kind, true
	} else if kind, ok := otherTools[name]; ok {
		t.kind = kind
	} else {
		t.kind = types[typ]
	}
	return t
}

var types = map[string]turns.Tool{
	"shell": turns.Shell, "bash": turns.Shell, "read": turns.Read, "write": turns.Edit, "search": turns.Search, "task": turns.Plan,
}

// claudeTools are those whose results say when they failed.
var claudeTools = map[string]turns.Tool{
	"Bash": turns.Shell, "PowerShell": turns.Shell, "Edit": turns.Edit, "MultiEdit": turns.Edit, "NotebookEdit": turns.Edit, "Write": turns.Write,
	"Read": turns.Read, "Grep": turns.Search, "Glob": turns.Search, "LS": turns.Search, "WebSearch": turns.Search, "WebFetch": turns.Other,
	"AskUserQuestion": turns.Ask, "ExitPlanMode": turns.Ask, "Task": turns.Delegate, "Agent": turns.Delegate,
	"TodoWrite": turns.Plan, "TaskCreate": turns.Plan, "TaskUpdate": turns.Plan, "TaskList": turns.Plan, "EnterPlanMode": turns.Plan,
}

var otherTools = map[string]turns.Tool{
	"run_terminal_cmd": turns.Shell, "run_terminal_command": turns.Shell, "run_terminal_command_v2": turns.Shell, "run_in_terminal": turns.Shell,
	"exec_command": turns.Shell, "shell_command": turns.Shell, "shell": turns.Shell, "run_shell_command": turns.Shell, "write_stdin": turns.Other,
	"list_dir": turns.Search, "list_directory": turns.Search, "read_file": turns.Read, "read_file_v2": turns.Read, "read_lints": turns.Other,
	"grep": turns.Search, "ripgrep": turns.Search, "grep_search": turns.Search, "codebase_search": turns.Search, "file_search": turns.Search,
	"search_replace": turns.Edit, "edit_file": turns.Edit, "edit_file_v2": turns.Edit, "apply_patch": turns.Edit, "write": turns.Write, "write_file": turns.Write,
	"todo_write": turns.Plan, "update_plan": turns.Plan, "create_plan": turns.Plan, "ask_question": turns.Ask, "task": turns.Delegate,
}

var (
	fenceMark = lazy.Pattern("^(`{3,})([A-Za-z0-9_+#.-]*)\\s*$")
	shells    = map[string]bool{"bash": true, "sh": true, "zsh": true, "shell": true, "powershell": true, "console": true}
)

// line takes a line of the block; blank says that the one before was empty.
func (t *tool) line(n int, raw []byte, blank bool) {
	line := string(raw)
	t.lastLine = n
	if t.inSummary || t.open == none && strings.Contains(line, "<summary>") {
		t.summaryLine(n, line)
		return
	}
	var fence []string
	if strings.HasPrefix(line, "```") {
		fence = fenceMark().FindStringSubmatch(line)
	}
	if t.shut > 0 && t.resumes(n, line, fence) {
		return
	}
	switch {
	case t.open == none && fence != nil:
		t.begin(n, fence[1], fence[2])
	case t.open == none:
		t.outside(n, line)
	case t.open == resultPart && t.claude && !t.bare: // up to the end of the block: fences within it do no harm
		if fence != nil && fence[2] == "text" && blank && t.kind == turns.Write {
			t.answer.Reset()
			t.resultFrom = n
			return
		}
		t.answer.AddLine(n, raw)
	case fence == nil || fence[2] != "" || len(fence[1]) < len(t.ticks):
		t.add(n, raw)
	case t.claude && !t.bare && (t.open == commandPart || t.open == contentPart):
		t.shut, t.said = 1, n
	default:
		if t.open != resultPart {
			t.said = n
		}
		t.open = none
	}
}

// resumes says that a line goes on with a fence that a line before it seemed to close:
// what follows its end is empty, or the fence of the result.
func (t *tool) resumes(n int, line string, fence []string) bool {
	if strings.TrimSpace(line) == "" {
		t.shut++
		return true
	}
	seen := t.shut
	t.shut = 0
	if fence != nil && (fence[2] == "" || fence[2] == "text") {
		t.open = none
		return false
	}
	t.add(n, []byte(t.ticks))
	for range seen - 1 {
		t.add(n, nil)
	}
	t.add(n, []byte(line))
	return true
}

func (t *tool) summaryLine(n int, line string) {
	if !t.inSummary {
		_, line, _ = strings.Cut(line, "<summary>")
	}
	text, rest, ended := strings.Cut(line, "</summary>")
	if len(t.summary) < turns.MaxText {
		if t.summary != "" {
			t.summary += "\n"
		}
		t.summary += html.UnescapeString(strings.TrimSpace(text))
	}
	t.inSummary, t.said = !ended, n
	if rest = strings.TrimSpace(rest); rest != "" {
		t.outside(n, rest)
	}
}

// begin opens a fenced block. Its language, the line before it, and the parts of the tool that are
// still missing show what the block holds.
func (t *tool) begin(n int, ticks, lang string) {
	t.ticks = ticks
	switch {
	case t.kind == turns.Write && t.content.String() == "" && lang != "diff" && t.label == "":
		t.open = contentPart
	case results[t.label], lang == "text", lang == "" && t.label == "":
		t.open = resultPart
	case t.kind == turns.Shell && shells[lang] && t.command.String() == "":
		t.open = commandPart
	case t.label == "Parameters:":
		t.open = paramsPart
	case t.kind == turns.Write || t.kind == turns.Edit:
		t.open = contentPart
	default:
		t.open = otherPart
	}
	if t.open == resultPart {
		t.resultFrom = cmp.Or(t.resultFrom, n)
	} else {
		t.said = n
	}
	t.label = ""
}

// results are the lines that name a result.
var results = map[string]bool{"Result:": true, "Output:": true, "Error:": true, "**Result:**": true,
	"**Error:**": true, "**Output:**": true}

func (t *tool) add(n int, line []byte) {
	switch t.open {
	case commandPart:
		t.command.Add(line)
	case contentPart:
		t.content.Add(line)
	case paramsPart:
		t.params.Add(line)
	case resultPart:
		t.answer.AddLine(n, line)
		return
	}
	t.said = n
}

func (t *tool) outside(n int, line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
		return
	case results[trimmed], strings.HasSuffix(trimmed, ":"):
		t.label = trimmed
		t.failed = t.failed || strings.Contains(trimmed, "Error:")
		return
	case strings.HasPrefix(trimmed, answerMark):
		t.resultFrom = cmp.Or(t.resultFrom, n)
	case strings.HasPrefix(trimmed, "<details>"), strings.HasPrefix(trimmed, "</details>"):
		return
	case strings.HasSuffix(trimmed, "**") && statusMark().MatchString(trimmed):
		t.resultFrom = cmp.Or(t.resultFrom, n)
		t.status, t.label = statusMark().FindStringSubmatch(trimmed)[1], ""
		return
	case t.resultFrom == 0:
		t.said = n
	}
	t.label = ""
	if len(t.plain) < mostPlain && len(line) <= turns.MaxText {
		t.plain = append(t.plain, line)
	}
}

const answerMark = "**Answer:**"

var (
	statusMark   = lazy.Pattern(`^(?:Status|User decision): \*\*(\w+)\*\*$`)
	inlineMark   = lazy.Pattern("^\\s*`(.+)`\\s*$")
	bulletMark   = lazy.Pattern("^- (?:command|cmd): `\\[?(?:bash -l?c )?(.*?)\\]?`$")
	pathMark     = lazy.Pattern("^- (?:filePath|file_path|path|target_file): `(.+)`$")
	ticked       = lazy.Pattern("`([^`]+)`")
	patternMark  = lazy.Pattern("pattern `([^`]*)`")
	fileMark     = lazy.Pattern(`(?m)(?:Read|Edit|Write|Wrote|Create|Created|Delete|Deleted) file: (.+?)(?: \(.*\))?$`)
	grepMark     = lazy.Pattern(`(?:Grep for|Searched.* for|Search for) "(.+?)"`)
	patchMark    = lazy.Pattern("^\\*\\*(?:Add|Modify|Update|Delete): `([^`]+)`\\*\\*$")
	changedFile  = lazy.Pattern(`(?m)^(?:The file (\S.*?) has been (?:updated|created)|File created successfully at: (\S.*?)(?: \(.*)?$)`)
	questionMark = lazy.Pattern(`^\*\*(.+)\*\*(?: _\(select multiple\)_)?$`)
)

// call returns the call that the block records.
func (t *tool) call() *turns.ToolCall {
	c := &turns.ToolCall{Name: t.name, Tool: t.kind}
	switch t.kind {
	case turns.Shell:
		c.Command = t.commandLine()
	case turns.Read, turns.Edit, turns.Write:
		c.Files = t.files()
		if c.New = t.content.String(); !t.claude {
			c.New = html.UnescapeString(c.New)
		}
	case turns.Search:
		c.Text = t.searched()
	case turns.Ask:
		c.Text = t.questions()
	case turns.Plan:
	default:
		c.Text = strings.TrimSpace(strings.Join(t.plain, "\n"))
	}
	return c
}

func (t *tool) commandLine() string {
	if c := t.command.String(); c != "" {
		return c
	}
	for _, line := range t.plain {
		for _, mark := range []*regexp.Regexp{bulletMark(), inlineMark()} {
			if m := mark.FindStringSubmatch(line); m != nil {
				return m[1]
			}
		}
	}
	if _, c, found := strings.Cut(t.summary, "Run command: "); found {
		return c
	}
	return t.ticked()
}

// ticked is what stands in backticks behind the name of the tool.
func (t *tool) ticked() string {
	_, s, _ := strings.Cut("**"+t.summary, "** `")
	return strings.TrimSuffix(s, "`")
}

func (t *tool) files() []string {
	var files []string
	add := func(f string) {
		if f != "" && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	for _, m := range fileMark().FindAllStringSubmatch(t.summary, -1) {
		add(m[1])
	}
	if len(files) == 0 {
		add(t.ticked())
	}
	for _, line := range t.plain {
		switch m := patchMark().FindStringSubmatch(line); {
		case m != nil:
			add(m[1])
		case len(files) > 0:
		default:
			if m := inlineMark().FindStringSubmatch(line); m != nil {
				add(m[1])
			} else if m := pathMark().FindStringSubmatch(line); m != nil {
				add(m[1])
			} else if m := fileMark().FindStringSubmatch(line); m != nil {
				add(m[1])
			}
		}
	}
	if len(files) == 0 && t.kind != turns.Read {
		for _, f := range turns.PatchFiles(t.content.String()) {
			add(f)
		}
	}
	if len(files) == 0 && t.kind != turns.Read {
		if m := changedFile().FindStringSubmatch(t.answer.String()); m != nil {
			add(m[1] + m[2])
		}
	}
	return files
}

func (t *tool) searched() string {
	plain := strings.Join(t.plain, "\n")
	if m := patternMark().FindStringSubmatch(plain); m != nil {
		return m[1]
	}
	if m := grepMark().FindStringSubmatch(t.summary); m != nil {
		return m[1]
	}
	if m := ticked().FindStringSubmatch(plain); m != nil {
		return m[1]
	}
	return ""
}

// asked are the questions of an IDE, and its answers.
type asked struct {
	Questions []struct {
		ID      string `json:"id"`
		Prompt  string `json:"prompt"`
		Options []struct {
			ID    string `json:"id"`
			Label string `json:"label"`
		} `json:"options"`
	} `json:"questions"`
	Answers []struct {
		ID       string   `json:"questionId"`
		Free     string   `json:"freeformText"`
		Selected []string `json:"selectedOptionIds"`
	} `json:"answers"`
}

func (t *tool) questions() string {
	var out []string
	for _, line := range t.plain {
		if m := questionMark().FindStringSubmatch(line); m != nil && !strings.HasPrefix(line, answerMark) {
			out = append(out, m[1])
		}
	}
	var a asked
	if json.Unmarshal([]byte(html.UnescapeString(t.params.String())), &a) == nil {
		for _, q := range a.Questions {
			out = append(out, q.Prompt)
		}
	}
	return strings.Join(out, "\n")
}

// answered is what the human answered.
func (t *tool) answered() string {
	for _, line := range t.plain {
		if said, found := strings.CutPrefix(line, answerMark); found {
			return strings.TrimSpace(said)
		}
	}
	var q, a asked
	if json.Unmarshal([]byte(html.UnescapeString(t.params.String())), &q) != nil || json.Unmarshal([]byte(html.UnescapeString(t.answer.String())), &a) != nil {
		return ""
	}
	labels := map[string]string{}
	for _, q := range q.Questions {
		for _, o := range q.Options {
			labels[q.ID+"\x00"+o.ID] = o.Label
		}
	}
	var out []string
	for _, a := range a.Answers {
		for _, s := range a.Selected {
			if l := labels[a.ID+"\x00"+s]; l != "" {
				s = l
			}
			out = append(out, s)
		}
		if a.Free != "" {
			out = append(out, a.Free)
		}
	}
	return strings.Join(out, "\n")
}

const (
	errorMark   = "<tool_use_error>"
	errorEnd    = "</tool_use_error>"
	siblingMark = "Sibling tool call errored"
	rejectMark  = "The user doesn't want to"
	saidMark    = "the user said:"
)

var exitMark = lazy.Pattern(`^(?:Error: )?Exit code (\d+)(?:\n|$)`)

// result returns the result that the block records, or nil, and the lines of its text.
func (t *tool) result() (*turns.ToolResult, []int) {
	text := t.answer.String()
	if t.claude {
		text = strings.TrimRight(text, "\n")
		text = strings.TrimRight(strings.TrimSuffix(text, t.ticks), "\n")
	}
	res := &turns.ToolResult{Text: text}
	switch {
	case t.kind == turns.Ask:
		if res.Said = t.answered(); res.Said != "" {
			res.State = turns.OK
		}
	case t.claude && t.known && (!t.bare || t.resultFrom != 0):
		res.State = turns.OK // a failure is marked, see below
	}
	switch t.status {
	case "rejected", "skipped":
		res.State = turns.Refused
	case "cancelled":
		res.State = turns.NotRun
	case "error", "failed":
		res.State = turns.Failed
	}
	if t.failed {
		res.State = turns.Failed
	}
	t.marks(res)
	if (!t.claude || t.bare) && res.Text == "" && res.Said == "" && res.State == turns.Unsaid && t.resultFrom == 0 {
		return nil, nil
	}
	return res, t.answer.Lines(res.Text)
}

// marks reads what agents themselves write around a result.
func (t *tool) marks(res *turns.ToolResult) {
	if m := exitMark().FindStringSubmatch(res.Text); m != nil && t.claude {
		res.Text, res.State, res.Exit = res.Text[len(m[0]):], turns.Failed, exited(m[1])
	} else if _, output, exit := turns.Headed(res.Text); exit != nil && t.kind == turns.Shell {
		res.Text, res.Exit = output, exit
	}
	if !t.claude {
		return
	}
	switch {
	case strings.HasPrefix(res.Text, rejectMark):
		res.State = turns.Refused
		if _, said, found := strings.Cut(res.Text, saidMark); found {
			res.Said = turns.Replied(said)
		}
		res.Text = ""
	case strings.HasPrefix(res.Text, errorMark):
		res.Text = strings.TrimSuffix(strings.TrimPrefix(res.Text, errorMark), errorEnd)
		if res.State = turns.Failed; strings.Contains(res.Text, siblingMark) {
			res.State = turns.NotRun
		}
	}
}

func exited(digits string) *int {
	code, err := strconv.Atoi(digits)
	if err != nil {
		return nil
	}
	return turns.Exited(code)
}
