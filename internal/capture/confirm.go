package capture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/extract"
	"episodes/internal/fsstore"
	"episodes/internal/gitdir"
	"episodes/internal/local"
	"episodes/internal/memory"
	"episodes/internal/track"
)

// What a project's file says counts at once where it makes the program stricter: patterns of what is
// redacted and what is no log. Its names and words, which change what logs say, and its exceptions from
// redaction count once the user has confirmed them. Its places of logs count at once for what git tracks. What else is
// there is the user's: it is read for the user alone, until these are confirmed or the user has committed the file.

// ConfigEntries lists the entries of the project's file that need to be confirmed, in order, and what
// the user confirmed.
func ConfigEntries(loc memory.Location) (entries []string, confirmed map[string]bool, err error) {
	v, err := readProject(loc)
	if err != nil {
		return nil, nil, err
	}
	for table, lists := range map[string]map[string][]string{"names": v.Names, "words": v.Words, "redact": {"allow": v.Redact.Allow},
		"logs": {"paths": v.Logs.Paths}} {
		for key, list := range lists {
			for _, text := range list {
				entries = append(entries, configEntry(table, key, text))
			}
		}
	}
	slices.Sort(entries)
	return entries, confirmedEntries(loc), nil
}

func confirmedEntries(loc memory.Location) map[string]bool {
	out := map[string]bool{}
	for entry := range strings.Lines(string(local.Confirmed(configName(loc)))) {
		out[strings.TrimSuffix(entry, "\n")] = true
	}
	return out
}

// ConfirmConfig confirms entries of the project's file, and no others.
func ConfirmConfig(loc memory.Location, entries []string) error {
	return local.Confirm(configName(loc), []byte(strings.Join(append(slices.Clone(entries), ""), "\n")))
}

// configName is under what the user confirms the file of a project. All working trees of a repository
// are one project.
func configName(loc memory.Location) string {
	root := loc.Root
	if repo, ok := gitdir.Find(root); ok && repo.Top == root {
		root = cmp.Or(repo.Main, root)
	}
	return "config " + fsstore.Real(root)
}

// vettedPaths are the places of logs that the user confirmed; all, if the user committed the file.
func vettedPaths(o Options, paths []string) []string {
	m, err := memory.Open(o.Location)
	if err != nil {
		m = memory.Nowhere(o.Location)
	} else {
		defer m.Close()
	}
	if track.ByUser(m, vocabularyPath(o.Location.Root), o.Now()) {
		return paths
	}
	known := confirmedEntries(o.Location)
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !known[configEntry("logs", "paths", p)] })
}

func configEntry(table, key, text string) string { return fmt.Sprintf("[%s] %s: %q", table, key, text) }

// onlyConfirmed takes from a project's file what needs to be confirmed and was not, and counts it.
func onlyConfirmed(loc memory.Location, v *extract.Vocabulary) (open int) {
	if len(v.Names)+len(v.Words)+len(v.Redact.Allow) == 0 {
		return 0
	}
	known := confirmedEntries(loc)
	keep := func(table, key string, list []string) []string {
		return slices.DeleteFunc(list, func(text string) bool {
			unknown := !known[configEntry(table, key, text)]
			if unknown {
				open++
			}
			return unknown
		})
	}
	for table, lists := range map[string]map[string][]string{"names": v.Names, "words": v.Words} {
		for key, list := range lists {
			if lists[key] = keep(table, key, list); len(lists[key]) == 0 {
				delete(lists, key)
			}
		}
	}
	v.Redact.Allow = keep("redact", "allow", v.Redact.Allow)
	return open
}
