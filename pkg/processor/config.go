package processor

import (
	"context"
	"os"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/finding"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// Mode selects the phases and their order.
type Mode string

// The modes, as the progress file names them.
const (
	ModeFull      Mode = "full"
	ModeTasksOnly Mode = "tasks-only"
	ModeReview    Mode = "review"
	ModeCodexOnly Mode = "codex-only" // the external review, whichever tool does it
	ModePlan      Mode = "plan"       // a plan is made, together with a person; the agent of tasks is the one who drafts
)

// Schedule says when the work of tasks is reviewed.
type Schedule string

// The schedules, as the `review` key names them.
const (
	ReviewEnd   Schedule = "end"   // once, behind the last task
	ReviewTask  Schedule = "task"  // behind each task, what came since the last review
	ReviewGroup Schedule = "group" // behind the last task of those that stand under one heading of level 1 or 2, likewise
	ReviewNone  Schedule = "none"  // not at all: neither by the reviewer nor by the external tool
)

// Config is what a Runner needs to know about a run. Durations of 0 switch a limit off.
type Config struct {
	Mode     Mode
	Root     string // repository root, working folder of every session
	PlanPath string // absolute; empty without a plan
	Plan     *plan.Plan

	TaskPrompt Template
	Prompts    Prompts
	Vars       map[string]string // of the templates: PROGRESS_FILE, GOAL, …; PLAN_FILE is filled in at each use
	Model      string            // of tasks
	Effort     string
	Env        []string // environment of sessions; nil = ours
	Keep       []string // commands of children that outlive a session on purpose

	ReviewModel   Model
	ExternalModel Model

	IdleTimeout     time.Duration
	SessionTimeout  time.Duration
	ExternalTimeout time.Duration // of a session of the external tool, which the other two don't hold for; 0 = its own
	Grace           time.Duration // between the polite and the hard end of a session; 0 = the executor's own
	BackgroundWait  time.Duration // how long background work may keep a session alive behind its last turn; 0 = no limit of its own
	Sessions        int           // sessions that an earlier process of this run already had

	Run    event.RunID
	Budget Budget
	// Notes are what persons want the next session to know; nil = nobody does. Those that a SessionStart names are not asked for again.
	Notes func() []Note
	// Stream says where the raw stream of the session with that number is kept; nil = nowhere.
	Stream func(n int) Stream
	// Record keeps evidence of the session that is about to begin; nil = none is kept. An error refuses the session: no process is started.
	Record func(context.Context, Launch) (Recorded, error)

	WaitOnLimit      time.Duration                         // 0 = a limit ends the run
	Waiting          event.Wait                            // the wait that an earlier process of this run was in; zero = none
	Nudge            func(context.Context) <-chan struct{} // told when somebody wants a wait to end; nil = nobody can; ends with ctx
	TransientRetries int                                   // how often a session that the server failed is tried again
	RetryDelay       time.Duration                         // the first pause of those, doubled each time
	Resumes          int                                   // how often a session that ended too early is asked to go on

	Site phase.SiteOptions // of all phases
	Task phase.TaskOptions

	Review        Schedule          // "" = end; the modes review and codex-only don't ask it
	Reviews       map[string]string // the same of tasks whose plan says so, by phase.Key, as it stood when the run began: an agent has no say in who looks at its work
	Tasks         int               // how many there were then
	Unreviewed    string            // why a full run can't have its work reviewed, like ReviewNone; empty = it can
	MaxIterations int               // of tasks, from which the rounds of reviews follow; 0 = 50
	ReviewLabel   string            // of the reviewer in headings: "claude"; empty where the public format leaves it out
	ReportOnly    bool              // of ModeReview: one pass that changes nothing
	Tool          Tool              // the external one; what is asked in its name is Executors.External
	Finalize      bool
	From          event.Stage // stages before it are passed over; empty = none
	Earlier       Earlier
	Create        Create // of ModePlan
}

// Create is what plan creation needs to know.
type Create struct {
	ToolWrites bool         // the accepted draft is written without a session
	Talk       []event.Data // the conversation of an earlier process of the run; see journal.State
}

// Model is what an agent is asked for; empty = its own choice.
type Model struct{ Name, Effort string }

// Tool is the external reviewer.
type Tool struct {
	Name     string // in headings, notes and commit messages: "codex"
	Heading  string // of its rounds, where that is another: "custom review"
	Max      int    // rounds; 0 = by MaxIterations
	Patience int    // rounds in a row that change nothing until it is given up; 0 = 1
	Message  string // of the commits with what it found; empty = "fix: address NAME review findings"
}

// Earlier is what an earlier process of this run did of the pipeline; see internal/journal.
type Earlier struct {
	Ended    map[event.Stage]event.PhaseEnd      // stages that came to their end
	Rounds   map[event.Stage][]event.ReviewRound // of stages that did not
	Said     *event.Opinion                      // what the external tool said in a round that did not come to its end; nil = nothing
	Reviewed string                              // the revision up to which the work is reviewed; empty = none
	Ledger   *finding.Ledger                     // nil = empty
}

// Prompts are the templates beside that of tasks.
type Prompts struct {
	ReviewFirst  Template
	ReviewSecond Template // of the loop
	External     Template
	Evaluation   Template // of what the external tool found
	Finalize     Template
	Plan         Template // of plan creation; its variable PLAN_DESCRIPTION is one of Config.Vars
}

// Stream is where the raw stream of a session is kept. The zero value keeps none.
type Stream struct {
	Path    string   // absolute
	Name    string   // as the journal names it
	Max     int64    // bytes; 0 = the executor's own limit
	Secrets []string // texts that are kept out of it, beside those of the environment
}

// kept is the name, if the executor made the file: not every one has a stream.
func (s Stream) kept() string {
	if _, err := os.Stat(s.Path); err != nil {
		return ""
	}
	return s.Name
}

func (c Config) stream(n int) Stream {
	if c.Stream == nil {
		return Stream{}
	}
	return c.Stream(n)
}

// iterations is the number that the rounds of reviews follow from.
func (c Config) iterations() int {
	if c.MaxIterations > 0 {
		return c.MaxIterations
	}
	return 50
}

// Parts are the collaborators of a run; all are needed, but for Keeper, Deletions, Lease and Inspect. Without a plan there is no Gate.
// Shelf, Check and Clean are for ModePlan.
type Parts struct {
	Log       phase.Log
	Tree      phase.Tree
	Committer phase.Committer
	Gate      phase.Gate
	Keeper    phase.Keeper
	Deletions phase.Deletions
	Lease     phase.Lease
	Inspect   phase.Inspect
	Shelf     phase.Shelf
	Check     func(draft string) []string
	Clean     func(event.Data) event.Data
}

// Executors are the agents of the phases.
type Executors struct {
	Task     executor.Executor
	Review   executor.Executor // of reviews, evaluations and the last step; nil = Task. It never goes on with a session of the author's
	External executor.Executor // nil = there is no external review
	// Fallbacks stand in for the agent of tasks, in this order, while it is limited, logged out or missing; ReviewFallbacks for that of
	// reviews; ExternalFallbacks for the external tool: nobody who reviews anyway, since it is another eye, or none. A template is asked for
	// the words of each of them.
	Fallbacks         []executor.Executor
	ReviewFallbacks   []executor.Executor
	ExternalFallbacks []executor.Executor
}

// tool is the external reviewer, with what follows from the rest where nothing is said of it.
func (c Config) tool(ex executor.Executor) Tool {
	t := c.Tool
	if t.Name == "" {
		t.Name = ex.Name()
	}
	if t.Max <= 0 {
		t.Max = max(3, c.iterations()/5)
	}
	return t
}

// base is the revision that a review looks from; empty = the base of the run. Where commits grow there is only that one.
func (c Config) base(since vcs.Rev) vcs.Rev {
	if c.Site.Line.Grows() {
		return ""
	}
	return since
}
