package ask

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/capture"
	key "episodes/internal/local"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/recall"
)

// Origin says who brought an episode that is not this user's, as part of answers.
type Origin struct {
	By          string `json:"by,omitempty"`           // the author of the commit, by its own account
	Came        string `json:"came,omitempty"`         // RFC 3339
	NotReviewed bool   `json:"not_reviewed,omitempty"` // it is new, and the author is not known here
}

// longestAuthor is the maximum length of the name of an author, in bytes.
const longestAuthor = 40

// Reviewed reports whether an episode may be given to an agent that did not ask for it.
func (m *Memory) Reviewed(id string) bool { return !m.here.origins().Of(id).New }

// originOf says who brought an episode, and the same in few words: "" where it need not be said.
func (m *Memory) originOf(id string) (o Origin, short string) {
	is := m.here.origins().Of(id)
	if is.User && !is.New {
		return o, ""
	}
	o.NotReviewed = is.New
	if is.Author != "" {
		o.By, o.Came = plain.Name(is.Author, longestAuthor), is.At.UTC().Format(time.RFC3339)
	}
	if is.New || is.Recent || m.NameAuthors {
		short = o.short(m.now())
	}
	return o, short
}

const notKnown = "author not known"

// short is an origin in few words.
func (o Origin) short(now time.Time) string {
	out := notKnown
	if o.By != "" {
		at, _ := time.Parse(time.RFC3339, o.Came)
		out = "by " + o.By + ", " + ago(now.Sub(at))
	}
	if o.NotReviewed {
		out = "new, " + out + ", not reviewed"
	}
	return out
}

// ago is an age in its largest unit.
func ago(d time.Duration) string {
	for _, unit := range []struct {
		name string
		of   time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}} {
		if n := int(d / unit.of); n > 0 {
			return fmt.Sprintf("%d %s ago", n, unit.name)
		}
	}
	return "just now"
}

// The remarks on facts that a log does not bear out.
const (
	NotSaid = "its log does not say so"
	NotHere = "log not here"
)

// verifier compares texts of episodes that others read with their logs.
type verifier struct {
	m    *Memory
	logs capture.Logs
}

// mostText is how many bytes of logs a hook compares facts with: some 10 ms, if the logs have changed.
const mostText = 256 << 10

// remark says what is wrong with a text of an episode, "" if its log has its words.
func (v *verifier) remark(id string, lines episode.Span, texts ...string) string {
	if project, _ := v.m.project(id); project != "" || v.m.here.origins().Of(id).Own {
		return ""
	}
	ep, err := v.m.folder.Load(id)
	if err != nil {
		return ""
	}
	if v.logs.Root = v.m.Location.Root; v.m.AsItIs {
		v.logs.Most = mostText
	}
	for _, text := range texts {
		switch v.logs.Support(ep.Provenance.Source, lines, text) {
		case capture.Lacks:
			return NotSaid
		case capture.NoLog:
			if !v.m.isPrivate(id) { // else it was read here
				return NotHere
			}
		}
	}
	return ""
}

// authors returns who brought which episode, nil if all are by one author.
func (l *local) authors() func(id string) recall.By {
	if !l.origins().Several() {
		return nil
	}
	return l.author
}

// author returns who brought an episode.
func (l *local) author(id string) recall.By {
	is := l.origins().Of(id)
	if is.User {
		return recall.By{Author: recall.You}
	}
	return recall.By{Author: cmp.Or(plain.Name(is.Author, longestAuthor), notKnown), Lately: is.Lately, Once: is.Once, Order: is.Order, Commit: is.Commit}
}

// authors returns who brought which episode of this machine's memory, nil if all are by one author, or of a team's store.
func (m *Memory) authors() func(id string) recall.By {
	if m.source != source(m.here) {
		return nil
	}
	return m.here.authors()
}

// authorsOf says how many of some episodes are by whom, "" if all of the memory are by one author. It sorts ids.
func (m *Memory) authorsOf(ids []string) string {
	by := m.authors()
	if by == nil {
		return ""
	}
	slices.Sort(ids)
	var all []recall.By
	for _, id := range slices.Compact(ids) {
		all = append(all, by(id))
	}
	return byAuthors(all)
}

// mostAuthors is how many authors an answer names.
const mostAuthors = 3

// byAuthors counts episodes by who brought them, the author who came first in front.
func byAuthors(all []recall.By) string {
	slices.SortStableFunc(all, func(a, b recall.By) int { return cmp.Compare(a.Order, b.Order) })
	var out []string
	for len(all) > 0 {
		who, one := all[0], all[0].Commit != ""
		before := len(all)
		all = slices.DeleteFunc(all, func(b recall.By) bool {
			is := b.Author == who.Author
			one = one && (!is || b.Commit == who.Commit)
			return is
		})
		n := before - len(all)
		text := fmt.Sprint(n)
		if out == nil {
			text = plain.Plural(n, "episode")
		}
		if text += " by " + who.Author; one && n > 1 {
			text += " in one commit"
		}
		if out = append(out, text); len(out) == mostAuthors && len(all) > 0 {
			out, all = append(out, fmt.Sprintf("%d by others", len(all))), nil
		}
	}
	return strings.Join(out, ", ")
}

// authorsText is what authorsOf says as a line of a text.
func authorsText(authors string) string {
	if authors == "" {
		return ""
	}
	return "\n" + term.Line(authors) + "\n"
}

// TrustedAnswer lists the authors that the user trusts.
type TrustedAnswer struct {
	Authors []string `json:"authors"`
}

// TrustAuthors adds authors to those that the user trusts, by their e-mail addresses or names.
func TrustAuthors(authors []string) (*TrustedAnswer, error) {
	for _, author := range authors {
		if plain.Words(author) != author || author == "" {
			return nil, &RequestError{Value: author, Message: "is no name or address", Hint: "as git log shows it"}
		}
		if err := key.AddTrusted(author); err != nil {
			return nil, err
		}
	}
	return &TrustedAnswer{key.ReadTrust().Authors}, nil
}
