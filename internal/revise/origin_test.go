package revise

import (
	"strings"
	"testing"

	"episodes/episode"
)

// Who wrote a file last decides whether it may be replaced.
func TestOrigin(t *testing.T) {
	ep := fresh()
	if err := ep.Seal(); err != nil {
		t.Fatal(err)
	}
	sealed := string(marshal(t, ep))
	edited := strings.Replace(sealed, "Mend the cache", "Mend the index", 1)
	merged, err := Merge([]byte(edited), fresh())
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		data string
		want Origin
	}{
		"as extracted":         {sealed, Extracted},
		"other line ends":      {strings.ReplaceAll(sealed, "\n", "\r\n"), Extracted},
		"edited":               {edited, Edited},
		"a field of one's own": {strings.Replace(sealed, "{", `{"note": "mine",`, 1), Edited},
		"seal removed":         {strings.Replace(sealed, ep.Provenance.Seal, "", 1), Edited},
		"merged":               {string(merged), Merged},
		"merged, then edited":  {strings.Replace(string(merged), "Hash before", "Never hash before", 1), Edited},
	} {
		got, err := episode.Parse([]byte(tt.data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if o := OriginOf(got, []byte(tt.data)); o != tt.want {
			t.Errorf("%s: origin %d, want %d", name, o, tt.want)
		}
	}
}
