package setup

import (
	"cmp"
	"slices"
	"strings"
)

// program is what the user's own settings call: by its name where a shell finds that, since a
// path may change with each version. npm shows what npx runs on the PATH only while that runs.
func (e Environment) program() string {
	if e.LookPath != nil {
		if path, err := e.LookPath(program); err != nil || ofPackage(path) {
			return cmp.Or(e.Self, program)
		}
	}
	return program
}

// ofPackage reports whether a path is in a folder that npm, or what is like it, manages and may delete.
func ofPackage(path string) bool {
	return slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }), "node_modules")
}
