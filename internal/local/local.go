// Package local distinguishes files that this user's runs of the program wrote in a memory
// folder from files that came with the repository.
//
// A clone contains what its author put there, also below .agents. So each file of local
// state starts with a token that nobody else can know: a keyed hash of the memory's path,
// with a random key in the user's configuration. A file with another token, or without one,
// was not written here, or the folder was moved.
package local

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"episodes/internal/fsstore"
)

const (
	folder  = "episodes"  // in the user's configuration
	keyName = "local.key" // in folder; 0600
	keySize = 32          // bytes, written in hex
)

// Token returns the token of the memory folder dir (absolute): 32 hex digits, the
// same for every run of this user while the folder stays where it is. It is an
// HMAC-SHA256 of the real path, cut to 16 bytes. The key is made when it is first
// asked for. The error says that the user's configuration cannot be read or written:
// then nothing local can be trusted, or kept.
func Token(dir string) (string, error) {
	return keyed(fsstore.Real(dir))
}

// Mark is as Token for what is this user's wherever it is moved to: a name that is no path.
func Mark(name string) (string, error) { return keyed("mark " + name) }

func keyed(text string) (string, error) {
	key, err := userKey()
	if err != nil {
		return "", fmt.Errorf("key of this machine: %w", err)
	}
	mac := hmac.New(sha256.New, key)
	io.WriteString(mac, text)
	return hex.EncodeToString(mac.Sum(nil)[:16]), nil
}

// Aside is a folder of this user, out of every work tree, for what nothing but this program
// should reach. It need not exist yet.
func Aside(name string) (string, error) {
	key, err := KeyFile()
	return filepath.Join(filepath.Dir(key), name), err
}

// KeyFile is the path of the key.
func KeyFile() (string, error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(config, folder, keyName), nil
}

func userKey() ([]byte, error) {
	path, err := KeyFile()
	if err != nil {
		return nil, err
	}
	key, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := makeKey(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return readKey(path) // of whoever was first
}

func readKey(path string) ([]byte, error) {
	info, err := os.Stat(path) // may be a link: the folder is the user's own
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > 2*keySize+1 {
		return nil, damaged(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(data) < 2*keySize {
		return nil, damaged(path)
	}
	key, err := hex.DecodeString(string(data[:2*keySize]))
	if err != nil {
		return nil, damaged(path)
	}
	return key, nil
}

func damaged(path string) error {
	return fmt.Errorf("%q is not a key; remove it, and another is made", path)
}

// makeKey writes a new key. A reader sees none or a whole one; of two writers the
// second gets fs.ErrExist.
func makeKey(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	dir, err := fsstore.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	key := make([]byte, keySize)
	rand.Read(key)
	return dir.WriteOncePrivate(keyName, fmt.Appendf(nil, "%x\n", key))
}
