package actions

import (
	"cmp"
	"path"
	"strings"

	"episodes/internal/lazy"
	"episodes/keys"
)

// programName returns the name of a program without its folder and the suffixes of Windows.
func programName(word string) string {
	name := path.Base(strings.ReplaceAll(word, `\`, "/"))
	for _, suffix := range []string{".exe", ".bat", ".cmd"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// wrappers run the command that follows them, after their own flags; the number says how
// many words of their own come first.
var wrappers = map[string]int{
	"sudo": 0, "time": 0, "nice": 0, "nohup": 0, "env": 0, "command": 0, "timeout": 1, "gtimeout": 1, "stdbuf": 0, "xvfb-run": 0,
	"npx": 0, "bunx": 0, "pnpx": 0, "uvx": 0, "corepack": 0, "xargs": 0, "cross-env": 0, "caffeinate": 0, "setsid": 0,
}

// runners run the command that follows one of their words, "poetry run pytest"; the number
// says how many more words of their own come first.
var runners = map[string]map[string]int{
	"poetry": {"run": 0}, "uv": {"run": 0}, "pipenv": {"run": 0}, "pdm": {"run": 0}, "rye": {"run": 0}, "hatch": {"run": 0}, "bundle": {"exec": 0}, "pnpm": {"exec": 0, "dlx": 0},
	"yarn": {"dlx": 0, "exec": 0}, "npm": {"exec": 0}, "mise": {"exec": 0,
		"x": 0}, "asdf": {"exec": 0}, "fnm": {"exec": 0}, "nix": {"develop": 0}, "direnv": {"exec": 1},
	"docker": {"exec": 1, "run": 1}, "podman": {"exec": 1, "run": 1}, "docker-compose": {"exec": 1,
		"run": 1}, "kubectl": {"exec": 1}, "conda": {"run": 0}, "volta": {"run": 0},
}

// valued are the flags of programs that take the next word as their value and may precede
// the subcommand.
var valued = map[string]map[string]bool{
	"sudo": keys.SetOf("-u -g -h -p -C -D"), "timeout": keys.SetOf("-k -s"), "gtimeout": keys.SetOf("-k -s"), "nice": keys.SetOf("-n"), "env": keys.SetOf("-u -C"), "xargs": keys.SetOf("-n -P -I -L -s -d -E"),
	"npx": keys.SetOf("-p --package"), "bunx": keys.SetOf("-p --package"), "uvx": keys.SetOf("--from --with -p --python"),
	"npm": keys.SetOf("-p --package -w --workspace -C --prefix"), "pnpm": keys.SetOf("--filter -F -C --dir --package"), "yarn": keys.SetOf("--cwd"), "bun": keys.SetOf("--cwd --filter -F --config"),
	"uv":     keys.SetOf("--with --python -p --extra --group --package --directory --project --env-file --with-requirements"),
	"poetry": keys.SetOf("-C --directory -P --project"), "conda": keys.SetOf("-n --name -p --prefix"), "fnm": keys.SetOf("--using"), "kubectl": keys.SetOf("-n --namespace -c --container --context"),
	"docker": containerFlags, "podman": containerFlags, "docker-compose": containerFlags,
	"git": keys.SetOf("-C -c --git-dir --work-tree"), "go": keys.SetOf("-C"), "cargo": keys.SetOf("--manifest-path --config -Z"), "make": keys.SetOf("-C -f -I -o --directory --file"), "gh": keys.SetOf("-R --repo"),
	"mvn": keys.SetOf("-f -pl -s -P --file --projects"), "gradle": keys.SetOf("-p -b --project-dir"), "just": keys.SetOf("-f --justfile -d --working-directory"), "turbo": keys.SetOf("--filter -F --cwd"),
	"xcodebuild": keys.SetOf("-scheme -project -workspace -destination -configuration -sdk -derivedDataPath -target"), "mise": keys.SetOf("-C --cd"),
}

var containerFlags = keys.SetOf("-e --env -u --user -w --workdir -v --volume -p --publish --name --network --entrypoint --env-file -f --file --mount --platform --profile")

var assignment = lazy.Pattern(`^[A-Za-z_]\w*=`)

// own passes over the flags, settings and n plain words at the beginning of the words of a
// program. Words behind "--" are not its own.
func own(program string, words []string, n int) []string {
	for len(words) > 0 {
		switch w := words[0]; {
		case w == "--":
			return words[1:]
		case valued[program][w] && len(words) > 1:
			words = words[1:]
		case strings.HasPrefix(w, "-") || assignment().MatchString(w):
		case n > 0:
			n--
		default:
			return words
		}
		words = words[1:]
	}
	return nil
}

// unwrap puts the command that is really run in the place of one that only runs it.
func (c *command) unwrap() {
	for range 4 { // "sudo timeout 60 npx vitest"
		rest := c.inner()
		if len(rest) == 0 || rest[0] == "" || strings.HasPrefix(rest[0], "-") {
			return
		}
		c.via = cmp.Or(c.via, c.name)
		if c.name == "env" || c.name == "cross-env" {
			for _, a := range c.args[:len(c.args)-len(rest)] {
				if assignment().MatchString(a) {
					c.env = append(c.env, a)
				}
			}
		}
		c.name, c.args = programName(rest[0]), rest[1:]
	}
}

// inner are the words of the command that a command runs; none where it runs no other.
func (c *command) inner() []string {
	if n, wraps := wrappers[c.name]; wraps && !(c.name == "command" && len(c.args) > 0 && strings.EqualFold(c.args[0], "-v")) {
		return own(c.name, c.args, n)
	}
	words := own(c.name, c.args, 0)
	if len(c.args) > 1 && !interpreters[c.name] && !known(c.name) && known(c.args[0]) && !verbs[c.args[0]] {
		return c.args // a proxy of the user's own: "xyz git commit"
	}
	if packageRunners[c.name] && len(words) > 0 && (packageTools[words[0]] || interpreters[words[0]]) {
		return words // "pnpm vitest run"
	}
	program := c.name
	if program == "docker" && len(words) > 0 && words[0] == "compose" {
		program, words = "docker-compose", own(program, words[1:], 0)
	}
	if len(words) < 2 {
		return nil
	}
	n, runs := runners[program][words[0]]
	if !runs {
		return nil
	}
	words = words[1:]
	return own(program, words, n)
}

// packageRunners run any program of a package as their own command.
var (
	packageRunners = keys.SetOf("pnpm yarn bun")
	packageTools   = keys.SetOf("vitest jest mocha ava playwright cypress tsc vue-tsc svelte-check eslint prettier biome stylelint oxlint vite webpack rollup tsup esbuild tsx ts-node next nuxt turbo nx lerna lint-staged")
)

// known reports whether a program is one whose words are understood.
func known(name string) bool {
	name = cmp.Or(otherNames[name], name)
	return scripted[name] || notChecks[name] || searches[name] || lookups[name] || filters[name] ||
		comparisons[name] || interpreters[name] || pythonVersion().MatchString(name) || name == "pytest"
}

// verbs are names of programs that are also subcommands of others: "zig test".
var verbs = keys.SetOf("test type file command fmt strings which where more find head sort task join column open code sleep")
