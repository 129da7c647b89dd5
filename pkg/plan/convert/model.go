package convert

import "ralphex/pkg/plan"

// Format names what a source is written in.
type Format string

// The formats.
const (
	OpenSpec    Format = "openspec"
	SpecKit     Format = "spec-kit"
	Kiro        Format = "kiro"
	Superpowers Format = "superpowers"
	TaskMaster  Format = "task-master"
	Ralph       Format = "ralph" // .ralph/tasks.json, version 2 and older
	Todos       Format = "todos" // todo lists of a coding agent
	Issue       Format = "issue" // of GitHub or GitLab: Markdown, or the JSON of gh and glab
	PlanFormat  Format = "plan"  // a plan of ours, strict or not
	JSONFormat  Format = "json"  // what `convert --to json` and `show --json` print
	List        Format = "list"  // any Markdown with boxes
	Prose       Format = "prose" // any other text
)

// Source is what a reader found: everything a plan can be made of.
type Source struct {
	Format   Format
	Why      string // why it was taken for that format
	Title    string
	Sections []Section      // prose, by the section of the plan where it belongs
	Commands []plan.Command // validation commands that the source names
	Tasks    []Task
	Losses   []Loss

	Counted []string // words that became structure (a status, a keyword): no prose, and no loss
}

// SectionName is a section of a plan.
type SectionName string

// The sections of a plan, in their order. Any other name is a section of the source's own.
const (
	Overview  SectionName = "Overview"
	Context   SectionName = "Context"
	Approach  SectionName = "Development Approach"
	Testing   SectionName = "Testing Strategy"
	Progress  SectionName = "Progress Tracking"
	Technical SectionName = "Technical Details"
	Steps     SectionName = "Implementation Steps"
	After     SectionName = "Post-Completion"
)

// Section is prose of one section.
type Section struct {
	Name SectionName
	Late bool   // stands behind the tasks; only for names of the source's own
	Text string // Markdown
	Path string // of the file it comes from
	Line int    // where it begins there
}

// Task is a group of items that is worked off together.
type Task struct {
	ID      string // as the source has it: "2", "T1"; may be empty
	Title   string
	Intro   string // Markdown that stands before the first item
	Outro   string // Markdown that stands behind the last one
	Depends []string
	Items   []Item
	Origin  Origin // of its heading, box or object

}

// Item is one box.
type Item struct {
	Text    string // what the box says, id included; one line
	State   plan.BoxState
	ID      string
	Depends []string
	Before  string // Markdown between the item before and this one
	Detail  string // Markdown that belongs to the item
	Depth   int    // 0 = outermost
	Origin  Origin

	after []string // ids that come first, too, as text elsewhere in the source says
}

// Checked tells whether the item is done or left out on purpose.
func (i Item) Checked() bool { return i.State == plan.BoxChecked || i.State == plan.BoxSkipped }

// Origin is a place in a source.
type Origin struct {
	Path   string // as in File.Path; "#" and more behind it: not a line of the file itself
	Line   int    // 1-based, 0 = unknown
	Offset int    // of the byte between the brackets, in the file; -1 = there is none that could be written
	ID     string // of the item, for sources that know items by id
}

// noOrigin is what is made by us.
var noOrigin = Origin{Offset: -1}

// Loss is a piece of the source that the plan does not say.
type Loss struct {
	Path string `json:"path"`
	Line int    `json:"line"` // 1-based, 0 = the whole file
	Text string `json:"text"`
	Why  string `json:"why"`
}

func (s *Source) lose(path string, line int, text, why string) {
	s.Losses = append(s.Losses, Loss{Path: path, Line: line, Text: text, Why: why})
}

// add appends prose to a section.
func (s *Source) add(name SectionName, path string, line int, text string) {
	if trimBlankLines(text) != "" {
		s.Sections = append(s.Sections, Section{Name: name, Path: path, Line: line, Text: trimBlankLines(text)})
	}
}

// items is the number of boxes.
func (s *Source) items() int {
	n := 0
	for i := range s.Tasks {
		n += len(s.Tasks[i].Items)
	}
	return n
}
