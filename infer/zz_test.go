package infer

import (
	"episodes/episode"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestZZ(t *testing.T) {
	for _, s := range []string{"1", "3", "5"} {
		for _, w := range []string{"real_tasks", "real_confounded", "real_choice"} {
			fs, _ := filepath.Glob("/tmp/w/inf/data-v4/given/" + s + "/" + w + "/episodes/*.json")
			var rs []Record
			for _, f := range fs {
				d, _ := os.ReadFile(f)
				ep, _ := episode.Parse(d)
				rs = append(rs, FromEpisode(ep))
			}
			st := New(rs)
			f := st.fitted()
			m := st.model(0)
			fmt.Printf("%s %s pen %.2f likely %d ev %d features %d cells %d\n", s, w, f.penalty, m.likely, len(m.evidence), len(m.features), len(m.cells))
		}
	}
}
