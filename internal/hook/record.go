package hook

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"episodes/ledger"
)

// heldBack reports whether a fact belongs to the share that is withheld as a control group. The
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
	store, err := ledger.Open(t.Location.Home().Dir, true)
	if err != nil {
		return fmt.Errorf("write into the ledger: %w", err)
	}
	defer store.Close()
	out := ledger.Delivery{Time: t.Time, Agent: t.Agent, Event: t.Event, Kind: cmp.Or(t.Kind, t.Moment.String()),
		Session: ledger.SessionKey(v.Session), Held: t.Held, Facts: t.Facts}
	if v.Call != nil {
		if act := v.Call.Act(); t.Kind == atFailure {
			out.Kind, out.Key = ledger.KindError, ledger.FailureKey(act.Key)
		} else {
			out.Key = ledger.ActionKey(act.Does)
		}
	}
	return store.Append(ctx, out.Named())
}
