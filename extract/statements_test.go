package extract

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"episodes/extract/statements"
)

// statementsOf reads a log and lists its statements of some kinds, one a line.
func statementsOf(t testing.TB, format, log string, kinds ...statements.Kind) []statements.Statement {
	t.Helper()
	res, err := extractor.Read(Source{Path: "log", Format: format}, strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	var out []statements.Statement
	for _, s := range res.Statements() {
		for _, k := range kinds {
			if s.Kind == k {
				out = append(out, s)
			}
		}
	}
	return out
}

func listed(list []statements.Statement) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s %s %v %q", s.Kind, s.Who, s.At, s.Text)
		if s.Against != "" {
			fmt.Fprintf(&b, " < %q", s.Against)
		}
		if len(s.Options) > 0 {
			fmt.Fprintf(&b, " of %q", s.Options)
		}
		if s.Ended[0] > 0 {
			fmt.Fprintf(&b, " ended %v", s.Ended)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// ofPeople are the kinds of what people say.
var ofPeople = []statements.Kind{statements.Rule, statements.Correction, statements.Decision}

func TestStatementsOfPeople(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps [][2]string
		want  string
	}{
		{"rules hold beyond the next step, a task does not", [][2]string{
			{"user", "Add a pump to the harbor page. Never write to the ledger. All pumps must have a name, and make sure the tests run offline. See the drawing."}},
			`rule user [1 1] "Never write to the ledger."
rule user [1 1] "All pumps must have a name, and make sure the tests run offline."
`},
		{"answers to what the agent asks before it works", [][2]string{
			{"user", "Design a pump."}, {"agent", "Sure. Should the pump run by itself, or only on demand?"},
			{"user", "By itself, once a minute."}, {"agent", "And where is its state kept?"}, {"user", "Which places are there?"}},
			`decision user [3 3] "By itself, once a minute." < "Should the pump run by itself, or only on demand?"
`},
		{"what an agent chooses, with the other way or the reason", [][2]string{
			{"user", "Build a pump that starts by itself."}, {"make", "ok"},
			{"agent", "I'll use a float switch instead of a timer.\nI'll paint it.\nThe hull has no room, so I'm hanging the tank below it.\nLet me run the tests."},
			{"make", "ok"}, {"agent", "It runs."}, {"user", "We usually pump by hand, but every time you touch it, it leaks."}},
			`decision agent [4 4] "I'll use a float switch instead of a timer."
decision agent [4 4] "The hull has no room, so I'm hanging the tank below it."
correction user [8 8] "We usually pump by hand, but every time you touch it, it leaks." < "It runs."
`},
		{"numbered answers are one each", [][2]string{
			{"user", "Design a pump."}, {"agent", "1. Which colour?\n2. How fast?\n3. Anything else?"},
			{"user", "1. red\n2. once a minute\n3. it has to float"}},
			`decision user [3 3] "red" < "Anything else?"
decision user [3 3] "once a minute" < "Anything else?"
decision user [3 3] "it has to float" < "Anything else?"
`},
		{"a pick of what was listed", [][2]string{
			{"user", "Design a pump."}, {"agent", "There are two ways:\n1. A valve in the hull\n2. A valve on deck\nTell me which."}, {"user", "the second one"}},
			`decision user [3 3] "the second one" < "A valve on deck" of ["A valve in the hull" "A valve on deck"]
`},
		{"an offer that is accepted, and one that is passed by", [][2]string{
			{"user", "Mend the pump."}, {"make", "ok"}, {"agent", "The pump runs. Shall I add a gauge?"}, {"user", "yes please"},
			{"make paint", "ok"}, {"agent", "Painted. Want me to hang up a sign?"}, {"user", "Write the manual for the whole engine room next."}},
			`decision user [5 5] "yes please" < "Shall I add a gauge?"
`},
		{"what is said against the work", [][2]string{
			{"user", "Mend the pump."}, {"make", "ok"}, {"agent", "I replaced the valve. The pump runs."}, {"user", "The valve still leaks. Why did you replace it?"},
			{"make", "ok"}, {"agent", "The valve is tight now."}, {"user", "wait, this is the wrong valve"}, {"agent", "I see."}, {"user", "NOT THAT ONE!"}},
			`correction user [5 5] "The valve still leaks." < "I replaced the valve."
correction user [5 5] "Why did you replace it?" < "I replaced the valve."
correction user [9 9] "wait, this is the wrong valve" < "The valve is tight now."
correction user [11 11] "NOT THAT ONE!" < "I see."
`},
		{"what is called out, but no praise, and a bare pick", [][2]string{
			{"user", "Paint the pump."}, {"make", "ok"}, {"agent", "It is red."}, {"user", "Blue, I said!"}, {"make", "ok"}, {"agent", "It is blue. Next are the hull and the deck."},
			{"user", "b"}, {"make", "ok"}, {"agent", "The deck is blue."}, {"user", "The deck is done!"}},
			`correction user [5 5] "Blue, I said!" < "It is red."
decision user [9 9] "b" < "Next are the hull and the deck."
`},
		{"the items of a list are rules if its lead-in sets something, and a list of tasks is none", [][2]string{
			{"user", "Mend the pumps.\nIt should:\n- float\n- have a quiet gauge\n- run for a year\n\nFor each pump you must:\n1. Take its picture first. Then mend it.\n2. Write its name down.\n\nI want you to do this:\n- paint the hull\n- hang up a sign"}},
			`rule user [1 1] "Take its picture first."
rule user [1 1] "Then mend it."
rule user [1 1] "Write its name down."
`},
		{"an answer to what there is to pick from, in words of its own", [][2]string{
			{"user", "Mend the pump."}, {"make", "ok"}, {"agent", "The hull is shut. How do you want to go on?\n1. Open the hull.\n2. Climb over the deck.\n3. Wait."},
			{"user", "ask the harbor master for a crane and then tell me when it is there. i do the rest"}},
			`decision user [5 5] "ask the harbor master for a crane and then tell me when it is there. i do the rest" < "How do you want to go on?"
`},
		{"against work whose order is not in the file", [][2]string{{"make", "ok"}, {"agent", "The gauge is painted."}, {"user", "it feels that I can not read it"}},
			`correction user [4 4] "it feels that I can not read it" < "The gauge is painted."
`},
		{"what is pasted is nobody's", [][2]string{
			{"user", "Mend the pump."}, {"make", "ok"}, {"agent", "It runs."},
			{"user", "It does not start:\n```\nnever open the valve\n```\nPumpError: no valve\n  at open (pump.js:3:1)\n12:30 ERROR broken\nAlways look at the log first, please."}},
			`correction user [5 5] "It does not start:" < "It runs."
rule user [5 5] "Always look at the log first, please."
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := listed(statementsOf(t, "claude-code", claudeLines(tt.steps...), ofPeople...)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Of each language a few words that its speakers need: what is not, what is for good, what must be.
func TestStatementsInOtherLanguages(t *testing.T) {
	for _, said := range []struct{ rule, correction string }{
		{"Schreibe niemals in das Kassenbuch.", "Das Ventil ist immer noch undicht."},
		{"N'écris jamais dans le registre, utilise toujours le port.", "La pompe ne démarre pas."},
		{"Usa siempre el puerto para las pruebas.", "La bomba no arranca con esa llave."},
		{"Nunca escreva no livro da casa.", "A bomba ainda não funciona."},
		{"Usa sempre il porto per le prove.", "La pompa non parte."},
		{"Schrijf nooit in het kasboek.", "De pomp start niet."},
		{"Skriv aldrig i kassaboken.", "Pumpen startar inte."},
		{"Никогда не пиши в кассовую книгу.", "Насос снова не работает."},
		{"永远不要写入账本。", "水泵还是没有启动。"},
		{"必ず港でテストしてください。", "ポンプが動かない。"},
	} {
		log := claudeLines([2]string{"user", "pump. " + said.rule}, [2]string{"make", "ok"}, [2]string{"agent", "It runs."}, [2]string{"user", said.correction})
		want := fmt.Sprintf("rule user [1 1] %q\ncorrection user [5 5] %q < \"It runs.\"\n", said.rule, said.correction)
		if got := listed(statementsOf(t, "claude-code", log, ofPeople...)); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

// The answer to a question tool is a decision with its options; what a person says instead of it is not.
func TestStatementsOfQuestionTools(t *testing.T) {
	const head = `,"sessionId":"0d3c1d52-57a6-4a3b-9b51-0a3ad9d6a7f1","uuid":"u","version":"2.1.0","timestamp":"2026-03-02T10:00:00Z","message":{"role":`
	asks := `{"type":"assistant"` + head + `"assistant","content":[{"type":"tool_use","id":"q1","name":"AskUserQuestion","input":{"questions":[{"question":"Which valve?","options":[{"label":"Hull"},{"label":"Deck"}]}]}}]}}` + "\n"
	answers := func(text, use string) string {
		return `{"type":"user"` + head + `"user","content":[{"type":"tool_result","tool_use_id":"q1","content":"` + text + `"}]},"toolUseResult":` + use + "}\n"
	}
	for text, want := range map[string]string{
		`User has answered your questions: \"Which valve?\"=\"Deck\". You can now continue with the user's answers in mind.`:                                   "decision user [3 3] \"Deck\" < \"Which valve?\" of [\"Hull\" \"Deck\"]\n",
		`User has answered your questions: \"Which valve?\"=\"Deck\" user notes: Do not open any valve. You can now continue with the user's answers in mind.`: "decision user [3 3] \"Deck\" < \"Which valve?\" of [\"Hull\" \"Deck\"]\nrule user [3 3] \"Do not open any valve.\"\n",
	} {
		log := claudeLines([2]string{"user", "Mend the pump."}) + asks + answers(text, `{"answers":{"Which valve?":"Deck"}}`)
		if got := listed(statementsOf(t, "claude-code", log, ofPeople...)); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
	refused := `{"type":"user"` + head + `"user","content":[{"type":"tool_result","tool_use_id":"q1","is_error":true,"content":"The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nshow me the valves first\n\nNote: The user's next message may contain a correction or preference."}]}}` + "\n"
	got := listed(statementsOf(t, "claude-code", claudeLines([2]string{"user", "Mend the pump."})+asks+refused, ofPeople...))
	if want := "correction user [3 3] \"show me the valves first\"\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// What an agent says last is kept whole; what its headings and boxes leave open is marked one by one.
func TestStatementsOfAgents(t *testing.T) {
	got := listed(statementsOf(t, "claude-code", claudeLines(
		[2]string{"user", "Mend the pump."}, [2]string{"agent", "The pump leaks because the seal is old. I look at the hull."}, [2]string{"make", "ok"},
		[2]string{"agent", "The seal is new.\n\n## Next steps\n- Paint the hull\n- Test the gauge\n\n**Decision**: keep the old valve"}), statements.Conclusion, statements.Open, statements.Decision))
	want := `conclusion agent [2 2] "The pump leaks because the seal is old."
conclusion agent [5 5] "The seal is new.\n\n## Next steps\n- Paint the hull\n- Test the gauge\n\n**Decision**: keep the old valve"
open agent [5 5] "Paint the hull"
open agent [5 5] "Test the gauge"
decision agent [5 5] "keep the old valve"
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// What an agent writes down as open is, in documents and in remarks, until it ticks it off; what is written again is not
// open twice, what a patch takes away and what a template lists is not open.
func TestStatementsOfWhatAgentsWrite(t *testing.T) {
	line := func(file, tool, argument, text string) string {
		data, _ := json.Marshal(map[string]any{"type": "assistant", "sessionId": "0d3c1d52-57a6-4a3b-9b51-0a3ad9d6a7f1", "version": "2.1.0", "timestamp": "2026-03-02T10:00:00Z",
			"message": map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "tool_use", "id": file + tool, "name": tool, "input": map[string]any{"file_path": file, argument: text, "old_string": "x"}}}}})
		return string(data) + "\n"
	}
	log := claudeLines([2]string{"user", "Plan the pump."}) +
		line("PLAN.md", "Write", "content", "# Pump\n- [x] Draw the hull\n- [ ] Paint the hull\n- [ ] Test the gauge\n\n## Next steps\n1. Order rubber\n") +
		line("pump.c", "Edit", "new_string", "int pump() {\n\t// TODO: close the valve\n\treturn todo; /* FIXME what if it leaks? */\n}\n# TODOS\n") +
		line("task-template.md", "Write", "content", "- [ ] Name the task\n") +
		line("PLAN.md", "Edit", "new_string", "- [x] Paint the hull\n- [ ] Test the gauge\n- [ ] **Deck:** dry it with:\n  - [ ] a mop\n- [ ] **Mast:** raise it\n") +
		line("TASKS.md", "Edit", "new_string", "- [x] **Mast:** raise it\n")
	want := `open agent [2 2] "Paint the hull" ended [5 5]
open agent [2 2] "Test the gauge"
open agent [2 2] "Order rubber"
open agent [3 3] "TODO: close the valve"
open agent [5 5] "Deck: dry it with:"
open agent [5 5] "a mop"
open agent [5 5] "Mast: raise it" ended [6 6]
`
	if got := listed(statementsOf(t, "claude-code", log, statements.Open)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	patch := "## SpecStory\n\n## Plan (2/3/2026, 10:00:00)\n\n_**User**_\n\nPlan the pump.\n\n---\n\n_**Assistant**_\n\nHere.\n\n---\n\n_****_\n\nRead file: PLAN.md\n\n---\n\n_****_\n\n```diff\n- - [ ] Paint the deck\n+ - [ ] Paint the hull\n  - [ ] Test the gauge\n```\n"
	want = `open agent [25 29] "Paint the hull"
open agent [25 29] "Test the gauge"
`
	if got := listed(statementsOf(t, "specstory", patch, statements.Open)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestStatementsOfLogs(t *testing.T) {
	log := `# Session 12

## Objectives
- [x] Mend the pump
- [ ] Paint the hull

## Decisions
- **Decision**: Use a rubber seal
  - Alternatives considered: leather
  - Why: it is tight
- Keep the gauge

| What | Why |
|---|---|
| Copper pipes | they last |

## Key technical decisions
### Valve on deck
It can be reached there.

The hull stays dry.

## Agreed with the harbor
- Ships wait outside

## Rules
- Never open the hull

## Next steps
1. Test the gauge in the harbor
   - with a boat
2. None
3. ~~Order rubber seals~~ two are left
4. Write the manual
5. **Painting**:
   - the hull in red
   - the deck
6. **Added a gauge**:
   - it shows bars

## Open questions
- Who pays for the rubber?
  - **Resolution**: the harbor
- Is the deck wide enough?

Blocked on: the crane

## Later
- [x] Write the manual

## State
- ✅ Hull
- 🔄 Deck

- ⚠️ Half of the sails

## Remaining work

| What | State |
|---|---|
| Sails | ✅ |
| Ropes | waits |

## Lessons learned
- Rubber swells

## Pump
**Root cause**: the seal was old

## 3. 작업 규칙 정리
1. 선체를 열지 말 것

## 다음 세션에서 할 일
- 펌프 시험

## Number of open ships

Three of them are in the harbor.

## Work

- Added a second valve
- Used a ball valve instead of a gate valve
`
	want := `open  [5 5] "Paint the hull"
decision  [8 8] "Use a rubber seal"
decision  [11 11] "Keep the gauge"
decision  [15 15] "Copper pipes | they last"
decision  [18 18] "Valve on deck"
decision  [24 24] "Ships wait outside"
rule  [27 27] "Never open the hull"
open  [30 30] "Test the gauge in the harbor"
open  [33 33] "Order rubber seals" ended [33 33]
open  [34 34] "Write the manual" ended [49 49]
open  [36 36] "the hull in red"
open  [37 37] "the deck"
open  [42 42] "Who pays for the rubber?" ended [43 43]
open  [44 44] "Is the deck wide enough?"
open  [46 46] "Blocked on: the crane"
open  [53 53] "Deck"
open  [55 55] "Half of the sails"
open  [62 62] "Ropes | waits"
conclusion  [65 65] "Rubber swells"
conclusion  [68 68] "Root cause: the seal was old"
rule  [71 71] "선체를 열지 말 것"
open  [74 74] "펌프 시험"
decision  [83 83] "Used a ball valve instead of a gate valve"
`
	if got := listed(statementsOf(t, "markdown", log, statements.Rule, statements.Decision, statements.Open, statements.Conclusion)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	json := `{"session":{"objective":"mend the pump"},"protocolCompliance":{},
"nextSteps":["Test the gauge",
"none",
"Paint the hull"],
"blockers":["the crane is away"]}`
	if got, want := listed(statementsOf(t, "session-json", json, statements.Open)), "open  [2 2] \"Test the gauge\"\nopen  [4 4] \"Paint the hull\"\nopen  [5 5] \"the crane is away\"\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
