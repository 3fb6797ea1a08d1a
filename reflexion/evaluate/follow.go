package evaluate

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/proc"
)

// ClassesFor tells the classes of files for the command lines of some verifiers. What these run
// is followed through scripts of package.json, Makefiles and scripts for the shell, without
// regard to quotes. read returns the text of a file of the work tree, nil without one.
func ClassesFor(lines []string, read func(name string) []byte) *Classes {
	c := &Classes{scripts: map[string]bool{}, targets: map[string][]string{}, followed: map[string]bool{}}
	for _, line := range lines {
		c.follow(line, ".", read)
	}
	return c
}

var (
	managers     = []string{"npm", "pnpm", "yarn", "bun"}
	shells       = []string{"sh", "bash", "dash", "zsh", "ksh", "source", "."}
	interpreters = []string{"node", "python", "python3", "ruby", "php", "perl", "deno", "tsx", "ts-node"}
	checks       = lazy.Pattern(`(?i)(?:^|[._/-])(?:tests?|check|verify|lint|ci|spec)s?(?:[._-]|$)|run[_-]?tests?`)
	assigned     = lazy.Pattern(`^\w+=`)
)

// follow adds what a text for the shell runs in a folder.
func (c *Classes) follow(text, dir string, read func(string) []byte) {
	for _, words := range segments(proc.Spec{Shell: text}) {
		for i, w := range words {
			words[i] = strings.Trim(w, `"'`)
		}
		for len(words) > 1 && (slices.Contains([]string{"env", "time", "exec", "npx", "command"}, words[0]) || assigned().MatchString(words[0])) {
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		program, args := path.Base(words[0]), slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool {
			return strings.HasPrefix(w, "-") || assigned().MatchString(w)
		})
		c.types = c.types || program == "tsc" || program == "vue-tsc"
		switch {
		case program == "cd" && len(args) > 0:
			dir = path.Join(dir, args[0])
		case slices.Contains(managers, program):
			c.followPackage(args, dir, read)
		case program == "make" || program == "gmake":
			in := dir
			if at := slices.Index(words, "-C"); at > 0 && at+1 < len(words) {
				in = path.Join(dir, words[at+1])
				args = slices.DeleteFunc(args, func(w string) bool { return w == words[at+1] })
			}
			c.followMake(args, in, read)
		case slices.Contains(shells, program) && len(args) > 0:
			c.followFile(args[0], dir, read)
		case slices.Contains(interpreters, program) && len(args) > 0 && checks().MatchString(args[0]):
			c.followFile(args[0], dir, read)
		case strings.Contains(words[0], "/"):
			c.followFile(words[0], dir, read)
		}
	}
}

func (c *Classes) followFile(name, dir string, read func(string) []byte) {
	name = path.Join(dir, name)
	text := read(name)
	if text == nil || c.scripts[name] {
		return
	}
	c.scripts[name] = true
	if !code().MatchString(name) {
		c.follow(string(text), dir, read)
	}
}

func (c *Classes) followPackage(args []string, dir string, read func(string) []byte) {
	var p struct{ Scripts map[string]string }
	if json.Unmarshal(read(path.Join(dir, "package.json")), &p) != nil {
		return
	}
	if len(args) > 1 && strings.HasPrefix(args[0], "run") {
		args = args[1:]
	}
	for _, name := range args[:min(1, len(args))] {
		for _, script := range []string{"pre" + name, name, "post" + name} {
			if line := p.Scripts[script]; !c.followed[dir+"\x00"+line] {
				c.followed[dir+"\x00"+line] = true
				c.follow(line, dir, read)
			}
		}
	}
}

func (c *Classes) followMake(targets []string, dir string, read func(string) []byte) {
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		name = path.Join(dir, name)
		text := read(name)
		if text == nil {
			continue
		}
		if len(targets) == 0 {
			if m := makeTarget().FindSubmatch(text); m != nil {
				targets = strings.Fields(string(m[1]))[:1]
			}
		}
		for _, target := range targets {
			if slices.Contains(c.targets[name], target) {
				continue
			}
			c.targets[name] = append(c.targets[name], target)
			for line := range strings.Lines(string(makeRules(text, []string{target}))) {
				if recipe, ok := strings.CutPrefix(line, "\t"); ok {
					c.follow(strings.TrimLeft(recipe, "@-+ "), dir, read)
				} else if _, needs, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(needs, "=") {
					if needs := strings.Fields(needs); len(needs) > 0 {
						c.followMake(needs, dir, read)
					}
				}
			}
		}
		return
	}
}

var (
	makeTarget   = lazy.Pattern(`(?m)^([^\s.#:=][^:=#\n]*):(?:[^=]|$)`)
	makeVariable = lazy.Pattern(`\$[({](\w+)[)}]`)
)

// makeRules are the lines of a Makefile that make some targets, and those that set the variables
// that occur there.
func makeRules(text []byte, targets []string) (out []byte) {
	within := false
	for line := range bytes.Lines(text) {
		if m := makeTarget().FindSubmatch(line); m != nil {
			within = slices.ContainsFunc(strings.Fields(string(m[1])), func(t string) bool { return slices.Contains(targets, t) })
		} else if within = within && (line[0] == '\t' || len(bytes.TrimSpace(line)) == 0); !within {
			continue
		}
		if within {
			out = append(out, line...)
		}
	}
	for _, m := range makeVariable().FindAllSubmatch(out, -1) {
		out = append(out, linesLike(text, regexp.MustCompile(`^\s*(?:export\s+|override\s+)?`+string(m[1])+`\s*[:?+!]*=`))...)
	}
	return out
}
