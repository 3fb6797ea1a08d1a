package turns

import "testing"

// What people typed is theirs, what an agent makes of it for its model is not.
func TestTyped(t *testing.T) {
	for text, want := range map[string]string{
		"mend the pump":        "mend the pump",
		"Warning: not for you": "",
		"<command-name>/exit</command-name>\n<command-message>exit</command-message>\n<command-args></command-args>":                                            "",
		"<command-name>/model</command-name>\n<command-args>large</command-args>":                                                                               "",
		"<command-message>review is running</command-message>\n<command-name>/review</command-name>\n<command-args> the pump,\nnever the valve </command-args>": "the pump,\nnever the valve",
		"## User Input\n\n```text\nuser story 1\n```\n\nYou **MUST** consider the user input before proceeding (if not empty).\n\n## Outline\n":                 "user story 1",
		"## User Input\n\n```text\n\n```\n\nYou **MUST** consider the user input before proceeding (if not empty).\n\n## Outline\n":                             "",
		"## User Input\n\nIt is read twice.":              "## User Input\n\nIt is read twice.",
		"see <command-args>the pump house</command-args>": "see <command-args>the pump house</command-args>",
	} {
		if got := Typed(text, "Warning: "); got != want {
			t.Errorf("Typed(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		" only the pump \n": "only the pump",
		"only the pump\n\nNote: The user's next message may contain a correction or preference. Pay close attention": "only the pump",
		`"Which?"="The pump". You can now continue with the user's answers in mind.`:                                 `"Which?"="The pump".`,
		"The user wants to clarify these questions.\n    Start by asking them what they would like to clarify.":      "",
	} {
		if got := Replied(text); got != want {
			t.Errorf("Replied(%q) = %q, want %q", text, got, want)
		}
	}
}
