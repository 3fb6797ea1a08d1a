package agent

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Printed is the parsed output of an actor. Its texts are untrusted and not sanitized yet.
type Printed struct {
	Text   string // its last words to the user
	Failed string // why it gave up; "" if it did not
	Uses   []*Use // tool calls, in order
	// Tokens are the counts of each part of the work, keyed by the part's id. Total is the sum that
	// the agent reports itself, nil if it reports none.
	Tokens map[string]Tokens
	Total  *Tokens
	Cost   *float64 // in US dollars; nil if the agent does not report it

	byID map[string]*Use
}

// Tokens are the token counts of one part of the work. Read includes Cached, the tokens read from a
// cache.
type Tokens struct{ Read, Cached, Written int }

// Use is a tool call in the output of an actor.
type Use struct {
	Tool    string // as the agent calls it
	Input   Object
	Failed  bool
	Changes []Change // changes of files, if the agent lists them; else nil
}

// Change is a change of a file: Kind is a word such as "add", "update" or "delete".
type Change struct{ Path, Kind string }

// ReadPrinted parses the output of the actor. It never fails: unknown output yields an empty Printed.
func (a *Actor) ReadPrinted(data []byte) *Printed {
	p := &Printed{Tokens: map[string]Tokens{}, byID: map[string]*Use{}}
	a.Read(p, data)
	return p
}

// Use records a tool call. A second event with the same id adds what the first one lacks.
func (p *Printed) Use(id, tool string, input Object) *Use {
	u := p.byID[id]
	if u == nil || id == "" {
		u = &Use{Tool: tool}
		p.Uses = append(p.Uses, u)
		p.byID[id] = u
	}
	if len(input) > 0 {
		u.Input = input
	}
	return u
}

// Result records how a tool call ended. An unknown id is ignored.
func (p *Printed) Result(id string, failed bool) {
	if u := p.byID[id]; u != nil && id != "" {
		u.Failed = failed
	}
}

// Answer records an answer of the model, as Claude Code and Cursor print it: its text and its calls.
func (p *Printed) Answer(message Object) {
	for _, c := range message.List("content") {
		switch c.Str("type") {
		case "text":
			p.Text = c.Str("text")
		case "tool_use":
			p.Use(c.Str("id"), c.Str("name"), c.Obj("input"))
		}
	}
}

// End records the last event, as both print it: the last words, what was used, and why it gave up.
func (p *Printed) End(e Object, tokens func(usage Object) Tokens) {
	if text := e.Str("result"); text != "" {
		p.Text = text
	}
	if u := e.Obj("usage"); u != nil {
		t := tokens(u)
		p.Total = &t
	}
	if e.Is("is_error") || strings.HasPrefix(e.Str("subtype"), "error") {
		p.Failed = strings.Trim(strings.TrimPrefix(e.Str("subtype"), "success")+": "+e.Str("result"), ": ")
	}
}

// AddCost adds an amount in US dollars to the cost; nil adds nothing.
func (p *Printed) AddCost(x *float64) {
	if x == nil {
		return
	}
	if p.Cost == nil {
		p.Cost = new(float64)
	}
	*p.Cost += *x
}

// Objects calls f with each JSON object in the output of an agent: one per line, a JSON array of
// objects, or a single object over several lines.
func Objects(data []byte, f func(Object)) {
	data = bytes.TrimSpace(data)
	var list []Object
	var one Object
	switch {
	case json.Unmarshal(data, &list) == nil:
		for _, e := range list {
			f(e)
		}
		return
	case json.Unmarshal(data, &one) == nil:
		f(one)
		return
	}
	for line := range bytes.Lines(data) {
		var e Object
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' && json.Unmarshal(line, &e) == nil {
			f(e)
		}
	}
}

// Object is a JSON object of any form.
type Object map[string]any

// Str returns the first non-empty string among the members with the given names, or "".
func (o Object) Str(names ...string) string {
	for _, name := range names {
		if s, ok := o[name].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// Obj returns a member that is an object, else nil. Lookups in a nil Object are safe.
func (o Object) Obj(name string) Object {
	m, _ := o[name].(map[string]any)
	return m
}

// List returns the objects in a member that is an array.
func (o Object) List(name string) (out []Object) {
	list, _ := o[name].([]any)
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// Is reports whether a member is the JSON value true.
func (o Object) Is(name string) bool {
	b, _ := o[name].(bool)
	return b
}

// Count returns the first number among the members with the given names, limited to a plausible
// count that is not negative; 0 without one.
func (o Object) Count(names ...string) int {
	for _, name := range names {
		if x, ok := o[name].(float64); ok {
			return int(min(max(x, 0), 1e12))
		}
	}
	return 0
}

// Money returns a member that is an amount of US dollars, else nil.
func (o Object) Money(name string) *float64 {
	x, ok := o[name].(float64)
	if !ok || !(x >= 0 && x < 1e9) {
		return nil
	}
	return &x
}
