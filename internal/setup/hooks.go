package setup

import (
	"cmp"
	"slices"

	"episodes/agents/agent"
)

// wiring is what a file is to hold, and with what it was held before.
type wiring struct {
	agent  *agent.Agent
	scope  Scope
	own    string            // the name of the program that runs
	exe    string            // what the user's own settings call
	runs   func(string) bool // whether a program is there
	before *document         // the file before setup, or nil
	old    []byte            // its text
	path   string            // of the file
	keys   []string          // by which the agent trusts hooks of ours
}

// had reports whether the value at a path was in the file before setup changed it.
func (w *wiring) had(path []string, list bool) bool {
	if w.before == nil || w.before.blank {
		return false
	}
	c, err := w.before.open(path, list)
	return err == nil && c != nil
}

// found is what a file holds of ours.
type found struct {
	current int      // entries that are as they should be
	servers int      // that of current are servers
	missing int      // that are not there
	stale   int      // that an older version wrote, or that are of no use
	lost    []string // programs that are called and not there
	foreign string   // a value of others in the place of ours
	unknown bool     // it is there, but setup did not add it
	keys    []string // by which the agent keeps that the user trusts these hooks
}

func (f *found) add(g found) {
	f.current += g.current
	f.servers += g.servers
	f.missing += g.missing
	f.stale += g.stale
	f.lost = append(f.lost, g.lost...)
	f.unknown = f.unknown || g.unknown
	if f.foreign == "" {
		f.foreign = g.foreign
	}
}

// spot is the place of one of our handlers.
type spot struct {
	event      string
	entry, sub int // in the list of the event, and in the list of the group
	call       call
	stale      bool
}

// spots finds our handlers, and counts what they are.
func (w *wiring) spots(d *document) (out []spot, f found, err error) {
	seen := map[string]bool{}
	err = w.each(d, func(s spot) {
		wanted := slices.ContainsFunc(w.agent.Hooks.Wired(), func(e agent.Event) bool { return e.Name == s.event })
		s.stale = s.call.agent != w.agent.Name || s.call.event != s.event || !wanted || s.call.scope != w.scope || seen[s.event]
		if !s.stale {
			seen[s.event] = true
			f.current++
			if exe := cmp.Or(s.call.exe, program); !w.runs(exe) {
				s.stale = w.scope == User && exe != w.exe // another one may help
				f.lost = append(f.lost, exe)
			}
		} else {
			f.stale++
		}
		if key := w.agent.Settings.Key; key != nil {
			f.keys = append(f.keys, key(w.path, s.event, s.entry, s.sub))
		}
		out = append(out, s)
	})
	f.missing = len(w.agent.Hooks.Wired()) - f.current
	return out, f, err
}

// each visits our handlers.
func (w *wiring) each(d *document, visit func(spot)) error {
	if d.blank {
		return nil
	}
	hooks, err := d.open([]string{"hooks"}, false)
	if err != nil || hooks == nil {
		return err
	}
	for _, e := range hooks.children {
		path := []string{"hooks", e.name}
		list, err := d.composite(e.value, path, true)
		if err != nil {
			if slices.ContainsFunc(w.agent.Hooks.Wired(), func(x agent.Event) bool { return x.Name == e.name }) {
				return err
			}
			continue // a setting that is not an event
		}
		for i, x := range list.children {
			if w.agent.Settings.Flat {
				if c, ok := w.callOf(&x); ok {
					visit(spot{event: e.name, entry: i, sub: -1, call: c})
				}
				continue
			}
			subs, err := handlersOf(d, &x)
			if err != nil || subs == nil {
				continue // no group as agents know it
			}
			for j, h := range subs.children {
				if c, ok := w.callOf(&h); ok {
					visit(spot{event: e.name, entry: i, sub: j, call: c})
				}
			}
		}
	}
	return nil
}

// handlersOf opens the list of handlers of a group.
func handlersOf(d *document, group *child) (*composite, error) {
	g, err := d.composite(group.value, nil, false)
	if err != nil {
		return nil, err
	}
	hooks := g.named("hooks")
	if hooks == nil {
		return nil, nil
	}
	return d.composite(hooks.value, nil, true)
}

func (w *wiring) callOf(x *child) (call, bool) {
	var h handler
	if decode(x.value, &h) != nil {
		return call{}, false
	}
	return h.read(w.own)
}

// addHooks adds the handlers that are missing and replaces stale ones.
func (w *wiring) addHooks(text []byte) ([]byte, error) {
	text, err := w.dropHooks(text, func(s spot) bool { return s.stale })
	if err != nil {
		return nil, err
	}
	for _, e := range w.agent.Hooks.Wired() {
		d, err := parse(text)
		if err != nil {
			return nil, err
		}
		spots, _, err := w.spots(d)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(spots, func(s spot) bool { return s.event == e.Name }) {
			continue
		}
		if text, err = w.addHook(d, e); err != nil {
			return nil, err
		}
	}
	return text, nil
}

func (w *wiring) addHook(d *document, e agent.Event) ([]byte, error) {
	added := entry(w.agent, e, w.scope, w.exe)
	hooks, err := d.open([]string{"hooks"}, false)
	if err != nil {
		return nil, err
	}
	if hooks == nil {
		root, err := d.open(nil, false)
		if err != nil {
			return nil, err
		}
		return d.put(root, "hooks", w.allHooks()), nil
	}
	list, err := d.open([]string{"hooks", e.Name}, true)
	switch {
	case err != nil:
		return nil, err
	case list == nil:
		return d.put(hooks, e.Name, []any{added}), nil
	}
	return d.put(list, "", added), nil
}

// allHooks is what a file gets that has no hooks.
func (w *wiring) allHooks() (all members) {
	for _, e := range w.agent.Hooks.Wired() {
		all = append(all, member{e.Name, []any{entry(w.agent, e, w.scope, w.exe)}})
	}
	return all
}

// dropHooks takes out handlers of ours, and what was put around them.
func (w *wiring) dropHooks(text []byte, which func(spot) bool) ([]byte, error) {
	for {
		d, err := parse(text)
		if err != nil {
			return nil, err
		}
		spots, _, err := w.spots(d)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(spots, which)
		if i < 0 {
			return text, nil
		}
		if text, err = w.dropHook(d, spots[i]); err != nil {
			return nil, err
		}
	}
}

func (w *wiring) dropHook(d *document, s spot) ([]byte, error) {
	list, err := d.open([]string{"hooks", s.event}, true)
	if err != nil {
		return nil, err
	}
	if s.sub >= 0 {
		subs, err := handlersOf(d, &list.children[s.entry])
		if err != nil {
			return nil, err
		}
		if len(subs.children) > 1 {
			return d.drop(subs, s.sub), nil
		}
	}
	text, err := w.dropEmpty(d.drop(list, s.entry), []string{"hooks", s.event}, true)
	if err != nil {
		return nil, err
	}
	return w.dropEmpty(text, []string{"hooks"}, false)
}

// dropEmpty takes out an object or list that was put there for what has gone.
func (w *wiring) dropEmpty(text []byte, path []string, list bool) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	c, err := d.open(path, list)
	if err != nil || c == nil || len(c.children) > 0 || w.had(path, list) {
		return text, err
	}
	if at, _ := commentsEnd(d.text[c.start+1 : c.end-1]); at > 0 {
		return text, nil // a comment is somebody's
	}
	in, err := d.open(path[:len(path)-1], false)
	if err != nil {
		return nil, err
	}
	return d.drop(in, in.index(path[len(path)-1])), nil
}
