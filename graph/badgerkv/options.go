package badgerkv

import (
	"fmt"
	"time"

	badger "github.com/dgraph-io/badger/v4"
	badgeropts "github.com/dgraph-io/badger/v4/options"
)

const (
	// memTableSize bounds a transaction (15 % of it) and the memory of a writer.
	// It must never become smaller: a log that a dead writer left behind is
	// replayed into a table of this size, and Badger ends the process when it
	// does not fit.
	memTableSize = 16 << 20
	// valueLogSize bounds one value.
	valueLogSize = 8 << 20
	// valueInLog is the length from which Badger keeps a value outside its
	// tables; it is Badger's own default, named here because Verify needs it.
	valueInLog = 1 << 20
	// maxKey is the longest key that Badger takes.
	maxKey = 65000
	// spaceEvery is how many committed bytes may pass between two looks at the
	// free space.
	spaceEvery = 8 << 20
	// mergeFrom is how many young tables make Close merge them into older ones.
	// Every writer leaves a young table; a read must ask them all, one opening
	// takes 0.1 ms, and a merge rewrites some megabytes. Badger makes writers
	// wait at 15.
	mergeFrom = 10
	// Of a new database that is filled at once, every merge that waits for more
	// young tables rewrites less.
	mergeNewFrom = 20
	stallNewFrom = 60
	newCacheSize = 64 << 20
	// baseLevelSize is what the level into which young tables are merged is to hold.
	// A merge rewrites all of it, while somebody waits.
	baseLevelSize = 2 << 20
	// maxAwait is how long such a Close waits for compactors.
	maxAwait = 3 * time.Second
)

// minFree is the free space that a writer must find: a log (32 MB), a value log
// (16 MB), and the tables that a flush and a merge write before they remove the
// old ones. Badger writes through memory maps, so a full disk is not an error that
// could be returned but a SIGBUS. It is a variable for the tests.
var minFree uint64 = 128 << 20

// settings returns the options of every database. They are for commands that
// live for milliseconds on a laptop: Badger's own take 85 MB of heap and write a
// log of 2 GB.
func settings(dir string, version uint16) badger.Options {
	o := badger.DefaultOptions(dir)
	o.ExternalMagicVersion = version
	o.Logger = nil // silent: what matters comes back as an error

	o.MemTableSize = memTableSize
	o.NumMemtables = 2
	o.ValueLogFileSize = valueLogSize
	o.ValueThreshold = valueInLog
	o.VerifyValueChecksum = true // such values are rare, and nothing else would notice

	// A search reads hundreds of blocks, each for one key: Snappy unpacks one in a
	// quarter of the time that zstd takes, for a fifth more room. A block that is
	// read is compared with its checksum, so a flipped byte loses keys but never
	// invents any.
	o.Compression = badgeropts.Snappy
	o.ChecksumVerificationMode = badgeropts.OnBlockRead
	o.BlockCacheSize = 8 << 20

	o.BaseLevelSize = baseLevelSize
	o.NumCompactors = 2
	o.CompactL0OnClose = true // but see mergeFrom

	o.DetectConflicts = false // writers run one after another
	o.SyncWrites = false      // Close does it once
	o.MetricsEnabled = false  // they are global variables of the process
	return o
}

// loading changes the settings for a new database, into which much is put at once.
func loading(o *badger.Options) {
	o.NumLevelZeroTables = mergeNewFrom
	o.NumLevelZeroTablesStall = stallNewFrom
	o.BlockCacheSize = newCacheSize
}

// checkSpace returns ErrFull when the disk of dir has less than minFree left.
func checkSpace(dir string) error {
	free, ok, err := freeBytes(dir)
	if err != nil {
		return err
	}
	if ok && free < minFree {
		return fmt.Errorf("%w: %d MB free, %d MB needed", ErrFull, free>>20, minFree>>20)
	}
	return nil
}
