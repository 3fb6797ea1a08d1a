package turns

import "strings"

// Command is what a list of arguments runs, without the shell that is only the means to
// run it: of ["bash", "-lc", "go test"] it is "go test".
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

// Script is a command line without a shell around it: of `bash -lc 'go test'` it is
// "go test". Any other command is left as it is.
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

// PatchFiles are the files that a patch of the form "*** Begin Patch" names, in its order.
func PatchFiles(patch string) []string {
	var files []string
	for line := range strings.Lines(patch) {
		for _, mark := range patchMarks {
			if name, found := strings.CutPrefix(line, mark); found {
				files = append(files, strings.TrimSpace(name))
			}
		}
	}
	return files
}

var patchMarks = []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "}
