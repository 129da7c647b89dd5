package journal

import (
	"os"
	"slices"
	"time"

	"ralphex/pkg/event"
)

// Stray returns the session that was in flight when the last run of a checkout was killed, and that run; nil = there was none. dir is .ralph/events,
// worktree as RunStart has it. The last run is the one whose journal was written last: a run that is resumed keeps its old name. Older ones don't count: the
// one behind them has ended what they left. Whoever asks has to know that no run goes on in the checkout: the session would be a living one's.
func Stray(dir, worktree string) (*Session, event.RunID, error) {
	runs, err := runIDs(dir)
	if err != nil {
		return nil, "", err
	}
	written := map[event.RunID]time.Time{}
	for _, run := range runs {
		if info, err := os.Stat(pathOf(dir, run)); err == nil {
			written[run] = info.ModTime()
		}
	}
	slices.SortStableFunc(runs, func(a, b event.RunID) int { return written[b].Compare(written[a]) })
	for _, run := range runs {
		s, err := ends(pathOf(dir, run))
		if err != nil {
			return nil, run, err
		}
		if s == nil || s.Start.Worktree != worktree {
			continue
		}
		if s.End != nil {
			return nil, run, nil
		}
		if s, err = read(s.Path); err != nil {
			return nil, run, err
		}
		return s.Session, run, nil
	}
	return nil, "", nil
}
