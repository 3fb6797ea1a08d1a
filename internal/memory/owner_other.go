//go:build !unix

package memory

// untrusted does not know here who owns a folder.
func untrusted(path string) string { return "" }
