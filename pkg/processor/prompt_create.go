package processor

import (
	"fmt"
	"strings"

	"ralphex/pkg/processor/phase"
)

// Create renders the prompt of a session of plan creation: the template, and behind it the conversation so far, word for word. The
// progress log has it too, but wraps lines and leaves blank ones out.
func (b *promptBuilder) Create(in phase.CreatePrompt) (phase.Prompt, error) {
	vars := b.variables("")
	return func(agent string) string { return draftSheet(newSheet(b.others.Plan(agent, vars)), in) }, nil
}

// draftSheet puts the conversation so far behind the template.
func draftSheet(out *sheet, in phase.CreatePrompt) string {
	var said strings.Builder
	for _, a := range in.Answers {
		fmt.Fprintf(&said, "QUESTION: %s\nANSWER: %s\n\n", a.Question, a.Answer)
	}
	out.block("What was asked and answered so far:", said.String())
	if in.Write != "" {
		out.add("The person accepted the draft below. Write exactly the text between the two lines of equals signs, to the last byte, without these lines, to the new file\n%s\n"+
			"Change nothing else, commit nothing, then print the signal PLAN_READY.\n%s\n%s%s", in.Write, fence, ended(in.Draft), fence)
		return out.close("", false)
	}
	if in.Draft != "" {
		out.add("This is the draft so far, between the two lines of equals signs:\n%s\n%s%s", fence, ended(in.Draft), fence)
	}
	if in.Feedback != "" {
		out.add("PREVIOUS DRAFT FEEDBACK:\nThe person read that draft and wants it changed. Print a new draft, whole, that does all of this and keeps the rest as it is:\n\n%s", in.Feedback)
	}
	if len(in.Problems) > 0 {
		out.add("The person has not seen that draft: ralphex checked it, and it breaks rules of the format. Print it again, whole, with these mended and nothing else changed:\n\n- %s",
			strings.Join(in.Problems, "\n- "))
	}
	if in.Trouble != "" {
		out.add("Nothing could be made of what the last session printed: %s. Print it again as described above.", in.Trouble)
	}
	return out.close("", false)
}

// fence stands around a draft in a prompt.
const fence = "=============================="

// ended ends the last line.
func ended(text string) string {
	if strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
