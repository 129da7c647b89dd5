package view

import (
	"time"

	"ralphex/pkg/event"
)

// Detail is all that is shown of one run, but for its log. Lists are in the order of the events, and never nil. Texts that may be large
// and are not its own to show are cut: the log, and the facts of the repository, have them whole.
type Detail struct {
	Run
	Request    string          `json:"request,omitempty"` // what a plan is made for
	StartHead  string          `json:"start_head,omitempty"`
	Provenance string          `json:"provenance,omitempty"` // the run's name in the .ralph store
	Budget     *event.Budget   `json:"budget,omitempty"`     // of its newest process; run is with what was added
	Commands   []event.Command `json:"commands"`             // validation commands, frozen
	Dirty      []string        `json:"dirty"`                // the user's paths at the start: never committed by the run
	Done       []string        `json:"done_before"`          // keys of the tasks that were done at the start

	Stages      []StageSpan  `json:"stages"`
	TaskList    []Task       `json:"task_list"` // by position
	SessionList []Session    `json:"session_list"`
	Rounds      []Round      `json:"rounds"`
	Gates       []Gate       `json:"gates"`
	Commits     []Commit     `json:"commits"`
	Waits       []Span       `json:"waits"`
	Pauses      []Span       `json:"pauses"`
	Processes   []Process    `json:"processes"`
	Spend       []SpendPoint `json:"spend"`
	FindingList []Finding    `json:"finding_list"`
	Question    *Question    `json:"question,omitempty"` // that nobody has answered
	Draft       *Draft       `json:"draft,omitempty"`    // that nobody has decided about
	PlanFile    *PlanFile    `json:"plan_file,omitempty"`
	Talk        []Talk       `json:"talk"`  // questions, drafts and decisions of a run that makes a plan
	Notes       []Note       `json:"notes"` // the newest MaxNotes
	Orders      []Order      `json:"orders"`
	Sections    []Section    `json:"sections"`
	Survivors   []Survivor   `json:"survivors"`
	Copies      []Copy       `json:"copies"` // of the working tree, put away before something could be lost
	Switches    []Switch     `json:"switches"`
	SetAside    []SetAside   `json:"set_aside"`
	Models      []CostRow    `json:"models"` // by name
	Phases      []CostRow    `json:"phases"` // in the order in which they first cost something
}

// What a Detail has of things of which there may be very many.
const (
	MaxNotes = 200 // the newest
	MaxPaths = 200 // of each list of paths
	MaxTail  = 1 << 10
	maxSpend = 600 // points; of more, every second one goes
)

// StageSpan is a stage of the pipeline.
type StageSpan struct {
	Stage       event.Stage `json:"stage"`
	Phase       event.Phase `json:"phase"`
	Started     time.Time   `json:"started,omitzero"`
	Ended       *time.Time  `json:"ended,omitempty"`
	Skipped     string      `json:"skipped,omitempty"` // why
	Err         string      `json:"err,omitempty"`
	Interrupted bool        `json:"interrupted,omitempty"`
	Changed     bool        `json:"changed,omitempty"`
	Killed      bool        `json:"killed,omitempty"` // its process died in it; Ended is what was heard last
	Seq         int64       `json:"seq"`
}

// TaskState is how a task stands.
type TaskState string

// The states of a task.
const (
	TaskPending TaskState = "pending"
	TaskActive  TaskState = "active"
	TaskDone    TaskState = "done"
	TaskFailed  TaskState = "failed"
	TaskLeft    TaskState = "left"
	TaskSkipped TaskState = "skipped"
)

