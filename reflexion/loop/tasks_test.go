package loop

import (
	"slices"
	"testing"
)

func TestTasks(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		open []string
		done int
	}{
		"a task list": {"# Plan\n\nSome words.\n\n- [ ] add the prices\n- [x] read the cart\n* [ ] round them\n3. [X] print\n",
			[]string{"add the prices", "round them"}, 2},
		"details belong to their task": {"- [ ] add the prices\n\n  - of the cart\n    - [x] and its gifts\r\n\nLater:\n\n  not this\n- [x] print\n  nor this\n",
			[]string{"add the prices\n  - of the cart\n    - [x] and its gifts"}, 1},
		"lines": {"# Plan\nadd the prices\n\n- round them\n2. print\n", []string{"add the prices", "round them", "print"}, 0},
		"below other items, or all indented": {"\ufeff- Cart\n  - [ ] sum\n    in cents\n  - [x] print\n- Gifts\n  - [ ] wrap\n  - [ ] send\n",
			[]string{"sum\n    in cents", "wrap", "send"}, 1},
		"no box at all": {"- [link](x.md)\n- []\n", []string{"[link](x.md)", "[]"}, 0},
	} {
		if open, done := Tasks(tt.text); !slices.Equal(open, tt.open) || done != tt.done {
			t.Errorf("%s: %q and %d done, want %q and %d", name, open, done, tt.open, tt.done)
		}
	}
}
