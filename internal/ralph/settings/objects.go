package settings

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// tiering reads { enabled, simple, medium, complex, simpleThreshold, complexThreshold }; a tier is a model's name or { model }.
func tiering(s *Settings, raw json.RawMessage) string {
	o, ok := decode[map[string]json.RawMessage](raw)
	if !ok {
		return "expected an object"
	}
	if on, ok := decode[bool](o["enabled"]); ok {
		_, also := s.Origin["enableModelTiering"]
		if also && on != s.Tiering.Enabled {
			s.Tiering.Conflict = true
		} else {
			s.Tiering.Enabled = on
		}
	}
	for name, at := range map[string]*string{"simple": &s.Tiering.Simple, "medium": &s.Tiering.Medium, "complex": &s.Tiering.Complex} {
		model, ok := decode[string](o[name])
		if !ok {
			tier, _ := decode[map[string]json.RawMessage](o[name])
			model, _ = decode[string](tier["model"])
		}
		if model = strings.TrimSpace(model); model != "" {
			*at = model
		}
	}
	for name, at := range map[string]*int{"simpleThreshold": &s.Tiering.SimpleThreshold, "complexThreshold": &s.Tiering.ComplexThreshold} {
		if v, ok := decode[float64](o[name]); ok {
			*at = int(min(max(math.Floor(v), 0), math.MaxInt32))
		}
	}
	return ""
}

func planningPass(s *Settings, raw json.RawMessage) string {
	o, ok := decode[map[string]json.RawMessage](raw)
	if !ok {
		return "expected an object"
	}
	if on, ok := decode[bool](o["enabled"]); ok {
		s.PlanningPass.Enabled = on
	}
	if raw, set := o["mode"]; set {
		return choice(func(s *Settings) *string { return &s.PlanningPass.Mode }, "inline", "dedicated")(s, raw)
	}
	return ""
}

// budgets reads { "<kind>:<target>": tokens }; entries that are no positive number are left out.
func budgets(s *Settings, raw json.RawMessage) string {
	o, ok := decode[map[string]json.RawMessage](raw)
	if !ok {
		return "expected an object"
	}
	problem := ""
	s.CustomPromptBudget = map[string]int{}
	for name, raw := range o {
		v, ok := decode[float64](raw)
		if v = math.Floor(v); !ok || v < 1 {
			problem = name + ": expected a positive number"
			continue
		}
		s.CustomPromptBudget[name] = int(min(v, math.MaxInt32))
	}
	return problem
}

// Hook is an event of an iteration for which a workspace may have a command.
type Hook string

// The events.
const (
	BeforeIteration Hook = "beforeIteration" // before the session
	AfterIteration  Hook = "afterIteration"  // behind it
	OnFailure       Hook = "onFailure"       // behind a session that failed
	OnTaskComplete  Hook = "onTaskComplete"  // the task became done
	OnStop          Hook = "onStop"          // the loop ends with this iteration
)

// Hooks are all events.
var Hooks = []Hook{BeforeIteration, AfterIteration, OnFailure, OnTaskComplete, OnStop}

// hooks reads { "<event>": "command" }.
func hooks(s *Settings, raw json.RawMessage) string {
	o, ok := decode[map[string]json.RawMessage](raw)
	if !ok {
		return "expected an object"
	}
	problem := ""
	s.Hooks = map[string]string{}
	for name, raw := range o {
		command, ok := decode[string](raw)
		if command = strings.TrimSpace(command); !ok || command == "" {
			problem = name + ": expected a command"
			continue
		}
		if !slices.Contains(Hooks, Hook(name)) {
			problem = fmt.Sprintf("%s: no such event; there are %v", name, Hooks)
			continue
		}
		s.Hooks[name] = command
	}
	return problem
}

// decode reads a value of exactly one JSON type; null and what is absent are no value.
func decode[T any](raw json.RawMessage) (v T, ok bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return v, false
	}
	err := json.Unmarshal(raw, &v)
	return v, err == nil
}
