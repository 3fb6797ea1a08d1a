package ask

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"episodes/internal/fsstore"
	"episodes/internal/sources"
	"episodes/ledger"
)

// UserConfig is what a user has set: episodes/config.toml in the folder for such files. No
// repository can set any of it.
type UserConfig struct {
	Reader string `toml:"reader"` // command line of the reader
	// ReaderDay and ReaderSession are the tokens that the reader may cost in the background, in a
	// day and for one session. 0: it is not asked there.
	ReaderDay     int `toml:"reader_day"`
	ReaderSession int `toml:"reader_session"`
	// ReaderNever are folders. Of a repository in one of them nothing is sent to a reader.
	ReaderNever []string `toml:"reader_never"`
	AskAtEnd    bool     `toml:"ask_at_end"`   // hooks ask agents to complete their sessions
	Share       bool     `toml:"share"`        // extract --from writes to the shared part
	PrivateDays int      `toml:"private_days"` // after which private episodes are removed; 0: never
	Notes       *bool    `toml:"notes"`        // whether searches look into agents' own memories; nil: yes
	Brief       *int     `toml:"brief"`        // lines that a session is told once; nil: BriefLines
	// Holdout is the share of deliveries that hooks hold back, to compare with.
	Holdout float64 `toml:"holdout"`
}

// ReadUserConfig reads the configuration of the user. It is zero if the file does not exist.
func ReadUserConfig() (c UserConfig, err error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return c, err
	}
	path := filepath.Join(config, "episodes", "config.toml")
	data, err := os.ReadFile(path)
	if err == nil {
		err = toml.Unmarshal(data, &c)
	}
	if err != nil && !os.IsNotExist(err) {
		return c, fmt.Errorf("read %q: %w", path, err)
	}
	counts := map[string]int{"private_days": c.PrivateDays, "reader_day": c.ReaderDay, "reader_session": c.ReaderSession}
	if c.Brief != nil {
		counts["brief"] = *c.Brief
	}
	for key, n := range counts {
		if n < 0 {
			return c, fmt.Errorf("read %q: %s must not be negative", path, key)
		}
	}
	if !(c.Holdout >= 0 && c.Holdout <= 1) {
		return c, fmt.Errorf("read %q: holdout must be a share from 0 to 1", path)
	}
	return c, nil
}

// never reports whether nothing of a repository, which may have several working trees, may go to
// a reader.
func (c UserConfig) never(root string) bool {
	if len(c.ReaderNever) == 0 {
		return false
	}
	trees := sources.NewHere(root).Roots()
	return slices.ContainsFunc(c.ReaderNever, func(dir string) bool {
		if rest, ok := strings.CutPrefix(dir, "~"); ok {
			home, _ := os.UserHomeDir()
			dir = filepath.Join(home, rest)
		}
		return slices.ContainsFunc(trees, func(tree string) bool {
			rel, err := filepath.Rel(fsstore.Real(dir), fsstore.Real(tree))
			return err == nil && filepath.IsLocal(rel)
		})
	})
}

// Reads reports whether the user wants sessions in a repository to be read in the background.
func (c UserConfig) Reads(root string) bool {
	return c.Reader != "" && c.ReaderDay > 0 && !c.never(root)
}

// ReaderLeft is how many tokens the reader may still cost today in the background.
func (c UserConfig) ReaderLeft(now time.Time) (int, error) {
	sum, err := ledger.Readers(func(a ledger.Reading) bool {
		return a.Background && a.Time.UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly)
	})
	return max(0, c.ReaderDay-sum.In-sum.Out), err
}

// AsksAtEnd reports whether the user wants agents to be asked about their sessions in a repository.
func (c UserConfig) AsksAtEnd(root string) bool { return c.AskAtEnd && !c.never(root) }
