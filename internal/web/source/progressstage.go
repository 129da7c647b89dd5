package source

import (
	"strconv"
	"strings"
	"time"

	"ralphex/pkg/event"
)

// section reads the label of "--- label ---".
func section(line string) (string, bool) {
	label, ok := strings.CutPrefix(line, "--- ")
	if !ok {
		return "", false
	}
	label, ok = strings.CutSuffix(label, " ---")
	return label, ok && label != ""
}

// section opens one.
func (t *textReader) section(label string) {
	if at, ok := strings.CutPrefix(label, "restarted at "); ok {
		when, err := time.ParseInLocation(longTime, at, t.loc)
		if err != nil {
			when = t.now
		}
		t.restart(when)
		t.place = inAgain
		return
	}
	s := event.Section{Type: event.SectionGeneric, Label: label}
	phase, stage, task := event.PhaseTask, event.StageTasks, 0
	switch {
	case strings.HasPrefix(label, "task iteration "):
		s.Type = event.SectionTask
		s.TaskNum = number(label)
		task = s.TaskNum
	case strings.Contains(label, "evaluating"):
		phase, stage = event.PhaseClaudeEval, event.StageExternal
	case strings.HasPrefix(label, "plan iteration "):
		phase, stage = event.PhasePlan, event.StagePlan
		s.Iteration = number(label)
	case strings.HasPrefix(label, "finalize"):
		phase, stage = event.PhaseFinalize, event.StageFinalize
	case strings.Contains(label, "external review"):
		phase, stage = event.PhaseCodex, event.StageExternal
	case strings.Contains(label, "iteration") && (strings.Contains(label, "codex") || strings.Contains(label, "custom")):
		phase, stage = event.PhaseCodex, event.StageExternal
		s.Type, s.Iteration = event.SectionReview, number(label)
	case strings.Contains(label, "review"):
		phase, stage = event.PhaseReview, event.StageReview
		s.Type, s.Iteration = event.SectionReview, number(label)
		if t.stage == event.StageExternal || t.stage == event.StageReview2 {
			stage = event.StageReview2
		}
	default:
		phase, stage = t.phase, t.stage
	}
	t.move(phase, stage)
	t.task = task
	t.say(t.now, s)
}

// number finds the first one of a label: "review 2: critical/major".
func number(label string) int {
	i := strings.IndexAny(label, "0123456789")
	if i < 0 {
		return 0
	}
	j := i
	for j < len(label) && label[j] >= '0' && label[j] <= '9' {
		j++
	}
	n, err := strconv.Atoi(label[i:j])
	if err != nil {
		return 0
	}
	return n
}

// move goes on to another stage.
func (t *textReader) move(phase event.Phase, stage event.Stage) {
	if stage == t.stage {
		t.phase = phase
		return
	}
	if t.stage != event.StageNone && t.stage != event.StageTasks { // the end of the tasks is told by a line of its own
		t.say(t.now, event.PhaseEnd{Name: stagePhase(t.stage), Stage: t.stage})
	}
	t.phase, t.stage, t.task = phase, stage, 0
	if stage != event.StageNone {
		t.say(t.now, event.PhaseStart{Name: stagePhase(stage), Stage: stage})
	}
}

// stagePhase is the phase by which a stage is shown.
func stagePhase(s event.Stage) event.Phase {
	switch s {
	case event.StageTasks:
		return event.PhaseTask
	case event.StageReview, event.StageReview2:
		return event.PhaseReview
	case event.StageExternal:
		return event.PhaseCodex
	case event.StageFinalize:
		return event.PhaseFinalize
	case event.StagePlan:
		return event.PhasePlan
	case event.StageNone:
	}
	return event.PhaseNone
}

// restart opens another run in the file, behind one that was killed or failed.
func (t *textReader) restart(at time.Time) {
	t.now, t.phase, t.stage, t.task = at, event.PhaseNone, event.StageNone, 0
	t.files, t.added, t.deleted, t.asked, t.lines = 0, 0, 0, "", 0
	t.say(at, event.RunRestart{})
}
