package facts

import "testing"

func TestWorked(t *testing.T) {
	type named struct{ task, issue, pull, branch []string }
	for _, tt := range []struct {
		named
		want string
	}{
		{named{}, ""},
		{named{branch: []string{"main", "`fix/retry-store`"}}, "branch fix/retry-store"},
		{named{branch: []string{"main", "v1.2", "release/2"}}, ""},
		{named{branch: []string{"fix/retry-store", "feat/upload"}}, ""},
		{named{branch: []string{"fix/retry-store, then feat/upload"}}, ""},
		{named{pull: []string{"[#12](https://forge.example/shop/pull/12)"}, branch: []string{"fix/retry-store"}}, "#12"},
		{named{pull: []string{"#12 - mends 3 tests"}}, "#12"},
		{named{issue: []string{"7"}, pull: []string{"#12"}}, "#7"},
		{named{issue: []string{"#7, #8"}, pull: []string{"#12"}}, "#12"},
		{named{issue: []string{"none", "3 were found"}}, ""},
		{named{task: []string{"shop__cart-12"}, issue: []string{"#7"}}, "task shop__cart-12"},
		{named{task: []string{"mend the cart"}}, ""},
	} {
		var w Worked
		for add, list := range map[*[]string]func(string){&tt.task: w.Task, &tt.issue: w.Issue, &tt.pull: w.Pull, &tt.branch: w.Branch} {
			for _, text := range *add {
				list(text)
			}
		}
		if got := w.One(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.named, got, tt.want)
		}
	}
}
