package event

import (
	"fmt"
	"strings"
	"time"
)

// RunID names one run, e.g. "20260129-153012-4f2a9c". It sorts by start time and is a file name.
type RunID string

// Phase is the stage of a run, as the public progress format names them.
type Phase string

// The phases.
const (
	PhaseNone       Phase = ""
	PhaseTask       Phase = "task"
	PhaseReview     Phase = "review"
	PhaseCodex      Phase = "codex"
	PhaseClaudeEval Phase = "claude-eval"
	PhasePlan       Phase = "plan"
	PhaseFinalize   Phase = "finalize"
)

// Event is one fact of a run: the envelope that all facts share, and the fact itself.
type Event struct {
	Seq   int64     // 1, 2, 3 … without a hole within a run, restarts included
	Time  time.Time // wall clock
	Run   RunID
	Phase Phase
	Task  int  // 1-based position in the plan (the seed's TaskNum); 0 = none
	Data  Data // never nil
}

// Kind is the name of a fact in the journal, e.g. "task_start".
type Kind string

// Data is implemented by the types of this file, of review.go, create.go and order.go, one a fact, and by nothing else.
type Data interface{ Kind() Kind }

// Level says how loud a Note is.
type Level string

// The levels of a Note.
const (
	Info  Level = "info"
	Warn  Level = "warn"
	Error Level = "error"
)

