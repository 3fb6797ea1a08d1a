//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// recorded is a hook call as testdata keeps it: the first of each event and tool.
type recorded struct {
	Event   string          `json:"event"`
	In      json.RawMessage `json:"in"`
	Out     json.RawMessage `json:"out,omitempty"`
	Reached bool            `json:"reached,omitempty"` // the text of the answer was in a request to the model
}

const testdata = "internal/testing/clients/testdata"

// keep writes what the two sessions of a place recorded to testdata, without what the client itself says
// to its model.
func (p *place) keep(sessions []played) error {
	dir := filepath.Join(testdata, p.v.name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	version := encode(map[string]string{"client": p.v.client.name, "version": p.v.client.version})
	var hooks bytes.Buffer
	for _, r := range firsts(sessions) {
		hooks.Write(p.scrub(encode(r)))
	}
	files := map[string]string{"version.json": string(version), "hooks.jsonl": hooks.String()}
	at := p.transcriptOf(sessions[0].hooks)
	text, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	files["transcript"+filepath.Ext(at)] = string(p.scrub(trim(text)))
	return write(dir, files)
}

// firsts are the calls to keep: the first of each event and tool, and the first of them that was answered.
func firsts(sessions []played) (out []recorded) {
	var seen []string
	for _, s := range sessions {
		for _, h := range s.hooks {
			var in struct {
				Tool string `json:"tool_name"`
				Also string `json:"toolName"`
			}
			_ = json.Unmarshal([]byte(h.In), &in)
			said := strings.TrimSpace(h.Out)
			key := strings.Join([]string{h.event(), in.Tool, in.Also, said[:min(1, len(said))]}, " ")
			if h.event() == "" || !json.Valid([]byte(h.In)) || slices.Contains(seen, key) {
				continue
			}
			seen = append(seen, key)
			r := recorded{Event: h.event(), In: json.RawMessage(h.In)}
			if said != "" {
				r.Out, r.Reached = json.RawMessage(said), reached(h, s.requests)
			}
			out = append(out, r)
		}
	}
	return out
}

// reached reports whether the text of a hook's answer is in a request to the model.
func reached(h callRecord, requests []request) bool {
	var answer any
	if json.Unmarshal([]byte(h.Out), &answer) != nil {
		return false
	}
	text := longest(answer)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := lines[len(lines)-1]
	once := quoted(last)
	twice := quoted(once)
	return len(text) > 0 && slices.ContainsFunc(requests, func(r request) bool {
		body := string(plain(r.Body))
		return strings.Contains(body, once) || strings.Contains(body, twice)
	})
}

// quoted returns a text as it is inside of a JSON string.
func quoted(text string) string {
	return strings.TrimSuffix(strings.TrimPrefix(string(encode(text)), `"`), "\"\n")
}

// plain returns a JSON value without the escapes that not all encoders write.
func plain(body json.RawMessage) []byte {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return body
	}
	return encode(v)
}

// encode returns a value as a line of JSON.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return b.Bytes()
}

// longest is the longest text in a JSON value.
func longest(v any) (out string) {
	each(v, func(s string) string {
		if len(s) > len(out) {
			out = s
		}
		return s
	})
	return out
}

// each replaces every text of a JSON value.
func each(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		for i := range v {
			v[i] = each(v[i], f)
		}
	case map[string]any:
		for k := range v {
			v[k] = each(v[k], f)
		}
	}
	return v
}

// transcriptOf is the transcript that the hooks of a session name, or that was exported of it; "" if
// there is none.
func (p *place) transcriptOf(hooks []callRecord) string {
	for _, h := range hooks {
		var in struct {
			Path    string `json:"transcript_path"`
			Also    string `json:"transcriptPath"`
			Session string `json:"session_id"`
		}
		if _ = json.Unmarshal([]byte(h.In), &in); in.Path+in.Also != "" {
			return in.Path + in.Also
		}
		if p.v.client.exports != "" {
			return filepath.Join(p.home, p.v.client.exports, in.Session+".json")
		}
	}
	return ""
}

// own matches texts that the script or its repository brought into a transcript.
var own = regexp.MustCompile(`TableFull|const limit|play:`)

// trim leaves out the records of a transcript that the client writes about its own requests, and cuts
// every long text that is not from the script.
func trim(text []byte) []byte {
	var b bytes.Buffer
	for in := json.NewDecoder(bytes.NewReader(text)); ; {
		var v map[string]any
		if in.Decode(&v) != nil {
			return b.Bytes()
		}
		kind, _ := v["type"].(string)
		if strings.HasPrefix(kind, "api-request") || kind == "attachment" {
			continue
		}
		b.Write(encode(each(v, func(s string) string {
			if len(s) <= 200 || len(s) < 4000 && own.MatchString(s) {
				return s
			}
			return "…"
		})))
	}
}

var (
	addressRE = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	systemRE  = regexp.MustCompile(`Linux [0-9][\w.-]+`)
)

// scrub replaces the folders and the address of this run.
func (p *place) scrub(text []byte) []byte {
	for from, to := range map[string]string{p.repo: "/home/dev/tides", p.home: "/home/dev"} {
		text = bytes.ReplaceAll(text, []byte(from), []byte(to))
		dashed := strings.NewReplacer("/", "-", ".", "-")
		text = bytes.ReplaceAll(text, []byte(dashed.Replace(from)), []byte(dashed.Replace(to)))
	}
	text = bytes.ReplaceAll(text, []byte(p.work), []byte("/home/dev/run"))
	return systemRE.ReplaceAll(addressRE.ReplaceAll(text, []byte("127.0.0.1:80")), []byte("Linux 6.1"))
}
