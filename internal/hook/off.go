package hook

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"episodes/internal/ask"
)

// Where nothing is to be told, there is a file for the repository: with everywhere for all sessions, else with the names of
// those that are meant. whoever is the session that acts next.
const (
	offDir     = "off"
	everywhere = "all"
	whoever    = "next"
)

// Switch turns what hooks tell off or on in a repository, or for the session that acts there next. What sessions leave is
// taken in all the same.
func Switch(ctx context.Context, loc ask.Location, session, off bool) error {
	who := everywhere
	if session {
		who = whoever
	}
	return (&hook{}).switched(ctx, loc, func(list []string) []string {
		switch {
		case off && !slices.Contains(list, who):
			return append(list, who)
		case off:
			return list
		case session:
			return slices.DeleteFunc(list, func(s string) bool { return s != everywhere })
		}
		return nil
	})
}

// off reports whether nothing is told to the session of an event. Its sub-agents are silenced with it.
func (h *hook) off(ctx context.Context, loc ask.Location, v *Event) (off bool) {
	session := h.session(loc, &Event{Session: v.Session})
	err := h.switched(ctx, loc, func(list []string) []string {
		if at := slices.Index(list, whoever); at >= 0 {
			list[at] = session
		}
		off = slices.Contains(list, everywhere) || slices.Contains(list, session)
		return list
	})
	if err != nil {
		h.trouble(err)
	}
	return off
}

// switched changes the list of a repository.
func (h *hook) switched(ctx context.Context, loc ask.Location, change func([]string) []string) error {
	q, err := h.open(ctx, offDir, toldWait)
	if err != nil {
		return err
	}
	defer q.close()
	name := nameOf(offDir, loc.Home().Root)
	data, err := q.dir.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	list := strings.Fields(string(data))
	if list = change(list); len(list) == 0 {
		if err := q.dir.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	text := strings.Join(list, "\n") + "\n"
	if text == string(data) {
		return nil
	}
	return q.dir.WritePrivate(name, []byte(text))
}
