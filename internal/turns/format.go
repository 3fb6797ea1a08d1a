package turns

// Format is a transcript format: the log that an agent writes while it works.
type Format struct {
	Name   string                 // in the provenance of episodes; it never changes
	Title  string                 // for people
	Detect func(head []byte) bool // whether head is the beginning of a file in this format
	// Read passes the turns of a file to Reader.Put, in the order of the file. It reads the input
	// as a stream. It does not judge from an output whether a call succeeded. An error of Put ends
	// it and is returned.
	Read func(*Reader) error
}
