package preflight

import (
	"errors"
	"fmt"
	"strings"

	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/layout"
)

// runtime is the category Workspace/runtime.
func (e *evaluation) runtime() {
	e.files()
	e.artifacts()
	s, q := e.s.Settings, e.q
	if s.PlanningPass.Enabled && s.PlanningPass.Mode == "dedicated" && s.AgentCount <= 1 && (s.AgentRole == "implementer" || s.AgentRole == "build") {
		e.add("dedicated_planning_fallback_single_agent", "A dedicated planning pass is set, and there is one agent: it plans and implements itself.")
	}
	if s.Tiering.Conflict {
		e.add("model_tiering_enable_conflict", "ralphCodex.enableModelTiering and ralphCodex.modelTiering.enabled disagree: the first one counts.")
	}
	for _, w := range s.Warnings {
		e.add("settings_value_ignored", w.String()+". The default counts.")
	}
	if q.Untrusted {
		e.add("workspace_untrusted", "The host does not trust this workspace.")
	}
	if q.Untracked >= 2 {
		e.add("workspace_has_untracked_baseline", fmt.Sprintf("%d files outside .ralph are untracked: what an agent adds can't be told from them.", q.Untracked))
	}
	if q.Handoff != "" {
		e.add("session_handoff_available", "The note of the session before is used: "+q.Handoff)
	}
	if e.s.Fallback {
		e.add("memory_summarization_fallback", "The memory summary is the static fallback.")
	}
	for _, text := range q.ProtectedDoctrine {
		e.add(doctrine.CodeProtectedChanged, text)
	}
	for _, f := range e.s.Doctrine.Findings {
		e.add(f.Code, f.Message)
	}
}

func (e *evaluation) files() {
	if len(e.s.Missing) > 0 {
		e.add("ralph_files_missing", "Missing: "+strings.Join(e.s.Missing, ", ")+". `ralphex workspace doctor --fix` makes them.")
	}
	if err := e.s.StateErr; err != nil {
		text := err.Error() + "."
		if h, ok := errors.AsType[interface {
			error
			Hint() string
		}](err); ok {
			text += " " + strings.ToUpper(h.Hint()[:1]) + h.Hint()[1:] + "."
		}
		e.add("state_file_unreadable", text)
	}
	if len(e.q.Created) > 0 {
		e.add("workspace_paths_initialized", "Made: "+strings.Join(e.q.Created, ", ")+".")
	}
	if e.q.StructureMade {
		e.add("structure_definition_generated", e.s.Layout.Rel(e.s.Layout.Structure)+" was made from what the workspace looks like.")
	}
}

func (e *evaluation) artifacts() {
	l, r := e.s.Layout, e.s.Retention
	if t := e.s.Latest.WithoutText; len(t) > 0 {
		e.add("latest_artifact_surfaces_stale", "No Markdown beside: "+some(t)+".")
	}
	if t := e.s.Latest.Dangling; len(t) > 0 {
		e.add("latest_artifact_pointer_targets_missing", "Latest pointers name what is gone: "+some(t)+".")
	}
	for _, dir := range []string{l.Prompts, l.Runs} {
		if layout.Within(l.Artifacts, dir) || layout.Within(dir, l.Artifacts) {
			e.add("artifact_cleanup_root_overlap", fmt.Sprintf("The artifacts folder %s and %s overlap: a cleanup of one would count the other's files.", l.Rel(l.Artifacts), l.Rel(dir)))
		}
	}
	if n := r.Iterations + r.Prompts + r.Runs; e.s.Settings.GeneratedRetention <= 0 && n > 0 {
		e.add("generated_artifact_retention_disabled", fmt.Sprintf("No cleanup is set, and there are %d iteration folders, %d prompts and %d run pairs.", r.Iterations, r.Prompts, r.Runs))
	}
	if e.s.Settings.BundleRetention <= 0 && r.Bundles > 0 {
		e.add("provenance_bundle_retention_disabled", fmt.Sprintf("No cleanup of bundles is set, and there are %d.", r.Bundles))
	}
	if r.ProtectedIterations+r.ProtectedPrompts+r.ProtectedRuns > 0 {
		e.add("generated_artifact_retention_protected_overflow", fmt.Sprintf("References keep more than the newest %d: %d iteration folders, %d prompts, %d run pairs.",
			e.s.Settings.GeneratedRetention, r.ProtectedIterations, r.ProtectedPrompts, r.ProtectedRuns))
	}
	if r.ProtectedBundles > 0 {
		e.add("provenance_bundle_retention_protected_overflow", fmt.Sprintf("References keep more than the newest %d bundles: %d.", e.s.Settings.BundleRetention, r.ProtectedBundles))
	}
}

// some lists the first few of many.
func some(all []string) string {
	const most = 5
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}
