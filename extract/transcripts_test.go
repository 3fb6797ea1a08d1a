package extract

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"episodes/agents"
	"episodes/episode"
)

// transcriptFile is a fixture: a session as some agent wrote it down.
type transcriptFile struct {
	path string
	data []byte
}

func (f transcriptFile) name() string {
	dir := filepath.Dir(strings.TrimSuffix(filepath.Dir(f.path), "testdata"))
	if strings.Contains(f.path, "testdata/transcripts") {
		dir = filepath.Dir(f.path)
	}
	return filepath.Base(dir) + "-" + filepath.Base(f.path)
}

// transcriptFiles are the fixtures of all formats.
func transcriptFiles(tb testing.TB) []transcriptFile {
	tb.Helper()
	var out []transcriptFile
	for _, pattern := range []string{"../agents/*/testdata/*", "transcript/*/testdata/*", "testdata/transcripts/sessions/*", "testdata/transcripts/same/*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			tb.Fatal(err)
		}
		for _, p := range paths {
			info, err := os.Stat(p)
			if err != nil {
				tb.Fatal(err)
			}
			if info.IsDir() || strings.HasSuffix(p, ".turns") {
				continue
			}
			data, err := os.ReadFile(p)
			if err != nil {
				tb.Fatal(err)
			}
			out = append(out, transcriptFile{p, data})
		}
	}
	if len(out) < 16 {
		tb.Fatalf("only %d transcripts", len(out))
	}
	return out
}

func (f transcriptFile) read(tb testing.TB) *Result {
	tb.Helper()
	res, err := extractor.Read(Source{Path: f.path}, bytes.NewReader(f.data))
	if err != nil {
		tb.Fatalf("%s: %v", f.path, err)
	}
	return res
}

