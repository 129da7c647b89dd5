package iteration

import (
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

// What weighs how much in the score of a task.
const (
	validationWeight = 2
	mostForChildren  = 3
	mostForTrouble   = 4
	shortTitle       = 20 // UTF-16 units
	longTitle        = 80
)

// TierOf is the weight of a task, by which a model is chosen: what the task says itself, else a score of its validation, its parts, what blocks it, how badly the
// last iterations at it ended, and the length of its title. Below simple it is simple, from complex on it is complex.
func TierOf(t *task.Task, parts int, history []state.Iteration, simple, complexity int) task.Tier {
	if t.Tier != "" {
		return t.Tier
	}
	score := min(parts, mostForChildren) + min(trailingTrouble(t.ID, history), mostForTrouble)
	if t.Validation != "" {
		score += validationWeight
	}
	if t.Blocker != "" {
		score++
	}
	switch n := stable.UTF16Len(t.Title); {
	case n > longTitle:
		score++
	case n < shortTitle:
		score--
	}
	switch {
	case score >= complexity:
		return task.Complex
	case score < simple:
		return task.Simple
	}
	return task.Medium
}

// trailingTrouble counts the last iterations that were all at the task and got it nowhere.
func trailingTrouble(id string, history []state.Iteration) int {
	return len(trailing(history, func(it state.Iteration) (string, bool) {
		class := Classification(it.Classification)
		return "", it.TaskID == id && (class == Failed || class == NoProgress || class == Blocked || class == NeedsHumanReview)
	}))
}
