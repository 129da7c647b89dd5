package processor

import "strings"

// Note is what a person wants a session to know, beside its prompt.
type Note struct {
	ID   string
	Text string
}

// noted adds the notes that wait to a prompt, and names them.
func (c Config) noted(prompt string) (text string, ids []string) {
	if c.Notes == nil {
		return prompt, nil
	}
	var out strings.Builder
	out.WriteString(prompt)
	for i, n := range c.Notes() {
		if i == 0 {
			out.WriteString("\n\n## A note from the person who watches this run\n\nWhere it differs from what is said above, the note holds.\n")
		}
		out.WriteString("\n" + n.Text + "\n")
		ids = append(ids, n.ID)
	}
	return out.String(), ids
}
