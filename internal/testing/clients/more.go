//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// situation is something that a client goes through once, in a place of its own.
type situation struct {
	name  string
	wired bool // by setup
	run   func(p *place, c *checker) error
}

var situations = []situation{
	{"sub-agent", true, subAgent}, {"two at once", true, twoAtOnce}, {"killed", true, killed},
	{"project", false, inProject}, {"plugin", false, inPlugin}, {"plugin and setup", false, pluginAndSetup},
	{"no trust", true, noTrust}, {"rewritten", true, rewritten}, {"many", true, many},
	{"reader", true, readBehind}, {"complete", true, completes},
}

// setUp wires the client and returns an error if that fails.
func (p *place) setUp(more ...string) error {
	out, code := p.ask(append([]string{"setup", p.v.client.name}, more...)...)
	if code != 0 {
		return fmt.Errorf("setup: exit %d: %s", code, out)
	}
	return nil
}

// asked checks what an answer of the MCP server is, and that it reaches the model.
func asked(p *place, c *checker) {
	s := p.play("mcp", p.v.client.mcp, "Ask the memory about the table.", how{})
	var texts []string
	most, structured := 0, false
	files, _ := filepath.Glob(filepath.Join(s.rec, "mcp-*.out"))
	for _, f := range files {
		text, _ := os.ReadFile(f)
		for line := range bytes.Lines(text) {
			var r struct {
				Result struct {
					Content           []struct{ Text string }
					StructuredContent json.RawMessage
				}
			}
			if json.Unmarshal(line, &r) != nil || len(r.Result.Content) == 0 {
				continue
			}
			most, structured = max(most, len(line)), structured || r.Result.StructuredContent != nil
			texts = append(texts, r.Result.Content[0].Text)
		}
	}
	c.check("MCP: the model can ask", len(texts) >= 2, len(texts), " answers, ", len(s.requests), " requests")
	reached := 0
	for _, t := range texts {
		quoted, _ := json.Marshal(firstLine(t))
		if slices.ContainsFunc(s.requests, func(r request) bool {
			return bytes.Contains(r.Body, bytes.Trim(quoted, `"`)) || bytes.Contains(r.Body, bytes.ReplaceAll(bytes.Trim(quoted, `"`), []byte(`\`), []byte(`\\`)))
		}) {
			reached++
		}
	}
	c.check("MCP: answers reach the model", len(texts) > 0 && reached == len(texts), reached, " of ", len(texts))
	c.check("MCP: ask is offered, advise is not", slices.ContainsFunc(s.requests, func(r request) bool { return offers(r, "ask") }) &&
		!slices.ContainsFunc(s.requests, func(r request) bool { return offers(r, "advise") }))
	c.check("MCP: answers are text only", len(texts) > 0 && !structured, "longest ", most, " bytes")
}

// healthy checks that nothing is said about checks that pass.
func healthy(p *place, c *checker) {
	s := p.play("healthy", "pass", "Run the tests.", how{})
	said := slices.DeleteFunc(answered(s.hooks), func(h callRecord) bool {
		return !strings.Contains(strings.ToLower(h.event()), "tool")
	})
	c.check("healthy tree: nothing is said at a check", len(s.hooks) > 0 && len(said) == 0, events(said))
}

func subAgent(p *place, c *checker) error {
	s := p.play("sub", p.v.client.subagent, "Let a helper look.", how{})
	if e := p.v.client.sub; e != "" {
		c.check("sub-agent: its end is seen", len(missing([]string{e}, s.hooks)) == 0, events(s.hooks))
	}
	c.check("sub-agent: hooks exit with 0", len(s.hooks) > 0 && slow(s.hooks) == "", slow(s.hooks))
	eps := p.episodes()
	show := ""
	if len(eps) == 1 {
		show, _ = p.ask("show", eps[0].ID)
	}
	c.check("sub-agent: one session, with its check", strings.Contains(show, failure), eps, show)
	return nil
}

func twoAtOnce(p *place, c *checker) error {
	rec := filepath.Join(p.dir, "both")
	if err := write(filepath.Join(p.dir, "bin"), map[string]string{recordFile: rec}); err != nil {
		return err
	}
	if err := os.MkdirAll(rec, 0o755); err != nil {
		return err
	}
	if first := p.v.client.first; first != nil { // what it sets up in a new home
		if out, code := p.run(append([]string{p.v.client.program}, first...)...); code != 0 {
			return fmt.Errorf("%v: exit %d: %s", first, code, out)
		}
	}
	var wg sync.WaitGroup
	for _, words := range []string{"Look at the table.", "Another look at the table."} {
		wg.Go(func() { p.start("both", "giveup", words, how{}) })
	}
	wg.Wait()
	p.settle(p.limit())
	hooks := hooksOf(rec)
	c.check("two at once: hooks exit with 0", len(hooks) > 0 && slow(hooks) == "", slow(hooks))
	eps := p.episodes()
	c.check("two at once: two episodes, both right", len(eps) == 2 && eps[0].Outcome == "failure" && eps[1].Outcome == "failure", eps)
	return nil
}

// killed ends a session in the middle. The next one has to bring it in, as one whose outcome is not known.
func killed(p *place, c *checker) error {
	p.play("killed", "slow", "Make the tests of the table pass.", how{kill: true})
	p.play("next", "giveup", "Run the tests.", how{})
	var got []string
	for _, e := range p.episodes() {
		if strings.Contains(e.Task, "Make the tests") || strings.Contains(e.Task, "slow") {
			got = append(got, e.Outcome)
		}
	}
	c.check("killed: taken in at the next start", len(got) == 1, p.episodes())
	c.check("killed: its outcome is unknown", len(got) == 1 && got[0] == "unknown", got)
	return nil
}

func inProject(p *place, c *checker) error {
	before, _ := p.run("git", "status", "--porcelain")
	if err := p.setUp("--project"); err != nil {
		return err
	}
	s := p.play("project", "giveup", "Run the tests.", how{})
	out, _ := p.ask("setup", p.v.client.name, "--check")
	c.check("project: hooks come, or --check says why not", len(s.hooks) > 0 && slow(s.hooks) == "" || strings.Contains(out, "trust"),
		len(s.hooks), " hooks; ", slow(s.hooks), out)
	_, code := p.ask("setup", p.v.client.name, "--project", "--remove")
	after, _ := p.run("git", "status", "--porcelain")
	c.check("project: remove leaves the repository", code == 0 && before == after, after)
	return nil
}

// install installs the plugin of this repository.
func (p *place) install() error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	for _, args := range p.v.client.plugin {
		args = append([]string{p.v.client.program}, args...)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "{ROOT}", root)
		}
		if out, code := p.run(args...); code != 0 {
			return fmt.Errorf("%s: exit %d: %s", strings.Join(args, " "), code, out)
		}
	}
	return nil
}

func inPlugin(p *place, c *checker) error {
	if len(p.v.client.plugin) == 0 {
		return nil
	}
	if err := p.install(); err != nil {
		return err
	}
	s := p.play("plugin", p.v.client.mcp, "Run the tests.", how{})
	c.check("plugin: its hooks come", len(s.hooks) > 0 && slow(s.hooks) == "", len(s.hooks), " hooks; ", slow(s.hooks))
	c.check("plugin: its MCP server is known", slices.ContainsFunc(s.requests, knowsMCP))
	out, code := p.ask("setup", p.v.client.name, "--check")
	c.check("plugin: --check knows it", code == 0 && strings.Contains(out, "plugin"), out)
	return nil
}

// pluginAndSetup has two hooks of each event, of which one answers.
func pluginAndSetup(p *place, c *checker) error {
	cl := p.v.client
	if len(cl.plugin) == 0 {
		return nil
	}
	if err := errors.Join(p.install(), p.setUp()); err != nil {
		return err
	}
	p.play("first", p.v.first, "Make the tests of the table pass.", how{})
	s := p.afresh("second", p.v.first, "Look after the table.", how{})
	came, said := 0, 0
	for _, h := range s.hooks {
		if h.event() == "SessionStart" {
			came++
		}
	}
	for _, h := range answered(s.hooks) {
		if h.event() == cl.failed {
			said++
		}
	}
	c.check("plugin and setup: each hook comes twice", came == 2, events(s.hooks))
	c.check("plugin and setup: the fix is told once", said == 1, events(answered(s.hooks)))
	out, _ := p.ask("setup", cl.name, "--check")
	c.check("plugin and setup: --check says so", strings.Contains(out, "plugin"), out)
	return nil
}

// noTrust leaves out what trusts a folder or a hook: where the client then asks its model but calls no
// hooks, --check says so. Gemini CLI 0.61.0 ends without a request.
func noTrust(p *place, c *checker) error {
	if len(p.v.client.trusts) == 0 {
		return nil
	}
	s := p.play("untrusted", "giveup", "Run the tests.", how{without: p.v.client.trusts})
	out, _ := p.ask("setup", p.v.client.name, "--check")
	c.check("no trust: hooks come, or --check says why not", len(s.requests) == 0 || len(s.hooks) > 0 || strings.Contains(out, "trust"), len(s.hooks), " hooks; ", out)
	return nil
}

// rewritten lets the client change its own settings after setup, and in a home without setup: after
// removal both are the same.
func rewritten(p *place, c *checker) error {
	cl := p.v.client
	if len(cl.rewrite) == 0 {
		return nil
	}
	control, err := newPlace(p.options, p.v, "control")
	if err != nil {
		return err
	}
	defer control.close()
	for _, x := range []*place{p, control} {
		if cl.trust != nil {
			if err := cl.trust(x); err != nil {
				return err
			}
		}
		if out, code := x.run(append([]string{cl.program}, cl.rewrite...)...); code != 0 {
			return fmt.Errorf("%v: exit %d: %s", cl.rewrite, code, out)
		}
	}
	out, _ := p.ask("setup", cl.name, "--check")
	c.check("rewritten: still wired", strings.Contains(out, "wired (user") && (cl.trust == nil || !strings.Contains(out, "not trusted")), out)
	if cl.trust != nil {
		s := p.play("trusted", "giveup", "Run the tests.", how{without: cl.trusts})
		c.check("rewritten: trusted hooks come", len(missing(cl.events, s.hooks)) == 0, events(s.hooks))
	}
	with := map[string]string{}
	for _, name := range cl.settings {
		with[name] = p.like(control, name)
	}
	out, code := p.ask("setup", cl.name, "--remove")
	var differ []string
	for _, name := range cl.settings {
		text, _ := os.ReadFile(filepath.Join(control.home, name))
		if left := p.like(control, name); !sameLines(left, string(text)) || !within(left, with[name]) {
			differ = append(differ, name+": "+left)
		}
	}
	c.check("rewritten: remove leaves what the client wrote", code == 0 && len(differ) == 0, out, differ)
	var left []string
	for _, name := range slices.Concat(cl.settings, cl.written) {
		if text, _ := os.ReadFile(filepath.Join(p.home, name)); ours.Match(text) {
			left = append(left, name)
		}
	}
	c.check("rewritten: nothing of ours is left", len(left) == 0, left)
	return nil
}

// like is a file of the home as it would be in another place.
func (p *place) like(other *place, name string) string {
	text, _ := os.ReadFile(filepath.Join(p.home, name))
	return strings.NewReplacer(p.url, other.url, p.dir, other.dir).Replace(string(text))
}

// sameLines reports whether two texts have the same lines. Their order may differ: Codex 0.169.0 puts
// the table of a new server behind those of other servers.
func sameLines(a, b string) bool {
	return slices.Equal(slices.Sorted(strings.Lines(a)), slices.Sorted(strings.Lines(b)))
}

// within reports whether a text is another one without some of its lines.
func within(text, whole string) bool {
	next, stop := iter.Pull(strings.Lines(whole))
	defer stop()
	for line := range strings.Lines(text) {
		for {
			other, ok := next()
			if !ok {
				return false
			}
			if other == line {
				break
			}
		}
	}
	return true
}

// ours matches what setup writes, in any settings.
var ours = regexp.MustCompile(`episodes hook|"episodes"|mcp_servers\.episodes`)

// many runs sessions one after another that succeed, fail, are killed, or may run nothing. None gets
// another outcome than it had, and none that ended is written to after that.
func many(p *place, c *checker) error {
	if len(p.v.client.refuses) == 0 {
		return nil
	}
	kinds := []struct {
		script, outcome string
		how             how
	}{
		{"mend", "success", how{}}, {"giveup", "failure", how{}}, {"slow", "unknown", how{kill: true}},
		{"pass", "unknown", how{without: p.v.client.refuses}},
	}
	want := map[string]string{}
	var changed []string
	for n := range 20 {
		kind := kinds[n%len(kinds)]
		name := fmt.Sprint("session-", n)
		s := p.afresh(name, kind.script, "See to the table.", kind.how)
		var in struct {
			ID   string `json:"session_id"`
			Also string `json:"sessionId"`
		}
		if len(s.hooks) > 0 {
			_ = json.Unmarshal([]byte(s.hooks[0].In), &in)
		}
		want["episode-"+in.ID+in.Also] = kind.outcome
		time.Sleep(time.Second)
		if out, _ := p.ask("sources"); !kind.how.kill && !strings.Contains(out, "0 new, 0 changed") {
			changed = append(changed, name+": "+firstLine(out))
		}
	}
	got := map[string]string{}
	for _, e := range p.episodes() {
		got[e.ID] = e.Outcome
	}
	c.check("20 sessions: no wrong outcome", len(want) == 20 && maps.Equal(got, want), got, " instead of ", want)
	c.check("20 sessions: none changes after its end", len(changed) == 0, changed)
	return nil
}
