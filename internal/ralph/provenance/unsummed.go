package provenance

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/ralph/artifact"
)

// PlanningPrompt is what the session that the readiness gate asks is told, in the iteration's folder.
const PlanningPrompt = "planning-prompt.md"

// summedOfIteration are files of an iteration's folder that have their sum, beside those that a bundle has copies of.
var summedOfIteration = []string{"context-envelope.json", "completion-report.json", "stdout.log", "stderr.log", "git-diff.json", "diff-summary.json", "task-state.json",
	"git-status-before.txt", "git-status-after.txt", "execution-summary.json", "verifier-summary.json", "task-remediation.json", "planning-gate-result.json",
	"doctrine-proposal.json", PlanningPrompt, "planning-response.md", "planning-invocation.json"}

// ended tells whether the session was seen to its end: all its files have sums then.
func (c *check) ended(want map[string][]string) bool {
	return c.Status == Executed || c.Status == Blocked || want[filepath.Join(c.dir, "iteration-result.json")] != nil
}

// unsummed looks for files beside those that have sums. One that a session leaves is a difference, since its line was taken out; any other came later.
func (c *check) unsummed(want map[string][]string) {
	folders := []string{c.dir}
	if c.Iteration > 0 {
		folders = append(folders, c.l.Iteration(c.Iteration).Dir)
	}
	var later []string
	for _, dir := range folders {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // a folder that can't be read was told of with its files
			if err != nil || d.IsDir() || want[path] != nil || dir == c.dir && slices.Contains(growing, d.Name()) {
				return nil
			}
			switch {
			case c.Status == Blocked && (path == c.l.Iteration(c.Iteration).Prompt || path == c.l.Iteration(c.Iteration).ExecutionPlan || d.Name() == PlanningPrompt):
				// One of these was changed, and the launch blocked: the bundle has them as they were.
			case c.ended(want) && leftBySession(path):
				c.differs(path, SumsFile+" does not name it", "", "")
			default:
				later = append(later, c.l.Rel(path))
			}
			return nil
		})
	}
	if len(later) > 0 {
		c.Notes = append(c.Notes, "came after the sums, and nothing is known of it: "+strings.Join(later, ", "))
	}
}

// leftBySession tells whether a file has a name that only sessions give.
func leftBySession(path string) bool {
	name := filepath.Base(path)
	return slices.Contains(summed, name) || slices.Contains(summedOfIteration, name) || strings.HasPrefix(name, "validation-command") ||
		filepath.Base(filepath.Dir(path)) == "validation"
}

// ending notes what a bundle that tells of no execution is.
func (c *check) ending(want map[string][]string) {
	switch {
	case c.Status != Prepared:
	case c.ended(want):
		c.Notes = append(c.Notes, "no session of its task was started: "+c.bundle.Text("summary"))
	case c.Trust == artifact.PreparedOnly:
		c.Notes = append(c.Notes, "its prompt was prepared for a session elsewhere: nothing is known of what was executed")
	default:
		c.Notes = append(c.Notes, "it was prepared and is not finished: nothing is known of what was executed")
	}
}
