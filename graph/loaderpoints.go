package graph

import "context"

// addPoint adds what a use says of its decision point.
func (l *loader) addPoint(u saidUse) error {
	if u.point == "" {
		return nil
	}
	id := pointOf(u.point)
	v := appendBytes(nil, u.point)
	for _, w := range u.words {
		v = appendBytes(v, w)
	}
	return l.points.add(id[:], v)
}

// putPoints writes the decision points, and which of them have a word.
func (l *loader) putPoints(ctx context.Context) error {
	words := wordLists{}
	err := l.points.each(func(key []byte, values [][]byte) error {
		rec, all := pointFrom(values)
		for _, w := range all {
			words.add(w.Text, key)
		}
		return l.put(ctx, pointID(key).key(), encode(&rec))
	})
	if err != nil {
		return err
	}
	return l.putLists(ctx, keyPointWord, words, len(pointID{}))
}

// putPointCounts writes the words of points that have many, and is done with points.
func (l *loader) putPointCounts(ctx context.Context) error {
	err := l.points.each(func(key []byte, values [][]byte) error {
		rec, all := pointFrom(values)
		if rec.Words.Many == 0 {
			return nil
		}
		return l.putWordings(ctx, append([]byte(keyPointCount), key...), all)
	})
	l.points.close()
	return err
}

// pointFrom makes a decision point of its uses, and lists its words.
func pointFrom(values [][]byte) (rec pointRecord, all []wording) {
	rec.Uses = len(values)
	lists := make([][]byte, len(values))
	for i, v := range values {
		var point []byte
		if point, lists[i] = cutBytes(v); i == 0 {
			rec.Point = string(point)
		}
	}
	all = countTexts(lists)
	if len(all) > fewWords {
		rec.Words.Many = len(all)
	} else {
		rec.Words.Few = all
	}
	return rec, all
}
