package evaluate

import "episodes/reflexion"

// ReviewTool is the tool name of a manual review among the results.
const ReviewTool = "manual_review"

// Review adds the verdict of a manual review. A refusal overrules verifiers that passed,
// which analyze counts as a false pass.
func Review(e *reflexion.EvaluatorOutput, verdict reflexion.Status) {
	e.Results = append(e.Results, reflexion.Result{Tool: ReviewTool, Status: verdict})
	e.Type = reflexion.Combined
	if len(e.Results) == 1 {
		e.Type = reflexion.ManualReview
	}
	if verdict == reflexion.Pass {
		return
	}
	if e.Passed {
		p := reflexion.Problem{Type: reflexion.LogicError,
			Message: "a manual review refused what the verifiers passed", Severity: "error", Rule: ReviewTool}
		p.Signature = reflexion.SignatureOf(p)
		e.Errors = append(e.Errors, p)
	}
	e.Passed = false
}
