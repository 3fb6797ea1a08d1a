// Package snapshot determines what changed in a folder between two moments: Take reads it,
// and Compare returns the files that were added, changed, deleted and renamed, with counts
// and places of changed lines.
//
// git is not started and its objects are not used: a repository is untrusted, and its
// configuration can name programs that git would run (filters, monitors, remotes). So the
// files themselves are read, and the text of small ones is kept, within limits. Files that
// git ignores are left out, as are caches and downloaded packages.
package snapshot
