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
var remote = lazy.Pattern(`^(?:(https?|ssh|git)://(?:[^/@]*@)?|[^/@:]+@)([A-Za-z0-9.-]+)(:\d+)?[/:]([A-Za-z0-9_.~/-]+?)(?:\.git)?/?$`)

// forge returns what gives the address of a file at the forge that the repository of a folder was
// cloned from; nil if it is not known.
func forge(root string) func(file string, lines *episode.Span) string {
	repo, ok := gitdir.Find(root)
	if !ok || len(repo.Remotes) == 0 {
		return nil
	}
	rel, err := filepath.Rel(repo.Top, root)
	base, format := forgeOf(repo.Remotes[0])
	if err != nil || !filepath.IsLocal(rel) || base == "" {
		return nil
	}
	return func(file string, span *episode.Span) string {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			return ""
		}
		at := base + (&url.URL{Path: path.Join("/", filepath.ToSlash(rel), file)}).EscapedPath()
		if span != nil {
			at += fmt.Sprintf(format, span[0], span[1])
		}
		return at
	}
}

// forgeOf returns the address of the files of a remote, and the format of the lines of one; "" for hosts that
// are not known to show files.
func forgeOf(url string) (base, lines string) {
	found := remote().FindStringSubmatch(url)
	if found == nil {
		return "", ""
	}
	host, repository := strings.ToLower(found[2]), path.Clean("/"+found[4])
	if found[1] == "https" {
		host += found[3] // other ports are not those of the pages
	}
	switch {
	case strings.Contains(host, "gitlab"):
		return "https://" + host + repository + "/-/blob/HEAD", "#L%d-%d"
	case strings.Contains(host, "github"):
		return "https://" + host + repository + "/blob/HEAD", "#L%d-L%d"
	}
	return "", ""
}
