package extract

import (
	"io"
	"strings"
	"testing"
)

// usageLogs are small sessions, each in the form of its agent, with what the log says of
// tokens and cost.
var usageLogs = []struct {
	name, log string
	parts     []string
	tokens    int
	cost      float64
}{
	{"claude code: an answer counts once, as the last of its records says", `{"type":"user","sessionId":"s1","uuid":"u1","cwd":"/w","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"mend the pump"}}
{"type":"assistant","sessionId":"s1","uuid":"u2","timestamp":"2026-03-01T10:00:01Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I look"}],"usage":{"input_tokens":100,"cache_creation_input_tokens":20,"cache_read_input_tokens":3,"output_tokens":1}}}
{"type":"assistant","sessionId":"s1","uuid":"u3","timestamp":"2026-03-01T10:00:02Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./..."}}],"usage":{"input_tokens":100,"cache_creation_input_tokens":20,"cache_read_input_tokens":3,"output_tokens":50}}}
{"type":"user","sessionId":"s1","uuid":"u4","timestamp":"2026-03-01T10:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}
{"type":"assistant","sessionId":"s1","uuid":"u5","timestamp":"2026-03-01T10:00:04Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"done"}],"usage":{"input_tokens":200,"output_tokens":"many"}}}
`, []string{`{"type":"user","isSidechain":true,"agentId":"a1","sessionId":"s1","uuid":"u1","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"look"}}
{"type":"assistant","isSidechain":true,"agentId":"a1","sessionId":"s1","uuid":"u2","timestamp":"2026-03-01T10:00:01Z","message":{"id":"m9","role":"assistant","content":[{"type":"text","text":"seen"}],"usage":{"input_tokens":7,"output_tokens":1}}}
`}, 173 + 200 + 8, 0},
	{"codex: totals of the session so far", `{"timestamp":"2026-03-01T10:00:00Z","type":"session_meta","payload":{"id":"c1","timestamp":"2026-03-01T10:00:00Z","cwd":"/w","originator":"codex_cli_rs","cli_version":"0.50.0"}}
{"timestamp":"2026-03-01T10:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"mend the pump"}}
{"timestamp":"2026-03-01T10:00:02Z","type":"event_msg","payload":{"type":"token_count","info":null}}
{"timestamp":"2026-03-01T10:00:03Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":900,"cached_input_tokens":500,"output_tokens":100,"total_tokens":1000},"last_token_usage":{"total_tokens":1000}}}}
{"timestamp":"2026-03-01T10:00:04Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":1900,"cached_input_tokens":500,"output_tokens":200,"total_tokens":2100},"last_token_usage":{"total_tokens":1100}}}}
{"timestamp":"2026-03-01T10:00:05Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}}
`, nil, 2100, 0},
	{"swe-agent", `{"trajectory":[{"action":"ls\n","observation":"pump.go\n","response":"look","thought":"look","state":{"working_dir":"/w"}}],"history":[{"role":"user","content":"mend the pump"}],"info":{"exit_status":"submitted","model_stats":{"instance_cost":0.25,"tokens_sent":500,"tokens_received":40,"api_calls":2}}}
`, nil, 540, 0.25},
	{"mini-swe-agent", `{"info":{"exit_status":"Submitted","mini_version":"1.0","model_stats":{"instance_cost":0.3,"api_calls":2}},"trajectory_format":"mini-swe-agent-1","messages":[{"role":"system","content":"s"},{"role":"user","content":"mend the pump"},{"role":"assistant","content":"look","extra":{"response":{"usage":{"prompt_tokens":90,"completion_tokens":10,"total_tokens":100}}}},{"role":"assistant","content":"done","extra":{"response":{"usage":{"total_tokens":150}}}}]}
`, nil, 250, 0.3},
	{"openhands: the sessions of one file", `{"instance_id":"a-1","history":[{"id":0,"source":"user","action":"message","args":{"content":"mend the pump"},"message":"mend the pump"}],"metrics":{"accumulated_cost":0.1,"accumulated_token_usage":{"prompt_tokens":60,"completion_tokens":5}}}
{"instance_id":"a-2","history":[{"id":0,"source":"user","action":"message","args":{"content":"mend the valve"},"message":"mend the valve"}],"metrics":{"accumulated_cost":0.2,"accumulated_token_usage":{"prompt_tokens":30,"completion_tokens":5}}}
`, nil, 100, 0.3},
	{"atif", `{"schema_version":"ATIF-v1.4","session_id":"a1","agent":{"name":"terminus","version":"1"},"steps":[{"step_id":1,"source":"user","message":"mend the pump"},{"step_id":2,"source":"agent","message":"done"}],"final_metrics":{"total_prompt_tokens":1100,"total_completion_tokens":34,"total_cost_usd":0.05}}
`, nil, 1134, 0.05},
	{"opencode", `{"info":{"id":"ses_1","directory":"/w","title":"pump","time":{"created":1772000000000}},"messages":[{"info":{"role":"user","id":"m1"},"parts":[{"type":"text","text":"mend the pump"}]},{"info":{"role":"assistant","id":"m2","cost":0.1,"tokens":{"total":100,"input":90,"output":10}},"parts":[{"type":"text","text":"look"}]},{"info":{"role":"assistant","id":"m3","cost":0.2,"tokens":{"total":120,"input":110,"output":10}},"parts":[{"type":"text","text":"done"}]}]}
`, nil, 220, 0.3},
	{"gemini: a message that grew", `{"sessionId":"g1","projectHash":"p","startTime":"2026-03-01T10:00:00Z","kind":"main"}
{"id":"1","timestamp":"2026-03-01T10:00:00Z","type":"user","content":"mend the pump"}
{"id":"2","timestamp":"2026-03-01T10:00:01Z","type":"gemini","content":"look","tokens":{"input":90,"output":10,"total":100}}
{"id":"2","timestamp":"2026-03-01T10:00:01Z","type":"gemini","content":"look","tokens":{"input":90,"output":20,"total":110}}
{"id":"3","timestamp":"2026-03-01T10:00:02Z","type":"gemini","content":"done","tokens":{"total":40}}
`, nil, 150, 0},
}

