package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"
)

// ErrGone says that nobody listens at a socket: the run has ended, or died.
var ErrGone = errors.New("nobody listens at the control socket")

// UnsureError says that an order was given and the answer did not come: it may have been taken.
type UnsureError struct{ Err error }

func (e *UnsureError) Error() string {
	return "the order was given, and no answer came: " + e.Err.Error()
}
func (e *UnsureError) Unwrap() error { return e.Err }

// Ask gives an order to the run at a socket and returns its answer. The error is ErrGone where the order was not given, and a *UnsureError
// where nobody knows: to ask again with the same ID does no harm.
func Ask(ctx context.Context, path string, q Request) (Reply, error) {
	q.V = protocol
	c, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err != nil {
		return Reply{}, fmt.Errorf("%w (%v)", ErrGone, err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(talkFor))
	defer context.AfterFunc(ctx, func() { c.SetDeadline(time.Now()) })()
	if err := json.NewEncoder(c).Encode(q); err != nil {
		return Reply{}, &UnsureError{err}
	}
	line, err := readLine(c)
	if err != nil {
		return Reply{}, &UnsureError{err}
	}
	var reply Reply
	if err := json.Unmarshal(line, &reply); err != nil {
		return Reply{}, &UnsureError{errors.New("the answer is not readable")}
	}
	return reply, nil
}
