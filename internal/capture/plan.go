package capture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/corrections"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/internal/track"
)

// plan is what is to be done, decided on the files as they are now.
type plan struct {
	idx     *track.Index
	logs    []parsed
	names   []name
	moves   []move
	pending []memory.Pending
	verdict []verdict         // of each log
	hashes  map[string]string // SHA-256 of the episode files as they will be, by id
	absorbs [][]string        // of each log: former episodes of its parts
}

// verdict is what is to become of a log.
type verdict struct {
	status Status
	fail   *failure
}

func (p *plan) bytes() int {
	n := 0
	for _, f := range p.pending {
		n += len(f.Data)
	}
	return n
}

func (r *run) plan(logs []parsed) (*plan, error) {
	p := &plan{idx: &track.Index{}, logs: logs, verdict: make([]verdict, len(logs)), hashes: map[string]string{}}
	wants := make([]namedLog, len(logs))
	for i, l := range logs {
		wants[i] = namedLog{session: l.session, path: l.logPath, sha256: l.sha,
			named: l.ep.Provenance.Source.Session == l.session, own: l.transcript}
	}
	taken := map[string]bool{}
	if r.m != nil {
		p.idx = r.index()
		if _, err := p.idx.Set(); err != nil {
			return nil, err
		}
	}
	if r.m != nil {
		var err error
		if taken, err = r.m.Taken(wantedBy(wants)); err != nil {
			return nil, err
		}
	}
	var existing []holder
	for id := range taken {
		existing = append(existing, r.holder(id, p.idx))
	}
	p.names, p.moves = newNames(existing).assign(wants)
	r.dropMoves(p, taken)
	from := map[string]string{} // the id of an episode until the moves are done
	for _, mv := range p.moves {
		if !taken[mv.to] {
			from[mv.to] = mv.from
		}
	}
	// An original comes before its copies: a copy only reports what became of it.
	first := map[string]int{}
	for k := range 2 * len(logs) {
		i := k % len(logs)
		if p.names[i].isCopy != (k >= len(logs)) {
			continue
		}
		id := p.names[i].id
		if j, ok := first[id]; ok {
			p.verdict[i] = p.verdict[j]
			if p.verdict[i].status == Written {
				p.verdict[i].status = Unchanged
			}
			continue
		}
		first[id] = i
		at := cmp.Or(from[id], id)
		if err := r.decide(p, i, at, taken[at]); err != nil {
			return nil, err
		}
	}
	r.absorb(p)
	return p, nil
}

// decide finds what becomes of log i, whose episode, if it exists, has the id at until
// the moves are done.
func (r *run) decide(p *plan, i int, at string, exists bool) error {
	old := r.oldEpisode(at, exists)
	id, ep := p.names[i].id, p.logs[i].ep
	if old.ep != nil && p.names[i].isCopy {
		ep.Provenance.Source.Path = old.ep.Provenance.Source.Path // a copy does not take over
	}
	ep.ID, ep.Session = id, strings.TrimPrefix(id, episode.IDFromSession(""))
	data, err := episode.MarshalSealed(ep)
	if err != nil {
		return err
	}
	if len(data) > memory.MaxEpisode {
		p.verdict[i].fail = &failure{code: "too-large", err: fmt.Errorf("its episode would have %d MB, the limit is %d", len(data)>>20, memory.MaxEpisode>>20)}
		return nil
	}
	if old.ep != nil && !r.Force && r.stays(p, i, at, old) {
		return nil
	}
	private := r.m != nil && r.m.IsPrivate(at)
	data, fail := r.choose(old, ep, data, p.logs[i].from)
	if fail == nil && data == nil && private && !p.logs[i].transcript && !p.logs[i].private {
		data = old.data // it was named, and so is shared now
	}
	switch {
	case fail != nil:
		p.verdict[i].fail = fail
	case data != nil && p.logs[i].private && exists && !private:
		p.verdict[i].status = Kept
		p.logs[i].item.Diagnostics = append(p.logs[i].item.Diagnostics,
			Diagnostic{File: p.logs[i].shown, Code: "shared",
				Message: "its episode is shared and stays as it is; extract the file by its name to bring it up to date"})
		p.hashes[id] = memory.Hash(old.data)
	case data != nil:
		p.verdict[i].status = Written
		p.pending = append(p.pending, memory.Pending{ID: id, Data: data, Private: p.logs[i].private, From: p.logs[i].from})
		p.hashes[id] = memory.Hash(data)
	default:
		p.verdict[i].status = Unchanged
		if at == id { // else a move is about to change its bytes
			p.hashes[id] = memory.Hash(old.data)
		}
	}
	return nil
}

