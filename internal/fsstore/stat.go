package fsstore

import (
	"io/fs"
	"time"
)

// Stat shows cheaply whether a file was changed: equal stats, equal bytes. Times
// are in nanoseconds.
type Stat struct {
	Size     int64
	Modified int64 // time of the last write, which a program can set
	Changed  int64 // ctime, which nobody can set; 0 if not known
}

// Unproven is the value of a time that proves nothing. No file has it.
const Unproven = -1

// StatOf takes the stat out of a file's description.
func StatOf(info fs.FileInfo) Stat {
	return Stat{info.Size(), info.ModTime().UnixNano(), changeTime(info)}
}

// Tick is how far apart two changes of a file must be to show in its time.
const Tick = 12 * time.Millisecond

// coarseTick is Tick where a file system has no fractions of a second.
const coarseTick = 2 * time.Second

// With is the stat of two files together, of which s is one: their size, and the latest
// times.
func (s Stat) With(other Stat) Stat {
	return Stat{Size: s.Size + other.Size, Modified: max(s.Modified, other.Modified), Changed: max(s.Changed, other.Changed)}
}

// Proven returns s as it may be kept by a program that took the stat after a moment
// and read the file after that. A file that was changed within a tick before may be changed
// again without a change of its stat: then the stat is one that no file has. Git
// calls such an entry racily clean.
func (s Stat) Proven(moment time.Time) Stat {
	for _, t := range []int64{s.Modified, s.Changed} {
		tick := Tick
		if t%int64(time.Second) == 0 {
			tick = coarseTick
		}
		if t+int64(tick) > moment.UnixNano() {
			s.Modified = Unproven
		}
	}
	return s
}
