package cli

import (
	"ralphex/internal/config"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor"
)

// promptFor reads a prompt for the agents that may get it, each of which has its own way to start reviewers. The notes tell
// which reviewers it calls, and what in the files has no effect.
func promptFor(cfg *config.Config, name string, agents ...executor.Executor) (processor.Template, []event.Note, error) {
	worded := map[string]func(vars map[string]string) string{}
	var notes []event.Note
	for i, ex := range agents {
		t, warnings, err := cfg.Template(name, spawner(ex))
		if err != nil {
			return nil, nil, err
		}
		head := ""
		if d, ok := ex.(executor.Director); ok {
			if head = d.Directives(name); head != "" {
				head += "\n\n"
			}
		}
		worded[ex.Name()] = func(vars map[string]string) string { return head + t.Fill(vars) }
		if i > 0 {
			continue // the same files say the same
		}
		for _, w := range warnings {
			notes = append(notes, event.Note{Level: event.Warn, Text: w.String()})
		}
		for _, a := range t.Agents() {
			notes = append(notes, event.Note{Level: event.Info, Text: a.String()})
		}
	}
	return func(agent string, vars map[string]string) string { return worded[agent](vars) }, notes, nil
}

// spawner words how an agent has a reviewer run; one that describes nothing reviews itself.
func spawner(ex executor.Executor) func(config.Agent) string {
	spawn := executor.Reviewer.ReviewYourself
	if d, ok := ex.(executor.Describer); ok {
		spawn = d.Spawn
	}
	return func(a config.Agent) string {
		return spawn(executor.Reviewer{Name: a.Name, Type: a.Type, Model: a.Model, Task: a.Body})
	}
}
