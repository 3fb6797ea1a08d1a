package revise

import (
	"encoding/json"

	"episodes/episode"
)

// Rewrite returns the bytes of an episode file after a change of what it says: ep is what
// was parsed of data, with some records changed, added or taken away. Fields that this
// program does not know stay with the record whose id they belong to, and OriginOf still
// finds who wrote the file last.
func Rewrite(data []byte, origin Origin, ep *episode.Episode) ([]byte, error) {
	switch origin {
	case Extracted:
		if err := ep.Seal(); err != nil {
			return nil, err
		}
		return episode.Marshal(ep)
	case Merged:
		ep.Provenance.Seal = mergedSeal(ep)
	}
	out, err := episode.Marshal(ep)
	if err != nil {
		return nil, err
	}
	old := orderedObject(data)
	doc := orderedObject(out)
	added := doc.carry(unknown(data, topFields))
	for field, known := range map[string]map[string]bool{"metrics": metricFields, "provenance": provenanceFields} {
		doc.edit(field, func(raw json.RawMessage) json.RawMessage {
			o := orderedObject(raw)
			added = o.carry(unknown(old.values[field], known)) || added
			return o.raw()
		})
	}
	for field, known := range map[string]map[string]bool{"decisions": decisionFields, "events": eventFields} {
		doc.edit(field, func(raw json.RawMessage) json.RawMessage {
			list, any := withExtras(raw, extrasByID(old.values[field], known))
			added = any || added
			return list
		})
	}
	if !added {
		return out, nil
	}
	return doc.indented()
}

var provenanceFields = fields("source extractor seal by spans")

// carry adds fields, and reports whether there were any.
func (o *object) carry(extra map[string]json.RawMessage) bool {
	o.with(extra)
	return len(extra) > 0
}

// extrasByID lists the unknown fields of the records in a list.
func extrasByID(list json.RawMessage, known map[string]bool) map[string]map[string]json.RawMessage {
	var records []json.RawMessage
	out := map[string]map[string]json.RawMessage{}
	if json.Unmarshal(list, &records) != nil {
		return out
	}
	for _, raw := range records {
		if extra := unknown(raw, known); len(extra) > 0 {
			out[idOf(raw)] = extra
		}
	}
	return out
}

// withExtras puts fields into the records of a list that have their ids.
func withExtras(list json.RawMessage, extras map[string]map[string]json.RawMessage) (json.RawMessage, bool) {
	var records []json.RawMessage
	if len(extras) == 0 || json.Unmarshal(list, &records) != nil {
		return list, false
	}
	for i, raw := range records {
		if extra, ok := extras[idOf(raw)]; ok {
			records[i] = orderedObject(raw).with(extra).raw()
		}
	}
	return mustRaw(records), true
}

func idOf(record json.RawMessage) string {
	var r struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(record, &r)
	return r.ID
}
