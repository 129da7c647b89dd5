package config

import "slices"

// Variable is a word in double braces that prompts may use.
type Variable struct {
	Name string // "PLAN_FILE"
	Doc  string
	In   []string // the prompts that have it; nil = all, and agents
}

// Variables are all variables, in the order of the documentation.
func Variables() []Variable {
	return []Variable{
		{"PLAN_FILE", "The plan's path, or a remark that there is none.", nil},
		{"PROGRESS_FILE", "The path of the run's log.", nil},
		{"GOAL", "What the run is for: the plan, or the branch and what it is compared with.", nil},
		{"DEFAULT_BRANCH", "What the change is compared with: --base-ref, else default_branch, else what the repository says.", nil},
		{"PLANS_DIR", "The folder of the plans.", nil},
		{"VCS", "The name of the version control system.", nil},
		{"VCS_STATUS", "Command: what is changed and not recorded.", nil},
		{"VCS_CHANGES", "Command: the same as a diff.", nil},
		{"VCS_DIFF", "Command: all that the branch did since the base, as a diff.", nil},
		{"VCS_DIFF_STAT", "Command: the same, counted by file.", nil},
		{"VCS_LOG", "Command: what was recorded since the base.", nil},
		{"VCS_SHOW", "Command: one commit.", nil},
		{"VCS_ADD", "Command: take files under version control.", nil},
		{"VCS_COMMIT", "Command: record files; or a sentence that says why the agent should not.", nil},
		{"VCS_MOVE", "Command: rename a file.", nil},
		{"VCS_RESTORE", "Command: bring a file back as it was last recorded.", nil},
		{"VCS_SWITCH", "Command: go to another branch.", nil},
		{"VCS_HISTORY", "Command: every place that the branch was at.", nil},
		{"DIFF_INSTRUCTION", "Command: what the external review looks at: the whole change at first, later what is not recorded.", []string{"codex_review", "custom_review"}},
		{"PREVIOUS_REVIEW_CONTEXT", "What was decided about the findings of the round before; empty at first.", []string{"codex_review", "custom_review"}},
		{"CODEX_OUTPUT", "What the external review said.", []string{"codex"}},
		{"CUSTOM_OUTPUT", "What the external review said.", []string{"custom_eval"}},
		{"PLAN_DESCRIPTION", "What the person typed.", []string{"make_plan"}},
	}
}

// lookupVariable finds a variable by its name.
func lookupVariable(name string) (Variable, bool) {
	all := Variables()
	i := slices.IndexFunc(all, func(v Variable) bool { return v.Name == name })
	if i < 0 {
		return Variable{}, false
	}
	return all[i], true
}
