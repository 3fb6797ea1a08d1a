package reflexion

import "episodes/internal/snapshot"

// VerificationType is how an attempt was verified (reflection-memory schema, as all types and
// values here).
type VerificationType string

const (
	UnitTests        VerificationType = "unit_tests"
	IntegrationTests VerificationType = "integration_tests"
	TypeCheck        VerificationType = "type_check"
	Lint             VerificationType = "lint"
	Compilation      VerificationType = "compilation"
	Heuristic        VerificationType = "heuristic"
	ExternalAPI      VerificationType = "external_api"
	ManualReview     VerificationType = "manual_review"
	Combined         VerificationType = "combined"
)

// VerificationTypes lists the legal types in the order of the schema.
func VerificationTypes() []VerificationType {
	return []VerificationType{UnitTests, IntegrationTests, TypeCheck, Lint, Compilation, Heuristic, ExternalAPI,
		ManualReview, Combined}
}

// Category is the category of a failure.
type Category string

const (
	Hallucination            Category = "hallucination"
	InefficientPlanning      Category = "inefficient_planning"
	IncorrectAssumption      Category = "incorrect_assumption"
	IncompleteImplementation Category = "incomplete_implementation"
	EdgeCaseMiss             Category = "edge_case_miss"
	IntegrationError         Category = "integration_error"
	ConfigurationError       Category = "configuration_error"
	LogicErrorCategory       Category = "logic_error"
	OtherCategory            Category = "other"
)

// Categories lists the legal categories in the order of the schema.
func Categories() []Category {
	return []Category{Hallucination, InefficientPlanning, IncorrectAssumption, IncompleteImplementation, EdgeCaseMiss,
		IntegrationError, ConfigurationError, LogicErrorCategory, OtherCategory}
}

// ErrorType is the kind of an error that a verifier found.
type ErrorType string

const (
	SyntaxError  ErrorType = "syntax_error"
	TypeError    ErrorType = "type_error"
	TestFailure  ErrorType = "test_failure"
	LintError    ErrorType = "lint_error"
	RuntimeError ErrorType = "runtime_error"
	LogicError   ErrorType = "logic_error"
	Timeout      ErrorType = "timeout"
	OtherError   ErrorType = "other"
)

// Status is the status of one verifier. Errored: the verifier itself did not work.
type Status string

const (
	Pass    Status = "pass"
	Fail    Status = "fail"
	Errored Status = "error"
	Skip    Status = "skip"
)

// Record is one iteration of a loop: what the actor did, what the evaluator found, the
// reflection, and the window. A passed iteration has an empty reflection text.
type Record struct {
	LoopID      string          `json:"loop_id"`
	Iteration   int             `json:"iteration"` // from 0
	Timestamp   string          `json:"timestamp"` // RFC 3339
	Task        string          `json:"task_description,omitempty"`
	Actor       ActorOutput     `json:"actor_output"`
	Evaluator   EvaluatorOutput `json:"evaluator_output"`
	Reflection  SelfReflection  `json:"self_reflection"`
	Memory      MemoryMetadata  `json:"memory_metadata"`
	Injected    bool            `json:"context_injected"`
	Used        []int           `json:"previous_reflections_used,omitempty"` // iterations
	Performance *Performance    `json:"performance_delta,omitempty"`
	Notes       string          `json:"notes,omitempty"`
	// Additional properties, here and below, which the schema allows.
	TaskType string           `json:"task_type,omitempty"`        // the user's name for tasks of this kind
	Arm      string           `json:"arm,omitempty"`              // of the comparison that the loop belongs to
	Usage    *Usage           `json:"usage,omitempty"`            // what the attempt took
	Rule     *Rule            `json:"stopping_rule,omitempty"`    // what would have ended the loop
	Baseline *EvaluatorOutput `json:"baseline,omitempty"`         // found before the first attempt, in its record
	Advised  []Advised        `json:"advice,omitempty"`           // what became of the advice in the prompt
	Recalled []string         `json:"lessons_recalled,omitempty"` // references of lessons in the prompt
	Followed []string         `json:"lessons_followed,omitempty"` // of those that the attempt followed
	From     *int             `json:"begins_from,omitempty"`      // after whose state an isolated attempt began
}

// BeforeFirst is the number of the state before the first attempt, where states are numbered
// by the iteration that led to them.
const BeforeFirst = -1

// Reflected reports whether the record is that of a failed iteration with a reflection.
func (r *Record) Reflected() bool { return !r.Evaluator.Passed && r.Reflection.Text != "" }

// Advised is a piece of advice that was in the prompt of an attempt. Touched: the attempt changed
// a file that it names; Followed: it did what it names (Follows). What it said is not kept: nothing
// that memory said becomes memory.
type Advised struct {
	About    string   `json:"about"` // the signature of the error
	Episodes []string `json:"episodes"`
	Touched  bool     `json:"touched,omitempty"`
	Followed bool     `json:"followed"`
}

// ActorOutput is what the actor said that it did, and what was measured.
type ActorOutput struct {
	Actions       []Action          `json:"actions"`
	Rationale     string            `json:"rationale"`
	Strategy      string            `json:"strategy,omitempty"`
	FilesModified []string          `json:"files_modified,omitempty"`
	TotalChanges  *TotalChanges     `json:"total_changes,omitempty"`
	Blocked       string            `json:"blocked,omitempty"`          // why a person is needed, in its words
	Changed       *snapshot.Changes `json:"measured_changes,omitempty"` // in the work tree; nil: not measured
}

type Action struct {
	Type        string   `json:"type"`
	Description string   `json:"description"`
	FilePath    string   `json:"file_path,omitempty"`
	Changes     *Changes `json:"changes,omitempty"`
	Command     string   `json:"command,omitempty"`
	Timestamp   string   `json:"timestamp,omitempty"`
}

