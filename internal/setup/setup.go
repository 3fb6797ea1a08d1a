package setup

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"episodes/agents"
	"episodes/agents/agent"
)

// Action is what is to be done.
type Action string

// The actions.
const (
	Check  Action = "check"
	Wire   Action = "wire"
	Remove Action = "remove"
)

// Request says what to do to whose settings.
type Request struct {
	Agents []string // names, or AgentsMD; none with Check: all that are found
	All    bool     // all agents that are found
	Scope  Scope    // "": of Check both, else User
	Server *bool    // with the MCP server; nil: in the user's settings
	Action Action
	DryRun bool   // write nothing, and show what would be written
	Root   string // of the repository; "" outside of one
}

// UsageError says what is wrong with a request.
type UsageError struct{ Message, Advice string }

func (e *UsageError) Error() string { return e.Message }

// Check refuses a request that cannot be carried out.
func (r *Request) Check() error {
	for _, name := range r.Agents {
		if agentOf(name) == nil && name != AgentsMD {
			return &UsageError{fmt.Sprintf("agent %q: must be %s or %s", name, strings.Join(Agents(), ", "), AgentsMD), ""}
		}
	}
	switch {
	case len(r.Agents) > 0 && r.All:
		return &UsageError{"name agents, or give --all", ""}
	case r.Action != Check && len(r.Agents) == 0 && !r.All:
		return &UsageError{"no agent is named",
			"name one (" + strings.Join(Agents(), ", ") + "), or give --all; episodes setup lists those that are found"}
	case r.Scope == Project && r.Root == "":
		return &UsageError{"--project: there is no repository here", "go into one, or name it with --root"}
	case slices.Contains(r.Agents, AgentsMD) && r.Root == "":
		return &UsageError{AgentsMD + ": there is no repository here", "go into one, or name it with --root"}
	case slices.Contains(r.Agents, AgentsMD) && r.Scope == User:
		return &UsageError{AgentsMD + " is of a repository, not of a user", ""}
	}
	return nil
}

// Run does what a request asks. What is wrong with single agents is in the answer.
func Run(e Environment, r Request) (*Answer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if e.Home == "" && r.Scope != Project {
		return nil, errors.New("the home folder is not known; name --project")
	}
	x := &run{Environment: e, Request: r,
		answer: &Answer{Action: r.Action, DryRun: r.DryRun, Agents: []AgentState{}, listed: len(r.Agents) == 0 && !r.All}}
	x.own = baseOf(e.Self)
	x.names = x.named()
	if err := x.findProgram(); err != nil {
		return nil, err
	}
	for _, name := range x.names {
		for _, scope := range x.scopes(name) {
			x.answer.Agents = append(x.answer.Agents, x.one(name, scope))
		}
	}
	x.notTwice()
	if r.Action == Check && !x.answer.listed {
		x.noteMissing()
	}
	return x.answer, nil
}

// findProgram finds what the user's own settings are to call.
func (x *run) findProgram() error {
	x.exe = x.program()
	own := func(name string) bool { return x.scopes(name)[0] == User }
	if x.Action == Wire && ofPackage(x.exe) && slices.ContainsFunc(x.names, own) {
		return fmt.Errorf("npm may delete %q, which settings would call: install it for good (npm install --global) and run setup again", x.exe)
	}
	return nil
}

// run is one run.
type run struct {
	Environment
	Request
	exe    string
	own    string   // the name of the program that runs
	names  []string // of the agents that it is about
	answer *Answer
}

// named are the agents that were asked about, or all that are found.
func (x *run) named() (names []string) {
	for _, name := range x.Agents {
		if a := agentOf(name); a != nil {
			name = a.Name
		}
		names = append(names, name)
	}
	if len(names) > 0 {
		return names
	}
	for _, a := range agents.Which(agents.HasSettings) {
		if len(foundAt(a, x.Environment, x.Root)) > 0 {
			names = append(names, a.Name)
		}
	}
	if x.Action == Check && x.Root != "" {
		if f, err := openFile(x.Root, "AGENTS.md"); err == nil && lineIs(f.text, 0, section.begin) >= 0 {
			names = append(names, AgentsMD)
		}
	}
	return names
}

func (x *run) scopes(name string) []Scope {
	switch {
	case name == AgentsMD:
		return []Scope{Project}
	case x.Scope != "":
		return []Scope{x.Scope}
	case x.Action != Check, x.Root == "":
		return []Scope{User}
	}
	return []Scope{User, Project}
}

// one does it for one agent in one scope.
func (x *run) one(name string, scope Scope) AgentState {
	s := AgentState{Agent: name, Title: name, Scope: scope, Files: []FileState{}}
	p := &planner{env: x.Environment, agent: agentOf(name), scope: scope, root: x.Root, exe: x.exe, own: x.own,
		server: scope == User, remove: x.Action == Remove, write: x.Action != Check}
	if x.Server != nil {
		p.server = *x.Server
	}
	if scope == Project {
		p.exe = program // no path of this machine goes into a repository
	}
	places := []place{agent.At("AGENTS.md", agent.TextPart)}
	if p.agent != nil {
		s.Title, s.Found = p.agent.Title, foundAt(p.agent, x.Environment, x.Root)
		places = filesOf(p.agent, x.Environment, scope)
	}
	var plans []*FileState
	var all found
	for _, at := range places {
		f, err := p.file(at)
		if err != nil {
			return s.broken(err)
		}
		plans = append(plans, f)
		is := f.found
		if x.Action != Check && !x.DryRun {
			is = f.then
		}
		f.State = stateOf(is)
		all.add(is)
	}
	for _, f := range plans {
		if x.Action != Remove {
			s.allows(f.file)
		}
		if x.Action != Check {
			if err := f.apply(p.remove, x.DryRun); err != nil {
				return s.broken(err)
			}
		}
		s.Files = append(s.Files, *f)
	}
	s.State = stateOf(all)
	s.kept(x, p)
	s.finish(x, p, all)
	return s
}

