package layout

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const iterationPrefix = "iteration-"

// Number writes an iteration's number as file names have it: at least three digits.
func Number(n int) string { return fmt.Sprintf("%03d", n) }

// IterationName is the folder name of an iteration: iteration-042.
func IterationName(n int) string { return iterationPrefix + Number(n) }

// ParseIteration reads the number of an iteration's folder name. Only names that IterationName writes, or wrote with other padding, count.
func ParseIteration(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, iterationPrefix)
	if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// Iteration is what one iteration may leave in its folder (resolveIterationArtifactPaths in the seed).
type Iteration struct {
	Number int
	Dir    string
	PreflightFiles

	Prompt, PromptEvidence, ContextEnvelope, ExecutionPlan string
	CLIInvocation, CompletionReport, Stdout, Stderr        string
	GitDiff, DiffSummary, TaskState                        string
	GitStatusBefore, GitStatusAfter                        string
	ExecutionSummary, VerifierSummary, Result, Summary     string
	Remediation, PlanningGate, DoctrineProposal            string
}

// PreflightFiles are the two files of a preflight.
type PreflightFiles struct {
	PreflightReport  string // preflight-report.json
	PreflightSummary string // preflight-summary.md
}

// Iteration returns the paths of iteration n, which allocateIteration gave out: a number that was only read from a snapshot may be
// somebody else's by now.
func (l Layout) Iteration(n int) Iteration {
	dir := filepath.Join(l.Artifacts, IterationName(n))
	in := func(name string) string { return filepath.Join(dir, name) }
	return Iteration{
		Number: n, Dir: dir, PreflightFiles: l.Preflight(n),
		Prompt: in("prompt.md"), PromptEvidence: in("prompt-evidence.json"), ContextEnvelope: in("context-envelope.json"),
		ExecutionPlan: in("execution-plan.json"), CLIInvocation: in("cli-invocation.json"), CompletionReport: in("completion-report.json"),
		Stdout: in("stdout.log"), Stderr: in("stderr.log"), GitDiff: in("git-diff.json"), DiffSummary: in("diff-summary.json"),
		TaskState: in("task-state.json"), GitStatusBefore: in("git-status-before.txt"), GitStatusAfter: in("git-status-after.txt"),
		ExecutionSummary: in("execution-summary.json"), VerifierSummary: in("verifier-summary.json"),
		Result: in("iteration-result.json"), Summary: in("summary.md"), Remediation: in("task-remediation.json"),
		PlanningGate: in("planning-gate-result.json"), DoctrineProposal: in("doctrine-proposal.json"),
	}
}

// Preflight returns the preflight's files of iteration n (resolvePreflightArtifactPaths in the seed).
func (l Layout) Preflight(n int) PreflightFiles {
	dir := filepath.Join(l.Artifacts, IterationName(n))
	return PreflightFiles{filepath.Join(dir, "preflight-report.json"), filepath.Join(dir, "preflight-summary.md")}
}

// PromptFile is the convenience copy of a prompt, .ralph/prompts/<kind>-NNN.prompt.md.
func (l Layout) PromptFile(kind string, n int) string {
	return filepath.Join(l.Prompts, kind+"-"+Number(n)+".prompt.md")
}

// RunFiles are the transcript and the last message of an iteration, in .ralph/runs.
func (l Layout) RunFiles(kind string, n int) (transcript, lastMessage string) {
	base := filepath.Join(l.Runs, kind+"-"+Number(n))
	return base + ".transcript.md", base + ".last-message.md"
}

// Bundle is the folder of a run's provenance bundle. An id that is no plain name is refused: it comes from files that anybody can edit.
func (l Layout) Bundle(provenanceID string) (string, error) {
	return plainBelow(l.Bundles, provenanceID)
}

// What the store itself puts into the artifacts folder.
var (
	ownNames    = []string{"runs", "watchdog", "task-seeding", ".gitignore"}
	ownPrefixes = []string{iterationPrefix, "latest-", "index.json", "cleanup-manifest", "prd-reconciliation"}
)

// TaskDir is the folder of a task's own artifacts: plan, review, failure analysis. A task that is called as something of the store's own has none: what it
// keeps would be in the way there, or be taken for something old.
func (l Layout) TaskDir(taskID string) (string, error) {
	name := strings.ToLower(taskID) // file systems may not tell apart what differs by case alone
	begins := func(with string) bool { return strings.HasPrefix(name, with) }
	if slices.Contains(ownNames, name) || slices.ContainsFunc(ownPrefixes, begins) {
		return "", fmt.Errorf("%q can't be the name of a task's folder in %s: files of the store are called so", taskID, l.Artifacts)
	}
	return plainBelow(l.Artifacts, taskID)
}

func plainBelow(dir, name string) (string, error) {
	if name == "" || name == "." || !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
		return "", fmt.Errorf("%q can't be the name of a folder in %s: expected a plain name without slashes", name, dir)
	}
	return filepath.Join(dir, name), nil
}

// Latest are the stable pointers: copies of the newest artifact of each kind, in the artifacts folder.
type Latest struct {
	Summary, Result                       string
	PreflightReport, PreflightSummary     string
	Prompt, PromptEvidence, ExecutionPlan string
	CLIInvocation, Remediation            string
	ProvenanceBundle, ProvenanceSummary   string
	ProvenanceFailure                     string
}

// Latest returns the pointers' paths.
func (l Layout) Latest() Latest {
	in := func(name string) string { return filepath.Join(l.Artifacts, "latest-"+name) }
	return Latest{
		Summary: in("summary.md"), Result: in("result.json"),
		PreflightReport: in("preflight-report.json"), PreflightSummary: in("preflight-summary.md"),
		Prompt: in("prompt.md"), PromptEvidence: in("prompt-evidence.json"), ExecutionPlan: in("execution-plan.json"),
		CLIInvocation: in("cli-invocation.json"), Remediation: in("remediation.json"),
		ProvenanceBundle: in("provenance-bundle.json"), ProvenanceSummary: in("provenance-summary.md"),
		ProvenanceFailure: in("provenance-failure.json"),
	}
}

// Paths lists them in a fixed order.
func (p Latest) Paths() []string {
	return []string{p.Summary, p.Result, p.PreflightReport, p.PreflightSummary, p.Prompt, p.PromptEvidence, p.ExecutionPlan,
		p.CLIInvocation, p.Remediation, p.ProvenanceBundle, p.ProvenanceSummary, p.ProvenanceFailure}
}
