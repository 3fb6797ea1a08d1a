package facts

import (
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/keys"
)

// Worked collects what a log names as that which its session worked on.
type Worked struct{ tasks, issues, pulls, branches []string }

// Task adds the id of a task.
func (w *Worked) Task(id string) {
	if id = strings.Trim(strings.TrimSpace(id), "`\"'"); taskID().MatchString(id) {
		add(&w.tasks, "task "+id)
	}
}

// Issue adds the issues of a text: "#12", "12", an address.
func (w *Worked) Issue(text string) { numbers(&w.issues, text) }

// Pull adds the pull requests of a text. An issue and a pull request share their numbers.
func (w *Worked) Pull(text string) { numbers(&w.pulls, text) }

// Branch adds a branch, unless it is one on which everything is worked on.
func (w *Worked) Branch(name string) {
	if name = strings.Trim(strings.TrimSpace(name), "`\"'"); keys.OwnBranch(name) && !strings.ContainsAny(name, " \t,;") {
		add(&w.branches, keys.OnBranch+name)
	}
}

// One is the one thing that was worked on; "" where none is named, or several. A task says
// it better than an issue, an issue than a pull request, and that than a branch.
func (w *Worked) One() string {
	for _, list := range [][]string{w.tasks, w.issues, w.pulls, w.branches} {
		if len(list) == 1 {
			return list[0]
		}
	}
	return ""
}

func numbers(to *[]string, text string) {
	for _, m := range number().FindAllStringSubmatch(text, -1) {
		add(to, "#"+m[1]+m[2]+m[3])
	}
}

func add(to *[]string, name string) {
	if !slices.Contains(*to, name) {
		*to = append(*to, name)
	}
}

var (
	number = lazy.Pattern(`^\W*(\d{1,7})\s*(?:$|[-–—:(,])|#(\d{1,7})\b|/(?:issues|pull|pulls|merge_requests)/(\d{1,7})\b`)
	taskID = lazy.Pattern(`^[A-Za-z0-9][\w./-]{2,99}$`)
)
