package actions

import (
	"io/fs"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/turns"
)

// mostPuts is the maximum number of files of which a fix keeps the lines that it put in.
const mostPuts = 3

// putsOf returns the lines that edits left in the files of a folder, those of the file that was
// edited last first. Lines that redaction may have changed are left out, and short ones, since
// any file may have them.
func putsOf(dir string, edits []*step) (out []episode.Put) {
	left, files := map[string][]string{}, []string{}
	for _, e := range edits {
		if len(e.call.Files) != 1 || e.call.Tool == turns.Write && len(e.fresh) == mostLines {
			continue // which lines are new, or in which file, is not known
		}
		file := within(dir, e.call.Files[0])
		if file == "" {
			continue
		}
		if len(e.gone) == mostLines || e.call.Tool == turns.Write {
			left[file] = nil // more may be gone
		}
		lines := slices.DeleteFunc(left[file], func(line string) bool { return slices.Contains(e.gone, line) })
		for _, line := range e.fresh {
			if len(line) >= leastLine && len(line) < lineBytes && !strings.Contains(line, "[redacted ") && !strings.Contains(line, "~") {
				lines = append(lines, line)
			}
		}
		left[file] = last(lines, mostLines)
		files = append(slices.DeleteFunc(files, func(f string) bool { return f == file }), file)
	}
	slices.Reverse(files)
	for _, file := range files {
		if len(left[file]) > 0 && len(out) < mostPuts {
			out = append(out, episode.NewPut(file, left[file]))
		}
	}
	return out
}

// within returns the path of a file relative to a folder, with slashes; "" if it is elsewhere.
func within(dir, file string) string {
	dir, file = strings.ReplaceAll(dir, `\`, "/"), strings.ReplaceAll(file, `\`, "/")
	if dir != "" {
		file = strings.TrimPrefix(file, strings.TrimSuffix(dir, "/")+"/")
	}
	if file = strings.TrimPrefix(file, "./"); !fs.ValidPath(file) || file == "." || strings.Contains(file, ":") {
		return ""
	}
	return file
}
