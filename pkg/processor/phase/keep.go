package phase

import (
	"context"
	"fmt"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// keepFor is how long a copy may take when the run itself has been told to end.
const keepFor = time.Minute

// keep puts the tree away if sessions of this run left anything uncommitted. A copy that can't be made is told: the files themselves
// are where they were.
func (s *Site) keep(ctx context.Context, pos int, why string) string {
	if len(s.leftovers()) == 0 {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepFor)
	defer cancel()
	ref, err := s.keeper.Keep(ctx, pos, why)
	if err != nil {
		s.note(pos, event.Warn, "no copy of the uncommitted work could be kept: "+err.Error(), "")
	}
	return ref
}

// keepUnfinished puts away what a session left that did not come to its own end: the next one may take another way and undo it.
func (s *Site) keepUnfinished(ctx context.Context, pos int, whose string, res executor.Result) {
	switch {
	case res.Cause != nil:
		s.keep(ctx, pos, fmt.Sprintf("%s: the session was ended by %v", whose, res.Cause))
	case res.Failure != nil:
		s.keep(ctx, pos, fmt.Sprintf("%s: the session failed: %s", whose, firstLine(res.Failure.Message)))
	}
}

// careless keeps nothing.
type careless struct{}

func (careless) Keep(context.Context, int, string) (string, error) { return "", nil }
