package causal

import (
	"episodes/episode"
	"episodes/keys"
)

func eventKey(v *episode.Event) string {
	if v.Key != "" {
		return v.Key
	}
	return keys.Event(string(v.Type), v.Content)
}
