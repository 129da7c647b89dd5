package view

import (
	"time"

	"ralphex/pkg/event"
)

// StalledAfter is how long a run that works may say nothing before it is called stalled.
const StalledAfter = 15 * time.Minute

// RunState is how a run stands; see the package's table.
type RunState string

// The states.
const (
	Active    RunState = "active"
	Waits     RunState = "waiting"
	Paused    RunState = "paused"
	Stalled   RunState = "stalled"
	Completed RunState = "completed"
	Failed    RunState = "failed"
	Aborted   RunState = "aborted"
	Killed    RunState = "killed"
)

// Over tells whether nothing more comes, unless somebody starts the run again.
func (s RunState) Over() bool { return s == Completed || s == Failed || s == Aborted || s == Killed }

// Alive is what is known of a run's process from outside.
type Alive int

// What can be known of a process.
const (
	Unknown Alive = iota // it is another machine's
	Running              // it holds the lock of its run
	Dead                 // nobody holds that lock for this run
)

// Source says where the facts of a run come from.
type Source string

// The sources.
const (
	Journal  Source = "journal"
	Progress Source = "progress" // the text log, of ralphex or another tool that writes the public format
)

// Meta is what a run is known by before the first of its events is read.
type Meta struct {
	ID      string // of the session, in addresses
	Source  Source
	Project string // what a person calls the repository
	Root    string // its folder
	Path    string // of the journal or progress file
	Price   Price  // nil = dollars at list price are not computed
}

// Price tells what tokens cost at list price: those of a session with the model that was asked for (maybe empty), or by the shares of the
// models. known is false where a price is missing. It must give the same for the same.
type Price func(model string, u event.Usage, shares map[string]event.Usage) (usd float64, known bool)

// Run is a row of the list.
type Run struct {
	ID       string        `json:"id"`
	Run      event.RunID   `json:"run,omitempty"`
	Source   Source        `json:"source"`
	Project  string        `json:"project"`
	Root     string        `json:"root"`
	Path     string        `json:"path"`
	Plan     string        `json:"plan,omitempty"`      // slash-separated and relative to Root, where it is in there
	PlanPath string        `json:"plan_path,omitempty"` // absolute; as the run named it, or where it was archived
	Title    string        `json:"title"`               // what to show: the plan's name, "review of BRANCH", what was asked for
	Branch   string        `json:"branch,omitempty"`
	Worktree string        `json:"worktree,omitempty"`
	Mode     string        `json:"mode,omitempty"`
	Executor string        `json:"executor,omitempty"` // that works now
	Host     string        `json:"host,omitempty"`
	Version  string        `json:"version,omitempty"` // of ralphex
	PID      int           `json:"pid,omitempty"`     // of its newest process
	State    RunState      `json:"state"`
	Why      string        `json:"why,omitempty"` // of a state that needs a reason
	Outcome  event.Outcome `json:"outcome,omitempty"`
	Exit     *int          `json:"exit,omitempty"`
	Waiting  *Waiting      `json:"waiting,omitempty"` // of a run that waits, and of one that ended because somebody has to log in, or to answer

	Started time.Time  `json:"started,omitzero"`
	Last    time.Time  `json:"last,omitzero"`   // of the newest event
	Ended   *time.Time `json:"ended,omitempty"` // of a run that is over; of a killed one, its newest event

	Phase     event.Phase `json:"phase,omitempty"`
	Stage     event.Stage `json:"stage,omitempty"`
	Task      int         `json:"task,omitempty"` // position of the task that is worked on, 0 = none
	TaskTitle string      `json:"task_title,omitempty"`
	Section   string      `json:"section,omitempty"` // label of the newest one
	Tasks     Tally       `json:"tasks"`

	Usage    event.Usage `json:"usage"`
	CostUSD  float64     `json:"cost_usd"` // as agents reported it
	ListUSD  float64     `json:"list_usd"` // at API list price, of sessions that reported none
	Sessions int         `json:"sessions"`
	Unpriced int         `json:"unpriced"` // sessions whose dollars nobody knows

	Findings FindingTally `json:"findings"`
	Diff     *DiffStat    `json:"diff,omitempty"` // at the end of the run

	Restarts int      `json:"restarts"`
	Seq      int64    `json:"seq"` // of the newest event that is known
	Can      []string `json:"can"` // control verbs that make sense now
}

// Waiting says what a run waits for.
type Waiting struct {
	For   WaitFor   `json:"for"`
	Since time.Time `json:"since"`
	Until time.Time `json:"until,omitzero"`
	Text  string    `json:"text,omitempty"`
	Agent string    `json:"agent,omitempty"`
}

// WaitFor is the kind of thing that is waited for.
type WaitFor string

// What a run can wait for.
const (
	ForLimit WaitFor = "limit" // of an agent, until a time
	ForInput WaitFor = "input" // an answer, a decision about a draft
	ForLogin WaitFor = "login" // somebody has to log in, or to pay: the run ended for that, and goes on with the same command
	ForDelay WaitFor = "delay" // a short while before it is tried again
)

// Tally counts tasks. Left are done but for items of a person, and counted as done, too.
type Tally struct {
	Total  int `json:"total"`
	Done   int `json:"done"`
	Failed int `json:"failed"`
	Left   int `json:"left"`
}

// FindingTally counts findings by what became of them.
type FindingTally struct {
	Open    int `json:"open"`
	Fixed   int `json:"fixed"`
	Refuted int `json:"refuted"`
}

// DiffStat is what a run changed.
type DiffStat struct {
	Files     int `json:"files"`
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
}
