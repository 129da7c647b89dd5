package cli

import (
	"ralphex/internal/config"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor"
)

// promptFor reads a prompt for the agent that will get it, which has its own way to start reviewers. The notes tell
// which reviewers it calls, and what in the files has no effect.
func promptFor(cfg *config.Config, name string, ex executor.Executor) (processor.Template, []event.Note, error) {
	t, warnings, err := cfg.Template(name, spawner(ex))
	if err != nil {
		return nil, nil, err
	}
	var notes []event.Note
	for _, w := range warnings {
		notes = append(notes, event.Note{Level: event.Warn, Text: w.String()})
	}
	for _, a := range t.Agents() {
		notes = append(notes, event.Note{Level: event.Info, Text: a.String()})
	}
	head := ""
	if d, ok := ex.(executor.Director); ok {
		if head = d.Directives(name); head != "" {
			head += "\n\n"
		}
	}
	return func(vars map[string]string) string { return head + t.Fill(vars) }, notes, nil
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
