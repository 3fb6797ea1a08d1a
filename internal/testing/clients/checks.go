//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// result is one check of one variant.
type result struct {
	variant, check string
	ok, single     bool // single: of a situation
}

// checker collects the results of a variant, and prints what fails.
type checker struct {
	variant string
	single  bool
	results []result
}

func (c *checker) check(what string, ok bool, note ...any) {
	r := result{variant: c.variant, check: what, ok: ok, single: c.single}
	if c.results = append(c.results, r); !ok {
		text := strings.Join(strings.Fields(fmt.Sprint(note...)), " ")
		fmt.Printf("%s: FAIL %s: %s\n", c.variant, what, text[:min(len(text), 500)])
	}
}

// listed is an episode as `episodes list --json` has it.
type listed struct {
	ID, Outcome, Task string
	Private           bool
}

func (p *place) episodes() []listed {
	out, _ := p.ask("list", "--json")
	var a struct{ Data struct{ Episodes []listed } }
	_ = json.Unmarshal([]byte(out), &a)
	return a.Data.Episodes
}

// twoSessions is what each variant goes through: a session that fails, mends and passes, and one that
// meets the same failure again.
func twoSessions(p *place, c *checker) (recs []played) {
	cl := p.v.client
	out, code := p.ask("setup", cl.name)
	c.check("setup", code == 0, out)
	out, _ = p.ask("setup", cl.name, "--check")
	c.check("setup --check: wired", strings.Contains(out, "wired (user"), out)

	first := p.play("first", p.v.first, "Make the tests of the table pass. "+demand, how{})
	c.check("every wired event came", len(missing(cl.events, first.hooks)) == 0, "missing ", missing(cl.events, first.hooks), " after ", len(first.requests), " requests, exit ", first.code)
	c.check("hooks exit with 0 in time", len(first.hooks) > 0 && slow(first.hooks) == "", slow(first.hooks))
	eps := p.episodes()
	c.check("session taken in, private", len(eps) == 1 && eps[0].Private, eps)
	var e listed
	if len(eps) > 0 {
		e = eps[0]
	}
	c.check("outcome is success", e.Outcome == "success", e.Outcome)
	show := ""
	if e.ID != "" {
		show, _ = p.ask("show", e.ID)
	}
	c.check("failing test is named", strings.Contains(show, failure), show)
	c.check("fix names file and line", strings.Contains(show, mendFile) && strings.Contains(show, mendName), show)
	c.check("the pass is seen", strings.Contains(show, "pass"), show)
	src, _ := p.ask("sources")
	c.check("sources: nothing new, all readable", strings.Contains(src, "0 new, 0 changed") && !strings.Contains(src, "cannot be read"), src)
	out, code = p.ask("extract", "--from", cl.name, "--dry-run")
	c.check("extract --from reads it", code == 0 && !strings.Contains(out, "cannot be read"), out)

	second := p.afresh("second", p.v.first, "Look after the table.", how{})
	said := answered(second.hooks)
	c.check("advice in the second session", len(said) > 0)
	c.check("advice at the failing command", slices.ContainsFunc(said, func(h callRecord) bool { return h.event() == cl.failed }), events(said))
	c.check("advice names the fix", slices.ContainsFunc(said, func(h callRecord) bool { return strings.Contains(h.Out, mendFile) }))
	c.check("brief in the second session", slices.ContainsFunc(said, func(h callRecord) bool { return strings.Contains(h.Out, demand) }), events(said))
	got := slices.DeleteFunc(slices.Clone(said), func(h callRecord) bool { return !reached(h, second.requests) })
	c.check("advice reached the model", len(got) > 0, "said at ", events(said), ", reached of ", events(got))
	c.check("brief reached the model", slices.ContainsFunc(got, func(h callRecord) bool { return strings.Contains(h.Out, demand) }), events(got))
	c.check("model knows the MCP tools", slices.ContainsFunc(second.requests, knowsMCP))
	out, _ = p.ask("stats")
	c.check("stats: followed is known", regexp.MustCompile(`[1-9]\d* of \d+ that can be known`).MatchString(firstLine(out)), firstLine(out))
	return []played{first, second}
}

// removal takes out what setup wrote.
func removal(p *place, c *checker) {
	out, code := p.ask("setup", p.v.client.name, "--remove")
	c.check("remove leaves what was before", code == 0 && p.changed() == "", p.changed(), out)
}

// changed names the settings in the home that are not as before setup.
func (p *place) changed() string {
	var out []string
	for _, name := range p.v.client.settings {
		text, err := os.ReadFile(filepath.Join(p.home, name))
		before, had := p.files[name]
		if had != (err == nil) || string(text) != before {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// missing are the events of a list that no hook has.
func missing(want []string, hooks []callRecord) (out []string) {
	for _, e := range want {
		if !slices.ContainsFunc(hooks, func(h callRecord) bool { return h.event() == e }) {
			out = append(out, e)
		}
	}
	return out
}

// patience is how long agents wait for a hook, in milliseconds.
const patience = 5000

// slow describes the hooks that failed or took longer than agents wait; "" for no such hooks.
func slow(hooks []callRecord) string {
	var out []string
	for _, h := range hooks {
		if h.Exit != 0 || h.MS > patience {
			out = append(out, fmt.Sprintf("%s: exit %d after %.0f ms", h.event(), h.Exit, h.MS))
		}
	}
	return strings.Join(out, ", ")
}

// answered are the hooks that gave an answer.
func answered(hooks []callRecord) (out []callRecord) {
	for _, h := range hooks {
		if strings.TrimSpace(h.Out) != "" {
			out = append(out, h)
		}
	}
	return out
}

func events(hooks []callRecord) (out []string) {
	for _, h := range hooks {
		out = append(out, h.event())
	}
	return out
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
