package event

import (
	"encoding/json"
	"maps"
	"slices"
)

// The kind of a fact is the name of its Go type in small letters with underscores.

func (RunStart) Kind() Kind     { return "run_start" }
func (RunRestart) Kind() Kind   { return "run_restart" }
func (RunEnd) Kind() Kind       { return "run_end" }
func (PhaseStart) Kind() Kind   { return "phase_start" }
func (PhaseEnd) Kind() Kind     { return "phase_end" }
func (Finding) Kind() Kind      { return "finding" }
func (ReviewRound) Kind() Kind  { return "review_round" }
func (Opinion) Kind() Kind      { return "opinion" }
func (Section) Kind() Kind      { return "section" }
func (TaskStart) Kind() Kind    { return "task_start" }
func (TaskEnd) Kind() Kind      { return "task_end" }
func (SessionStart) Kind() Kind { return "session_start" }
func (SessionEnd) Kind() Kind   { return "session_end" }
func (Spent) Kind() Kind        { return "spent" }
func (Budget) Kind() Kind       { return "budget" }
func (Output) Kind() Kind       { return "output" }
func (Claimed) Kind() Kind      { return "claimed" }
func (Tick) Kind() Kind         { return "tick" }
func (GateStart) Kind() Kind    { return "gate_start" }
func (GateCommand) Kind() Kind  { return "gate_command" }
func (GateEnd) Kind() Kind      { return "gate_end" }
func (Commit) Kind() Kind       { return "commit" }
func (Branch) Kind() Kind       { return "branch" }
func (Archived) Kind() Kind     { return "archived" }
func (Kept) Kind() Kind         { return "kept" }
func (SetAside) Kind() Kind     { return "set_aside" }
func (Survivor) Kind() Kind     { return "survivor" }
func (Note) Kind() Kind         { return "note" }
func (Wait) Kind() Kind         { return "wait" }
func (Switch) Kind() Kind       { return "switch" }
func (Asked) Kind() Kind        { return "asked" }
func (Order) Kind() Kind        { return "order" }
func (Pause) Kind() Kind        { return "pause" }

// Kind is the name that the newer version gave.
func (u Unknown) Kind() Kind { return u.Name }

// readers holds for each kind how its data is read.
var readers = map[Kind]func([]byte) (Data, error){}

// Kinds lists the kinds that this version knows, in alphabetical order.
func Kinds() []Kind { return slices.Sorted(maps.Keys(readers)) }

func init() {
	know[RunStart]()
	know[RunRestart]()
	know[RunEnd]()
	know[PhaseStart]()
	know[PhaseEnd]()
	know[Finding]()
	know[ReviewRound]()
	know[Opinion]()
	know[Section]()
	know[TaskStart]()
	know[TaskEnd]()
	know[SessionStart]()
	know[SessionEnd]()
	know[Spent]()
	know[Budget]()
	know[Output]()
	know[Claimed]()
	know[Tick]()
	know[GateStart]()
	know[GateCommand]()
	know[GateEnd]()
	know[Commit]()
	know[Branch]()
	know[Archived]()
	know[Kept]()
	know[SetAside]()
	know[Survivor]()
	know[Note]()
	know[Wait]()
	know[Switch]()
	know[Asked]()
	know[Order]()
	know[Pause]()
	know[Draft]()
	know[DraftReview]()
	know[PlanFile]()
}

func know[D Data]() {
	var zero D
	readers[zero.Kind()] = func(raw []byte) (Data, error) {
		var d D
		err := json.Unmarshal(raw, &d)
		return d, err
	}
}
