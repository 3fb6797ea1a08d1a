package corrections

import (
	"slices"
	"strings"
	"testing"

	"episodes/episode"
)

func extracted(t *testing.T) (*episode.Episode, string) {
	t.Helper()
	calls := 3
	ep := &episode.Episode{ID: "episode-s", Session: "s", Task: "Mend the cache", Outcome: episode.Unknown, Metrics: episode.Metrics{ToolCalls: &calls},
		Decisions: []episode.Decision{{ID: "d001", Type: episode.Design, Chosen: "Hash the content", Outcome: episode.Unknown}},
		Events:    []episode.Event{{ID: "e001", Type: episode.Error, Content: "cache miss"}},
		Links:     []episode.Link{{Source: "d001", Target: "e001", Type: episode.Causes}},
		Lessons:   []string{"Hash before you store."}}
	data, err := episode.MarshalSealed(ep)
	if err != nil {
		t.Fatal(err)
	}
	return ep, string(data)
}

// Only what extraction wrote may be replaced without being asked.
func TestEdited(t *testing.T) {
	ep, sealed := extracted(t)
	for name, tt := range map[string]struct {
		data string
		want bool
	}{
		"as extracted":            {sealed, false},
		"other line ends":         {strings.ReplaceAll(sealed, "\n", "\r\n"), false},
		"words":                   {strings.Replace(sealed, "Mend", "End", 1), true},
		"a field of one's own":    {strings.Replace(sealed, "{", `{"note": "mine",`, 1), true},
		"one in the provenance":   {strings.Replace(sealed, `"seal"`, `"note": "mine", "seal"`, 1), true},
		"the seal of a merge":     {strings.Replace(sealed, ep.Provenance.Seal, "merged:"+ep.Provenance.Seal, 1), true},
		"no seal":                 {strings.Replace(sealed, ep.Provenance.Seal, "", 1), true},
		"cut off":                 {sealed[:len(sealed)/2], true},
		"a number written longer": {strings.Replace(sealed, `"tool_calls": 3`, `"tool_calls": 3.0`, 1), true},
	} {
		if got := Edited([]byte(tt.data)); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Each difference is named by its record and field; what a command can keep has it.
func TestDifferences(t *testing.T) {
	ep, sealed := extracted(t)
	if d := Differences(ep, []byte(sealed)); len(d) > 0 {
		t.Errorf("of itself: %v", d)
	}
	for edit, want := range map[[2]string]Difference{
		{"Mend the cache", "Mend it's\u202e end"}:                             {"", "task", "Mend the cache", "Mend it's end", `correct 'episode-s' --text 'Mend it'\''s end'`},
		{"Hash before you store.", "Never."}:                                  {"l001", "text", "Hash before you store.", "Never.", "correct 'episode-s#l001' --text 'Never.'"},
		{`"Hash before you store."`, ``}:                                      {"l001", "", "Hash before you store.", "", "correct 'episode-s#l001' --wrong"},
		{`store."`, `store.", "Look twice."`}:                                 {"l002", "", "", "Look twice.", "record lesson 'Look twice.' --of episode-s"},
		{"Hash the content", "Hash the name"}:                                 {"d001", "chosen", "Hash the content", "Hash the name", "correct 'episode-s#d001' --text 'Hash the name'"},
		{`"decisions": [`, `"decisions": [{"id": "d002", "chosen": "Wait"},`}: {"d002", "", "", "Wait", "record decision 'Wait' --of episode-s"},
		{"cache miss", "cache hit"}:                                           {"e001", "content", "cache miss", "cache hit", "correct 'episode-s#e001' --text 'cache hit'"},
		{`"causes"`, `"prevents"`}:                                            {"d001>e001", "type", "causes", "prevents", ""},
		{`"tool_calls": 3`, `"tool_calls": 30`}:                               {"metrics", "tool_calls", "3", "30", ""},
		{`"outcome": "unknown"`, `"outcome": "failure"`}:                      {"", "outcome", "unknown", "failure", "correct 'episode-s' --outcome failure"},
		{`"outcome": "unknown"`, `"outcome": "superb"`}:                       {"", "outcome", "unknown", "superb", ""},
		{"{", `{"note": {"mine": 1},`}:                                        {"", "note", "", `{"mine":1}`, ""},
		{"Mend the cache", strings.Repeat("long ", 300)}:                      {"", "task", "Mend the cache", strings.TrimSpace(strings.Repeat("long ", 300)), ""},
	} {
		edited := strings.Replace(sealed, edit[0], edit[1], 1)
		if edited == sealed {
			t.Errorf("%q is not there", edit[0])
		}
		if got := Differences(ep, []byte(edited)); !slices.Equal(got, []Difference{want}) {
			t.Errorf("%q:\n%+v\nwant %+v", edit[1], got, want)
		}
	}
	edited := strings.NewReplacer(`"type": "design"`, `"type": "testing"`, "cache miss", "cache hit").Replace(sealed)
	if got := Differences(ep, []byte(edited)); len(got) != 2 || got[0].Record != "e001" || got[1].Field != "type" {
		t.Errorf("what can be kept comes first: %+v", got)
	}
}
