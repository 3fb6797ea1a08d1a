package agent

// Memory is a folder in which an agent keeps notes of its own, outside of the repository.
type Memory struct {
	Dir  string // absolute; it need not exist
	File string // the only file that counts; "": all Markdown files
	// Keep empties the lines of a file that are about other work; nil: there are none.
	Keep func(text string) string
}