// What a log says of tokens and cost is told as it says it, sub-agents with their session,
// and nothing is said where it says nothing.
func TestTokensAndCost(t *testing.T) {
	for _, tt := range usageLogs {
		t.Run(tt.name, func(t *testing.T) {
			var parts []io.Reader
			for _, p := range tt.parts {
				parts = append(parts, strings.NewReader(p))
			}
			res, err := New(Vocabulary{}).Read(Source{Path: "log"}, strings.NewReader(tt.log), parts...)
			if err != nil {
				t.Fatal(err)
			}
			m := res.Episode.Metrics
			if (m.Tokens == nil) != (tt.tokens == 0) || m.Tokens != nil && *m.Tokens != tt.tokens || (m.CostUSD == nil) != (tt.cost == 0) || m.CostUSD != nil && *m.CostUSD != tt.cost {
				t.Errorf("%s: tokens %v, cost %v, want %d, %v", res.Episode.Provenance.Source.Format, deref(m.Tokens), deref(m.CostUSD), tt.tokens, tt.cost)
			}
		})
	}
}

// Figures that no model has are none.
func TestHostileUsage(t *testing.T) {
	for _, usage := range []string{`{"input_tokens":-5}`, `{"input_tokens":9223372036854775807,"output_tokens":9223372036854775807}`, `{"input_tokens":1e400}`, `[]`, `null`, `"x"`} {
		log := `{"type":"assistant","sessionId":"s1","uuid":"u2","timestamp":"2026-03-01T10:00:01Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I look"}],"usage":` + usage + "}}\n"
		res, err := New(Vocabulary{}).Read(Source{Path: "log"}, strings.NewReader(log))
		if err != nil || res.Episode.Metrics.Tokens != nil {
			t.Errorf("%s: %v, %v", usage, err, res)
		}
	}
	log := strings.ReplaceAll(usageLogs[5].log, "0.05", "-3")
	if res, err := New(Vocabulary{}).Read(Source{Path: "log"}, strings.NewReader(log)); err != nil || res.Episode.Metrics.CostUSD != nil {
		t.Errorf("%v, %v", err, res)
	}
}

func deref[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}
