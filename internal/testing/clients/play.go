//go:build unix

package main

import (
	"time"

	"episodes/internal/testing/model"
)

// The repository that agents work in: a module whose test fails until a limit is raised.
var repository = map[string]string{
	"go.mod":    "module tides\n\ngo 1.22\n",
	"README.md": "# tides\n\nA table of high and low water.\n",
	"table/table.go": `// Package table keeps the rows of one day.
package table

import "fmt"

// limit is how many rows a table holds.
const limit = 2

// Table holds heights in centimetres.
type Table struct{ rows []int }

// Add appends a row.
func (t *Table) Add(height int) error {
	if len(t.rows) == limit {
		return fmt.Errorf("TableFull: no room for a further row of the day")
	}
	t.rows = append(t.rows, height)
	return nil
}
`,
	"table/table_test.go": `package table

import "testing"

func TestTableHoldsOneDay(t *testing.T) {
	var day Table
	for _, height := range []int{512, 87, 498, 101} {
		if err := day.Add(height); err != nil {
			t.Fatalf("add: %v", err)
		}
	}
}
`,
}

// What the checks look for in answers.
const (
	failure  = "TestTableHoldsOneDay: add: TableFull"
	mendFile = "table.go"
	mendName = "limit"
	demand   = "Never drop a row of the day from the table."
)

var (
	test = model.Step{Do: model.Shell, Cmd: "go test ./table"}
	look = model.Step{Do: model.Read, File: "table/table.go"}
	mend = model.Step{Do: model.Edit, File: "table/table.go", Old: "const limit = 2", New: "const limit = 24",
		Text: "I decided to raise the limit instead of dropping the oldest row, because readers need the whole day."}
)

// wait is for agents whose helpers run at the same time, and whose shell returns before a long command ends.
var wait = model.Step{Do: model.Shell, Cmd: "until test -e ../helped; do sleep 1; done; sleep 2"}

func say(text string) model.Step { return model.Step{Do: model.Say, Text: text} }

func script(js string) model.Step { return model.Step{Do: model.Tool, Name: "exec", Args: js} }

const patchJS = `"*** Begin Patch\n*** Update File: table/table.go\n@@\n-const limit = 2\n+const limit = 24\n*** End Patch"`

// Questions to the MCP server.
var (
	askError = model.Step{Do: model.Tool, Name: "ask", Args: map[string]any{"error": "add: TableFull: no room for a further row of the day"}, Text: "I ask the memory."}
	askWords = model.Step{Do: model.Tool, Name: "ask", Args: map[string]any{"texts": []string{"limit of the table", "rows of one day"}, "file": "table/table.go"}}
)

var scripts = map[string][]model.Step{
	"mend": {with(test, "I run the tests first."), with(look, "A table is full. I look at how many rows it holds."), mend, test,
		say("The tests pass now. Root cause: the limit was 2 rows, a day has 4; I raised it in table/table.go.")},
	"giveup": {test, say("I could not mend it; the test still fails.")},
	"pass":   {test, say("The tests pass.")},
	"slow": {with(test, "I run the tests first."), look,
		{Do: model.Edit, File: mend.File, Old: mend.Old, New: mend.New, Wait: time.Minute}, say("Done.")},
	"task":   {{Do: model.Task, Prompt: "play:giveup\nRun the tests of the table.", Text: "A helper looks at it."}, say("The helper is done.")},
	"spawn":  {{Do: model.Task, Prompt: "play:helper\nRun the tests of the table."}, wait, wait, wait, say("The helper is done.")},
	"helper": {test, {Do: model.Shell, Cmd: "touch ../helped"}, say("The test fails.")},
	"ask":    {askError, askWords, say("Asked.")},
	"deferred": {{Do: model.Tool, Name: "ToolSearch", Args: map[string]any{"query": "select:mcp__episodes__ask,mcp__episodes__show", "max_results": 5}},
		askError, askWords, say("Asked.")},
	"complete": {test, look, mend, test, completing(false), completing(true), say("Completed.")},
	"deferredcomplete": {test, look, mend, test,
		{Do: model.Tool, Name: "ToolSearch", Args: map[string]any{"query": "select:mcp__episodes__complete_session", "max_results": 5}},
		completing(false), completing(true), say("Completed.")},
	"code": {script(`const r = await tools.exec_command({cmd: "go test ./table"}); text(r.output ?? JSON.stringify(r));`),
		script(`const r = await tools.exec_command({cmd: "cat table/table.go"}); text(r.output ?? JSON.stringify(r));`),
		script(`text(JSON.stringify(await tools.apply_patch(` + patchJS + `)));`),
		script(`const r = await tools.exec_command({cmd: "go test ./table"}); text(r.output ?? JSON.stringify(r));`),
		say("The tests pass now. Root cause: the limit was too low.")},
	"codeall": {script(`const [a, b] = await Promise.all([tools.exec_command({cmd: "git status --short"}), tools.exec_command({cmd: "go test ./table"})]); text({status: a.output, test: b.output, exit: b.exit_code});`),
		script(`await tools.apply_patch(` + patchJS + `); const r = await tools.exec_command({cmd: "go test ./table"}); text("exit " + r.exit_code);`),
		say("The tests pass now.")},
}

func with(s model.Step, text string) model.Step {
	s.Text = text
	return s
}
