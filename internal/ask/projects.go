package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"episodes/internal/pg"
	"episodes/internal/plain"
	"episodes/internal/team"
	"episodes/internal/term"
	"episodes/query"
)

// The errors of a team's store on which a caller can decide.
var (
	ErrNoStore = pg.ErrNoStore // the database has no tables of ours, or of another version
	ErrNewer   = pg.ErrNewer   // they are those of a newer program; it is ErrNoStore too
	ErrRefused = pg.ErrRefused // the login may not come in, or may not do this
	ErrTeamURL = pg.ErrURL     // invalid URL of a team's store
)

// TeamStore is a connection to the project that Options.Team names, for those who decide about
// it.
type TeamStore = team.Store

// OpenTeamStore connects.
func OpenTeamStore(ctx context.Context, o Options) (*TeamStore, error) {
	return team.Open(ctx, o.Team, o.Who)
}

// NotAdmitted reports whether err says that a login was never admitted to a project.
func NotAdmitted(err error) bool { return errors.Is(err, team.ErrNotAdmitted) }

// StoreSQL is the SQL that makes a team's store.
func StoreSQL() string { return pg.SQL() }

// InitStore runs StoreSQL.
func InitStore(ctx context.Context, url string) error {
	db, err := pg.Parse(url)
	if err != nil {
		return err
	}
	return db.Init(ctx)
}

// ProjectsAnswer lists the projects of a team's store.
type ProjectsAnswer struct {
	Projects []team.Project `json:"projects"`
}

// ListProjects lists what this login may read.
func ListProjects(ctx context.Context, url string) (*ProjectsAnswer, error) {
	s, err := team.Open(ctx, url, "episodes store")
	if err != nil {
		return nil, err
	}
	defer s.Close()
	list, err := s.Projects(ctx)
	return &ProjectsAnswer{append([]team.Project{}, list...)}, err
}

// Text is a project a line.
func (a *ProjectsAnswer) Text(tokens int) string {
	var b strings.Builder
	for _, p := range a.Projects {
		private := ""
		if p.Private {
			private = ", private"
		}
		fmt.Fprintf(&b, "%s  %s, owner %s%s\n", plain.Words(p.Name), term.Plural(p.Sessions, "episode"),
			plain.Words(p.Owner), private)
	}
	return term.Cut(b.String(), tokens)
}

// Empty reports whether there is no project.
func (a *ProjectsAnswer) Empty() bool { return len(a.Projects) == 0 }

// ProjectURL is a project with the URL that asks it.
type ProjectURL struct {
	Name, URL string
}

// Projects lists the projects of the store that Options.Team names.
func Projects(ctx context.Context, o Options) ([]ProjectURL, error) {
	list, err := ListProjects(ctx, o.Team)
	if err != nil {
		return nil, err
	}
	var out []ProjectURL
	for _, p := range list.Projects {
		url, err := team.WithProject(o.Team, p.Name)
		if err != nil {
			return nil, err
		}
		out = append(out, ProjectURL{p.Name, url})
	}
	return out, nil
}

// NothingNamed reports whether err says that what was asked about is not there.
func NothingNamed(err error) bool {
	var none *query.NotFoundError
	return errors.As(err, &none) || errors.Is(err, ErrNoEpisode) || errors.Is(err, ErrNoRecord) || errors.Is(err, ErrNoProject)
}
