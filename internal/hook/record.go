package hook

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"episodes/ledger"
)

// heldBack reports whether a fact belongs to the share that is withheld, to compare with. The
// result is always the same for one fact in one session.
func heldBack(share float64, session string, f fact) bool {
	if share <= 0 {
		return false
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "holdout %s %s %d", session, f.episode, f.first))
	return float64(binary.BigEndian.Uint64(sum[:]))/math.MaxUint64 < share
}

// failureKey returns a hash of the failure of a call that is asked about, or "".
func (v *Event) failureKey(moment string) string {
	if v.Call == nil || moment != atFailure {
		return ""
	}
	return ledger.FailureKey(v.Call.Act().Key)
}

// record writes a delivery into the ledger of the memory. Nothing of the payload goes into it
// but as a hash.
func record(ctx context.Context, t Delivery, v *Event) error {
	out := ledger.Delivery{Time: t.Time, Agent: t.Agent, Event: t.Event, Kind: t.Kind,
		Session: ledger.SessionKey(v.Session), Sub: ledger.SessionKey(v.Sub), Key: v.failureKey(t.Kind), Held: t.Held, Facts: t.Facts}
	if t.Kind == atFailure {
		out.Kind = ledger.KindError
	}
	return ledger.Tell(ctx, t.Location.Home().Dir, out.Named())
}
