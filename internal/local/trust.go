package local

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"episodes/internal/fsstore"
)

// Trust is whose logs the user takes for reviewed, and after how many days those of anybody.
type Trust struct {
	Authors []string `toml:"trust"`           // e-mail addresses or names, as commits have them
	Days    int      `toml:"quarantine_days"` // 0: none are kept apart
}

// defaultDays is how long the logs of a new author are kept apart if the user says nothing.
const defaultDays = 7

// trustedName is the file of those that were added by AddTrusted, one a line, in the folder of the key.
const trustedName = "trusted"

// ReadTrust reads what the user's configuration and AddTrusted say. What cannot be read trusts nobody.
func ReadTrust() Trust {
	t := Trust{Days: defaultDays}
	key, err := KeyFile()
	if err != nil {
		return t
	}
	if data, err := os.ReadFile(filepath.Join(filepath.Dir(key), "config.toml")); err == nil && toml.Unmarshal(data, &t) != nil {
		t = Trust{Days: defaultDays}
	}
	added, _ := os.ReadFile(filepath.Join(filepath.Dir(key), trustedName))
	for line := range strings.Lines(string(added)) {
		if line = strings.TrimSpace(line); line != "" {
			t.Authors = append(t.Authors, line)
		}
	}
	return t
}

// Has reports whether the user trusts an author.
func (t Trust) Has(name, email string) bool {
	return slices.ContainsFunc(t.Authors, func(a string) bool {
		return strings.EqualFold(a, email) || a == name || strings.EqualFold(a, name+" <"+email+">")
	})
}

// AddTrusted adds an author to those that the user trusts.
func AddTrusted(author string) error {
	key, err := KeyFile()
	if err != nil {
		return err
	}
	dir, err := fsstore.Create(filepath.Dir(key))
	if err != nil {
		return err
	}
	defer dir.Close()
	before, err := os.ReadFile(dir.Path(trustedName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(before) > 0 && before[len(before)-1] != '\n' {
		before = append(before, '\n')
	}
	return dir.WritePrivate(trustedName, append(before, author+"\n"...))
}
