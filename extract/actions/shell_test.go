package actions

import (
	"strings"
	"testing"
)

// commandsText shows a line's commands as "name arg arg", with marks: ">" its output goes into
// another command, "?" it is followed by "||", "~" its errors are thrown away, and "(via)"
// for the program that runs it. "!" its exit code is not that of the line.
func commandsText(l shellLine) string {
	var out []string
	for _, c := range l.commands {
		s := strings.Join(append([]string{c.name}, c.args...), " ")
		if c.via != "" {
			s += " (" + c.via + ")"
		}
		for _, mark := range []struct {
			is   bool
			text string
		}{{c.feeds, ">"}, {c.caught, "?"}, {c.quiet, "~"}, {c.masked, "!"}} {
			if mark.is {
				s += mark.text
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestCommandsOfALine(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", ""},
		{"go test ./...", "go test ./..."},
		{"cd web && npm test", "npm test"},
		{"npm run lint && npm test", "npm run lint; npm test"},
		{"npm run lint\nnpm test", "npm run lint!; npm test"},
		{"go vet ./... || true", "go vet ./...?!"},
		{"go vet ./... | tail -5", "go vet ./...>!; tail -5"},
		{"go vet ./... 2>&1 | tee log | grep -v ok", "go vet ./...>!; tee log>!; grep -v ok"},
		{"set -o pipefail; go vet ./... | tail -5", "go vet ./...>; tail -5"},
		{"ls build 2>/dev/null", "ls build~"},
		{"ls build &>/dev/null", "ls build~"},
		{"ls build >/dev/null 2>&1", "ls build~"},
		{"ls build >out.txt", "ls build"},
		{"(cd api && go build ./...)", "go build ./..."},
		{"{ go build ./...; go test ./...; }", "go build ./...!; go test ./..."},
		{"for f in a b; do shellcheck $f; done", "shellcheck $f"},
		{"if go build ./...; then go test ./...; fi", "go build ./...!; go test ./...!"},
		{"export CI=1 && npm test", "npm test"},
		{"source .venv/bin/activate && pytest -q", "pytest -q"},
		{"X=1", ""},
		{`"C:\tools\dotnet.exe" test`, "dotnet test"},
		{"sudo -u postgres psql -c 'select 1'", "psql -c select 1 (sudo)"},
		{"timeout -k 5 60s go test ./...", "go test ./... (timeout)"},
		{"env PATH=/opt/bin:/usr/sbin npx vitest run", "vitest run (env)"},
		{"npx --yes -p typescript tsc --noEmit", "tsc --noEmit (npx)"},
		{"uv run --with hypothesis pytest -x", "pytest -x (uv)"},
		{"npm exec -- jest --ci", "jest --ci (npm)"},
		{"docker exec -it web pytest -q", "pytest -q (docker)"},
		{"docker compose up -d", "docker compose up -d"},
		{"docker run --rm -v $PWD:/w -w /w golang:1.25 go test ./...", "go test ./... (docker)"},
		{"docker run --rm web", "docker run --rm web"},
		{"docker run web --help", "docker run web --help"},
		{"kubectl exec -it web-0 -- pytest -q", "pytest -q (kubectl)"},
		{"pnpm --filter web exec eslint .", "eslint . (pnpm)"},
		{"docker exec web sh -c 'cd /app && pytest -q | tail -3'", "pytest -q (docker)>!; tail -3 (docker)"},
		{"nix develop -c cargo test", "cargo test (nix)"},
		{"hush git commit -m wip", "git commit -m wip (hush)"},
		{"bash -lc 'cd api && go test ./...'", "go test ./..."},
		{"sh -c \"npm run build; npm test\"", "npm run build!; npm test"},
		{"find . -name '*.go' | xargs -n 1 gofmt -l", "find . -name *.go>!; gofmt -l (xargs)"},
		{"cat > a.txt <<'EOF'\nnpm test || exit 1\nEOF", "cat"},
		{"cat > a.go <<EOF && gofmt -l a.go\npackage a\nEOF", "cat; gofmt -l a.go"},
		{"git commit -m \"$(cat <<'EOF'\nfix: stop; npm test | cat\nEOF\n)\"", "git commit -m "},
		{"git add -A && git commit -m 'fix; all | of it' && git push", "git add -A; git commit -m fix; all | of it; git push"},
		{"V=$(go env GOVERSION); echo $V", "echo $V"},
		{"npm run dev & sleep 3; curl -s localhost:3000", "npm run dev!; sleep 3!; curl -s localhost:3000"},
		{"go test ./... && echo PASS || echo FAIL", "go test ./...?!; echo PASS?!; echo FAIL"},
		{"! grep -r TODO src", "grep -r TODO src"},
		// Other shells, and lines that were cut.
		{"Get-ChildItem -Recurse | Where-Object { $_.Name -like '*.cs' }", "Get-ChildItem -Recurse>!; Where-Object { $_.Name -like *.cs }"},
		{"if (Test-Path dist) { Remove-Item dist -Recurse }; npm run build", "Remove-Item dist -Recurse!; npm run build"},
		{`& "C:\Program Files\dotnet\dotnet.exe" test`, "dotnet test"},
		{"if ($LASTEXITCODE -ne 0) { throw 'x' }; npm ci && npm test | Select-Object -Last 5", "throw x!; npm ci!; npm test>!; Select-Object -Last 5"},
		{"$r = Invoke-WebRequest http://localhost; $r.StatusCode", "$r.StatusCode"},
		{`powershell -NoProfile -Command "npm test"`, "npm test"},
		{"cmd /c npm test", "npm test"},
		{"echo 'not closed", "echo "},
		{"npm test | grep \"not closed", "npm test>!; grep not closed"},
	} {
		if got := commandsText(parseShell(c.line)); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

// A line that is no shell must not make the program fail.
func FuzzParseShell(f *testing.F) {
	for _, s := range []string{"a && b", "cat <<EOF\nx", "$(", "if", "a | | b", "sudo", "docker exec", "\x00", "timeout", "npx -p"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		l := parseShell(line)
		for _, c := range l.commands {
			if c.name == "" {
				t.Errorf("a command without a name in %q", line)
			}
			if c.id() == "" {
				t.Errorf("a command without an id in %q", line)
			}
			c.kind()
		}
		l.blamed("error: x")
	})
}
