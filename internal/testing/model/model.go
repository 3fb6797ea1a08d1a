// Package model is a scripted language model on HTTP, for running coding agents without an account
// and without a network. It speaks the protocols that agents use:
//
//	model.go      scripts, the server, the record of requests
//	tools.go      a step of a script → a call of a tool that the agent offers
//	anthropic.go  Anthropic Messages
//	openai.go     OpenAI Responses and chat completions
//	gemini.go     Gemini generateContent
//
// A prompt names its script in a line that begins with "play:NAME". The next step is the number of
// tool calls in the history of a request, so the server has no state for each session and any number
// of sessions can run at once.
package model

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Do is the kind of a step.
type Do string

// The kinds of steps.
const (
	Shell Do = "shell" // runs Cmd
	Read  Do = "read"  // reads File
	Edit  Do = "edit"  // replaces Old by New in File
	Task  Do = "task"  // starts a sub-agent with Prompt
	Tool  Do = "tool"  // calls the tool whose name ends with Name, with Args
	Say   Do = "say"   // ends the turn
)

// Step is one answer of the model: a text, and a call unless the step is a Say.
type Step struct {
	Do                          Do
	Text                        string // said before the call
	Cmd, File, Old, New, Prompt string
	Name                        string
	Args                        any           // a string for a tool that reads free text, an object, or a func(request []byte) any
	Wait                        time.Duration // before the answer
}

// Server answers requests. Dir is the folder in which agents work: paths in calls are absolute.
type Server struct {
	Dir     string
	Scripts map[string][]Step
	// Waits is called before a step with a Wait, if it is set.
	Waits func()
	// Reads, if it is set, answers what names no script, by what users said; "" where it does not.
	Reads func(said string) string

	mu       sync.Mutex
	requests []Request
	ids      int
	http     http.Server
	done     chan struct{}
}

// Request is a request for an answer, as the server got it.
type Request struct {
	Path   string          `json:"path"`
	Script string          `json:"script,omitempty"`
	Tools  []string        `json:"tools,omitempty"`
	Answer string          `json:"answer,omitempty"` // the tool that was called
	Body   json.RawMessage `json:"body"`
}

// Start serves on a free port of 127.0.0.1 and returns the URL.
func (s *Server) Start() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s.done = make(chan struct{})
	s.http.Handler = http.HandlerFunc(s.serve)
	go func() { _ = s.http.Serve(l) }()
	return "http://" + l.Addr().String(), nil
}

// Close ends the server and all requests that wait.
func (s *Server) Close() {
	close(s.done)
	_ = s.http.Close()
}

// Requests returns the requests so far and forgets them.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.requests
	s.requests = nil
	return out
}

// talk is what a request says, in any protocol.
type talk struct {
	users  []string // texts of the user
	calls  int      // calls of tools in the history
	tools  map[string]tool
	model  string
	stream bool
	side   bool // a question of the agent itself that wants JSON
}

// reply is the answer: a text, a call, or both.
type reply struct {
	id, text string
	call     *call
}

type call struct {
	name string
	args any // a string for a tool of free text
}

// event is one event of a stream; without a name only its data are sent.
type event struct {
	name string
	data any
}

// protocol reads requests and writes answers of one protocol.
type protocol struct {
	path  string // part of the paths of its requests
	read  func(body []byte) (talk, error)
	whole func(t talk, r reply) any
	parts func(t talk, r reply) []event
}

var protocols = []protocol{anthropic, responses, chat, gemini}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if r.Method == http.MethodPost && !strings.Contains(strings.ToLower(r.URL.Path), "count") {
		for _, p := range protocols {
			if strings.Contains(r.URL.Path, p.path) {
				s.answer(w, r, p, body)
				return
			}
		}
	}
	answer(w, map[string]any{ // of questions for models and sizes, whoever asks
		"object": "list", "data": []any{map[string]any{"id": "scripted", "object": "model", "owned_by": "test"}},
		"models": []any{}, "input_tokens": 1000, "totalTokens": 1000,
	})
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, p protocol, body []byte) {
	t, err := p.read(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	t.stream = t.stream || strings.Contains(r.URL.Path, "stream")
	req := Request{Path: r.URL.Path, Script: script(t.users), Body: body}
	for name := range t.tools {
		req.Tools = append(req.Tools, name)
	}
	re, wait := s.next(req.Script, t, body)
	if re.call != nil {
		req.Answer = re.call.name
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	s.ids++
	re.id = fmt.Sprintf("%d_%d", time.Now().UnixNano()%1e12, s.ids)
	s.mu.Unlock()
	if wait > 0 && s.Waits != nil {
		s.Waits()
	}
	select {
	case <-time.After(wait):
	case <-r.Context().Done():
		return
	case <-s.done:
		return
	}
	if !t.stream {
		answer(w, p.whole(t, re))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range p.parts(t, re) {
		data, ok := e.data.(string)
		if !ok {
			b, _ := json.Marshal(e.data)
			data = string(b)
		}
		if e.name != "" {
			_, _ = fmt.Fprintf(w, "event: %s\n", e.name)
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	}
}

// next returns the answer to a request, and how long it waits.
func (s *Server) next(name string, t talk, body []byte) (reply, time.Duration) {
	if name == "" && s.Reads != nil {
		if text := s.Reads(strings.Join(t.users, "\n")); text != "" {
			return reply{text: text}, 0
		}
	}
	steps := s.Scripts[name]
	switch {
	case t.side:
		return reply{text: `{"reasoning":"simple","model_choice":"flash","complexity_reasoning":"simple","complexity_score":10,"next_speaker":"user"}`}, 0
	case len(t.tools) == 0 || name == "":
		return reply{text: "Tests of the store"}, 0 // a title
	case t.calls >= len(steps):
		return reply{text: "Nothing is left to do."}, 0
	}
	st := steps[t.calls]
	if st.Do == Say {
		return reply{text: st.Text}, st.Wait
	}
	if args, ok := st.Args.(func([]byte) any); ok {
		st.Args = args(body)
	}
	c := resolve(st, t.tools, s.Dir)
	if c == nil {
		return reply{text: "No tool for " + string(st.Do) + " " + st.Name}, st.Wait
	}
	return reply{text: st.Text, call: c}, st.Wait
}

var playRE = regexp.MustCompile(`(?m)^["\s]*play:(\w+)`)

// script returns the script that the first of some texts names.
func script(texts []string) string {
	for _, t := range texts {
		if m := playRE.FindStringSubmatch(t); m != nil {
			return m[1]
		}
	}
	return ""
}

func read(r *http.Request) ([]byte, error) {
	in := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = z
	}
	return io.ReadAll(io.LimitReader(in, 16<<20))
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// textsOf returns the texts of a message: a string, or a list of parts with texts.
func textsOf(content json.RawMessage) (out []string) {
	var one string
	if json.Unmarshal(content, &one) == nil {
		return []string{one}
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(content, &parts)
	for _, p := range parts {
		if p.Text != "" {
			out = append(out, p.Text)
		}
	}
	return out
}

// text returns a value as JSON text.
func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

type obj = map[string]any