// TestTranscriptGolden shows in a diff what a change of a format or of the rules does to
// the episodes of transcripts.
func TestTranscriptGolden(t *testing.T) {
	const dir = "testdata/transcripts/golden"
	written := map[string]bool{}
	for _, f := range transcriptFiles(t) {
		t.Run(f.name(), func(t *testing.T) {
			res := f.read(t)
			name := f.name()
			for _, res := range append([]*Result{res}, res.More...) {
				soundTranscript(t, res, f.data)
				path := filepath.Join(dir, name+".json")
				written[path] = true
				isGolden(t, path, res.Episode)
				name += "+"
			}
		})
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range left {
		if !written[p] {
			t.Errorf("%s has no transcript", p)
		}
	}
}

// soundTranscript fails unless an episode is legal and cites what can be.
func soundTranscript(tb testing.TB, res *Result, data []byte) {
	tb.Helper()
	ep := res.Episode
	for _, p := range ep.Validate() {
		tb.Errorf("invalid episode: %s", p.Msg)
	}
	if !episode.ValidID(ep.ID) {
		tb.Errorf("id %q is not legal", ep.ID)
	}
	if ep.Provenance.Source.Unit == "" {
		lines := *res // a remark may be about no line
		lines.Diagnostics = slices.DeleteFunc(slices.Clone(res.Diagnostics), func(d Diagnostic) bool { return d.Line == 0 })
		sound(tb, &lines, data)
		return
	}
	for id, s := range ep.Provenance.Spans {
		if s[0] < 1 || s[1] < s[0] || s[1] > len(data) {
			tb.Errorf("span %s = %v", id, s)
		}
	}
}

// The laws run over a fixture of every format, among them a torn file and one with a record that nobody knows.
func TestTranscriptFixturesHaveAll(t *testing.T) {
	has := map[string]bool{}
	for _, f := range transcriptFiles(t) {
		res := f.read(t)
		has[res.Episode.Provenance.Source.Format] = true
		for _, d := range res.Diagnostics {
			has[d.Code] = true
		}
	}
	want := []string{"torn-record", "unknown-record"}
	for _, f := range transcripts() {
		want = append(want, f.Name)
	}
	for _, w := range want {
		if !has[w] {
			t.Errorf("no fixture with %s", w)
		}
	}
}

// The format of every agent is one that can be asked for, by the name of the agent as well.
func TestFormatsOfAgents(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range Formats() {
		if seen[name] {
			t.Errorf("two formats are named %s", name)
		}
		seen[name] = true
	}
	for _, a := range agents.All() {
		if a.Format == nil {
			continue
		}
		for _, name := range []string{a.Name, a.Format.Name} {
			if f, ok := FormatNamed(name); !ok || f != a.Format.Name || !IsTranscript(f) {
				t.Errorf("%s is the format %q: %v", name, f, ok)
			}
		}
	}
	if f, ok := FormatNamed("unheard-of"); ok {
		t.Errorf("there is a format %q", f)
	}
}

// A transcript is of one format, so that the order in which they are tried decides nothing.
func TestTranscriptsAreOfOneFormat(t *testing.T) {
	for _, file := range transcriptFiles(t) {
		var is []string
		for _, f := range transcripts() {
			if f.Detect(file.data) {
				is = append(is, f.Name)
			}
		}
		if len(is) != 1 {
			t.Errorf("%s is taken for %v", file.path, is)
		}
	}
}

// A file that ends before the session does shows no outcome: the last failure may have been fixed later.
func TestCutIsUnknown(t *testing.T) {
	const path = "../agents/copilot/testdata/unflushed.jsonl"
	cut, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end := []byte(`{"type":"session.shutdown","data":{},"id":"z","timestamp":"2026-07-07T07:00:09.000Z"}` + "\n")
	for want, data := range map[episode.Outcome][]byte{episode.Unknown: cut, episode.Failure: append(slices.Clone(cut), end...)} {
		res, err := New(Vocabulary{}).Read(Source{Path: path}, bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if res.Episode.Outcome != want {
			t.Errorf("%s, want %s", res.Episode.Outcome, want)
		}
	}
}

// An agent that is killed at work says nothing about the last failure, or about what it looked at since.
func TestKilledAtWorkIsUnknown(t *testing.T) {
	for name, c := range map[string]struct{ failed, looked, said, end string }{
		"gemini.jsonl": {`{"sessionId":"s","projectHash":"p"}` + "\n" + `{"id":"1","type":"user","content":"run the tests"}` + "\n" +
			`{"id":"2","type":"gemini","content":"","toolCalls":[{"id":"c","name":"run_shell_command","args":{"command":"go test ./..."},"status":"success","result":` +
			`[{"functionResponse":{"response":{"output":"Output: FAIL\nExit Code: 1"}}}]}]}` + "\n",
			`{"id":"4","type":"gemini","content":"","toolCalls":[{"id":"d","name":"read_file","args":{"file_path":"a.go"},"status":"success","result":[{"functionResponse":{"response":{"output":"package a"}}}]}]}` + "\n",
			`{"id":"3","type":"gemini","content":"They fail."}` + "\n", ""},
		"opencode.json": {`{"info":{"id":"ses_1","projectID":"p","directory":"/src"},"messages":[{"info":{"role":"user"},"parts":[{"type":"text","text":"run the tests"}]},{"info":{"role":"assistant"},"parts":` +
			`[{"type":"tool","tool":"bash","state":{"status":"completed","input":{"command":"go test ./..."},"output":"FAIL","metadata":{"exit":1}}}`,
			`,{"type":"tool","tool":"read","state":{"status":"completed","input":{"filePath":"/src/a.go"},"output":"package a"}}`, `,{"type":"text","text":"They fail."}`, `]}]}`},
		"qwen.jsonl": {`{"uuid":"a","sessionId":"s","type":"user","message":{"parts":[{"text":"run the tests"}]}}` + "\n" +
			`{"uuid":"b","sessionId":"s","type":"assistant","message":{"parts":[{"functionCall":{"id":"c","name":"run_shell_command","args":{"command":"go test ./..."}}}]}}` + "\n" +
			`{"uuid":"c","sessionId":"s","type":"tool_result","message":{"parts":[{"functionResponse":{"id":"c","response":{"output":"Output: FAIL\nExit Code: 1"}}}]}}` + "\n",
			`{"uuid":"e","sessionId":"s","type":"assistant","message":{"parts":[{"functionCall":{"id":"d","name":"read_file","args":{"path":"a.go"}}}]}}` + "\n" +
				`{"uuid":"f","sessionId":"s","type":"tool_result","message":{"parts":[{"functionResponse":{"id":"d","response":{"output":"package a"}}}]}}` + "\n",
			`{"uuid":"d","sessionId":"s","type":"assistant","message":{"parts":[{"text":"They fail."}]}}` + "\n", ""},
	} {
		for text, want := range map[string]episode.Outcome{
			c.failed + c.end: episode.Unknown, c.failed + c.looked + c.end: episode.Unknown,
			c.failed + c.said + c.end: episode.Failure, c.failed + c.looked + c.said + c.end: episode.Failure,
		} {
			if res, err := New(Vocabulary{}).Read(Source{Path: name}, strings.NewReader(text)); err != nil || res.Episode.Outcome != want {
				t.Errorf("%s: %v, %v, want %s", text, res.Episode.Outcome, err, want)
			}
		}
	}
}