// oldEpisode is the file that a log's episode would replace.
type oldEpisode struct {
	exists bool
	path   string
	data   []byte
	ep     *episode.Episode // nil when it is not the episode that its name says
	err    error            // why
	unread bool             // not even the bytes can be had
}

func (r *run) oldEpisode(id string, exists bool) oldEpisode {
	s := oldEpisode{exists: exists}
	if !exists {
		return s
	}
	s.path = r.m.EpisodePath(id)
	if s.data, s.err = r.m.Read(id); s.err != nil {
		s.unread = true
		return s
	}
	ep, err := episode.Parse(s.data)
	switch {
	case err != nil:
		s.err = err
	case ep.ID != id:
		s.err = &episode.SyntaxError{Line: episode.LineOf(s.data, `"id"`), Msg: fmt.Sprintf("id %q is not the file's stem", ep.ID)}
	default:
		s.ep = ep
	}
	return s
}

// choose returns what to write in place of old, nothing when old may stay as it
// is, or why that cannot be decided without the user.
func (r *run) choose(old oldEpisode, ep *episode.Episode, data []byte, from string) ([]byte, *failure) {
	blame := func(code string, err error, hint string) ([]byte, *failure) {
		return nil, &failure{code: code, err: &memory.FileError{Path: old.path, Err: err}, hint: hint}
	}
	switch {
	case !old.exists:
		return data, nil
	case old.unread:
		hint := "remove it, then extract again"
		if errors.Is(old.err, fs.ErrPermission) {
			hint = "make it readable, then extract again"
		}
		err := old.err
		if fe, ok := errors.AsType[*memory.FileError](err); ok {
			err = fe.Err
		}
		return blame("episode-unreadable", fsstore.Cause(err), hint)
	case bytes.Equal(old.data, data):
		if from == "" {
			r.m.Confirm(ep.ID, data)
		}
		return nil, nil
	case r.Force:
		return data, nil
	case old.ep == nil:
		return blame("episode-damaged", old.err, "correct the file, or replace it with --force")
	case sameLog(old.ep, ep) && old.ep.Provenance.Source.Path == ep.Provenance.Source.Path:
		return nil, nil
	}
	return data, nil
}

// stays reports whether the episode of log i is left as it is although its log may have changed, and
// notes that as the verdict.
func (r *run) stays(p *plan, i int, at string, old oldEpisode) bool {
	switch {
	case extract.Newer(old.ep.Provenance.Extractor):
		p.keepNewer(i, old)
	case corrections.Edited(old.data):
		p.keepEdited(i, old)
	default:
		return false
	}
	return true
}

// keepNewer leaves the file of log i, which newer rules made, as it is.
func (p *plan) keepNewer(i int, old oldEpisode) {
	p.verdict[i].status = Kept
	it := &p.logs[i].item
	it.Hint = "update this program; --force replaces it"
	it.Diagnostics = append(it.Diagnostics, Diagnostic{File: old.path, Code: "episode-newer",
		Message: fmt.Sprintf("read by newer rules (%d, this program has %s), so it is left as it is",
			extract.Number(old.ep.Provenance.Extractor), extract.Version)})
}

// keepEdited leaves the file of log i as it is, and reports what differs and how to keep
// that. The hash of the file is not noted, so the next run compares it again.
func (p *plan) keepEdited(i int, old oldEpisode) {
	p.verdict[i].status = Kept
	it := &p.logs[i].item
	message := "written by another tool, so it is left as it is"
	it.Hint = "--force replaces it"
	if old.ep.Provenance.Seal != "" {
		it.Edited = corrections.Differences(p.logs[i].ep, old.data)
		message = "edited by hand, so it is left as it is"
	}
	if len(it.Edited) > 0 {
		message += ": " + it.Edited[0].String()
		if command := it.Edited[0].Command; command != "" {
			it.Hint = "--force replaces it; to keep the change, type after that: episodes " + command
		}
	}
	if n := len(it.Edited); n > 1 {
		message += fmt.Sprintf(" (1 of %d differences; episodes doctor shows them)", n)
	}
	it.Diagnostics = append(it.Diagnostics, Diagnostic{File: old.path, Code: "episode-edited", Message: message})
}

func sameLog(a, b *episode.Episode) bool {
	return a.Provenance.Source.SHA256 == b.Provenance.Source.SHA256 && a.Provenance.Extractor == b.Provenance.Extractor
}
