package phase

import (
	"context"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// Log receives what happens; task is the 1-based position, 0 for none.
type Log interface {
	Emit(task int, d event.Data)
}

// Plans finds the plan where it is now and reads it.
type Plans interface {
	Load() (*plan.Plan, error)
	Path() string // absolute, as last found
}

// Prompt is what a session is told, in the words of the agent that gets it, by the agent's name: each starts reviewers in a way of
// its own, and who stands in for another is known only when the session begins. nil is no text.
type Prompt func(agent string) string

// Told is a prompt that is the same for all agents.
func Told(text string) Prompt { return func(string) string { return text } }

// For is the text for an agent.
func (p Prompt) For(agent string) string {
	if p == nil {
		return ""
	}
	return p(agent)
}

// Prompts renders the prompt of a session.
type Prompts interface {
	Task(TaskPrompt) (Prompt, error)
}

// TaskPrompt is what a task prompt is made of.
type TaskPrompt struct {
	Position int
	Task     plan.Task
	Attempt  int    // 1-based
	Failure  string // what went wrong in the attempt before: gate output, hook text; empty = nothing
	// Unfinished are uncommitted paths of earlier sessions of this run: theirs were cut off, or did not finish.
	Unfinished []string
}

// Sessions runs one agent session under the policy of limits and time-outs.
type Sessions interface {
	Run(ctx context.Context, s Session) (executor.Result, error)
}

// Session is a session to be run.
type Session struct {
	Prompt   Prompt
	Position int
	Plan     string
	Head     string   // before the session
	Dirty    []string // before the session

	// Renew is asked for the session as it is to be run once more, after one that ended so, at a limit or a failure of the
	// server: the tree may have changed meanwhile. nil = as it is.
	Renew func(context.Context, Session, executor.Result) (Session, error)
	// Finished tells whether what the session is for stands in the plan already; then its last words don't matter. nil = never.
	Finished func() bool
}

// Tree answers what the repository looks like.
type Tree interface {
	Head(context.Context) (vcs.Head, error)
	Status(context.Context) (vcs.Status, error)
	FingerprintOf(context.Context, vcs.Status) (vcs.Fingerprint, error)
	IsAncestor(ctx context.Context, a, b vcs.Rev) (bool, error)
	Log(ctx context.Context, from, to vcs.Rev, limit int) ([]vcs.LogEntry, error)
}

// operated is a Tree that knows of unfinished merges and the like; see vcs.Repo.
type operated interface {
	InProgress(ctx context.Context) (string, error)
}

// amender is a Tree in which commits may be replaced by others; see vcs.Grower.
type amender interface {
	Amended(ctx context.Context, a, b vcs.Rev) (bool, error)
}

// lister is a Tree that names the files of a change; see vcs.ChangeLister.
type lister interface {
	Changed(ctx context.Context, from, to vcs.Rev) ([]string, error)
}

// Committer records what a session left.
type Committer interface {
	Commit(context.Context, vcs.CommitRequest) (vcs.CommitResult, error)
	TreeHash(context.Context, vcs.Rev) (string, error)
}

// Keeper puts a copy of the working tree away before something may be lost. It tells the run's log itself.
type Keeper interface {
	// Keep returns the name of the copy, "" if there was nothing to keep.
	Keep(ctx context.Context, position int, why string) (string, error)
}

// Gate runs the frozen validation commands.
type Gate interface {
	Check(ctx context.Context, position int) (Verdict, error)
	Commands() int
}

// Verdict is what the gate found.
type Verdict struct {
	Green    bool
	Evidence string // hash over all outputs: a new one is new evidence
	Failure  string // for the next prompt: each red command, its exit and the tail of its output
	Summary  string // one line: "go test ./... exited with 1"
}

// ValidateMode says what a red gate means.
type ValidateMode string

// The modes of the `validate` key.
const (
	ValidateGate   ValidateMode = "gate"   // a red gate keeps the task from being done
	ValidateReport ValidateMode = "report" // it is reported, the task is done unproven
	ValidateOff    ValidateMode = "off"    // no command is run
)

// TaskOptions are the settings of the task phase, beside those of its Site. Its zero value runs one iteration a task without retry.
type TaskOptions struct {
	MaxIterations int // 0 = by the size of the plan
	Delay         time.Duration
	RetryDelay    time.Duration // after time-outs and overload, doubled up to 64 times
	Retries       int           // task_retry_count: red gates and TASK_FAILED, one counter a task
	Frozen        []event.Command
	Resume        Resume
}

// Resume is what an earlier process of this run already established.
type Resume struct {
	Active   bool
	Proven   []string       // keys of tasks that are done for a fact
	Attempts map[string]int // failed attempts a task key
	Skipped  []string       // keys of tasks that somebody ordered to leave open
	Skipping []string       // the same, of which nothing was done about it yet
	Unseen   []string       // keys of tasks that were proven since Between last looked
}

// Report is what the task phase came to.
type Report struct {
	Done        int        // tasks that were finished by this run
	Left        []LeftItem // boxes that a person must do
	PlanChanges []string   // validation commands or open boxes that changed or vanished during the run
	Skipped     []int      // positions of tasks that somebody ordered to leave open
	Unproven    bool       // at least one task is done without a green gate
	Kept        []string   // the user's dirty paths that a session touched too: left uncommitted
	Swept       []string   // the user's dirty paths that a session or hook committed, or a session undid
	Sessions    int

	Reviewed    []event.Stage // review stages that were run, one entry for each time
	Findings    FindingCount  // of all reviews
	Interrupted []event.Stage // stages that a person ended before they were through: what they would have found is not known
	Look        []string      // what a person should look at before this counts as done

	Created string // the plan that was made, slash-separated and relative to the root
}

// FindingCount sums up what reviewers named and what became of it.
type FindingCount struct {
	Found, Fixed, Refuted, Open int
}

// LeftItem is a box left for a person.
type LeftItem struct {
	Position int    `json:"position"`
	Box      int    `json:"box"`
	Line     int    `json:"line"`
	Task     string `json:"task"`
	Text     string `json:"text"`
}