// ActionTypes lists the legal action types in the order of the schema.
func ActionTypes() []string {
	return []string{"code_modification", "file_creation", "file_deletion", "test_execution", "command_execution", "api_call", "other"}
}

// Changes counts the lines of one change, TotalChanges those of an iteration.
type Changes struct {
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
	Diff      string `json:"diff,omitempty"`
}

type TotalChanges struct {
	FilesChanged int `json:"files_changed"`
	LinesAdded   int `json:"lines_added"`
	LinesDeleted int `json:"lines_deleted"`
}

type EvaluatorOutput struct {
	Passed  bool             `json:"passed"`
	Type    VerificationType `json:"verification_type"`
	Results []Result         `json:"results,omitempty"`
	Errors  []Problem        `json:"errors,omitempty"`
	Reward  *float64         `json:"reward_signal,omitempty"` // 0 to 1
	Metrics *Metrics         `json:"metrics,omitempty"`
	Parts   *RewardParts     `json:"reward_parts,omitempty"`
	// ByChanging is what an attempt changed without which its verifiers do not pass: tests that were
	// there, golden files, or what configures a verifier. Such an evaluation is that without these
	// changes.
	ByChanging string `json:"passed_by_changing,omitempty"`
}

// RewardOr returns the reward or, where none is recorded, 1 for a pass and 0 for a
// failure, the binary reward of Shinn et al. 2023, section 3.
func (e *EvaluatorOutput) RewardOr() float64 {
	switch {
	case e.Reward != nil:
		return *e.Reward
	case e.Passed:
		return 1
	}
	return 0
}

// Verdict is whether it passed, in a word.
func (e *EvaluatorOutput) Verdict() string {
	if e.Passed {
		return "passed"
	}
	return "failed"
}

// Result is the result of one verifier. DurationMS is in milliseconds.
type Result struct {
	Tool       string `json:"tool"`
	Status     Status `json:"status"`
	ExitCode   *int   `json:"exit_code,omitempty"`
	Stdout     string `json:"stdout,omitempty"`
	Stderr     string `json:"stderr,omitempty"`
	DurationMS *int   `json:"duration_ms,omitempty"`
}

// Problem is one error that a verifier reported. Line and Column count from 1; 0 means unknown.
type Problem struct {
	Type       ErrorType `json:"type"`
	Message    string    `json:"message"`
	File       string    `json:"file,omitempty"`
	Line       int       `json:"line,omitempty"`
	Column     int       `json:"column,omitempty"`
	StackTrace string    `json:"stack_trace,omitempty"`
	Severity   string    `json:"severity,omitempty"` // error, warning or info
	Rule       string    `json:"rule,omitempty"`     // of the linter, or name of the test
	Signature  string    `json:"signature,omitempty"`
}

// Metrics are the measurements of a verification; nil means not measured.
type Metrics struct {
	TestsPassed  *int     `json:"tests_passed,omitempty"`
	TestsFailed  *int     `json:"tests_failed,omitempty"`
	TestsTotal   *int     `json:"tests_total,omitempty"` // passed and failed, without skipped tests
	Coverage     *float64 `json:"coverage_percentage,omitempty"`
	LintErrors   *int     `json:"lint_errors,omitempty"`
	LintWarnings *int     `json:"lint_warnings,omitempty"`
	TypeErrors   *int     `json:"type_errors,omitempty"`
	TestsSkipped *int     `json:"tests_skipped,omitempty"`
	TestsPartial bool     `json:"tests_partial,omitempty"` // not all tests that passed are counted
	// Tests are the names of the tests that ran, where the reports name each; of records the
	// baseline alone has them, where they are few. TestsGone is how many of the baseline did not
	// run, where both name their tests; Gone are the first of them.
	Tests     []string `json:"test_names,omitempty"`
	TestsGone *int     `json:"tests_gone_count,omitempty"`
	Gone      []string `json:"tests_gone,omitempty"`
}

// SelfReflection is the reflection on a failure (guide, "Self-Reflection Model").
type SelfReflection struct {
	Text       string            `json:"reflection_text"`
	Credit     *CreditAssignment `json:"credit_assignment,omitempty"`
	Causal     string            `json:"causal_reasoning,omitempty"`
	Insights   []string          `json:"actionable_insights,omitempty"`
	Lessons    []string          `json:"lessons_learned,omitempty"`
	Confidence *float64          `json:"confidence,omitempty"` // 0 to 1
	Related    []int             `json:"related_reflections,omitempty"`
	Gaps       []string          `json:"knowledge_gaps,omitempty"` // what would have to be known
	Source     string            `json:"source,omitempty"`         // FromModel or FromRules
	By         string            `json:"by,omitempty"`             // the program of the model
}

const (
	FromModel = "model"
	FromRules = "deterministic"
)

type CreditAssignment struct {
	FailingActions []int    `json:"failing_action_indices,omitempty"` // into ActorOutput.Actions
	RootCause      string   `json:"root_cause,omitempty"`
	Category       Category `json:"failure_category,omitempty"`
}

func (s *SelfReflection) Category() Category {
	if s.Credit == nil {
		return ""
	}
	return s.Credit.Category
}

type MemoryMetadata struct {
	Omega     int    `json:"omega_capacity"`
	Size      int    `json:"current_memory_size"`
	InContext []int  `json:"reflections_in_context,omitempty"` // iterations
	Policy    Policy `json:"window_policy,omitempty"`
	Total     *int   `json:"total_reflections_generated,omitempty"`
}

type Performance struct {
	RewardChange     float64 `json:"reward_change"`
	ErrorCountChange int     `json:"error_count_change"`
	IsImprovement    bool    `json:"is_improvement"`
}
