package processor

import (
	"fmt"
	"strings"
	"time"

	"ralphex/pkg/event"
)

// Limits bound what a run or a task may use up.
type Limits = event.Limits

// Spending is what was used up.
type Spending struct {
	CostUSD  float64 // reported, or at list prices
	Tokens   int64
	Time     time.Duration // of a run: wall clock of its processes; of a task: of its sessions
	Sessions int
	Unpriced int // sessions whose dollars nobody knows
}

// Budget is what a run may use up, and what it has used up before this process.
type Budget struct {
	Run, Task Limits
	Spent     Spending
	Tasks     map[int]Spending // by position
	// Dollars prices what a session of an executor used up; nil, or false = nobody knows.
	Dollars func(model string, u event.Usage, shares map[string]event.Usage) (float64, bool)
	// Added is what a person has put on top of Run since it began; it is asked whenever a limit is reached. nil = nothing.
	Added func() (Limits, error)
}

// BudgetError is a run that ended because it has used up what it may.
type BudgetError struct {
	Key   string // of the configuration: "max_cost"
	Spent string // "$5.12"
	Limit string // "$5.00"
	Task  int    // the task whose limit it is; 0 = the run's
	Run   event.RunID
}

func (e *BudgetError) Error() string {
	whose := "the run's budget"
	if e.Task > 0 {
		whose = fmt.Sprintf("the budget of task %d", e.Task)
	}
	return fmt.Sprintf("%s is used up: %s of %s (%s)", whose, e.Spent, e.Limit, e.Key)
}

// Hint says what to do next.
func (e *BudgetError) Hint() string {
	flag := "--" + strings.ReplaceAll(e.Key, "_", "-")
	if e.Task > 0 {
		return fmt.Sprintf("the same command with a higher %s goes on", flag)
	}
	what := map[string]string{"max_cost": "--cost USD", "max_tokens": "--tokens N", "max_time": "--time DURATION", "max_sessions": "--sessions N"}[e.Key]
	return strings.TrimSpace(fmt.Sprintf("ralphex budget add %s", e.Run)) + " " + what + ", then the same command: it goes on (or give it a higher " + flag + ")"
}

// exceeded returns the limit that is reached, or nil. prefix is "max_" or "max_task_". begins asks for a further session.
func exceeded(l Limits, s Spending, prefix string, begins bool) *BudgetError {
	switch {
	case l.CostUSD > 0 && s.CostUSD >= l.CostUSD:
		return &BudgetError{Key: prefix + "cost", Spent: fmt.Sprintf("$%.2f", s.CostUSD), Limit: fmt.Sprintf("$%.2f", l.CostUSD)}
	case l.Tokens > 0 && s.Tokens >= l.Tokens:
		return &BudgetError{Key: prefix + "tokens", Spent: fmt.Sprint(s.Tokens), Limit: fmt.Sprintf("%d tokens", l.Tokens)}
	case l.Time > 0 && s.Time >= l.Time:
		return &BudgetError{Key: prefix + "time", Spent: event.Brief(s.Time), Limit: event.Brief(l.Time)}
	case l.Sessions > 0 && begins && s.Sessions >= l.Sessions:
		return &BudgetError{Key: prefix + "sessions", Spent: fmt.Sprint(s.Sessions), Limit: fmt.Sprintf("%d sessions", l.Sessions)}
	}
	return nil
}
