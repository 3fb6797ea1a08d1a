package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"episodes/internal/ask"
	"episodes/internal/setup"
)

// ownFlags are the flags of setup about the user's own configuration of this program.
type ownFlags struct {
	reader   string
	askAtEnd bool
}

// itself is the value of --reader without a value: the agent that is named.
const itself = "AGENT"

const ownHelp = `
--reader lets an agent read each session when it is over, in the background, and complete what
the rules find: AGENT itself (` + "%s" + `), without tools and hooks, or the command LINE
that is given. It is written to episodes/config.toml in your own configuration folder, with what
it may cost. --reader --dry-run shows what a month would cost, and what would be sent for the newest
session here.`

func (f *ownFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.reader, "reader", "", "let AGENT, or the command `LINE`, complete sessions in the background")
	fs.Lookup("reader").NoOptDefVal = itself
	fs.BoolVar(&f.askAtEnd, "ask-at-end", false, "let hooks ask an agent once, at the end, to complete its session")
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "dry-run" { // as other commands call it
			name = "print"
		}
		return pflag.NormalizedName(name)
	})
}

// ownData is what became of the user's own configuration.
type ownData struct {
	Configuration *setup.FileState    `json:"configuration,omitempty"`
	Forecast      *ask.ForecastAnswer `json:"forecast,omitempty"`
}

// own edits the user's configuration as the flags say, and returns what to print. Of agents it
// leaves those that have settings.
func (a *app) own(cmd *cobra.Command, f ownFlags, agents *[]string, r setup.OwnRequest) (d ownData, text string, err error) {
	asks := cmd.Flags().Changed("reader")
	if !asks && !f.askAtEnd {
		return d, "", nil
	}
	if r.Reader = f.reader; asks && (f.reader == itself || r.Remove) {
		if len(*agents) != 1 && !r.Remove {
			return d, "", usage("--reader='LINE' takes any other program", "--reader needs one agent, to be the reader")
		}
		if r.Reader = itself; !r.Remove {
			if r.Reader, err = setup.ReaderLine((*agents)[0]); err != nil {
				return d, "", setupRefused(err)
			}
		}
		*agents = slices.DeleteFunc(*agents, func(name string) bool {
			return slices.Contains(setup.Readers(), name) && !slices.Contains(setup.Agents(), name)
		})
	}
	if asks && strings.TrimSpace(r.Reader) == "" {
		return d, "", usage("", "--reader \"\": needs a command line")
	}
	config, err := os.UserConfigDir()
	if err != nil {
		return d, "", err
	}
	r.Path, r.AskAtEnd = filepath.Join(config, "episodes", "config.toml"), f.askAtEnd
	if asks && !r.Remove {
		if d.Forecast, text, err = a.forecast(cmd, r.DryRun); err != nil {
			return d, "", err
		}
	}
	if d.Configuration, err = setup.Own(r); err != nil {
		return d, "", err
	}
	if c := d.Configuration; c.Diff != "" {
		text = "configuration would be written:\n" + c.Diff + text
	} else {
		text += fmt.Sprintf("configuration %s: %s\n", c.Path, c.Change)
	}
	return d, text, nil
}

// forecast says what a reader will cost in a month; order: also what it gets.
func (a *app) forecast(cmd *cobra.Command, order bool) (*ask.ForecastAnswer, string, error) {
	loc, err := a.location()
	if err != nil { // the sessions of this machine can be counted from anywhere
		loc = ask.Location{Bare: true}
	}
	o := ask.Options{Location: loc, Progress: a.showProgress(), Now: a.now}
	found, err := ask.Forecast(cmd.Context(), o, ask.ForecastRequest{Order: order,
		Sources: a.sources()})
	if err != nil {
		return nil, "", err
	}
	return found, found.Text(a.flags.maxTokens), nil
}
