package mcpserver

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progress reports the progress of a call to a client that asked for it. The numbers grow
// from one piece of work to the next, and each percent is sent once.
type progress struct {
	from caller

	mu           sync.Mutex
	what         string
	before, last float64 // done by earlier pieces of work, and last sent
	ofThis       float64 // size of the present one
}

func (p *progress) send(ctx context.Context, what string, done, total float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if what != p.what {
		p.what, p.before = what, max(p.before+p.ofThis, p.last)
		if total == 0 { // beginning is a step of its own
			p.before++
		}
	}
	p.ofThis = total
	now := p.before + done
	if now <= p.last || done > 0 && done < total && now-p.last < total/100 {
		return
	}
	p.last = now
	all := 0.0
	if total > 0 {
		all = p.before + total
	}
	_ = p.from.session.NotifyProgress(ctx,
		&mcp.ProgressNotificationParams{ProgressToken: p.from.token, Message: what, Progress: now, Total: all})
}
