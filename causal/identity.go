package causal

import (
	"slices"

	"episodes/episode"
	"episodes/keys"
)

// Identity is what makes a record the same fact as another: for an event its key, for
// a decision the keys of its decision point and of the option taken.
type Identity struct {
	Decision   bool
	Point, Key string
}

// IdentityOf returns the identity of a record; false when it has none.
func IdentityOf(ep *episode.Episode, record string) (Identity, bool) {
	if d := ep.Decision(record); d != nil {
		point, option := decisionKeys(d)
		return Identity{true, point, option}, option != ""
	}
	if v := ep.Event(record); v != nil {
		key := eventKey(v)
		return Identity{Key: key}, key != ""
	}
	return Identity{}, false
}

// Alone returns an identity that no other record has. ref is the record's reference.
func (id Identity) Alone(ref string) Identity {
	id.Key += " ‹alone " + ref + "›"
	return id
}

// Assign replaces the identity that follows from a record's words. It reports whether
// there is such a record, of the same kind.
func Assign(ep *episode.Episode, record string, id Identity) bool {
	if d := ep.Decision(record); d != nil && id.Decision {
		if !slices.Contains(d.Options, d.Chosen) {
			d.Options = append(slices.Clone(d.Options), d.Chosen)
		}
		given := d.OptionKeys
		d.Key, d.OptionKeys = id.Point, make([]string, len(d.Options))
		for i, o := range d.Options {
			switch {
			case o == d.Chosen:
				d.OptionKeys[i] = id.Key
			case i < len(given):
				d.OptionKeys[i] = given[i]
			default:
				d.OptionKeys[i] = keys.Option(o)
			}
		}
		return true
	}
	if v := ep.Event(record); v != nil && !id.Decision {
		v.Key = id.Key
		return true
	}
	return false
}

func eventKey(v *episode.Event) string {
	if v.Key != "" {
		return v.Key
	}
	return keys.Event(string(v.Type), v.Content)
}
