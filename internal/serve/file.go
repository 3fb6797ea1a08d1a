package serve

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"episodes/internal/ask"
	"episodes/internal/pages"
)

// mostInFile is how many things a page lists in a file, where no page follows.
const mostInFile = 2000

// WriteFile writes all pages of a memory into one file.
func WriteFile(ctx context.Context, w io.Writer, m *ask.Memory, name string) error {
	f := pages.NewFile(name, !m.Shared)
	add := func(route, id string) error {
		view, err := routes[route].ask(ctx, m, request{id: id, most: mostInFile, link: f.Link})
		if err == nil {
			f.Parts = append(f.Parts, pages.Part{Page: pages.Page{Name: route, View: view}, ID: id})
		}
		return err
	}
	for _, e := range (pages.Page{}).Navigation() {
		if err := add(e.Name, ""); err != nil {
			return err
		}
	}
	list, err := m.Timeline(ctx, ask.ListRequest{Limit: mostInFile})
	if err != nil {
		return err
	}
	for _, e := range list.Episodes {
		if err := add("session", e.ID); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return f.Write(w)
}
