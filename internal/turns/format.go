package turns

// Format is a format of transcripts: what an agent writes by itself while it works.
type Format struct {
	Name   string                 // in the provenance of episodes; it never changes
	Title  string                 // for people
	Detect func(head []byte) bool // whether a file that begins so is of this format, by its content alone
	// Read gives the turns of a file on, in the order of the file. It reads as a stream, and it
	// judges no output.
	Read func(*Reader) error
}