// Task is what is known of the task at a position. Tasks that nobody has begun are in the plan only.
type Task struct {
	Pos       int           `json:"pos"` // 1-based
	ID        string        `json:"id,omitempty"`
	Title     string        `json:"title"`
	State     TaskState     `json:"state"`
	Outcome   event.Outcome `json:"outcome,omitempty"`
	Reason    string        `json:"reason,omitempty"`
	Attempts  []Attempt     `json:"attempts"`
	Started   time.Time     `json:"started,omitzero"`
	Ended     *time.Time    `json:"ended,omitempty"`
	Commit    string        `json:"commit,omitempty"`
	Tree      string        `json:"tree,omitempty"`
	Usage     event.Usage   `json:"usage"`
	CostUSD   float64       `json:"cost_usd"`
	ListUSD   float64       `json:"list_usd"`
	Sessions  int           `json:"sessions"`
	Unpriced  int           `json:"unpriced"`
	Elapsed   time.Duration `json:"elapsed_ns"` // of its attempts that ended
	LeftHuman int           `json:"left_for_person"`
	Open      int           `json:"open"`  // boxes, at its newest start
	Total     int           `json:"total"` // likewise
	Ticks     int           `json:"ticks"` // boxes that are ticked since, less those that were reopened
	Seq       int64         `json:"seq"`   // of its first event

	// Replaced says that the plan was edited, and another task was begun at its position since: where it is now is not known.
	Replaced bool `json:"replaced,omitempty"`
}

// Attempt is one go at a task: from task_start to task_end.
type Attempt struct {
	N         int           `json:"n"` // 1-based, of this list
	Iteration int           `json:"iteration,omitempty"`
	Started   time.Time     `json:"started"`
	Ended     *time.Time    `json:"ended,omitempty"`
	Outcome   event.Outcome `json:"outcome,omitempty"`
	Reason    string        `json:"reason,omitempty"`
	Killed    bool          `json:"killed,omitempty"`
	Sessions  []int         `json:"sessions"` // numbers
	Seq       int64         `json:"seq"`
}

// Session is one session of an agent.
type Session struct {
	N         int           `json:"n"`
	Task      int           `json:"task,omitempty"`
	Phase     event.Phase   `json:"phase,omitempty"`
	Stage     event.Stage   `json:"stage,omitempty"`
	Executor  string        `json:"executor"`
	Model     string        `json:"model,omitempty"` // that was asked for
	Started   time.Time     `json:"started"`
	Ended     *time.Time    `json:"ended,omitempty"`
	Elapsed   time.Duration `json:"elapsed_ns"`
	Exit      string        `json:"exit,omitempty"`
	Cause     string        `json:"cause,omitempty"`
	Failure   string        `json:"failure,omitempty"`
	Message   string        `json:"message,omitempty"`
	Killed    bool          `json:"killed,omitempty"` // it ended with its ralphex
	Usage     event.Usage   `json:"usage"`            // so far, of one in flight
	CostUSD   float64       `json:"cost_usd"`
	ListUSD   float64       `json:"list_usd"`
	Priced    bool          `json:"priced"` // its dollars are known
	Head      string        `json:"head,omitempty"`
	Evidence  string        `json:"evidence,omitempty"`
	Iteration int           `json:"iteration,omitempty"`
	Claims    []Claim       `json:"claims"`
	Seq       int64         `json:"seq"`

	models map[string]event.Usage // the shares that the agent named
	cost   dollars
}

// Claim is a signal of the agent. It is no fact.
type Claim struct {
	Seq     int64  `json:"seq"`
	Signal  string `json:"signal"`
	Problem string `json:"problem,omitempty"`
}

// Round is a round of a review.
type Round struct {
	Seq      int64             `json:"seq"`
	Stage    event.Stage       `json:"stage"`
	N        int               `json:"n"` // 0 = first pass
	Reviewer string            `json:"reviewer"`
	Found    int               `json:"found"`
	New      int               `json:"new"`
	Returned int               `json:"returned"`
	Changed  bool              `json:"changed"`
	Red      bool              `json:"red"`
	Result   event.RoundResult `json:"result"`
	Started  time.Time         `json:"started,omitzero"`
	Ended    time.Time         `json:"ended"`
	Head     string            `json:"head,omitempty"`
	Words    string            `json:"words,omitempty"` // how its evaluation ended, the last MaxTail bytes
}

