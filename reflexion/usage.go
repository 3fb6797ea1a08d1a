package reflexion

import "encoding/json"

// Usage is what the actor of an attempt took, as far as it is known (framework design,
// executionTime and resourcesUsed). Sums of several attempts have the same form.
type Usage struct {
	DurationMS   int64    `json:"duration_ms"`             // of the actor's process
	InputTokens  *int     `json:"input_tokens,omitempty"`  // with those read from a cache
	CachedTokens *int     `json:"cached_tokens,omitempty"` // of these
	OutputTokens *int     `json:"output_tokens,omitempty"` // with those of reasoning
	CostUSD      *float64 `json:"cost_usd,omitempty"`
	ToolCalls    *int     `json:"tool_calls,omitempty"`
	Partial      bool     `json:"partial,omitempty"` // the counts may be too low: not all that it said was kept
}

// Rule is what a loop would end by, other than by passing: the same for all arms of a
// comparison, or they cannot be compared. Zero values do not end it.
type Rule struct {
	MaxIterations int     `json:"max_iterations"`
	Stuck         int     `json:"stuck,omitempty"` // attempts without a new best
	MaxCostUSD    float64 `json:"max_cost_usd,omitempty"`
	MaxTimeS      float64 `json:"max_time_s,omitempty"`
	// Isolated: attempts worked in a tree of their loop's own, of which nothing was brought
	// back, so that loops saw nothing of each other's work.
	Isolated bool `json:"isolated,omitempty"`
}

// UnmarshalJSON reads a usage. Records of other tools may have another thing of this name,
// such as one with negative numbers, which is no error and counts as nothing known.
func (u *Usage) UnmarshalJSON(data []byte) error {
	type fields Usage
	var f fields
	if json.Unmarshal(data, &f) == nil && f.DurationMS >= 0 && (f.CostUSD == nil || *f.CostUSD >= 0) &&
		min(deref(f.InputTokens), deref(f.CachedTokens), deref(f.OutputTokens), deref(f.ToolCalls)) >= 0 {
		*u = Usage(f)
	}
	return nil
}

func (r *Rule) UnmarshalJSON(data []byte) error {
	type fields Rule
	var f fields
	if json.Unmarshal(data, &f) == nil && f.MaxIterations >= 0 {
		*r = Rule(f)
	}
	return nil
}

// Add adds what another attempt took. What is not known of either is that of the other.
func (u *Usage) Add(x Usage) {
	u.DurationMS += x.DurationMS
	u.Partial = u.Partial || x.Partial
	u.InputTokens, u.CachedTokens = sum(u.InputTokens, x.InputTokens), sum(u.CachedTokens, x.CachedTokens)
	u.OutputTokens, u.ToolCalls = sum(u.OutputTokens, x.OutputTokens), sum(u.ToolCalls, x.ToolCalls)
	u.CostUSD = sum(u.CostUSD, x.CostUSD)
}

func sum[T int | float64](a, b *T) *T {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return new(*a + *b)
}

// Used adds up what the attempts of the records took; known is how many records say it.
func Used(records []*Record) (total Usage, known int) {
	for _, r := range records {
		if r.Usage != nil {
			known++
			total.Add(*r.Usage)
		}
	}
	return total, known
}

// RewardParts are the parts of a reward. A part that was not measured is nil and adds nothing,
// as in the guide's formula, where undefined is not 0.
type RewardParts struct {
	Tests  *float64 `json:"tests"`
	Types  *float64 `json:"types"`
	Lint   *float64 `json:"lint"`
	Absent []string `json:"absent"` // the parts that were not measured
	// Binary: no part was measured, so the reward is 1 for a pass and 0 for a failure
	// (Shinn et al. 2023, section 3).
	Binary bool `json:"binary"`
}