type (
	// RunStart opens a run. It holds what a resumed run must not ask again.
	RunStart struct {
		Plan      string            `json:"plan"` // absolute path; empty without a plan; of a worktree run, that in the main checkout
		Mode      string            `json:"mode"`
		Request   string            `json:"request,omitempty"` // what a plan is to be made for, in the person's words
		Branch    string            `json:"branch,omitempty"`
		Worktree  string            `json:"worktree,omitempty"` // absolute folder of the linked worktree that it works in; empty = in place
		Executor  string            `json:"executor,omitempty"`
		PID       int               `json:"pid"`
		Host      string            `json:"host,omitempty"`
		Version   string            `json:"version,omitempty"`
		Commands  []Command         `json:"commands,omitempty"`   // validation commands, frozen
		Reviews   map[string]string `json:"reviews,omitempty"`    // when tasks are reviewed that say so themselves, by their keys; frozen, too
		StartHead string            `json:"start_head,omitempty"` // revision before ralphex touched anything
		Dirty     []string          `json:"dirty,omitempty"`      // paths dirty or staged at start: the user's, never committed by us
		Tasks     int               `json:"tasks"`
		Done      []string          `json:"done,omitempty"` // keys (ID: title) of the tasks that were done at start: facts, not claims
		// Provenance names the run in the .ralph store, "run-i007-cli-20260317T120000Z"; empty = it is not recorded there, or not yet: then
		// the first later fact that has one tells it.
		Provenance string `json:"provenance,omitempty"`
	}
	// RunRestart marks a resumed run: the process before it died without RunEnd.
	RunRestart struct {
		PID     int    `json:"pid"`
		Host    string `json:"host,omitempty"`
		LastSeq int64  `json:"last_seq"`
		Reason  string `json:"reason,omitempty"`
		// Commands are the validation commands from here on: a person who starts a run again after its orderly end may
		// have mended them. Empty = those of RunStart, which a killed run keeps.
		Commands   []Command         `json:"commands,omitempty"`
		Reviews    map[string]string `json:"reviews,omitempty"`    // likewise
		Provenance string            `json:"provenance,omitempty"` // the run's name in the .ralph store from here on; empty = as before
	}
	// RunEnd closes a run. Exit is the exit code of the process.
	RunEnd struct {
		Outcome Outcome       `json:"outcome"`
		Exit    int           `json:"exit"`
		Reason  string        `json:"reason,omitempty"`
		Elapsed time.Duration `json:"elapsed_ns"`
		Usage   Usage         `json:"usage"`
		// ListUSD are dollars at API list price, of sessions that reported none; Unpriced is how many have no price, either.
		ListUSD   float64 `json:"list_price_usd,omitempty"`
		Unpriced  int     `json:"unpriced_sessions,omitempty"`
		Files     int     `json:"files,omitempty"`
		Additions int     `json:"additions,omitempty"`
		Deletions int     `json:"deletions,omitempty"`
		// Leftover are the uncommitted paths of the run's own sessions, with a content stamp each: the next
		// run of the plan takes over those that nobody touched since, and leaves the others to the user.
		Leftover map[string]string `json:"leftover,omitempty"`
		// LeftoverUnknown says that the repository could not be asked for them.
		LeftoverUnknown bool `json:"leftover_unknown,omitempty"`

		Branch     string `json:"branch,omitempty"`     // where its newest process worked, which may be another one than RunStart's
		Provenance string `json:"provenance,omitempty"` // as RunStart has it; here for runs that got it late
	}
	// PhaseStart and PhaseEnd bracket a phase; Skipped names why it did not run.
	PhaseStart struct {
		Name  Phase `json:"name"`
		Stage Stage `json:"stage,omitempty"`
	}
	// PhaseEnd ends a phase.
	PhaseEnd struct {
		Name    Phase  `json:"name"`
		Stage   Stage  `json:"stage,omitempty"`
		Skipped string `json:"skipped,omitempty"`
		Err     string `json:"err,omitempty"`
		// Interrupted says that a person ended it before it was through: nothing is known of what it would have found.
		Interrupted bool `json:"interrupted,omitempty"`
		// Changed says that the phase changed the tree, or made commits; of a review, that there is something to look at again.
		Changed bool `json:"changed,omitempty"`
		// Head is the revision behind it, for a review the one that is reviewed.
		Head string `json:"head,omitempty"`
	}
	// Section is a heading of the run's log; see NewTaskIterationSection.
	Section struct {
		Type      SectionType `json:"section_type"`
		Label     string      `json:"label"` // "task iteration 3"
		TaskNum   int         `json:"task_num,omitempty"`
		Iteration int         `json:"iteration,omitempty"`
	}
	// TaskStart opens the work on a task; Title is the plan's.
	TaskStart struct {
		ID      string `json:"id"` // raw header identifier, "2.5"
		Title   string `json:"title"`
		Open    int    `json:"open"`  // boxes an agent can still tick
		Total   int    `json:"total"` // those and the ticked ones
		Attempt int    `json:"attempt"`
		// Iteration is the number that the .ralph store gave out for this attempt and its sessions; 0 = none.
		Iteration  int    `json:"iteration,omitempty"`
		Provenance string `json:"provenance,omitempty"` // the run's name in the .ralph store, when it has just got it
	}
	// TaskEnd closes it. Outcome Done only after a green gate (or Unproven without commands).
	TaskEnd struct {
		ID         string        `json:"id"`
		Title      string        `json:"title"`
		Outcome    Outcome       `json:"outcome"`
		Reason     string        `json:"reason,omitempty"`
		LeftHuman  int           `json:"left_for_person,omitempty"`
		Elapsed    time.Duration `json:"elapsed_ns"`
		Commit     string        `json:"commit,omitempty"`
		TreeHash   string        `json:"tree,omitempty"`
		Iterations int           `json:"iterations,omitempty"`
	}
	// SessionStart says which child was started and what the tree looked like before it.
	SessionStart struct {
		N          int      `json:"n"` // 1-based session number within the run
		Executor   string   `json:"executor"`
		Argv       []string `json:"argv,omitempty"`
		Model      string   `json:"model,omitempty"`
		PID        int      `json:"pid,omitempty"`
		PIDStart   uint64   `json:"pid_start,omitempty"` // start time of the pid in clock ticks since boot, 0 where unknown
		Mark       string   `json:"mark,omitempty"`      // value of the environment mark that all its children carry
		Head       string   `json:"head,omitempty"`
		Dirty      []string `json:"dirty,omitempty"`
		PromptHash string   `json:"prompt_sha256,omitempty"`
		Iteration  int      `json:"iteration,omitempty"` // number that the .ralph store gave out for the session; 0 = none
		Evidence   string   `json:"evidence,omitempty"`  // provenance id of what is kept of it there
		Notes      []string `json:"notes,omitempty"`     // ids of the notes (Order) that its prompt holds
	}
	// SessionEnd holds the facts of an ended session.
	SessionEnd struct {
		N         int           `json:"n"`
		Elapsed   time.Duration `json:"elapsed_ns"`
		Exit      string        `json:"exit"` // "exit 0", "signal: killed", …
		Cause     string        `json:"cause,omitempty"`
		SessionID string        `json:"session_id,omitempty"`
		Usage     Usage         `json:"usage"`
		// Models are the shares of the models that the CLI named; together they are Usage, as far as it told. Empty = it named none.
		Models     map[string]Usage `json:"models,omitempty"`
		Failure    string           `json:"failure,omitempty"` // class: limit, login, overload, …
		Message    string           `json:"message,omitempty"`
		Ticks      int              `json:"ticks,omitempty"`
		Head       string           `json:"head,omitempty"`
		Transcript string           `json:"transcript,omitempty"`
	}
	// Spent is what the session in flight has used up so far, by its own stream. It is told now and then; SessionEnd has the sum.
	Spent struct {
		Usage  Usage            `json:"usage"`
		Models map[string]Usage `json:"models,omitempty"`
	}
	// Budget is what a run and each of its tasks may use up. It is told at the beginning of each process that has limits.
	Budget struct {
		Run  Limits `json:"run"`
		Task Limits `json:"task"`
		// Added is what was given to the run on top of Run, all together. It is told again whenever somebody adds to it.
		Added Limits `json:"added,omitzero"`
	}
	// Output is text of the agent, or of a command that ralphex ran for it.
	Output struct {
		Text    string `json:"text"`              // whole lines, no final newline; may hold several lines
		Source  Source `json:"source,omitempty"`  // whose text; empty = the agent's own
		Partial bool   `json:"partial,omitempty"` // the last line goes on in the next Output of this source
	}
	// Claimed is a signal that counts, found in the agent's own text. It is a claim.
	Claimed struct {
		Signal  string `json:"signal"`
		Payload string `json:"payload,omitempty"`
		Problem string `json:"problem,omitempty"` // why the payload is malformed
	}
	// Tick is a box that changed in the plan.
	Tick struct {
		Box     int    `json:"box"` // 1-based within the task
		Text    string `json:"text"`
		Checked bool   `json:"checked"`
		By      string `json:"by"` // agent, ralphex, person; "validation": while its commands ran
	}
	// GateStart and GateEnd bracket the validation commands that ralphex runs itself.
	GateStart struct {
		Commands int `json:"commands"`
	}
	// GateCommand is one finished validation command.
	GateCommand struct {
		Command    string        `json:"command"`
		Exit       int           `json:"exit"`
		Cause      string        `json:"cause,omitempty"` // "timed out after 30m0s", "signal: killed", …
		Elapsed    time.Duration `json:"elapsed_ns"`
		OutputFile string        `json:"output_file,omitempty"`
		OutputHash string        `json:"output_sha256,omitempty"`
		Tail       string        `json:"tail,omitempty"`
	}
	// GateEnd is the verdict. Green with Commands 0 means unproven.
	GateEnd struct {
		Green    bool          `json:"green"`
		Commands int           `json:"commands"`
		Elapsed  time.Duration `json:"elapsed_ns"`
		TreeHash string        `json:"tree,omitempty"`
		Evidence string        `json:"evidence,omitempty"` // hash over all outputs
		Created  []string      `json:"created,omitempty"`  // paths the commands themselves made dirty
	}
	// Commit is a revision that appeared. By tells whose it is.
	Commit struct {
		Rev     string   `json:"rev"`
		Message string   `json:"message"`
		By      string   `json:"by"`              // agent, ralphex
		Paths   []string `json:"paths,omitempty"` // of a session's own commits, those of all of them stand in the newest, at most 1000
		// Replaced is the revision that Rev took the place of, where the run's commit was amended (Mercurial). The message is then what was added.
		Replaced string `json:"replaced,omitempty"`
	}
	// Branch tells where the run works.
	Branch struct {
		Name    string `json:"name"`
		Created bool   `json:"created"`
	}
	// Archived tells where the plan went.
	Archived struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	// Kept is a copy of the working tree, untracked files included, that was put away before something could be lost.
	Kept struct {
		Ref string `json:"ref"`
		Rev string `json:"rev"`
		Why string `json:"why"`
	}
	// SetAside names paths that the run does not commit from here on, nor does one that goes on with it, beside RunStart.Dirty.
	SetAside struct {
		Paths []string `json:"paths"`
		By    Maker    `json:"by"`
	}
	// Survivor is a process of a session that outlived it, and what was done with it.
	Survivor struct {
		PID     int    `json:"pid"`
		Command string `json:"command"`
		Action  string `json:"action"` // ended, killed, kept
	}
	// Note is a message for the person: information, warning or error.
	Note struct {
		Level Level  `json:"level"`
		Text  string `json:"text"`
		Hint  string `json:"hint,omitempty"`
	}
	// Wait tells that the run sleeps, and why. It is told again each hour of a long wait.
	Wait struct {
		For    time.Duration `json:"for_ns"`
		Reason string        `json:"reason"`
		Until  time.Time     `json:"until,omitzero"`  // of a wait for a limit, which a restarted run goes on with
		Agent  string        `json:"agent,omitempty"` // whose limit it is
	}
	// Switch tells that another agent works from the next session on.
	Switch struct {
		From  string    `json:"from"`
		To    string    `json:"to"`
		Why   string    `json:"why"`
		Until time.Time `json:"until,omitzero"` // when From is expected to work again; zero = unknown, or it just does
	}
	// Asked is a question put to the person; Answer is empty until answered.
	Asked struct {
		Question string   `json:"question"`
		Options  []string `json:"options,omitempty"`
		Context  string   `json:"context,omitempty"` // what the agent says to it
		Answer   string   `json:"answer,omitempty"`
	}
	// Unknown is a fact of a newer version, kept as it was read.
	Unknown struct {
		Name Kind   `json:"-"`
		Raw  []byte `json:"-"`
	}
)

