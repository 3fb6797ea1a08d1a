package graph

import (
	"context"
	"fmt"

	"episodes/causal"
)

// readEpisode reads what an episode says, or nil when it is not stored.
func readEpisode(ctx context.Context, t *transaction, id string) (*episodeRecord, error) {
	key := episodeKey(id)
	v, err := t.get(ctx, key)
	if err != nil || v == nil {
		return nil, err
	}
	return decodeEpisode(key, v)
}

func decodeEpisode(key, value []byte) (*episodeRecord, error) {
	rec := &episodeRecord{}
	if err := decode(key, value, rec); err != nil {
		return nil, err
	}
	rec.SetDay(causal.DayOf(rec.Time))
	for i := range rec.Mentions {
		rec.Mentions[i].Episode = rec.Episode
	}
	for i := range rec.Statements {
		rec.Statements[i].Episode = rec.Episode
	}
	return rec, nil
}

// readStored reads what is stored of an episode, so that it can be taken away.
func readStored(ctx context.Context, t *transaction, id string) (*contribution, error) {
	rec, err := readEpisode(ctx, t, id)
	if err != nil {
		return nil, err
	}
	key := entryKey(id)
	v, err := t.get(ctx, key)
	if err != nil {
		return nil, err
	}
	if rec == nil || v == nil {
		return nil, badKey(key, "it or what it says is missing")
	}
	return &contribution{id: id, hash: string(v), rec: *rec}, nil
}

// readNode reads a node, or returns nil.
func readNode(ctx context.Context, t *transaction, id nodeID) (*nodeRecord, error) {
	v, err := t.get(ctx, id.key())
	if err != nil || v == nil {
		return nil, err
	}
	rec := &nodeRecord{}
	if err := decode(id.key(), v, rec); err != nil {
		return nil, err
	}
	if int(rec.Type) >= len(nodeTypes) {
		return nil, badKey(id.key(), fmt.Sprintf("type %d", rec.Type))
	}
	return rec, nil
}

// decodeUses makes the decisions of an episode of their record.
func decodeUses(key, value []byte) (uses []causal.Use, err error) {
	err = decode(key, value, &uses)
	for i := range uses {
		uses[i].Episode = string(key[len(keyUses):])
	}
	return uses, err
}

// readContribution reads what an episode contributed, with its decisions.
func readContribution(ctx context.Context, t *transaction, id string) (*episodeRecord, error) {
	rec, err := readEpisode(ctx, t, id)
	if err != nil {
		return nil, err
	}
	if rec == nil {
		return nil, badKey(episodeKey(id), "missing")
	}
	v, err := t.get(ctx, usesKey(id))
	if err != nil {
		return nil, err
	}
	rec.Uses, err = decodeUses(usesKey(id), v)
	return rec, err
}
