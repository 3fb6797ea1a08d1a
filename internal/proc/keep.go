package proc

import (
	"os"
	"time"
)

// Kept is how many bytes of each output stream of a durable run stay on disk. A file
// that grows beyond is cut in the middle, also while the command writes.
const Kept = 4 << 20

// leftOut replaces the removed middle of a file.
const leftOut = "\n[output left out here]\n"

// keepSmall watches the files that a command writes, until stop is closed.
func keepSmall(stop <-chan struct{}, files ...*os.File) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			for _, f := range files {
				_ = shrink(f) // done again at the end
			}
		case <-stop:
			return
		}
	}
}

// shrink cuts a file that is larger than Kept to half of it: its start and its end. Who
// writes to it must append; what comes while it is cut is left out too.
func shrink(f *os.File) error {
	info, err := f.Stat()
	if err != nil || info.Size() <= Kept {
		return err
	}
	const part, block = Kept / 4, 64 << 10
	if _, err := f.WriteAt([]byte(leftOut), part); err != nil { // the start is where it was
		return err
	}
	buf := make([]byte, block)
	for done := int64(0); done < part; done += block { // the end is far behind where it goes
		if _, err := f.ReadAt(buf, info.Size()-part+done); err != nil {
			return err
		}
		if _, err := f.WriteAt(buf, part+int64(len(leftOut))+done); err != nil {
			return err
		}
	}
	return f.Truncate(2*part + int64(len(leftOut)))
}
