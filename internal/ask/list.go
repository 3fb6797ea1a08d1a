package ask

import (
	"context"
	"time"

	"episodes/episode"
	"episodes/query"
	"episodes/query/text"
)

// ListRequest asks for episodes, newest first. Empty parts let all pass.
type ListRequest struct {
	Outcome string // success, partial, failure or unknown
	Since   string // an age (36h, 7d, 2w), a date or a time
	Until   string
	Task    string // words of the task
	Limit   int    // 0: the list's own limit
	After   string // an episode: only what comes after it in the list
}

// ListAnswer lists episodes.
type ListAnswer struct {
	query.EpisodeList
	// Unreadable are the files that may not be read.
	Unreadable []error `json:"-"`
}

// Check refuses a request that cannot be answered.
func (r ListRequest) Check() error {
	_, err := r.filter(time.Now())
	return err
}

func (r ListRequest) filter(now time.Time) (f query.Filter, err error) {
	f = query.Filter{Outcome: episode.Outcome(r.Outcome), Task: r.Task, Limit: r.Limit}
	for _, x := range []struct {
		param, value string
		to           *time.Time
	}{{"since", r.Since, &f.Since}, {"until", r.Until, &f.Until}} {
		if x.value == "" {
			continue
		}
		if *x.to, err = moment(x.param, x.value, now, "7d"); err != nil {
			return f, err
		}
	}
	if _, err := query.List(nil, f); err != nil {
		return f, &RequestError{Message: err.Error(), Help: true}
	}
	return f, nil
}

// List lists the episodes that the request lets pass.
func (m *Memory) List(_ context.Context, r ListRequest) (*ListAnswer, error) {
	filter, err := r.filter(m.now())
	if err != nil {
		return nil, err
	}
	all, unreadable, err := m.summaries()
	if err != nil {
		return nil, err
	}
	if r.After != "" {
		if filter.After, err = m.find(r.After); err != nil {
			return nil, err
		}
	}
	found, err := query.List(all, filter)
	if err != nil {
		return nil, err
	}
	redactor, by := m.here.redactor(), m.authors()
	for i := range found.Episodes {
		if by != nil {
			found.Episodes[i].By = by(found.Episodes[i].ID).Author
		}
		found.Episodes[i].Task = redactor.String(found.Episodes[i].Task)
	}
	for _, err := range unreadable {
		m.warn([]string{"left out: " + err.Error()})
	}
	return &ListAnswer{*found, unreadable}, nil
}

// Text is one episode a line.
func (a *ListAnswer) Text(tokens int) string { return text.List(&a.EpisodeList, tokens) }

// Empty reports whether no episode fits.
func (a *ListAnswer) Empty() bool { return len(a.Episodes) == 0 }
