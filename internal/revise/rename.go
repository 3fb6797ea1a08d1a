package revise

import (
	"bytes"
	"encoding/json"
	"strings"

	"episodes/episode"
)

// Rename returns the bytes of an episode file under another id. All that is not the
// id stays, and OriginOf still finds who wrote the file last.
func Rename(data []byte, to string) ([]byte, Origin, error) {
	ep, err := episode.Parse(data)
	if err != nil {
		return nil, Edited, err
	}
	origin := OriginOf(ep, data)
	ep.ID, ep.Session = to, strings.TrimPrefix(to, episode.IDFromSession(""))
	if origin == Extracted {
		if err := ep.Seal(); err != nil {
			return nil, origin, err
		}
		out, err := episode.Marshal(ep)
		return out, origin, err
	}
	doc := orderedObject(data)
	for field, value := range map[string]string{"id": ep.ID, "session": ep.Session} {
		doc.edit(field, func(json.RawMessage) json.RawMessage { return mustRaw(value) })
	}
	if origin == Merged {
		seal := mustRaw(mergedSeal(ep))
		doc.edit("provenance", func(raw json.RawMessage) json.RawMessage {
			prov := orderedObject(raw)
			prov.edit("seal", func(json.RawMessage) json.RawMessage { return seal })
			return prov.raw()
		})
	}
	out, err := doc.indented()
	return out, origin, err
}

// indented writes the object in the form of an episode file.
func (o *object) indented() ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, o.raw(), "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return pairs.ReplaceAll(b.Bytes(), []byte("[$1, $2]")), nil
}
