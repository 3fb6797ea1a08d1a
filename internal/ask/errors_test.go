package ask

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"episodes/graph"
)

func TestRequestError(t *testing.T) {
	for want, e := range map[string]*RequestError{
		"from and to must be given":              {Params: []string{"from", "to"}},
		"k must be 1 or more":                    {Params: []string{"k"}, Message: "must be 1 or more"},
		`kind "x": must be task`:                 {Params: []string{"kind"}, Value: "x", Message: "must be task"},
		"nothing is asked":                       {Message: "nothing is asked"},
		"since: no such day":                     {Params: []string{"since"}, Err: errors.New("no such day")},
		"of and session together say two things": {Params: []string{"of", "session"}, Message: "together say two things"},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A text of megabytes names nothing, and is refused before it is compared with all that does.
func TestTooLong(t *testing.T) {
	for _, most := range []int{longestNamed, longestNamed + 1} {
		text := strings.Repeat("x", most)
		for _, r := range []interface{ Check() error }{PathRequest{From: text, To: "x"}, PathRequest{From: "x", To: text}, WhatIfRequest{Option: text},
			WhatIfRequest{Option: "x", Context: text}} {
			if err := r.Check(); (err == nil) != (most == longestNamed) {
				t.Errorf("%T with %d bytes: %v", r, most, err)
			}
		}
	}
}

func TestNoEpisodeError(t *testing.T) {
	ids := []string{"episode-2026-01-10-lock", "episode-2026-01-12-upload"}
	err := noEpisode("2026-01-10-look", ids)
	var none *NoEpisodeError
	if !errors.Is(err, ErrNoEpisode) || !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &none) || !strings.HasPrefix(none.Hint(), "did you mean 2026-01-10-lock") {
		t.Errorf("%v, %+v", err, none)
	}
	if !errors.As(noEpisode("zebra", ids), &none) || none.Hint() != "episodes list shows the episodes" {
		t.Errorf("%+v", none)
	}
}

func TestKindsOfErrors(t *testing.T) {
	for _, c := range []struct {
		err           error
		damaged, full bool
	}{
		{graph.ErrDamaged, true, false},
		{fmt.Errorf("open: %w", graph.ErrVersion), true, false},
		{graph.ErrFull, false, true},
		{fmt.Errorf("write: %w", syscall.ENOSPC), false, true},
		{errors.New("else"), false, false},
		{nil, false, false},
	} {
		if Damaged(c.err) != c.damaged || Full(c.err) != c.full {
			t.Errorf("%v: damaged %v, full %v", c.err, Damaged(c.err), Full(c.err))
		}
	}
	for err, want := range map[error]bool{ErrNoEpisode: true, ErrNoProject: true, fmt.Errorf("x: %w", ErrNoRecord): true, ErrLocked: false} {
		if NothingNamed(err) != want {
			t.Errorf("%v: %v", err, !want)
		}
	}
}