// Source says whose text an Output is.
type Source string

// The sources.
const (
	FromAgent   Source = ""
	FromStderr  Source = "stderr"
	FromTool    Source = "tool"    // display only: what the agent is doing ("Bash: go test ./...")
	FromCommand Source = "command" // a validation command or a runbook block
)

// Maker says who made what is set aside.
type Maker string

// The makers.
const (
	ByPerson     Maker = "person"     // between two processes of the run
	ByValidation Maker = "validation" // a validation command
	ByTool       Maker = "tool"       // an external reviewer, who is to change nothing
	ByHook       Maker = "hook"       // a hook changed it again, or it can't be committed at all: a repository within the repository
	BySetup      Maker = "setup"      // worktree_setup
	BySkip       Maker = "skip"       // the sessions of a task that was skipped; it is the run's again when that task is worked on again
)

// AskedModel is the model of a session that was asked for, if only by an argument; empty = the agent's own choice.
func (d SessionStart) AskedModel() string {
	for i, arg := range d.Argv {
		if v, ok := strings.CutPrefix(arg, "--model="); ok && d.Model == "" {
			return v
		}
		if (arg == "-m" || arg == "--model") && i+1 < len(d.Argv) && d.Model == "" {
			return d.Argv[i+1]
		}
	}
	return d.Model
}

