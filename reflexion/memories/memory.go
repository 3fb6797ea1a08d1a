package memories

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"episodes/internal/plain"
	"episodes/keys"
	"episodes/redact"
	"episodes/reflexion"
)

// Type is the kind of a memory.
type Type string

// The types of the design.
const (
	Episodic   Type = "episodic"
	Semantic   Type = "semantic"
	Procedural Type = "procedural"
	Meta       Type = "meta"
	Feedback   Type = "feedback"
)

// Types lists the legal types.
func Types() []Type { return []Type{Episodic, Semantic, Procedural, Meta, Feedback} }

// Memory is one stored memory (design, ReflexionMemory).
type Memory struct {
	ID           string   `json:"memoryId"`
	Type         Type     `json:"memoryType"`
	Content      Content  `json:"content"`
	Relevance    float64  `json:"relevanceScore"` // 0 to 1: the strength of its evidence
	AccessCount  int      `json:"accessCount"`    // reads into prompts
	LastAccessed string   `json:"lastAccessed,omitempty"`
	CreatedAt    string   `json:"createdAt"`
	ExpiresAt    string   `json:"expiresAt,omitempty"`
	Tags         []string `json:"tags"`
	Metadata     Metadata `json:"metadata"`
}

// Content is the content of a memory (design, MemoryContent).
type Content struct {
	Summary   string   `json:"summary"`
	Details   string   `json:"details,omitempty"`
	Context   string   `json:"context,omitempty"` // the task
	Lessons   []string `json:"lessons"`
	Scenarios []string `json:"applicableScenarios"`
	Related   []string `json:"relatedMemories"`
	Evidence  []string `json:"evidence"` // loops and iterations: ralph-a#0
}

// Metadata is what the program stores with a memory.
type Metadata struct {
	Private  bool   `json:"private,omitempty"`
	TaskType string `json:"taskType,omitempty"`
	Derived  bool   `json:"derived,omitempty"` // made from records; else written by someone
	Key      string `json:"key"`               // its identity within its type
}

// IDOf is the id of a memory: its type's first letter and 12 hex digits of the SHA-256 of
// type and key.
func IDOf(t Type, key string) string {
	sum := sha256.Sum256([]byte(string(t) + "\x00" + key))
	return string(t)[:1] + hex.EncodeToString(sum[:6])
}

func (m *Memory) invalid(problem string) error {
	return fmt.Errorf("invalid memory %q: %s", m.ID, problem)
}

// Validate checks a memory. It is called for every write and read.
func (m *Memory) Validate() error {
	bad := func(format string, args ...any) error { return m.invalid(fmt.Sprintf(format, args...)) }
	switch {
	case !slices.Contains(Types(), m.Type):
		return bad("memoryType is %q", m.Type)
	case m.ID != IDOf(m.Type, m.Metadata.Key):
		return bad("the id is not that of its type and key")
	case m.Content.Summary == "":
		return bad("it says nothing")
	case !(m.Relevance >= 0 && m.Relevance <= 1):
		return bad("relevanceScore is %v", m.Relevance)
	case m.AccessCount < 0:
		return bad("accessCount is %d", m.AccessCount)
	}
	for name, s := range map[string]string{"createdAt": m.CreatedAt, "lastAccessed": m.LastAccessed, "expiresAt": m.ExpiresAt} {
		if s == "" && name != "createdAt" {
			continue
		}
		if _, err := time.Parse(time.RFC3339, s); err != nil {
			return bad("%s is %q", name, s)
		}
	}
	return nil
}

func encode(m *Memory) ([]byte, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return reflexion.Encode(m, "  ")
}

func decode(data []byte) (*Memory, error) {
	m := &Memory{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, err
	}
	key := m.Metadata.Key // the id is made from it
	plain.All(m)
	redact.Default.All(m)
	m.Metadata.Key = key
	return m, m.Validate()
}

// Expired reports whether a memory has expired.
func (m *Memory) Expired(now time.Time) bool {
	t, err := time.Parse(time.RFC3339, m.ExpiresAt)
	return err == nil && !now.Before(t)
}

// value ranks memories for cleanup: by relevance and, with half the weight, by how often
// they were read.
func (m *Memory) value() float64 {
	return m.Relevance + 0.5*(1-1/float64(1+m.AccessCount))
}

// kept is a text as a memory keeps it: cleaned, and without secrets.
func kept(s string) string { return redact.Default.String(reflexion.Quotable(s)) }

// fresh returns a new memory with cleaned texts.
func fresh(t Type, key string, c Content, now time.Time) *Memory {
	c.Summary, c.Details, c.Context = kept(c.Summary), kept(c.Details), kept(c.Context)
	for _, list := range []*[]string{&c.Lessons, &c.Scenarios, &c.Related, &c.Evidence} {
		if *list == nil {
			*list = []string{}
		}
		for i := range *list {
			(*list)[i] = kept((*list)[i])
		}
	}
	return &Memory{ID: IDOf(t, key), Type: t, Content: c, CreatedAt: now.UTC().Format(time.RFC3339),
		Tags: []string{}, Metadata: Metadata{Key: key}}
}

// NewFeedback returns a memory of what a person said.
func NewFeedback(summary, details string, tags []string, now time.Time) *Memory {
	summary = kept(summary) // the key is made of it
	m := fresh(Feedback, keys.Canonical(summary), Content{Summary: summary, Details: details}, now)
	m.Relevance = 1
	for _, tag := range tags {
		m.Tags = append(m.Tags, kept(tag))
	}
	return m
}
