package serve

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"episodes/internal/ask"
	"episodes/internal/pages"
)

// mostInFile is how many things a page lists in a file, where no page follows. A variable for the tests.
var mostInFile = 2000

// WriteFile writes all pages of a memory into one file.
func WriteFile(ctx context.Context, w io.Writer, m *ask.Memory, name string) error {
	list, err := m.Timeline(ctx, ask.ListRequest{Limit: mostInFile})
	if err != nil {
		return err
	}
	ids := make([]string, len(list.Episodes))
	for i, e := range list.Episodes {
		ids[i] = e.ID
	}
	f := pages.NewFile(name, !m.Shared, ids)
	add := func(route, id string) error {
		view, err := routes[route].ask(ctx, m, request{id: id, most: mostInFile, link: f.Link})
		if err == nil {
			f.Parts = append(f.Parts, pages.Part{Page: pages.Page{Name: route, View: view}, ID: id})
		}
		return err
	}
	for _, e := range pages.Navigation {
		if err := add(e.Name, ""); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if err := add("session", id); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	f.Parts = append(f.Parts, pages.Part{Page: pages.Page{Name: "message", Title: "Not in this file",
		View: pages.Message{Text: "This session is not in the file: it is a copy of one that is, or older than all of these.", Hint: "episodes serve shows it."}}})
	return f.Write(w)
}
