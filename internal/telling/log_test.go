package telling

import (
	"strings"
	"testing"
)

func TestInLog(t *testing.T) {
	log := "# Fix\n```\nstart\nb\nc\nd\nnoise\nError: the port is taken\nnoise\n+ kept\n- kept\nw\nx\ny\nend\n```\nThe cause was a server.\n~~~\nshort\n~~~\n```\nnever closed\n" + strings.Repeat("x\n", 20)
	got := InLog(strings.Split(log, "\n"))
	want := "# Fix\n```\nstart\nb\nc\nd\n\nError: the port is taken\n\n+ kept\n- kept\nw\nx\ny\nend\n```\nThe cause was a server.\n~~~\nshort\n~~~\n```\nnever closed\n" + strings.Repeat("x\n", 20)
	if strings.Join(got, "\n") != want {
		t.Errorf("%q", got)
	}
}
