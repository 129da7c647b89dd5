package session

import (
	"slices"

	"ralphex/internal/proc"
)

// holds knows what the agent waits for. As long as that is something, silence is no sign of a hang.
type holds struct {
	idle  *proc.Idle
	held  bool
	tools map[string]bool
	tasks map[string]string // background tasks by id, described
}

// maxHolds keeps a stream that only begins things from filling memory.
const maxHolds = 10_000

func newHolds(idle *proc.Idle) holds {
	return holds{idle: idle, tools: map[string]bool{}, tasks: map[string]string{}}
}

func (h *holds) toolBegins(id string) {
	if id != "" && len(h.tools) < maxHolds {
		h.tools[id] = true
		h.apply()
	}
}

func (h *holds) toolEnds(id string) {
	if h.tools[id] {
		delete(h.tools, id)
		h.apply()
	}
}

func (h *holds) taskBegins(id, what string) {
	if id != "" && len(h.tasks) < maxHolds {
		h.tasks[id] = what
		h.apply()
	}
}

func (h *holds) taskEnds(id string) bool {
	_, known := h.tasks[id]
	delete(h.tasks, id)
	h.apply()
	return known
}

// turnEnds: the model has answered, so no tool call is open; background tasks go on.
func (h *holds) turnEnds() {
	clear(h.tools)
	h.apply()
}

func (h *holds) clear() {
	clear(h.tools)
	clear(h.tasks)
	h.apply()
}

func (h *holds) apply() {
	busy := len(h.tools)+len(h.tasks) > 0
	switch {
	case busy && !h.held:
		h.idle.Hold()
	case !busy && h.held:
		h.idle.Release()
	}
	h.held = busy
}

// pending describes the background tasks that have not ended.
func (h *holds) pending() []string {
	var out []string
	for _, d := range h.tasks {
		out = append(out, d)
	}
	slices.Sort(out)
	return out
}
