package evaluate

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A report four times as long takes about four times the memory: one of a megabyte took more than a minute.
func TestLongReports(t *testing.T) {
	each := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(form, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	for name, report := range map[string]func(n int) string{
		"many lines of one failure": func(n int) string {
			return `<testsuite><testcase name="t"><failure message="m">` + each(n, "    f.py:#: AssertionError: assert # == 2\n") + `</failure></testcase></testsuite>`
		},
		"many failures of one case": func(n int) string {
			return `<testsuite><testcase name="t">` + each(n, `<failure message="m#">x#</failure>`) + `<system-out>` + each(n, "out #\n") + `</system-out></testcase></testsuite>`
		},
		"a panic after many lines": func(n int) string {
			return `<testsuite><testcase name="t"><failure message="m">` + each(n, "x_test.go:#: got 1, want 2\n") + "panic: no\n" + each(n, "f.go:#\n") + `</failure></testcase></testsuite>`
		},
	} {
		small, large := allocated(t, report(1000)), allocated(t, report(4000))
		if large > 6*small {
			t.Errorf("%s: %d bytes, %d for a report four times as long", name, small, large)
		}
	}
}

func allocated(t *testing.T, report string) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := parseJUnit([]byte(report)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
