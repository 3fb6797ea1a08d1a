package ask

import (
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"episodes/episode"
	"episodes/internal/gitdir"
	"episodes/internal/lazy"
)

// remote matches the URL of a remote: a host and a path, without what may be secret.
var remote = lazy.Pattern(`^(?:(?:https?|ssh|git)://(?:[^/@]*@)?|[^/@:]+@)([A-Za-z0-9.-]+)(?::\d+)?[/:]([A-Za-z0-9_.~/-]+?)(?:\.git)?/?$`)

// forge returns what gives the address of a file at the forge that the repository of a folder was
// cloned from; nil if it is not known.
func forge(root string) func(file string, lines *episode.Span) string {
	repo, ok := gitdir.Find(root)
	if !ok || len(repo.Remotes) == 0 {
		return nil
	}
	rel, err := filepath.Rel(repo.Top, root)
	base, lines := forgeOf(repo.Remotes[0])
	if err != nil || !filepath.IsLocal(rel) || base == "" {
		return nil
	}
	return func(file string, span *episode.Span) string {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			return ""
		}
		at := base + (&url.URL{Path: path.Join("/", filepath.ToSlash(rel), file)}).EscapedPath()
		if span != nil {
			at += lines(*span)
		}
		return at
	}
}

// forgeOf returns the address of the files of a remote, and how lines of one are named; "" for hosts
// that are not known to show files.
func forgeOf(url string) (base string, lines func(episode.Span) string) {
	found := remote().FindStringSubmatch(url)
	if found == nil {
		return "", nil
	}
	host, repository := strings.ToLower(found[1]), path.Clean("/"+found[2])
	format, files := "#L%d-L%d", "/blob/HEAD"
	switch {
	case strings.Contains(host, "gitlab"):
		format, files = "#L%d-%d", "/-/blob/HEAD"
	case host == "bitbucket.org":
		format, files = "#lines-%d:%d", "/src/HEAD"
	case !strings.Contains(host, "github"):
		return "", nil
	}
	return "https://" + host + repository + files, func(s episode.Span) string { return fmt.Sprintf(format, s[0], s[1]) }
}
