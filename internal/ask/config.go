package ask

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
)

// UserConfig is what a user has set: episodes/config.toml in the folder for such files. No
// repository can set any of it.
type UserConfig struct {
	Reader      string `toml:"reader"`       // command line of the reader
	Share       bool   `toml:"share"`        // extract --from writes to the shared part
	PrivateDays int    `toml:"private_days"` // private episodes of sessions that began before so many days are removed; 0: never
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
	if c.PrivateDays < 0 {
		return c, fmt.Errorf("read %q: private_days must not be negative", path)
	}
	if !(c.Holdout >= 0 && c.Holdout <= 1) {
		return c, fmt.Errorf("read %q: holdout must be a share from 0 to 1", path)
	}
	return c, nil
}
