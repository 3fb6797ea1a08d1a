package rules

import (
	"path"
	"strings"

	"episodes/extract/internal/doc"
	"episodes/internal/lazy"
)

// sessionID takes the id by which an agent knows its session, from the front matter or a label
// near the start of the log. A running number identifies nothing, and a log that names several
// ids has none. Without an id, a time to the second and an agent in the file's name count.
func (x *extraction) sessionID() {
	ids := map[string]bool{}
	for i := range len(x.doc.Meta) + len(x.doc.Blocks) {
		b := x.doc.At(i)
		if b.Kind == doc.Code || b.Section != nil && b.Section.Level > 1 && b.Span[0] > x.early() ||
			!sessionLabel().MatchString(b.Label) {
			continue
		}
		id := strings.Trim(strings.TrimSpace(b.Text.Raw), "`\"'")
		if !uniqueID().MatchString(id) || len(digit().FindAllString(id, leastDigits)) < leastDigits {
			continue
		}
		ids[id] = true
		x.draft.SessionID = id
	}
	switch len(ids) {
	case 0: // file names have the second and the agent
		if m := runName().FindStringSubmatch(path.Base(x.path)); m != nil {
			x.draft.SessionID = m[1]
		}
	case 1:
	default:
		x.draft.SessionID = ""
	}
}

var (
	sessionLabel = lazy.Pattern(`(?i)^(?:session|conversation|thread|chat)[ _-]?id$`)
	uniqueID     = lazy.Pattern(`^[A-Za-z0-9][A-Za-z0-9._:-]{11,127}$`)
	runName      = lazy.Pattern(`^(20\d\d-?\d\d-?\d\dT\d\d[-:]?\d\d[-:]?\d\dZ?_+[A-Za-z](?:[\w-]*?[A-Za-z0-9])??)(?:__[a-z]+)?\.md$`)
	digit        = lazy.Pattern(`[0-9]`)
)

// leastDigits distinguishes an id from a word.
const leastDigits = 3
