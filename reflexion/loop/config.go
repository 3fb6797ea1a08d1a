package loop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"episodes/internal/fsstore"
	"episodes/reflexion"
)

// Config is the configuration of a loop. Command lines are the user's.
type Config struct {
	LoopID   string                     `json:"loop_id"`
	Task     string                     `json:"task"`
	TaskType string                     `json:"task_type,omitempty"`
	Created  string                     `json:"created"` // RFC 3339
	Actor    string                     `json:"actor"`
	Verify   []string                   `json:"verify"`
	Reflect  string                     `json:"reflect,omitempty"` // command line of a model; "": reflections by rules
	Format   string                     `json:"format,omitempty"`
	Report   string                     `json:"report,omitempty"`
	Type     reflexion.VerificationType `json:"verification_type,omitempty"`
	Max      int                        `json:"max_iterations"`
	Budget   int                        `json:"token_budget,omitempty"` // of the reflections in a prompt
	Omega    int                        `json:"omega_capacity,omitempty"`
	Dynamic  bool                       `json:"dynamic_omega,omitempty"`
	Policy   reflexion.Policy           `json:"window_policy,omitempty"`
	Arm      string                     `json:"arm"`
	// Timeouts in seconds.
	ActorTimeout  float64 `json:"actor_timeout_s"`
	VerifyTimeout float64 `json:"verify_timeout_s"`
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// End is how a loop ended.
type End struct {
	LoopID     string `json:"loop_id"`
	Success    bool   `json:"success"`
	Reason     Reason `json:"reason"`
	Detail     string `json:"detail,omitempty"`
	Iterations int    `json:"iterations"`
	Ended      string `json:"ended"` // RFC 3339, of the last record
}

// Reason is why a loop ended.
type Reason string

// The reasons (guide, "When Reflections Are Generated").
const (
	Passed   Reason = "passed"
	Limit    Reason = "max_iterations"
	Stuck    Reason = "stuck"
	Critical Reason = "critical_error"
)

// Dir is the folder of one loop.
type Dir struct {
	*fsstore.Dir
	id string
}

const (
	configFile = "loop.json"
	endFile    = "end.json"
	logFile    = "log.md"
	stepsDir   = "steps"
)

// ignore keeps the output of commands out of git; records have the relevant part.
const ignore = "# what the commands of the loops printed\nsteps/\nlock\n"

// Create creates the folder of a new loop inside the reflexion folder. Errors:
// fs.ErrExist when there is one.
func Create(top string, c Config) (*Dir, error) {
	if !reflexion.ValidLoopID(c.LoopID) {
		return nil, fmt.Errorf("%q is no loop id", c.LoopID)
	}
	loops, err := reflexion.OpenFolder(top, "loops", ignore, true)
	if err != nil {
		return nil, err
	}
	defer loops.Close()
	d, err := loops.Sub(c.LoopID)
	if err != nil {
		return nil, err
	}
	data, err := reflexion.Encode(c, "  ")
	if err == nil {
		err = d.WriteOnce(configFile, data)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return &Dir{d, c.LoopID}, nil
}

// Open opens the folder of a loop. Errors: reflexion.ErrNoLoop when there is none.
func Open(top, id string) (*Dir, *Config, error) {
	none := fmt.Errorf("loop %q: %w", id, reflexion.ErrNoLoop)
	if !reflexion.ValidLoopID(id) {
		return nil, nil, none
	}
	t, err := fsstore.Open(top)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, none
	}
	if err != nil {
		return nil, nil, err
	}
	defer t.Close()
	d, err := t.Existing("loops/" + id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, none
	}
	if err != nil {
		return nil, nil, err
	}
	c := &Config{}
	if err := load(d, configFile, c); err != nil {
		d.Close()
		return nil, nil, err
	}
	if c.LoopID != id {
		d.Close()
		return nil, nil, fmt.Errorf("%q is that of loop %q", d.Path(configFile), c.LoopID)
	}
	return &Dir{d, id}, c, nil
}

// End returns how the loop ended; nil when it has not yet.
func (d *Dir) End() (*End, error) {
	e := &End{}
	err := load(d.Dir, endFile, e)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

func load(d *fsstore.Dir, name string, into any) error {
	data, err := d.Read(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("read %q: %w", d.Path(name), err)
	}
	return nil
}
