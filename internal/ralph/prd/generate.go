package prd

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// Draft is a project before anybody confirmed it.
type Draft struct {
	Title    string      `json:"title"`
	PRD      string      `json:"prd"`   // Markdown, as it will be written
	Tasks    []task.Task `json:"tasks"` // T1, T2, …, each behind the one before
	Warnings []string    `json:"warnings,omitempty"`
}

// ErrBlank is returned for an objective without a word in it.
var ErrBlank = errors.New("the objective is blank")

const (
	longTitle = 80  // letters; a longer sentence is cut for the project's title
	longTask  = 120 // letters; what is longer goes to the notes
)

// Generate makes the draft of a project (generateProjectDraft). Tasks are the entries of lists below headings such as Tasks,
// Requirements or Goals; without those, the other sections; without those, any list; and if there is none, two tasks to begin with.
// Acceptance criteria, constraints, context and validation commands go to the tasks they belong to.
func Generate(objective string) (*Draft, error) {
	if stable.Trim(objective) == "" {
		return nil, ErrBlank
	}
	g := generator{sections: scan(strings.ToValidUTF8(objective, "\ufffd")), d: &Draft{}}
	g.d.Title = g.title()
	g.d.PRD = stable.Text(objective)
	if !g.hasTitle() {
		g.d.PRD = stable.Text("# " + g.d.Title + "\n\n" + objective)
	}
	g.sort()
	for i, s := range g.steps() {
		if err := g.add(i, s); err != nil {
			return nil, err
		}
	}
	g.advise()
	return g.d, nil
}

type generator struct {
	sections                          []section
	d                                 *Draft
	accept, constraint, files, checks []string
}

func (g *generator) hasTitle() bool {
	for i := range g.sections {
		if g.sections[i].level == 1 {
			return true
		}
	}
	return false
}

// title is the first heading of the first level, else the first sentence there is.
func (g *generator) title() string {
	for i := range g.sections {
		if s := &g.sections[i]; s.level == 1 && s.title != "" {
			return s.title
		}
	}
	for i := range g.sections {
		s := &g.sections[i]
		for _, text := range append(append([]string{s.title}, s.prose...), s.texts()...) {
			if text != "" {
				head, _ := sentence(text, longTitle)
				return head
			}
		}
	}
	return "Objective"
}

// sentence cuts a text behind its first sentence, or at a blank if that is longer than most letters.
func sentence(text string, most int) (head, rest string) {
	text = strings.Join(strings.Fields(text), " ")
	cut := len(text)
	for i, r := range text {
		if strings.ContainsRune(".!?", r) && (i+1 == len(text) || text[i+1] == ' ') {
			cut = i + 1
			break
		}
	}
	if head = text[:cut]; utf8.RuneCountInString(head) > most {
		n := 0
		for i := range head {
			if n == most {
				cut = i
				break
			}
			n++
		}
		if at := strings.LastIndexByte(text[:cut], ' '); at > 0 {
			cut = at
		}
		return text[:cut] + "…", "…" + text[cut:]
	}
	return strings.TrimRight(head, "."), strings.TrimSpace(text[cut:])
}

// sort collects what holds for the whole.
func (g *generator) sort() {
	for i := range g.sections {
		s := &g.sections[i]
		switch s.role() {
		case acceptance:
			g.accept = append(g.accept, s.texts()...)
		case constraints:
			g.constraint = append(g.constraint, s.texts()...)
		case contexts:
			g.files = append(g.files, s.texts()...)
		case validation:
			g.checks = append(g.checks, s.commands...)
			for _, text := range s.texts() {
				if cmd, ok := command(text); ok {
					g.checks = append(g.checks, cmd)
				}
			}
		}
	}
}

// command reads an entry that is wholly one code span or begins with a prompt.
func command(text string) (string, bool) {
	if rest, ok := strings.CutPrefix(text, "$ "); ok {
		return rest, true
	}
	inner := strings.Trim(text, "`")
	return inner, len(inner)+2 == len(text) && !strings.Contains(inner, "`") && inner != ""
}

// step is a task before it has an id.
type step struct {
	title, notes string
	accept       []string
}

func (g *generator) steps() []step {
	var out []step
	for _, pick := range []func(*section) []step{g.listed(work), g.whole, g.listed(other)} {
		for i := range g.sections {
			out = append(out, pick(&g.sections[i])...)
		}
		if len(out) > 0 {
			break
		}
	}
	if len(out) == 0 {
		g.d.Warnings = append(g.d.Warnings, "the objective names no steps: there are two tasks to begin with")
		out = []step{
			{title: "Make the smallest working version: " + g.d.Title, notes: g.prose()},
			{title: "Complete and check: " + g.d.Title, notes: "What the first version leaves open, until all of the objective is met."},
		}
	}
	if len(g.accept) > 0 {
		out = append(out, step{title: "Verify the acceptance criteria", accept: g.accept})
	}
	return out
}

func (g *generator) prose() string {
	var out []string
	for i := range g.sections {
		out = append(out, g.sections[i].prose...)
	}
	return strings.Join(out, "\n\n")
}

// listed takes the entries of lists in sections of a role.
func (g *generator) listed(r role) func(*section) []step {
	return func(s *section) (out []step) {
		if s.role() != r {
			return nil
		}
		for _, it := range s.items {
			head, rest := sentence(it.text, longTask)
			out = append(out, step{head, rest, it.sub})
		}
		return out
	}
}

// whole takes a section of its own as one task.
func (g *generator) whole(s *section) []step {
	if s.role() != other || s.level < 2 || len(s.prose)+len(s.items) == 0 {
		return nil
	}
	return []step{{s.title, strings.Join(s.prose, "\n\n"), s.texts()[:len(s.items)]}}
}

// add makes a task through the pipeline of all producers.
func (g *generator) add(i int, s step) error {
	d := new(task.Draft)
	d.Set("id", fmt.Sprintf("T%d", i+1))
	d.Set("title", s.title)
	d.Set("notes", s.notes)
	d.Set("suggestedValidationCommand", strings.Join(g.checks, " && "))
	list := func(key string, texts []string) {
		a := &stable.Array{}
		for _, t := range texts {
			a.Items = append(a.Items, t)
		}
		d.Set(key, a)
	}
	list("acceptance", s.accept)
	list("constraints", g.constraint)
	list("context", g.files)
	if i > 0 {
		list("dependsOn", []string{fmt.Sprintf("T%d", i)})
	}
	t, err := task.NormalizeNew(d, task.NewOptions{})
	if err != nil {
		return fmt.Errorf("task %d of the draft: %w", i+1, err)
	}
	g.d.Tasks = append(g.d.Tasks, t)
	return nil
}

// advise warns of what makes tasks hard to work on. It stops nothing.
func (g *generator) advise() {
	var vague, several []string
	for i := range g.d.Tasks {
		t := &g.d.Tasks[i]
		if len(t.Acceptance) == 0 {
			vague = append(vague, t.ID)
		}
		if task.IsCompound(t) {
			several = append(several, t.ID)
		}
	}
	if len(vague) > 0 {
		g.d.Warnings = append(g.d.Warnings, "no acceptance criteria: "+strings.Join(vague, ", "))
	}
	if len(several) > 0 {
		g.d.Warnings = append(g.d.Warnings, "several things in one task: "+strings.Join(several, ", ")+"; ralphex task decompose ID cuts them")
	}
	if len(g.checks) == 0 {
		g.d.Warnings = append(g.d.Warnings, "no validation command: nothing will prove the tasks")
	}
}
