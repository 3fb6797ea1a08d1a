package episode

// Diagnostic is a remark on how a log was read.
type Diagnostic struct {
	Line    int    // 1-based; 0 when it is about the whole log
	Code    string // stable, kebab-case
	Message string
}