const twice = ": each call starts twice, and is answered once"

// kept says what the agent itself knows: of a plugin, and of its user's trust.
func (s *AgentState) kept(x *run, p *planner) {
	if p.agent == nil || x.Action == Remove || x.Home == "" {
		return
	}
	a, root := p.agent.Settings, ""
	if s.Scope == Project {
		root = x.Root
	}
	s.others(root, a, a.Home(x.folders()))
	if a.Plugins != nil && s.Scope == User && x.has(a, a.Plugins, "", nil) {
		if s.State == Not || s.State == ServerOnly {
			s.State = Plugged
		} else {
			s.Notes = append(s.Notes, "a plugin has the hooks too"+twice)
		}
	}
	if x.Action == Check && s.State != Not && a.Trust != nil && !x.has(a, a.Trust, root, p.keys) {
		s.Trust = a.Trust.Do
	}
	if other := agentOf(p.agent.Hooks.Shares); other != nil && s.Scope == Project && x.wired(other.Name, Project) {
		note := s.Title + " runs the hooks of " + other.Title + " here"
		if s.State != Not {
			note += " too" + twice
		}
		s.Notes = append(s.Notes, note)
	}
}

// has reports whether a file of an agent says something. A file that is not there says nothing.
func (x *run) has(a *agent.Settings, k *agent.Kept, root string, keys []string) bool {
	path := k.File(x.folders(), a.Home(x.folders()))
	f, err := openFile("", path)
	if err != nil {
		return false
	}
	all := map[string]any{}
	if strings.HasSuffix(path, ".toml") {
		all, err = readTOML(f.text)
	} else if d, parsed := parse(f.text); parsed == nil && !d.blank {
		err = decode(&d.value, &all)
	}
	return err == nil && k.Has(all, root, keys)
}

// finish says how it is, and what is to be known.
func (s *AgentState) finish(x *run, p *planner, f found) {
	if f.foreign != "" {
		s.Notes = append(s.Notes, f.foreign+" is there already, and stays as it is")
		if s.State == Wired {
			s.State = Partly
		}
	}
	if f.unknown {
		s.Notes = append(s.Notes, "the MCP server was not added by setup, and stays as it is")
	}
	for _, exe := range slices.Compact(slices.Sorted(slices.Values(f.lost))) {
		s.Notes = append(s.Notes, fmt.Sprintf("the program %q is not found", exe))
	}
	if x.Action != Wire || p.agent == nil {
		return
	}
	if s.Scope == User && x.exe != program {
		s.Notes = append(s.Notes, fmt.Sprintf("episodes is not on the PATH, so the settings call %q, which has to stay there", x.exe))
	}
	if notes := p.agent.Settings.Notes; notes != nil {
		s.Notes = append(s.Notes, notes(s.Scope)...)
	}
	if allow := p.agent.Settings.Allow; p.server && allow != nil {
		s.Notes = append(s.Notes, allow(agent.ReadOnlyTools))
	}
	if s.Scope == Project && p.server {
		s.Notes = append(s.Notes, "whoever has no episodes installed sees an MCP server that does not start")
	}
}

func (s AgentState) broken(err error) AgentState {
	s.State, s.Problem, s.err = Broken, err.Error(), err
	return s
}

// wired reports whether an agent has any hooks of ours in a scope.
func (x *run) wired(name string, scope Scope) bool {
	if scope == Project && x.Root == "" {
		return false
	}
	p := &planner{env: x.Environment, agent: agentOf(name), scope: scope, root: x.Root, exe: x.exe, own: x.own}
	for _, at := range filesOf(p.agent, x.Environment, scope) {
		if !slices.Contains(at.Parts, agent.HooksPart) {
			continue
		}
		f, err := p.file(agent.At(at.Path, agent.HooksPart))
		return err == nil && f.found.current+f.found.stale > 0
	}
	return false
}

// notTwice reports what is wired in both scopes.
func (x *run) notTwice() {
	for i := range x.answer.Agents {
		s := &x.answer.Agents[i]
		if s.Agent == AgentsMD || s.State == Broken || x.Action == Remove || x.DryRun {
			continue
		}
		other := Project
		if s.Scope == Project {
			other = User
		}
		if s.State != Not && x.wired(s.Agent, s.Scope) && (x.Home != "" || other == Project) && x.wired(s.Agent, other) {
			s.Notes = append(s.Notes,
				fmt.Sprintf("wired in the %s settings too%s", other, twice))
		}
	}
}

// noteMissing notes the agents that were asked about by name and have no hooks anywhere.
func (x *run) noteMissing() {
	for _, name := range x.names {
		wired := slices.ContainsFunc(x.answer.Agents,
			func(s AgentState) bool { return s.Agent == name && s.State != Not && s.State != ServerOnly })
		if !wired {
			x.answer.missing = append(x.answer.missing, name)
		}
	}
}
