//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// prefix is the folder of one version of an agent. A later version gets another one.
func (c *client) prefix(cache string) string {
	return filepath.Join(cache, c.name+"-"+c.version)
}

// install fetches the pinned version with npm, unless the cache has it.
func (c *client) install(cache string) error {
	dir := c.prefix(cache)
	if c.installed(dir) == c.version {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	fmt.Printf("npm install %s@%s\n", c.pkg, c.version)
	cmd := exec.Command("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", c.pkg+"@"+c.version)
	if out, err := cmd.CombinedOutput(); err != nil {
		return skipped(fmt.Sprintf("%s@%s cannot be installed: %s", c.pkg, c.version, out))
	}
	if v := c.installed(dir); v != c.version {
		return fmt.Errorf("%s: npm installed version %q instead of %s", c.pkg, v, c.version)
	}
	return nil
}

// installed returns the version in a folder; "" if nothing is installed.
func (c *client) installed(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "node_modules", filepath.FromSlash(c.pkg), "package.json"))
	if err != nil {
		return ""
	}
	var p struct{ Version string }
	_ = json.Unmarshal(text, &p)
	return p.Version
}
