package turns

import (
	"strings"

	"episodes/internal/lazy"
)

// Command returns the command line of a list of arguments, quoted for a shell. If the arguments run
// a shell with a script, it returns the script: "go test" for ["bash", "-lc", "go test"].
func Command(argv []string) string {
	if len(argv) > 2 && isShell(argv[0]) && scriptFlags[argv[len(argv)-2]] {
		return argv[len(argv)-1]
	}
	quoted := make([]string, len(argv))
	for i, arg := range argv {
		quoted[i] = arg
		if arg == "" || strings.ContainsAny(arg, " \t\n\"'$&|;<>()*?") {
			quoted[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// scriptFlags are the flags of shells that are followed by a script.
var scriptFlags = map[string]bool{"-c": true, "-lc": true, "-ic": true, "-Command": true, "/c": true}

func isShell(program string) bool {
	name := program[strings.LastIndexAny(program, `/\`)+1:]
	switch strings.TrimSuffix(strings.ToLower(name), ".exe") {
	case "sh", "bash", "zsh", "dash", "fish", "pwsh", "powershell", "cmd":
		return true
	}
	return false
}

// Script returns the script of a command line that runs a shell: "go test" for
// `bash -lc 'go test'`. Any other command is returned unchanged.
func Script(command string) string {
	shell, rest, _ := strings.Cut(strings.TrimSpace(command), " ")
	flag, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
	rest = strings.TrimSpace(rest)
	if !isShell(shell) || !scriptFlags[flag] || len(rest) < 2 {
		return command
	}
	quote := rest[0]
	inner := rest[1 : len(rest)-1]
	if quote != rest[len(rest)-1] || quote != '\'' && quote != '"' || strings.ContainsAny(inner, string(quote)+`\`) {
		return command
	}
	return inner
}

// PatchFiles returns the files that a patch of apply_patch or diff names, in its order.
func PatchFiles(patch string) (files []string) {
	for _, m := range patchFile().FindAllStringSubmatch(patch, -1) {
		files = append(files, m[1])
	}
	return files
}

var patchFile = lazy.Pattern(`(?m)^(?:\*\*\* (?:Add File|Update File|Delete File|Move to): |\+\+\+ (?:b/)?)(.+?)\s*$`)
