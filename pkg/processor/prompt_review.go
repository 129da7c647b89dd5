package processor

import (
	"fmt"
	"maps"
	"strings"

	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// noPlan stands for PLAN_FILE and GOAL where a branch is reviewed without a plan.
const noPlan = "(no plan file - reviewing current branch)"

// variables are those of a prompt, with the diff since a revision; empty = since the base of the run.
func (b *promptBuilder) variables(since vcs.Rev) map[string]string {
	vars := maps.Clone(b.vars)
	if vars == nil {
		vars = map[string]string{}
	}
	if vars["PLAN_FILE"] = b.locator.Path(); vars["PLAN_FILE"] == "" {
		vars["PLAN_FILE"] = noPlan
	}
	if since != "" {
		maps.Copy(vars, b.verbs.With("base", string(since)).Vars())
	}
	return vars
}

// Review renders the prompt of a review round.
func (b *promptBuilder) Review(in phase.ReviewPrompt) (phase.Prompt, error) {
	template := b.others.ReviewSecond
	if in.Round == 0 {
		template = b.others.ReviewFirst
	}
	vars := b.variables(in.Since)
	return func(agent string) string {
		out := newSheet(template(agent, vars))
		if in.Since != "" {
			out.add("Review only what came after commit %s: what is before it was reviewed already. The change is shown by: %s", in.Since, vars["VCS_DIFF"])
		}
		if in.ReportOnly {
			out.add("Change nothing in this session: no file, no commit. Name what you find, one line each (path/to/file.go:42 - [major] what is wrong), or say NO ISSUES FOUND.")
		}
		out.block("ralphex itself noticed this in the change. Judge each of these like a finding of your own:", in.Own)
		out.ledger(in.Ledger)
		out.failure(in.Failure)
		out.paths("These uncommitted paths belong to the change: earlier sessions of this run left them. They are yours to go on with:", in.Unfinished)
		return out.close(b.trailer, !in.ReportOnly)
	}, nil
}

// External renders the prompt of the external tool.
func (b *promptBuilder) External(in phase.ExternalPrompt) (phase.Prompt, error) {
	vars := b.variables("")
	vars["DIFF_INSTRUCTION"] = vars["VCS_DIFF"]
	if in.Since != "" {
		vars["DIFF_INSTRUCTION"] = b.verbs.With("base", string(in.Since)).Diff
	}
	if in.Previous != "" {
		vars["PREVIOUS_REVIEW_CONTEXT"] = "---\nPREVIOUS REVIEW CONTEXT:\nThis is how your findings of the last round were judged:\n\n" + in.Previous +
			"\n\nLook again, and weigh these reasons: name once more only what they do not answer."
	} else {
		vars["PREVIOUS_REVIEW_CONTEXT"] = ""
	}
	return func(agent string) string {
		out := newSheet(b.others.External(agent, vars))
		out.ledger(in.Ledger)
		out.paths("These uncommitted paths belong to the change, too:", in.Unfinished)
		return out.close("", false)
	}, nil
}

// Evaluation renders the prompt of the reviewer who judges what the external tool said.
func (b *promptBuilder) Evaluation(in phase.EvaluationPrompt) (phase.Prompt, error) {
	vars := b.variables("")
	vars["CODEX_OUTPUT"], vars["CUSTOM_OUTPUT"] = in.Output, in.Output
	return func(agent string) string {
		out := newSheet(b.others.Evaluation(agent, vars))
		out.ledger(in.Ledger)
		out.failure(in.Failure)
		out.paths("These uncommitted paths belong to the change: earlier sessions of this run left them. They are yours to go on with:", in.Unfinished)
		return out.close(b.trailer, true)
	}, nil
}

// Finalize renders the prompt of the last step.
func (b *promptBuilder) Finalize() (phase.Prompt, error) {
	vars := b.variables("")
	return func(agent string) string { return newSheet(b.others.Finalize(agent, vars)).close(b.trailer, true) }, nil
}

// sheet is a prompt with what only this session needs to know behind it.
type sheet struct {
	strings.Builder
	begun bool
}

func newSheet(text string) *sheet {
	s := &sheet{}
	s.WriteString(text)
	return s
}

// add puts a paragraph behind the prompt, below one heading.
func (s *sheet) add(format string, args ...any) {
	if !s.begun {
		s.begun = true
		s.WriteString("\n\n=== This session ===")
	}
	s.WriteString("\n" + fmt.Sprintf(format, args...) + "\n")
}

func (s *sheet) block(title, text string) {
	if text = strings.TrimSpace(text); text != "" {
		s.add("%s\n\n%s", title, text)
	}
}

func (s *sheet) ledger(text string) {
	s.block("This was named in earlier rounds, with what became of it. Don't name again what was refuted, unless you know something that the reason leaves out:", text)
}

func (s *sheet) failure(text string) {
	s.block("The validation commands, which ralphex runs itself, are red on the tree as it is, or a hook refused the commit. Find the cause and mend it first:", text)
}

func (s *sheet) paths(title string, paths []string) {
	s.block(title, listed(paths))
}

// close ends the prompt.
func (s *sheet) close(trailer string, commits bool) string {
	if trailer != "" && commits {
		fmt.Fprintf(s, "\nEnd the message of each commit with a blank line and this line:\n%s\n", trailer)
	}
	return s.String()
}