// Outcome is how a run or a task ended.
type Outcome string

// The outcomes.
const (
	Done        Outcome = "done"
	Unproven    Outcome = "unproven" // done, but the plan names no validation command
	LeftHuman   Outcome = "left"     // done but for items that are left for a person
	Failed      Outcome = "failed"
	Interrupted Outcome = "interrupted"
	Skipped     Outcome = "skipped"
)

// Completed tells whether a run has to do no more about what ended so: all of it is done, but for what is left for a person.
func (o Outcome) Completed() bool { return o == Done || o == Unproven || o == LeftHuman }

// Usage is what a session cost. Zero fields are unknown or none.
type Usage struct {
	InputTokens      int64   `json:"input_tokens,omitempty"`  // without those from and for the cache
	OutputTokens     int64   `json:"output_tokens,omitempty"` // with those of reasoning
	ReasoningTokens  int64   `json:"reasoning_tokens,omitempty"`
	CacheReadTokens  int64   `json:"cache_read_tokens,omitempty"`
	CacheWriteTokens int64   `json:"cache_write_tokens,omitempty"`
	CostUSD          float64 `json:"cost_usd,omitempty"` // as the CLI reported it; never an estimate of ours
	Turns            int     `json:"turns,omitempty"`
}

// Add sums up.
func (u Usage) Add(o Usage) Usage {
	u.InputTokens = sum(u.InputTokens, o.InputTokens)
	u.OutputTokens = sum(u.OutputTokens, o.OutputTokens)
	u.ReasoningTokens = sum(u.ReasoningTokens, o.ReasoningTokens)
	u.CacheReadTokens = sum(u.CacheReadTokens, o.CacheReadTokens)
	u.CacheWriteTokens = sum(u.CacheWriteTokens, o.CacheWriteTokens)
	u.CostUSD = SumUSD(u.CostUSD, o.CostUSD)
	u.Turns = sum(u.Turns, o.Turns)
	return u
}

