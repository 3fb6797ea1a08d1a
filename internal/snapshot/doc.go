// Package snapshot tells what changed in a folder between two moments: Take reads it, and
// Compare says which files were added, changed, deleted and renamed, how many lines, and
// where.
//
// git is not started, and its objects are not used: a repository may come from anybody,
// and its configuration can name programs that git would run (filters, monitors, remotes).
// So the files themselves are read, and the text of small ones is kept, within bounds. What
// git ignores is left out, as its lists say, with what tools leave behind without anybody
// having written it (caches, downloaded packages).
package snapshot
