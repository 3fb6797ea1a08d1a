// Package mcpserver answers questions about a memory over the Model Context Protocol: the
// questions of package ask as tools, and episodes as resources.
//
// Each call opens the memory, answers and closes it again, as a command does: the store is
// never held open between calls, and other processes may write meanwhile. Answers quote
// logs, so they pass the filter of texts and the redaction once more on their way out.
//
// Where to read: server.go has the server and how a call is answered, tools.go the table of
// tools, resources.go the episodes, roots.go which memory is asked, progress.go the progress
// of a long call.
package mcpserver