// Gate is a run of the validation commands.
type Gate struct {
	Seq      int64         `json:"seq"` // of its start: its name in addresses
	Task     int           `json:"task,omitempty"`
	Phase    event.Phase   `json:"phase,omitempty"`
	Started  time.Time     `json:"started"`
	Ended    *time.Time    `json:"ended,omitempty"`
	Elapsed  time.Duration `json:"elapsed_ns"`
	Green    *bool         `json:"green,omitempty"` // nil: it goes on, or was cut off
	Killed   bool          `json:"killed,omitempty"`
	Total    int           `json:"total"` // commands it has to run
	Commands []GateCommand `json:"commands"`
	Tree     string        `json:"tree,omitempty"`
	Evidence string        `json:"evidence,omitempty"`
	Created  []string      `json:"created,omitempty"`
}

// GateCommand is one of its commands that ended.
type GateCommand struct {
	Command    string        `json:"command"`
	Exit       int           `json:"exit"`
	Cause      string        `json:"cause,omitempty"`
	Elapsed    time.Duration `json:"elapsed_ns"`
	OutputFile string        `json:"output_file,omitempty"`
	OutputHash string        `json:"output_sha256,omitempty"`
	Tail       string        `json:"tail,omitempty"` // of a command that failed, the last MaxTail bytes
}

// Commit is a revision that appeared.
type Commit struct {
	Seq      int64       `json:"seq"`
	Time     time.Time   `json:"time"`
	Task     int         `json:"task,omitempty"`
	Phase    event.Phase `json:"phase,omitempty"`
	Rev      string      `json:"rev"`
	Message  string      `json:"message"`
	By       string      `json:"by"`
	Paths    []string    `json:"paths"` // MaxPaths at most
	Replaced string      `json:"replaced,omitempty"`
}

// Span is a wait or a pause.
type Span struct {
	Seq    int64      `json:"seq"`
	From   time.Time  `json:"from"`
	Until  *time.Time `json:"until,omitempty"` // it was over; nil: it goes on
	Due    *time.Time `json:"due,omitempty"`   // when it is to be over, where that is known
	Reason string     `json:"reason,omitempty"`
	By     string     `json:"by,omitempty"` // who ordered a pause; the agent whose limit it is
}

// Process is one process of the run: each restart begins another one.
type Process struct {
	Seq     int64      `json:"seq"`
	PID     int        `json:"pid"`
	Host    string     `json:"host,omitempty"`
	Started time.Time  `json:"started"`
	Ended   *time.Time `json:"ended,omitempty"`
	Killed  bool       `json:"killed,omitempty"` // it had no last words
	Reason  string     `json:"reason,omitempty"` // why it began again
}

// SpendPoint is what the run had used up at a time, all in all.
type SpendPoint struct {
	Time    time.Time `json:"time"`
	Task    int       `json:"task,omitempty"`
	Session int       `json:"session"`
	Tokens  int64     `json:"tokens"`
	USD     float64   `json:"usd"` // reported, and at list price where nothing was
}

// Finding is what a reviewer named, and what became of it.
type Finding struct {
	ID          string      `json:"id"`
	File        string      `json:"file"`
	Line        int         `json:"line,omitempty"`
	EndLine     int         `json:"end_line,omitempty"`
	Also        []int       `json:"also,omitempty"`
	Severity    string      `json:"severity,omitempty"`
	Text        string      `json:"text"`
	Source      string      `json:"source,omitempty"`
	Reviewer    string      `json:"reviewer,omitempty"`
	Rule        string      `json:"rule,omitempty"`
	Disposition string      `json:"disposition"`
	Reason      string      `json:"reason,omitempty"`
	Commit      string      `json:"commit,omitempty"`
	Stage       event.Stage `json:"stage,omitempty"`
	Round       int         `json:"round"`     // in which it was named last
	FirstSeq    int64       `json:"first_seq"` // of the fact that named it first
	Seq         int64       `json:"seq"`       // of the fact that holds
}

