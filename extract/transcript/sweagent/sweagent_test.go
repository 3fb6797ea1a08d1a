package sweagent

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, Format, "*.traj") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"trajectory":[{"action":"edit 1:2\nx\nend_of_edit","observation":"o","state":"{\"open_file\":\"a\"}"},{"action":"str_replace_editor str_replace 'a' --old_str 'b' --new_str \"c\""}],"history":[{"role":"user","content":[{"type":"text","text":"ISSUE:\nt"}]}]}`))
	turnstest.Fuzz(f, Format)
}
