package processor

import (
	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

// Step is a stage of a run that has not begun, as far as can be said before.
type Step struct {
	Stage   event.Stage
	Skipped string // why it will not run; empty = it will
	When    string // what it depends on; empty = nothing
	Agent   string // who works in it
	Prompts []Rendered
}

// Rendered is a prompt as the first session that gets it would get it. What only the run will know is missing in it: findings, failures.
type Rendered struct {
	Name string // of the template: "task", "review_first", …
	Text string
}

// Steps are the stages of the run in their order, those that nobody expects left out. first is the first task that is to be worked on; nil =
// none is known.
func (r *Runner) Steps(first *phase.TaskPrompt) ([]Step, error) {
	var steps []Step
	for _, s := range pipelines[r.cfg.Mode] {
		step := Step{Stage: s, Agent: r.ex.Review.Name()}
		why, silent := "", false
		switch _, over := r.cfg.Earlier.Ended[s]; {
		case before(s, r.cfg.From):
			why = "--from " + string(r.cfg.From)
		case over:
			why = "done by an earlier process of the run"
		case s == event.StageTasks:
			step.Agent = r.ex.Task.Name()
		case s == event.StageReview2:
			_, silent = r.needless(s)
			step.When = "if the external review changes something"
		default:
			why, silent = r.needless(s)
		}
		if silent {
			continue
		}
		if s == event.StageExternal && r.ex.External != nil {
			step.Agent = r.ex.External.Name()
		}
		if step.Skipped = why; why == "" {
			var err error
			if step.Prompts, err = r.rendered(s, first); err != nil {
				return nil, err
			}
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// rendered are the prompts of a stage.
func (r *Runner) rendered(s event.Stage, first *phase.TaskPrompt) (out []Rendered, err error) {
	add := func(name, agent string, p phase.Prompt, perr error) {
		if perr != nil {
			err = perr
			return
		}
		out = append(out, Rendered{name, p(agent)})
	}
	review := func(name string, round int) {
		p, perr := r.prompts.Review(phase.ReviewPrompt{Round: round, ReportOnly: r.cfg.ReportOnly})
		add(name, r.ex.Review.Name(), p, perr)
	}
	switch s {
	case event.StageTasks:
		if first != nil {
			p, perr := r.prompts.Task(*first)
			add("task", r.ex.Task.Name(), p, perr)
		}
	case event.StageReview:
		review("review_first", 0)
		if !r.cfg.ReportOnly {
			review("review_second", 1)
		}
	case event.StageReview2:
		review("review_second", 1)
	case event.StageExternal:
		p, perr := r.prompts.External(phase.ExternalPrompt{})
		add("external", r.ex.External.Name(), p, perr)
		p, perr = r.prompts.Evaluation(phase.EvaluationPrompt{Output: "(what it finds)"})
		add("evaluation", r.ex.Review.Name(), p, perr)
	case event.StageFinalize:
		p, perr := r.prompts.Finalize()
		add("finalize", r.ex.Review.Name(), p, perr)
	}
	return out, err
}
