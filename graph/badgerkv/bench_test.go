package badgerkv

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/hidal-go/hidalgo/kv/flat"
)

// What a hook pays: open, one answer, close.
func BenchmarkOpenReadOnlyGet(b *testing.B) {
	for _, pairs := range []int{1000, 20000} {
		b.Run(fmt.Sprintf("%d pairs", pairs), func(b *testing.B) {
			dir := create(b, pairs)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				db, err := OpenReadOnly(dir, version)
				must(b, err)
				must(b, db.View(bg, func(tx flat.Tx) error {
					_, err := tx.Get(bg, key(i%pairs))
					return err
				}))
				must(b, db.Close())
			}
		})
	}
}

// What a short command pays before it has written anything.
func BenchmarkOpenClose(b *testing.B) {
	dir := create(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		db, err := Open(dir, version)
		must(b, err)
		must(b, db.Close())
	}
}

// A load in transactions of 1000 pairs of 24 + 40 bytes, keys out of order.
func BenchmarkPutBatch(b *testing.B) {
	const batch = 1000
	db := newDB(b)
	k, v := make(flat.Key, 24), make(flat.Value, 40)
	n := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		must(b, db.Update(bg, func(tx flat.Tx) error {
			for range batch {
				n++
				binary.BigEndian.PutUint64(k, n*0x9e3779b97f4a7c15)
				binary.BigEndian.PutUint64(v, n)
				if err := tx.Put(bg, k, v); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "puts/s")
}

func BenchmarkGet(b *testing.B) {
	const pairs = 20000
	db, err := OpenReadOnly(create(b, pairs), version)
	must(b, err)
	defer db.Close()
	tx := begin(b, db, false)
	defer tx.Close()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_, err := tx.Get(bg, key(i*7919%pairs))
		must(b, err)
	}
}

func BenchmarkScan(b *testing.B) {
	const pairs = 20000
	db, err := OpenReadOnly(create(b, pairs), version)
	must(b, err)
	defer db.Close()
	b.ReportAllocs()
	for b.Loop() {
		checkPairs(b, db, pairs)
	}
	b.ReportMetric(float64(b.N)*pairs/b.Elapsed().Seconds(), "pairs/s")
}
