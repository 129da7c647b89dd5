package preflight

import (
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/health"
	"ralphex/internal/ralph/task"
)

// Code is a row of the table of all diagnostics. Evaluate makes no diagnostic that has no row.
type Code struct {
	Name     string
	Category Category
	Severity Severity
	When     string
}

// Codes is every diagnostic, in the order of the documentation.
var Codes = []Code{
	{string(task.FileJSONInvalid), TaskGraph, Error, "tasks.json is no JSON"},
	{string(task.FileNotObject), TaskGraph, Error, "tasks.json holds no object"},
	{string(task.ArrayMissing), TaskGraph, Error, "there is no `tasks` array"},
	{string(task.VersionNewer), TaskGraph, Error, "`version` is above 2; ours: other programs take such a file for an old one"},
	{string(task.EntryInvalid), TaskGraph, Error, "an entry lacks a required field"},
	{string(task.IDEmpty), TaskGraph, Error, "a task in memory has a blank id"},
	{string(task.IDDuplicate), TaskGraph, Error, "an id names more than one task"},
	{string(task.SelfParent), TaskGraph, Error, "a task is its own parent"},
	{string(task.OrphanedParent), TaskGraph, Error, "`parentId` names no task"},
	{string(task.DoneAboveOpen), TaskGraph, Error, "drift: a task is done, and one below it is not"},
	{string(task.SelfDependency), TaskGraph, Error, "a task depends on itself"},
	{string(task.BadDependency), TaskGraph, Error, "`dependsOn` names no task"},
	{string(task.DoneBehindOpen), TaskGraph, Error, "a task is done, and one that it depends on is not"},
	{string(task.DependencyCycle), TaskGraph, Error, "tasks depend on each other in a circle"},
	{string(task.ParentCycle), TaskGraph, Error, "tasks are each other's parents in a circle"},
	{string(task.LedgerDrift), TaskGraph, Error, "drift: reserved, known and never found by ralphex"},
	{string(task.DoneParentUndone), TaskGraph, Error, "drift: reserved, likewise"},
	{codeTasksUnreadable, TaskGraph, Error, "tasks.json can't be read (ours)"},
	{string(task.FieldCorrected), TaskGraph, Warning, "a misspelled field name was corrected"},
	{string(task.ParentCorrected), TaskGraph, Warning, "a todo task was taken off its done parent"},

	{"default_agent_id_collision", ClaimGraph, Warning, "agent `default` has an active claim of another run"},
	{"task_claim_contested", ClaimGraph, Warning, "a task has more than one active claim"},
	{"task_claim_stale", ClaimGraph, Warning, "the canonical claim is older than the TTL"},
	{"task_claim_provenance_mismatch", ClaimGraph, Info, "the canonical claim belongs to another iteration"},
	{"stale_claim_resolved", ClaimGraph, Info, "a claim was recovered, and why"},
	{"claims_file_unreadable", ClaimGraph, Warning, "claims.json can't be understood (ours): no claim can be taken"},

	{codeTasksLock, WorkspaceRuntime, Error, "tasks.lock was held for longer than its budget"},
	{"ralph_files_missing", WorkspaceRuntime, Warning, "PRD, progress or tasks are missing"},
	{"state_file_unreadable", WorkspaceRuntime, Warning, "state.json can't be understood (ours): iterations go on behind the last folder, without the histories"},
	{"latest_artifact_surfaces_stale", WorkspaceRuntime, Warning, "a latest JSON has no Markdown beside it"},
	{"latest_artifact_pointer_targets_missing", WorkspaceRuntime, Warning, "a latest JSON names a file that is gone"},
	{"artifact_cleanup_root_overlap", WorkspaceRuntime, Warning, "the artifacts folder and prompts or runs overlap"},
	{"generated_artifact_retention_disabled", WorkspaceRuntime, Warning, "no cleanup of prompts, runs and iterations, and there are some"},
	{"provenance_bundle_retention_disabled", WorkspaceRuntime, Warning, "no cleanup of bundles, and there are some"},
	{"generated_artifact_retention_protected_overflow", WorkspaceRuntime, Info, "protection keeps more than the newest N"},
	{"provenance_bundle_retention_protected_overflow", WorkspaceRuntime, Info, "likewise for bundles"},
	{"dedicated_planning_fallback_single_agent", WorkspaceRuntime, Warning, "a dedicated planning pass with one agent"},
	{"no_actionable_task", WorkspaceRuntime, Warning, "tasks are left, and none can be worked on"},
	{"workspace_has_untracked_baseline", WorkspaceRuntime, Warning, "two or more untracked files outside .ralph"},
	{"model_tiering_enable_conflict", WorkspaceRuntime, Warning, "the two switches of model tiering disagree"},
	{"workspace_untrusted", WorkspaceRuntime, Info, "the host does not trust the workspace"},
	{"workspace_paths_initialized", WorkspaceRuntime, Info, "missing folders or files were made"},
	{"structure_definition_generated", WorkspaceRuntime, Info, "structure.json was just made"},
	{"session_handoff_available", WorkspaceRuntime, Info, "a note of the session before is used"},
	{"memory_summarization_fallback", WorkspaceRuntime, Info, "the memory summary is the static fallback"},
	{"settings_value_ignored", WorkspaceRuntime, Warning, "a setting has a value that is not taken (ours)"},
	{doctrine.CodeDirectoryMissing, WorkspaceRuntime, Warning, "there is no doctrine folder"},
	{doctrine.CodeFileMissing, WorkspaceRuntime, Warning, "a doctrine file is missing"},
	{doctrine.CodeHeadingMissing, WorkspaceRuntime, Warning, "a doctrine file lacks a heading"},
	{doctrine.CodeIndexInvalid, WorkspaceRuntime, Warning, "the evidence index is structurally invalid"},
	{doctrine.CodeProtectedChanged, WorkspaceRuntime, Warning, "a session changed protected doctrine"},
	{doctrine.CodeHealthy, WorkspaceRuntime, Info, "the doctrine pack is whole"},

	{"codex_cli_missing", CodexAdapter, Error, "the agent's command is not there (of any agent)"},
	{"codex_cli_not_executable", CodexAdapter, Error, "it is there and can't be executed"},
	{"codex_cli_path_lookup_assumed", CodexAdapter, Warning, "it could not be looked for"},
	{"codex_cli_path_verified", CodexAdapter, Info, "it was found"},
	{"codex_model_chatgpt_auth_may_be_unsupported", CodexAdapter, Warning, "codex is set to a model that a login with a ChatGPT account may not reach"},

	{"validation_command_missing", ValidationVerifier, Warning, "validation is on, and there is no command"},
	{"validation_command_executable_confirmed", ValidationVerifier, Info, "the command's program was found"},
	{"validation_command_executable_not_confirmed", ValidationVerifier, Warning, "the command's program was not found"},
	{"validation_command_selected_not_confirmed", ValidationVerifier, Info, "the command has no program that can be looked for"},
	{"validation_command_normalized", ValidationVerifier, Info, "a leading `cd … &&` to the same folder was taken off"},
	{"validation_command_shell_mismatch", ValidationVerifier, Warning, "Windows: the command is written for a POSIX shell"},
	{"no_verifiers_enabled", ValidationVerifier, Info, "the list of verifiers is empty"},

	{health.CodeStateLock, AgentHealth, Warning, "state.lock is older than the threshold"},
	{health.CodeTasksLock, AgentHealth, Warning, "tasks.lock is older than the threshold"},
	{health.CodeAuxLock, AgentHealth, Warning, "claims.json.lock or index.json.lock is older than the threshold"},
	{health.CodeNoResult, AgentHealth, Warning, "an old active claim has no iteration result since"},
	{health.CodeOffline, AgentHealth, Warning, "an old active claim has no finished run since"},
	{health.CodeContestedHandoff, AgentHealth, Error, "a contract between roles is contested"},
	{health.CodeExpiredHandoff, AgentHealth, Warning, "a contract between roles is open past its end"},
	{"configured_agent_count", AgentHealth, Info, "always: how many agents are configured"},
	{"role_policy_effective", AgentHealth, Info, "always: the role, and what it may do"},
}

const (
	codeTasksUnreadable = "task_file_unreadable"
	codeTasksLock       = "tasks_lock_timeout"
)

var codeByName = func() map[string]Code {
	m := make(map[string]Code, len(Codes))
	for _, c := range Codes {
		m[c.Name] = c
	}
	return m
}()
