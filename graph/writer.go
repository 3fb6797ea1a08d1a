package graph

import (
	"context"
	"errors"
	"fmt"

	"episodes/graph/badgerkv"
)

// writer brings changes into a generation that is there. A new one is made by loader.
type writer struct {
	t      *transaction
	cayley *facts // nil after a transaction that failed
	meta   metaRecord
	net    *net // of all that was applied; nil: nobody asks
	size   int  // changes that fit into one transaction, as far as is known
}

// batchSize is how many episodes are written together unless the caller says
// otherwise or they do not fit: enough to write a node that many of them share
// once, few enough to hold in memory.
const batchSize = 256

func (o Options) batchSize() int {
	if o.BatchSize > 0 {
		return o.BatchSize
	}
	return batchSize
}

func openWriter(ctx context.Context, g *generation, r rules, opt Options) (*writer, error) {
	w := &writer{t: &transaction{kv: g.kv}, net: newNet(), size: opt.batchSize()}
	if err := w.t.begin(ctx, false); err != nil {
		return nil, err
	}
	defer w.t.cancel()
	var err error
	w.meta, err = readMeta(ctx, w.t, r)
	return w, err
}

// errNotInOne is an episode that does not fit into one transaction.
var errNotInOne = errors.New("too large for one transaction")

// apply brings in news, each of them whole or not at all: of every id, what is
// said now, nil when it is gone. done is told after each transaction how many of
// them are in for good.
func (w *writer) apply(ctx context.Context, news []news, done func(n int)) error {
	for len(news) > 0 {
		n := min(w.size, len(news))
		err := w.applyOne(ctx, news[:n])
		switch {
		case errors.Is(err, badgerkv.ErrTooBig) && n > 1:
			w.size = n / 2
		case errors.Is(err, badgerkv.ErrTooBig):
			return fmt.Errorf("episode %q: %w", news[0].id, errNotInOne)
		case err != nil:
			return err
		default:
			done(n)
			news = news[n:]
		}
	}
	return nil
}

// news is what becomes of one episode.
type news struct {
	id   string
	want Entry   // its file; none when it is gone
	said *saying // nil: it is gone, or its file says nothing that can be stored
	old  bool    // it is stored, in whatever version
}

// applyOne is apply in one transaction.
func (w *writer) applyOne(ctx context.Context, news []news) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.t.begin(ctx, true); err != nil {
		return err
	}
	defer func() {
		w.t.cancel()
		if err != nil {
			w.cayley = nil
		}
	}()
	if w.cayley == nil {
		f, err := openCayley(w.t)
		if err != nil {
			return err
		}
		w.cayley = &f
	}
	b := &batch{ctx: ctx, t: w.t, meta: w.meta}
	if w.net != nil {
		b.net = newNet()
	}
	for _, n := range news {
		c := change{new: n.said}
		if n.old {
			if c.old, err = readSaying(ctx, w.t, n.id); err != nil {
				return err
			}
		}
		b.changes = append(b.changes, c)
	}
	b.d = newDelta(b.changes)
	if err := b.plan(); err != nil {
		return err
	}
	if err := b.write(*w.cayley); err != nil {
		return err
	}
	if err := w.t.commit(ctx); err != nil {
		return err
	}
	w.meta = b.meta
	w.net.add(b.net)
	return nil
}

func (n *net) add(o *net) {
	if n == nil || o == nil {
		return
	}
	for id, c := range o.nodes {
		n.nodes[id] += c
	}
	for id, c := range o.edges {
		n.edges[id] += c
	}
}
