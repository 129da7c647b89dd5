package executor

// Class sorts failures by what a person or the run can do about them.
type Class string

// The classes. Classes tells the rest about each.
const (
	ClassLimit     Class = "limit"     // usage limit, rate limit: wait (ResetAt)
	ClassMoney     Class = "money"     // quota, credit, an admin's switch: a person must act
	ClassLogin     Class = "login"     // not logged in, key invalid: a person must act
	ClassOverload  Class = "overload"  // server busy, 5xx, dropped connection: try again
	ClassRefused   Class = "refused"   // the model or its provider will not answer this
	ClassContext   Class = "context"   // the conversation became too long: a fresh session may do it
	ClassRequest   Class = "request"   // the request itself is wrong: 400, 404 model
	ClassUsage     Class = "usage"     // the CLI did not take our arguments
	ClassCrash     Class = "crash"     // non-zero exit or signal without a reason
	ClassCancelled Class = "cancelled" // ended by us
	ClassEmpty     Class = "empty"     // a good exit, but nothing was said and no tool was called
	ClassPending   Class = "pending"   // the turn ended while work of it still ran, or to wait for something
	ClassInput     Class = "input"     // it ended with a question, and nobody is there to answer
)

// ClassInfo is what is known of a class.
type ClassInfo struct {
	Class Class
	Name  string // its long name: what journals of other programs and issues call it
	What  string // in words
	Final bool   // another session would meet the same: the run ends
	Human bool   // it ends when a person acts, not by itself
}

// Classes lists them all.
var Classes = []ClassInfo{
	{ClassLimit, "limit_wait", "a usage limit or rate limit; it opens again by itself", true, false},
	{ClassMoney, "needs_money_or_admin", "quota or credit is used up, or an admin has switched it off", true, true},
	{ClassLogin, "needs_login", "not logged in, or the key is not accepted", true, true},
	{ClassOverload, "overloaded_transient", "the server is busy or out of reach, or the connection broke", false, false},
	{ClassRefused, "refused", "the model or its provider will not answer this", true, false},
	{ClassContext, "context_overflow", "the conversation became too long for the model", false, false},
	{ClassRequest, "bad_request", "the request is wrong: an unknown model, a value that is not taken", true, false},
	{ClassUsage, "bad_invocation", "the command did not take its arguments", true, false},
	{ClassCrash, "crashed", "the process ended badly, and no reason is known", false, false},
	{ClassCancelled, "killed_by_us", "ralphex ended it: a time-out, a break", false, false},
	{ClassEmpty, "empty", "the process ended well, having said nothing and called no tool", false, false},
	{ClassPending, "unfinished", "the turn ended while something of it still ran, or to wait for something", false, false},
	{ClassInput, "needs_input", "the turn ended with a question that nobody can answer", false, false},
}

// Info is the row of Classes; an unknown class is like a crash.
func (c Class) Info() ClassInfo {
	for _, i := range Classes {
		if i.Class == c {
			return i
		}
	}
	return ClassInfo{Class: c, Name: string(c), What: "unknown"}
}

// Final tells whether another session would meet the same failure.
func (c Class) Final() bool { return c.Info().Final }
