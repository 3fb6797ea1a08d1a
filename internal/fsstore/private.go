package fsstore

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
)

// The modes of what only the user may read: what commands were given and printed.
const (
	privateFolder fs.FileMode = 0o700
	privateFile   fs.FileMode = 0o600
)

// MakePrivate is Make for a folder that only the user may enter.
func (d *Dir) MakePrivate(name string) error {
	return failed("make", d.Path(name), d.root.Mkdir(name, privateFolder))
}

// SubPrivate is Sub; only the user may enter the folders that it makes.
func (d *Dir) SubPrivate(name string) (*Dir, error) { return d.folder(name, privateFolder) }

// Restrict takes from others the right to enter the folder, and to read the files in it and below.
func (d *Dir) Restrict() error {
	entries, err := d.Entries()
	for _, e := range entries {
		switch name, mode := e.Name(), e.Mode(); {
		case mode.IsDir():
			sub, failure := d.Existing(name)
			if failure == nil {
				failure = sub.Restrict()
				sub.Close()
			}
			err = errors.Join(err, failure)
		case mode.IsRegular() && mode.Perm()&^privateFile != 0:
			err = errors.Join(err, failed("restrict", d.Path(name), d.root.Chmod(name, mode.Perm()&privateFile)))
		}
	}
	return errors.Join(err, failed("restrict", d.root.Name(), d.root.Chmod(".", privateFolder)))
}

// WritePrivate is Write for a file that only the user may read.
func (d *Dir) WritePrivate(name string, data []byte) error {
	return d.WriteMode(name, privateFile, data)
}

// WriteCachePrivate is WritePrivate for what can be made again: it is not synced, and so may be
// lost or damaged in a power cut. The file holds the parts one after another. What has the
// name and is no file is removed.
func (d *Dir) WriteCachePrivate(name string, parts ...[]byte) error {
	if err := d.Clear(name); err != nil {
		return err
	}
	return failed("write", d.Path(name), replace(d.root, name, privateFile, false, parts...))
}

// WriteOncePrivate is WriteOnce for a file that only the user may read.
func (d *Dir) WriteOncePrivate(name string, data []byte) error {
	return d.writeOnce(name, privateFile, data)
}

// NewPrivate makes a file that only the user may read and opens it, with the flags
// os.O_RDWR, os.O_WRONLY and os.O_APPEND. The error is fs.ErrExist when something has the
// name.
func (d *Dir) NewPrivate(name string, flag int) (*os.File, error) {
	f, err := d.root.OpenFile(name, flag|os.O_CREATE|os.O_EXCL, privateFile)
	return f, failed("make", d.Path(name), err)
}

// OpenPrivate opens a file as OpenFile does, and makes a missing one, which only the user
// may read.
func (d *Dir) OpenPrivate(name string, flag int) (*os.File, error) {
	f, err := d.NewPrivate(name, flag)
	if errors.Is(err, fs.ErrExist) {
		return d.OpenFile(name, flag)
	}
	return f, err
}

// AppendPrivate appends a line to a file that only the user may read, and makes a missing one. Of a
// file of more than most bytes the older half is dropped before; of one twice as large, all.
func (d *Dir) AppendPrivate(name string, line []byte, most int64) error {
	if info, err := d.Lstat(name); err == nil && info.Size() > most {
		data, err := d.ReadLarge(name, 2*most)
		var large *TooLargeError
		if err != nil && !errors.As(err, &large) {
			return err
		}
		_, newer, _ := bytes.Cut(data[len(data)/2:], []byte("\n"))
		if err := d.WritePrivate(name, newer); err != nil {
			return err
		}
	}
	f, err := d.OpenPrivate(name, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Close())
}
