package ask

import (
	"strings"

	"episodes/internal/gitdir"
	"episodes/internal/plain"
	"episodes/internal/team"
)

// IsTeam reports whether a URL is that of a team's store.
func IsTeam(url string) bool { return team.Is(url) }

// ErrNoProject: the team's store has no such project, or this login may not read it.
var ErrNoProject = team.ErrNoProject

// TeamURL completes the URL of a team's store with the project of a repository where it names
// none: that from which it was cloned.
func TeamURL(url string, loc Location) (string, error) {
	named, err := team.ProjectOf(url)
	if err != nil || named != "" {
		return url, err
	}
	repo, _ := gitdir.Find(loc.Root)
	for _, remote := range repo.Remotes {
		if name := projectName(remote); name != "" {
			return team.WithProject(url, name)
		}
	}
	return "", &RequestError{Params: []string{"store"},
		Message: "names no project, and the repository has no remote to take one from",
		Hint:    "add ?project=NAME to the URL"}
}

// projectName makes host/owner/name of the URL of a remote; "" of a path.
func projectName(remote string) string {
	_, rest, found := strings.Cut(remote, "://")
	if !found {
		host, path, found := strings.Cut(remote, ":") // git@host:owner/name
		if !found || strings.ContainsAny(host, `/\`) || len(host) == 1 {
			return ""
		}
		rest = host + "/" + path
	} else if strings.HasPrefix(remote, "file:") {
		return ""
	}
	if at := strings.LastIndex(rest[:max(0, strings.Index(rest+"/", "/"))], "@"); at >= 0 {
		rest = rest[at+1:]
	}
	host, path, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, ":")
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if host == "" || path == "" {
		return ""
	}
	return plain.Cut(plain.Words(strings.ToLower(host)+"/"+path), longestPlace)
}
