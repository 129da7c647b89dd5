package phase

import (
	"time"

	"ralphex/pkg/executor"
)

// A session that fails within fastFailure, breakerLimit times in a row and in the same words, won't get better.
const (
	fastFailure  = 30 * time.Second
	breakerLimit = 3
)

// fuse ends a phase when sessions fail at once, changing nothing, in the same words again and again.
type fuse struct {
	line  string
	times int
}

// blow takes an ended session; the error is a *BreakerError.
func (f *fuse) blow(res executor.Result, moved bool) error {
	if res.Failure == nil || moved || res.Elapsed > fastFailure {
		*f = fuse{}
		return nil
	}
	line := firstLine(res.Failure.Message)
	if line != f.line {
		*f = fuse{line: line}
	}
	if f.times++; f.times >= breakerLimit {
		return &BreakerError{Times: f.times, Line: line, Help: res.Failure.Help}
	}
	return nil
}
