package badgerkv

import (
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/dgraph-io/badger/v4/fb"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/hidal-go/hidalgo/kv/flat"
	"github.com/klauspost/compress/snappy"
	"google.golang.org/protobuf/proto"

	"episodes/internal/testing/few"
)

// rawTable is a table taken apart: its blocks unpacked, without their checksums.
type rawTable struct {
	blocks [][]byte
	index  []byte
}

func sumOf(t testing.TB, data []byte) []byte {
	sum, err := proto.Marshal(&pb.Checksum{Algo: pb.Checksum_CRC32C, Sum: uint64(crc32.Checksum(data, castagnoli))})
	must(t, err)
	return binary.BigEndian.AppendUint32(sum, uint32(len(sum)))
}

func takeApart(t testing.TB, path string) (raw rawTable) {
	t.Helper()
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	fi, err := file.Stat()
	must(t, err)
	index, err := new(checker).indexOf(file, fi.Size())
	must(t, err)
	raw.index = slices.Clone(index.data)
	blocks, err := places(raw.index, fi.Size()-int64(index.tail))
	must(t, err)
	for _, b := range blocks {
		packed := make([]byte, b.size)
		_, err := file.ReadAt(packed, b.at)
		must(t, err)
		plain, err := snappy.Decode(nil, packed)
		must(t, err)
		_, data, ok := cutLast(plain)
		if !ok {
			t.Fatal("a block without a checksum")
		}
		raw.blocks = append(raw.blocks, slices.Clone(data))
	}
	return raw
}

// mutated is the table with a random change, all its checksums right.
func (raw rawTable) mutated(t testing.TB, r *rand.Rand) []byte {
	blocks := make([][]byte, len(raw.blocks))
	for i, b := range raw.blocks {
		blocks[i] = slices.Clone(b)
	}
	index := slices.Clone(raw.index)
	change := func(b []byte) {
		for range 1 + r.IntN(3) {
			at := r.IntN(len(b))
			switch r.IntN(5) {
			case 0:
				b[at] ^= 1 << r.IntN(8)
			case 1:
				b[at] = byte(r.Uint32())
			case 2:
				copy(b[at:], []byte{0xff, 0xff, 0xff, 0xff}[:1+r.IntN(4)])
			case 3:
				copy(b[at:], []byte{0, 0, 0, 0}[:1+r.IntN(4)])
			case 4:
				copy(b[at:], b[r.IntN(len(b)):][:min(8, len(b)-at)/2])
			}
		}
	}
	what := r.IntN(8)
	i := r.IntN(len(blocks))
	switch what {
	case 0, 1, 2:
		change(blocks[i])
	case 3: // the list of entries
		change(blocks[i][max(0, len(blocks[i])-40):])
	case 4: // the first entries
		change(blocks[i][:min(80, len(blocks[i]))])
	case 5:
		blocks[i] = blocks[i][:r.IntN(len(blocks[i]))]
	case 6:
		j := r.IntN(len(blocks))
		blocks[i], blocks[j] = blocks[j], blocks[i]
		if i == j {
			blocks[i] = append(blocks[i], "more"...)
		}
	}
	var out []byte
	places := fb.GetRootAsTableIndex(index, 0)
	for i, b := range blocks {
		packed := snappy.Encode(nil, append(b, sumOf(t, b)...))
		var at fb.BlockOffset
		places.Offsets(&at, i)
		at.MutateOffset(uint32(len(out)))
		at.MutateLen(uint32(len(packed)))
		out = append(out, packed...)
	}
	if what == 7 {
		if r.IntN(4) == 0 {
			places.MutateMaxVersion(r.Uint64() | 1<<63)
		} else {
			change(index)
		}
	}
	out = append(out, index...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(index)))
	return append(out, sumOf(t, index)...)
}

// seed is the seed of a test's random choices, printed for whoever has to repeat it.
func seed(t testing.TB) *rand.Rand {
	s := rand.Uint64()
	t.Logf("seed %d", s)
	return rand.New(rand.NewPCG(s, 1))
}

// Whatever a table with right checksums says of itself, Badger neither ends the
// process nor panics: the open, or a read, says ErrDamaged.
func TestMutatedTables(t *testing.T) {
	n := few.Of(60, 2000)
	dir := create(t, 3000)
	path := oneTable(t, dir)
	raw := takeApart(t, path)
	r := seed(t)
	refused := 0
	for range n {
		bad := raw.mutated(t, r)
		must(t, os.WriteFile(path, bad, 0o644))
		for _, checked := range []int64{1 << 30, 0} { // 0: reads meet what no open has checked
			checkContentsFor(checked, func() {
				db, err := OpenReadOnly(dir, version)
				if err != nil {
					wantErr(t, err, ErrDamaged)
					refused++
					return
				}
				err = db.View(bg, func(tx flat.Tx) error {
					if _, err := tx.Get(bg, key(1500)); err != nil && err != flat.ErrNotFound {
						return err
					}
					return flat.Each(bg, tx, func(flat.Key, flat.Value) error { return nil })
				})
				if err != nil {
					wantErr(t, err, ErrDamaged)
				}
				must(t, db.Close())
			})
		}
		scratch := filepath.Join(t.TempDir(), "db")
		must(t, os.CopyFS(scratch, os.DirFS(dir)))
		db, err := Open(scratch, version)
		if err != nil {
			wantErr(t, err, ErrDamaged)
			continue
		}
		must(t, db.Update(bg, func(tx flat.Tx) error { return tx.Put(bg, key(1), val(2)) }))
		must(t, db.b.Flatten(1))
		must(t, db.Close())
	}
	t.Logf("%d opens of %d refused a table", refused, 2*n)
	if refused == 0 {
		t.Error("no table was refused")
	}
}

func checkContentsFor(most int64, fn func()) {
	was := checkedForReading
	checkedForReading = most
	defer func() { checkedForReading = was }()
	fn()
}
