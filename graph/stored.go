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
	rec := &episodeRecord{}
	if err := decode(key, v, rec); err != nil {
		return nil, err
	}
	if !rec.valid() {
		return nil, badKey(key, "points at what it does not hold")
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
	c := &contribution{id: id, rec: *rec}
	if c.hash, err = decodeHash(key, v); err != nil {
		return nil, err
	}
	for _, ref := range rec.Uses {
		u := storedUse{key: ref.key(id)}
		if u.value, err = t.get(ctx, u.key); err != nil {
			return nil, err
		}
		if u.value == nil {
			return nil, badKey(u.key, "missing")
		}
		c.uses = append(c.uses, u)
	}
	return c, nil
}

// readNode reads a node, or nil when there is none.
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

// readUse makes a use of its record.
func readUse(key, value []byte) (causal.Use, error) {
	var rec useRecord
	point, ep, record, ok := splitUseKey(key)
	if !ok {
		return causal.Use{}, badKey(key, "not a use")
	}
	if err := decode(key, value, &rec); err != nil {
		return causal.Use{}, err
	}
	if rec.Point != "" {
		point = rec.Point
	}
	if int(rec.Outcome) >= len(outcomes) || len(rec.Node) != len(nodeID{}) {
		return causal.Use{}, badKey(key, "no outcome or no node")
	}
	u := causal.Use{Episode: ep, Record: record, Point: point, Context: rec.Context, Node: nodeID(rec.Node).String(), Chosen: rec.Chosen,
		ChosenKey: rec.ChosenKey, Rejected: rec.Rejected, Outcome: outcomes[rec.Outcome], OwnResult: rec.OwnResult}
	for id := rec.Triggers; len(id) >= len(nodeID{}); id = id[len(nodeID{}):] {
		u.Triggers = append(u.Triggers, nodeID(id[:len(nodeID{})]).String())
	}
	return u, nil
}

// readContribution puts together what an episode contributed.
func readContribution(ctx context.Context, t *transaction, id string) (causal.Contribution, string, error) {
	c := causal.Contribution{Episode: id}
	rec, err := readEpisode(ctx, t, id)
	if err != nil {
		return c, "", err
	}
	if rec == nil {
		return c, "", badKey(episodeKey(id), "missing")
	}
	c.Outcome = outcomes[rec.Outcome]
	for _, m := range rec.Mentions {
		node, err := readNode(ctx, t, rec.node(m.Node))
		if err != nil {
			return c, "", err
		}
		if node == nil {
			return c, "", badKey(rec.node(m.Node).key(), "missing")
		}
		c.Mentions = append(c.Mentions, rec.mention(id, m, node))
	}
	for _, s := range rec.Statements {
		c.Statements = append(c.Statements, rec.statement(id, s))
	}
	stored, err := readStored(ctx, t, id)
	if err != nil {
		return c, "", err
	}
	for _, u := range stored.uses {
		use, err := readUse(u.key, u.value)
		if err != nil {
			return c, "", err
		}
		c.Uses = append(c.Uses, use)
	}
	return c, rec.Time, nil
}

func (rec *episodeRecord) mention(ep string, m mentionRecord, node *nodeRecord) causal.Mention {
	return causal.Mention{Episode: ep, Record: m.Record, Node: rec.node(m.Node).String(), Type: nodeTypes[node.Type], Key: node.Key, Label: m.Label, Outcome: outcomes[m.Outcome]}
}

func (rec *episodeRecord) statement(ep string, s statementRecord) causal.Statement {
	return causal.Statement{Episode: ep, Source: rec.node(s.Source).String(), Target: rec.node(s.Target).String(), Type: linkTypes[s.Type], Explicit: s.Explicit, Link: s.Link}
}
