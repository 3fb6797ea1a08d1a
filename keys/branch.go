package keys

import "strings"

// shortestBranch is the length of a name that is no word of everyday talk.
const shortestBranch = 6

// OnBranch begins the name of what a session worked on if that is a branch; see episode.Episode.Instance.
const OnBranch = "branch "

// OwnBranch reports whether a branch of git is likely to be that of one piece of work. A
// session that names main, or a release, says nothing by that.
func OwnBranch(branch string) bool {
	first, _, _ := strings.Cut(strings.ToLower(branch), "/")
	return len(branch) >= shortestBranch && strings.ContainsAny(branch, "/-_0123456789") &&
		strings.Trim(branch, "v0123456789.") != "" && first != "release" && first != "dependabot"
}
