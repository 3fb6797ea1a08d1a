package evaluate

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/proc"
)

// ClassesFor has the classes of files for some verifiers. What their command lines run is followed
// through package.json, Makefiles and shell scripts. read returns the text of a file, or nil.
func ClassesFor(lines []string, read func(name string) []byte) *Classes {
	c := &Classes{read: read, scripts: map[string]bool{}, targets: map[string][]string{}, followed: map[string]bool{}}
	for _, line := range lines {
		c.follow(line, ".")
	}
	return c
}

var (
	managers = []string{"npm", "pnpm", "yarn", "bun"}
	shells   = []string{"sh", "bash", "dash", "zsh", "ksh", "source", "."}
	checks   = lazy.Pattern(`(?i)(?:^|[._/-])(?:tests?|check|verify|lint|ci|spec)s?(?:[._-]|$)|run[_-]?tests?`)
	prefixes = lazy.Pattern(`^(?:\w+=.*|env|time|exec|npx|command)$`)
)

// follow adds what a text for the shell, or a rule of a Makefile, runs in a folder.
func (c *Classes) follow(text, dir string) {
	if key := dir + "\x00" + text; !c.followed[key] {
		c.followed[key] = true
		for _, words := range segments(proc.Spec{Shell: text}) {
			for len(words) > 1 && prefixes().MatchString(words[0]) {
				words = words[1:]
			}
			if len(words) > 1 && words[0] == "cd" {
				dir = path.Join(dir, words[1])
			} else if len(words) > 0 {
				c.command(strings.TrimLeft(words[0], "@+-"), words[1:], dir)
			}
		}
	}
}

func (c *Classes) command(program string, args []string, dir string) {
	if i := slices.IndexFunc(args, func(w string) bool { return w == "-C" || w == "--prefix" || w == "--cwd" }); i >= 0 && i+1 < len(args) {
		dir, args = path.Join(dir, args[i+1]), slices.Concat(args[:i], args[i+2:])
	}
	args = slices.DeleteFunc(slices.Clone(args), func(w string) bool { return strings.HasPrefix(w, "-") || strings.Contains(w, "=") })
	base := path.Base(program)
	c.types = c.types || base == "tsc" || base == "vue-tsc"
	switch {
	case slices.Contains(managers, base):
		var p struct{ Scripts map[string]string }
		_ = json.Unmarshal(c.read(path.Join(dir, "package.json")), &p) // no scripts, then
		for _, name := range args {
			c.follow(p.Scripts["pre"+name]+"\n"+p.Scripts[name]+"\n"+p.Scripts["post"+name], dir)
		}
		return
	case base == "make", strings.HasSuffix(base, ":"): // of a rule with what it needs
		c.makes(args, dir, base == "make")
		return
	}
	for i, name := range append([]string{program}, args...) {
		name = path.Join(dir, strings.Trim(name, `"'`))
		runs := i == 0 && strings.Contains(program, "/") || i == 1 && slices.Contains(shells, base) || i > 0 && checks().MatchString(name)
		if text := c.read(name); runs && text != nil {
			c.scripts[name] = true
			if !code().MatchString(name) {
				c.follow(string(text), dir)
			}
		}
	}
}

// makes follows the targets of the Makefile of a folder; without any the first one.
func (c *Classes) makes(targets []string, dir string, first bool) {
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		name = path.Join(dir, name)
		text := c.read(name)
		if m := makeTarget().FindSubmatch(text); m != nil && len(targets) == 0 && first {
			targets = strings.Fields(string(m[1]))[:1]
		}
		for _, target := range targets {
			if text != nil && !slices.Contains(c.targets[name], target) {
				c.targets[name] = append(c.targets[name], target)
				rules, _ := makeRules(text, []string{target})
				c.follow(string(rules), dir)
			}
		}
	}
}

var (
	makeTarget = lazy.Pattern(`(?m)^([^\s.#:=][^:=#\n]*):(?:[^=]|$)`)
	// makeSet matches what sets a variable, or may change all rules.
	makeSet      = lazy.Pattern(`^\s*(?:[-s]?include|export|SHELL|MAKEFLAGS|\.SHELLFLAGS)\b|^\s*(?:override\s+)?(\w+)\s*[:?+!]*=`)
	makeVariable = lazy.Pattern(`\$[({](\w+)[)}]`)
)

// makeRules separates the lines of a Makefile that make some targets, or set variables for them or for
// other rules, from the rest.
func makeRules(text []byte, targets []string, other ...byte) (rules, rest []byte) {
	lines := slices.Collect(bytes.Lines(append(bytes.TrimSuffix(text, []byte("\n")), '\n'))) // also the last one ends
	ours := make([]bool, len(lines))
	within := false
	for i, line := range lines {
		if m := makeTarget().FindSubmatch(line); m != nil {
			within = slices.ContainsFunc(strings.Fields(string(m[1])), func(t string) bool { return slices.Contains(targets, t) })
		} else {
			within = within && (line[0] == '\t' || line[0] != '.' && !makeSet().Match(line)) // comments and conditions do not end a rule
		}
		if ours[i] = within; within {
			rules = append(rules, line...)
		}
	}
	set := map[string]bool{}
	for _, m := range makeVariable().FindAllSubmatch(append(rules, other...), -1) {
		set[string(m[1])] = true
	}
	rules, within = nil, false
	for i, line := range lines {
		if m := makeSet().FindSubmatch(line); m != nil {
			within = m[1] == nil || set[string(m[1])]
		}
		if ours[i] || within {
			rules = append(rules, line...)
		} else {
			rest = append(rest, line...)
		}
		within = within && bytes.HasSuffix(line, []byte("\\\n"))
	}
	return rules, rest
}
