package prd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/lazyregexp"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// The kinds of drift between an objective and its backlog.
const (
	StaleReference  = "stale_prd_task_reference" // the live objective cites a task that is not there
	OrphanTask      = "orphan_active_task"       // an active task that the live objective says nothing of
	DuplicateActive = "duplicate_active_task"    // active tasks of one title
)

// Drift is one place where the objective and the backlog disagree. It is a proposal to look there: nothing changes either of them.
type Drift struct {
	Type     string   `json:"type"`
	Severity string   `json:"severity"` // warning, info
	Message  string   `json:"message"`
	TaskIDs  []string `json:"taskIds,omitempty"`
}

var (
	citedTask  = lazyregexp.New(`\bT\d+(?:\.\d+)*\b`)
	notInToken = lazyregexp.New(`[^a-z0-9]+`)
	anyLetter  = lazyregexp.New(`[a-z]`)
)

// commonWords say nothing about a task.
var commonWords = []string{"the", "and", "for", "with", "into", "from", "that", "this", "add", "use", "via", "when", "then", "than", "task", "tasks", "ralph", "ralphdex"}

// Reconcile compares an objective with the tasks: stale references first, by id, then orphans in the order of the file, then duplicates. The checks
// are cautious: a healthy workspace has no finding, and a done task that is cited is none. Archived parts of the objective are history and count for
// nothing. It is a pure function.
func Reconcile(objective string, tasks []task.Task) []Drift {
	live := LiveScope(objective)
	known := map[string]bool{}
	for _, t := range tasks {
		known[t.ID] = true
	}
	cited := citedTask.FindAllString(live, -1)
	slices.Sort(cited)
	cited = slices.Compact(cited)
	found := []Drift{}
	for _, id := range cited {
		if !known[id] {
			found = append(found, Drift{StaleReference, "warning", "the live objective cites " + id + ", and there is no such task", []string{id}})
		}
	}
	lower := strings.ToLower(live)
	titles := map[string][]string{}
	var order []string
	for _, t := range tasks {
		if t.Status != task.Todo && t.Status != task.InProgress {
			continue
		}
		title := strings.ToLower(strings.Join(strings.Fields(t.Title), " "))
		if titles[title] == nil {
			order = append(order, title)
		}
		titles[title] = append(titles[title], t.ID)
		if !cites(live, t.ID) && !traceable(t.Title, lower) {
			found = append(found, Drift{OrphanTask, "info", fmt.Sprintf("%s (%s) is active, and the live objective says nothing of it", t.ID, task.Plain(t.Title)), []string{t.ID}})
		}
	}
	for _, title := range order {
		if ids := titles[title]; len(ids) > 1 {
			found = append(found, Drift{DuplicateActive, "warning", fmt.Sprintf("%s are active and have the same title", strings.Join(ids, ", ")), ids})
		}
	}
	return found
}

// cites tells whether a text has an id as a word of its own; ids need not look like T1.
func cites(text, id string) bool {
	for rest := text; id != ""; {
		i := strings.Index(rest, id)
		if i < 0 {
			return false
		}
		before, after := rest[:i], rest[i+len(id):]
		if !strings.HasSuffix(before, ".") && !endsInWord(before) && !startsWord(after) {
			return true
		}
		rest = after
	}
	return false
}

func endsInWord(s string) bool { return s != "" && wordByte(s[len(s)-1]) }

// startsWord tells whether the text goes on with the id, as that of a child (T1.2 behind T1) or a relative (auth-2 behind auth) does.
func startsWord(s string) bool {
	if s == "" || wordByte(s[0]) {
		return s != ""
	}
	return len(s) > 1 && (s[0] == '.' && s[1] >= '0' && s[1] <= '9' || s[0] == '-' && wordByte(s[1]))
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// traceable tells whether a word of the title that means something stands in the text. A title without such words can't be looked for.
func traceable(title, lower string) bool {
	words := 0
	for _, w := range notInToken.Split(strings.ToLower(title), -1) {
		if len(w) < 4 || !anyLetter.MatchString(w) || slices.Contains(commonWords, w) {
			continue
		}
		words++
		if strings.Contains(lower, w) {
			return true
		}
	}
	return words == 0
}

// LiveScope is the part of an objective that is about now: what stands below a level-2 heading with "current scope", "live view" or "live backlog",
// down to the next level-2 heading. An objective without such a heading is live as a whole, less what is archived or delivered by its heading.
func LiveScope(objective string) string {
	var named, rest strings.Builder
	live, archived, hasLive := false, false, false
	fence := ""
	for line := range strings.Lines(objective) {
		if m := fenceRow.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil && (fence == "" || strings.HasPrefix(m[1], fence)) {
			if fence == "" {
				fence = m[1]
			} else {
				fence = ""
			}
		}
		if title, ok := strings.CutPrefix(line, "## "); ok && fence == "" {
			title = strings.ToLower(title)
			live = strings.Contains(title, "current scope") || strings.Contains(title, "live view") || strings.Contains(title, "live backlog")
			archived = strings.Contains(title, "archive") || strings.Contains(title, "delivered")
			hasLive = hasLive || live
			if live {
				continue
			}
		}
		if live {
			named.WriteString(line)
		}
		if !archived {
			rest.WriteString(line)
		}
	}
	if hasLive {
		return named.String()
	}
	return rest.String()
}

// WriteDrift leaves the findings for a person in the artifacts folder, as prd-reconciliation.json and .md. Nothing else is written.
func WriteDrift(artifacts string, found []Drift, now time.Time) (path string, err error) {
	dir, err := durable.OpenDir(artifacts)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	items := make([]any, len(found))
	var md strings.Builder
	fmt.Fprintf(&md, "# PRD / backlog reconciliation\n\n- Generated: %s\n- Findings: %d\n\n", stable.Time(now), len(found))
	for i, f := range found {
		o := &stable.Object{}
		o.Set("type", f.Type)
		o.Set("severity", f.Severity)
		o.Set("message", f.Message)
		if len(f.TaskIDs) > 0 {
			o.Set("taskIds", f.TaskIDs)
		}
		items[i] = o
		fmt.Fprintf(&md, "- **%s** [%s]: %s\n", f.Severity, f.Type, f.Message)
	}
	o := &stable.Object{}
	o.Set("schemaVersion", 1)
	o.Set("kind", "prdReconciliation")
	o.Set("generatedAt", stable.Time(now))
	o.Set("findingCount", len(found))
	o.Set("findings", items)
	if err := dir.WriteFile("prd-reconciliation.md", []byte(stable.Page(md.String())), 0o640); err != nil {
		return "", err
	}
	return filepath.Join(artifacts, "prd-reconciliation.json"), dir.WriteFile("prd-reconciliation.json", stable.Marshal(o), 0o640)
}