// Limits bound what may be used up. A field of 0 is no limit.
type Limits struct {
	CostUSD  float64       `json:"cost_usd,omitempty"`
	Tokens   int64         `json:"tokens,omitempty"` // Usage.Tokens
	Time     time.Duration `json:"time_ns,omitempty"`
	Sessions int           `json:"sessions,omitempty"`
}

// Plus adds to the limits that are set: what was never limited stays so.
func (l Limits) Plus(more Limits) Limits {
	if l.CostUSD > 0 {
		l.CostUSD = SumUSD(l.CostUSD, more.CostUSD)
	}
	if l.Tokens > 0 {
		l.Tokens = sum(l.Tokens, more.Tokens)
	}
	if l.Time > 0 {
		l.Time = sum(l.Time, more.Time)
	}
	if l.Sessions > 0 {
		l.Sessions = sum(l.Sessions, more.Sessions)
	}
	return l
}

// String words the limits: "$5.00, 2000000 tokens, 1h30m"; "none" without any.
func (l Limits) String() string {
	var parts []string
	if l.CostUSD > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f", l.CostUSD))
	}
	if l.Tokens > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens", l.Tokens))
	}
	if l.Time > 0 {
		parts = append(parts, Elapsed(l.Time))
	}
	if l.Sessions > 0 {
		parts = append(parts, count(l.Sessions, "session", "sessions"))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// Tokens are all that went in and came out, cached or not: what budgets count.
func (u Usage) Tokens() int64 {
	return sum(sum(u.InputTokens, u.OutputTokens), sum(u.CacheReadTokens, u.CacheWriteTokens))
}

// Command is one validation command of a plan.
type Command struct {
	Text string `json:"text"`
	Line int    `json:"line,omitempty"`
}

// SectionType says what a section is about.
type SectionType string

// The section types.
const (
	SectionTask    SectionType = "task"
	SectionReview  SectionType = "review"
	SectionGeneric SectionType = "generic"
)
