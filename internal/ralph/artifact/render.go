package artifact

import (
	"fmt"
	"strconv"
	"strings"

	"ralphex/internal/ralph/stable"
)

// page is a Markdown text that is being written.
type page struct{ strings.Builder }

func (p *page) heading(text string) { fmt.Fprintf(p, "# %s\n", text) }

func (p *page) section(text string) { fmt.Fprintf(p, "\n## %s\n\n", text) }

// bullet writes a label and its value, in a line. What is missing is none.
func (p *page) bullet(label, value string) {
	if value = stable.OneLine(value); value == "" {
		value = "none"
	}
	fmt.Fprintf(p, "- %s: %s\n", label, value)
}

func (p *page) bullets(o *stable.Object, rows ...[2]string) {
	for _, row := range rows {
		p.bullet(row[0], text(o, row[1]))
	}
}

func (p *page) bytes() []byte { return []byte(stable.Page(p.String())) }

// text is a value as people read it; a path of keys goes down with dots.
func text(o *stable.Object, path string) string {
	key, rest, deeper := strings.Cut(path, ".")
	v, _ := o.Get(key)
	switch v := v.(type) {
	case *stable.Object:
		if deeper {
			return text(v, rest)
		}
	case string:
		return v
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case int:
		return strconv.Itoa(v)
	case *stable.Array:
		var parts []string
		for _, item := range v.Items {
			if s, ok := item.(string); ok {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, "; ")
	}
	return ""
}

// selected is the task of a record.
func selected(o *stable.Object) string {
	id, title := o.Text("selectedTaskId"), o.Text("selectedTaskTitle")
	if title == "" {
		return id
	}
	return id + " - " + title
}

// The five bullets that cleanups read: what they name is spared.
const (
	bulletPrompt           = "Prompt"
	bulletReport           = "Report"
	bulletPreflightReport  = "Preflight report"
	bulletPreflightSummary = "Preflight summary"
	bulletDir              = "Iteration artifact dir"
)

// RenderIteration is summary.md, from latest-result.json.
func RenderIteration(o *stable.Object) []byte {
	var p page
	p.heading("Ralph Iteration " + text(o, "iteration"))
	p.section("Outcome")
	p.bullet("Selected task", selected(o))
	p.bullets(o, [2]string{"Provenance ID", "provenanceId"}, [2]string{"Prompt kind", "promptKind"}, [2]string{"Execution", "executionStatus"},
		[2]string{"Execution message", "executionMessage"}, [2]string{"Verification", "verificationStatus"}, [2]string{"Outcome (selected task)", "completionClassification"},
		[2]string{"Backlog remaining", "backlog.remainingTaskCount"}, [2]string{"Next actionable task", "backlog.actionableTaskAvailable"},
		[2]string{"Follow-up", "followUpAction"}, [2]string{"Stop reason", "stopReason"}, [2]string{"Summary", "summary"})
	p.section("Execution Integrity")
	p.bullets(o, [2]string{"Prompt target", "promptTarget"}, [2]string{"Template", "templatePath"}, [2]string{"Prompt hash", "promptHash"},
		[2]string{"Execution plan hash", "executionPlanHash"}, [2]string{"Payload matched", "executionPayloadMatched"})
	p.section("Validation")
	p.bullets(o, [2]string{"Task validation hint", "taskValidationHint"}, [2]string{"Effective validation command", "effectiveValidationCommand"},
		[2]string{"Validation normalized from", "normalizedValidationCommandFrom"})
	p.section("Diff")
	p.bullets(o, [2]string{"Diff summary", "diffSummaryPath"})
	p.section("Artifact Paths")
	p.bullets(o, [2]string{bulletDir, "artifactDir"}, [2]string{bulletPrompt, "promptArtifactPath"}, [2]string{"Prompt evidence", "promptEvidencePath"},
		[2]string{"Execution plan", "executionPlanPath"}, [2]string{"CLI invocation", "cliInvocationPath"}, [2]string{"Execution summary", "executionSummaryPath"},
		[2]string{"Verifier summary", "verifierSummaryPath"}, [2]string{"Iteration result", "iterationResultPath"}, [2]string{"Remediation", "remediationPath"},
		[2]string{"Transcript", "transcriptPath"}, [2]string{"Last message", "lastMessagePath"}, [2]string{"Stdout", "stdoutPath"}, [2]string{"Stderr", "stderrPath"})
	p.section("Signals")
	p.bullets(o, [2]string{"Completion report", "completionReportStatus"}, [2]string{"Reconciliation warnings", "reconciliationWarnings"},
		[2]string{"Warnings", "warnings"}, [2]string{"Errors", "errors"}, [2]string{"Remediation", "remediation.summary"})
	return p.bytes()
}

// RenderPreflight is a short preflight-summary.md, from the report's JSON.
func RenderPreflight(o *stable.Object) []byte {
	var p page
	p.heading("Ralph Preflight " + text(o, "iteration"))
	p.WriteByte('\n')
	p.bullets(o, [2]string{"Agent ID", "agentId"}, [2]string{"Provenance ID", "provenanceId"}, [2]string{"Trust level", "trustLevel"}, [2]string{"Ready", "ready"},
		[2]string{"Prompt kind", "promptKind"}, [2]string{"Prompt target", "promptTarget"})
	p.bullet("Selected task", selected(o))
	p.bullets(o, [2]string{"Effective validation command", "effectiveValidationCommand"}, [2]string{"Summary", "summary"},
		[2]string{"Active claim state", "activeClaimSummary"}, [2]string{bulletReport, "reportPath"}, [2]string{bulletDir, "artifactDir"})
	p.section("Findings")
	found := o.Objects("diagnostics")
	for _, d := range found {
		fmt.Fprintf(&p, "- %s [%s]: %s\n", d.Text("severity"), d.Text("code"), stable.OneLine(d.Text("message")))
	}
	if len(found) == 0 {
		p.WriteString("- ok\n")
	}
	return p.bytes()
}

// RenderFailure is provenance-failure-summary.md, from the failure's JSON.
func RenderFailure(o *stable.Object) []byte {
	var p page
	p.heading("Ralph Provenance Failure " + text(o, "iteration"))
	p.WriteString("\nNo agent was started: what was prepared is not what would have been handed over.\n")
	p.section("What differs")
	p.bullets(o, [2]string{"Stage", "stage"}, [2]string{"Message", "message"}, [2]string{"Summary", "summary"},
		[2]string{"Expected execution plan hash", "expectedExecutionPlanHash"}, [2]string{"Actual execution plan hash", "actualExecutionPlanHash"},
		[2]string{"Expected prompt hash", "expectedPromptHash"}, [2]string{"Actual prompt hash", "actualPromptHash"},
		[2]string{"Expected payload hash", "expectedPayloadHash"}, [2]string{"Actual payload hash", "actualPayloadHash"})
	p.section("Where")
	p.bullets(o, [2]string{"Provenance ID", "provenanceId"}, [2]string{"Prompt kind", "promptKind"}, [2]string{"Trust level", "trustLevel"},
		[2]string{bulletDir, "artifactDir"}, [2]string{bulletPrompt, "promptArtifactPath"}, [2]string{"Execution plan", "executionPlanPath"}, [2]string{"Time", "createdAt"})
	return p.bytes()
}

// RenderBundle is a bundle's summary.md, from provenance-bundle.json.
func RenderBundle(o *stable.Object) []byte {
	var p page
	p.heading("Ralph Provenance Bundle " + o.Text("provenanceId"))
	p.WriteByte('\n')
	p.bullets(o, [2]string{"Iteration", "iteration"}, [2]string{"Status", "status"}, [2]string{"Trust level", "trustLevel"}, [2]string{"Summary", "summary"})
	p.bullet("Selected task", selected(o))
	p.section("Integrity")
	p.bullets(o, [2]string{"Prompt hash", "promptHash"}, [2]string{"Execution plan hash", "executionPlanHash"}, [2]string{"Payload hash", "executionPayloadHash"},
		[2]string{"Payload matched", "executionPayloadMatched"}, [2]string{"Mismatch", "mismatchReason"})
	p.section("What this proves")
	p.bullets(o, [2]string{"Proven", "epistemicGap.bundleProves"}, [2]string{"Not proven", "epistemicGap.bundleDoesNotProve"},
		[2]string{"Claims of the agent", "epistemicGap.modelClaimsStatus"}, [2]string{"Warnings", "epistemicGap.reconciliationWarnings"})
	p.section("Artifact Paths")
	p.bullets(o, [2]string{"Bundle", "bundleDir"}, [2]string{bulletDir, "artifactDir"}, [2]string{bulletPrompt, "promptArtifactPath"},
		[2]string{bulletPreflightReport, "preflightReportPath"}, [2]string{bulletPreflightSummary, "preflightSummaryPath"}, [2]string{"Execution plan", "executionPlanPath"},
		[2]string{"CLI invocation", "cliInvocationPath"}, [2]string{"Iteration result", "iterationResultPath"}, [2]string{"Provenance failure", "provenanceFailurePath"})
	return p.bytes()
}
