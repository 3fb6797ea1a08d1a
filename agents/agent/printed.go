package agent

import (
	"bytes"
	"encoding/json"
)

// Printed is what an actor printed. It is untrusted, and not yet cleaned.
type Printed struct {
	Text   string // its last words to the user
	Failed string // why it gave up, in its words; "" where it did not say that it did
	Uses   []*Use // of tools, in their order
	// Tokens of the parts of the work, by what tells these apart; Total is what the agent itself
	// adds up, nil where it does not.
	Tokens map[string]Tokens
	Total  *Tokens
	Cost   *float64 // in US dollars; nil where it does not say

	byID map[string]*Use
}

// Tokens are counts of one part of the work. Read counts those from a cache too.
type Tokens struct{ Read, Cached, Written int }

// Use is a use of a tool.
type Use struct {
	Tool    string // as the agent calls it
	Input   Object
	Failed  bool
	Changes []Change // of files, where the agent lists them itself; else nil
}

// Change is a change of a file: Kind is a word such as "add", "update" or "delete".
type Change struct{ Path, Kind string }

// ReadPrinted reads what the actor printed.
func (a *Actor) ReadPrinted(data []byte) *Printed {
	p := &Printed{Tokens: map[string]Tokens{}, byID: map[string]*Use{}}
	a.Read(p, data)
	return p
}

// Use notes a use of a tool. A second event of the same one adds what the first lacks.
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

// Result notes how the use of a tool ended.
func (p *Printed) Result(id string, failed bool) {
	if u := p.byID[id]; u != nil && id != "" {
		u.Failed = failed
	}
}

// AddCost adds an amount, where one is said.
func (p *Printed) AddCost(x *float64) {
	if x == nil {
		return
	}
	if p.Cost == nil {
		p.Cost = new(float64)
	}
	*p.Cost += *x
}

// Objects calls f with each JSON object that an agent printed: one on a line, a list of them, or
// a single one over several lines.
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

// Str is the first member of some names that is a text and not empty.
func (o Object) Str(names ...string) string {
	for _, name := range names {
		if s, ok := o[name].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// Obj is a member that is an object; else nil, of which every member is missing.
func (o Object) Obj(name string) Object {
	m, _ := o[name].(map[string]any)
	return m
}

// List is the objects in a member that is a list.
func (o Object) List(name string) (out []Object) {
	list, _ := o[name].([]any)
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// Is reports whether a member is true.
func (o Object) Is(name string) bool {
	b, _ := o[name].(bool)
	return b
}

// Count is a number of things: never below 0, nor more than anybody has.
func (o Object) Count(names ...string) int {
	for _, name := range names {
		if x, ok := o[name].(float64); ok {
			return int(min(max(x, 0), 1e12))
		}
	}
	return 0
}

// Money is an amount of US dollars; nil where none is said.
func (o Object) Money(name string) *float64 {
	x, ok := o[name].(float64)
	if !ok || !(x >= 0 && x < 1e9) {
		return nil
	}
	return &x
}
