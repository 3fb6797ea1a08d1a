package causal

import (
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
)

// Instance returns the one thing that a session worked on: what its episode says, or the
// issue or pull request that its task names, if it names exactly one; else "". Sessions of
// one instance are evidence of one thing, however many they are.
func Instance(ep *episode.Episode) string {
	if named := strings.ToLower(clean(ep.Instance)); named != "" {
		return named
	}
	found := ""
	for _, m := range numbered().FindAllStringSubmatch(ep.Task, -1) {
		n := "#" + m[1] + m[2]
		if found != "" && n != found {
			return "" // of several none is the one
		}
		found = n
	}
	return found
}

// numbered matches an issue or a pull request: "#12", "issue 12", "PR 12", or its address.
var numbered = lazy.Pattern(`(?i)(?:(?:^|[\s(\[,:])#|\b(?:issues?|pr|pull request|ticket) #?)(\d{1,7})\b|/(?:issues|pull|pulls|merge_requests)/(\d{1,7})\b`)