// Question is put to a person.
type Question struct {
	Seq      int64     `json:"seq"`
	Time     time.Time `json:"time"`
	Question string    `json:"question"`
	Options  []string  `json:"options"`
	Context  string    `json:"context,omitempty"`
}

// Draft is a plan that waits for a person's decision.
type Draft struct {
	Seq      int64     `json:"seq"`
	Time     time.Time `json:"time"`
	N        int       `json:"n"`
	Text     string    `json:"text"`
	Previous string    `json:"previous,omitempty"` // text of the draft before it
	Problems []string  `json:"problems"`
	Path     string    `json:"path,omitempty"`
}

// PlanFile tells where the plan lies that a run made.
type PlanFile struct {
	Seq  int64  `json:"seq"`
	Path string `json:"path"`
	By   string `json:"by"`
}

// Talk is a turn of the conversation in which a plan is made.
type Talk struct {
	Seq  int64      `json:"seq"`
	Time time.Time  `json:"time"`
	Kind event.Kind `json:"kind"` // asked, draft, draft_review
	Text string     `json:"text"` // the question, the answer, what is to be another way
	N    int        `json:"n,omitempty"`

	Answer string            `json:"answer,omitempty"`
	Action event.DraftAction `json:"action,omitempty"`
}

// Note is a message for the person.
type Note struct {
	Seq   int64       `json:"seq"`
	Time  time.Time   `json:"time"`
	Level event.Level `json:"level"`
	Text  string      `json:"text"`
	Hint  string      `json:"hint,omitempty"`
}

// Order is what somebody told the run to do.
type Order struct {
	Seq       int64     `json:"seq"`
	Time      time.Time `json:"time"`
	Task      int       `json:"task,omitempty"`
	What      string    `json:"what"`
	AfterTask bool      `json:"after_task,omitempty"`
	By        string    `json:"by,omitempty"`
	Text      string    `json:"text,omitempty"` // of a note
}

// Section is a heading of the log.
type Section struct {
	Seq       int64             `json:"seq"`
	Time      time.Time         `json:"time"`
	Ended     *time.Time        `json:"ended,omitempty"`
	Type      event.SectionType `json:"type"`
	Label     string            `json:"label"`
	Task      int               `json:"task,omitempty"`
	Iteration int               `json:"iteration,omitempty"`
	Phase     event.Phase       `json:"phase,omitempty"`
}

// Survivor is a process that outlived its session.
type Survivor struct {
	Seq     int64  `json:"seq"`
	PID     int    `json:"pid"`
	Command string `json:"command"`
	Action  string `json:"action"`
}

// Copy is a copy of the working tree.
type Copy struct {
	Seq  int64     `json:"seq"`
	Time time.Time `json:"time"`
	Ref  string    `json:"ref"`
	Rev  string    `json:"rev"`
	Why  string    `json:"why"`
}

// Switch tells that another agent works from there on.
type Switch struct {
	Seq   int64     `json:"seq"`
	Time  time.Time `json:"time"`
	From  string    `json:"from"`
	To    string    `json:"to"`
	Why   string    `json:"why"`
	Until time.Time `json:"until,omitzero"`
}

// SetAside names paths that the run does not commit.
type SetAside struct {
	Seq   int64       `json:"seq"`
	Paths []string    `json:"paths"`
	By    event.Maker `json:"by"`
}

// CostRow is a sum over sessions.
type CostRow struct {
	Name     string        `json:"name"`
	Sessions int           `json:"sessions"`
	Elapsed  time.Duration `json:"elapsed_ns"`
	Usage    event.Usage   `json:"usage"`
	ListUSD  float64       `json:"list_usd"`
	Unpriced int           `json:"unpriced"`
}
