package plan

// Plan is one reading of a plan file.
type Plan struct {
	Path  string // as given to ParsePlanFile; empty for ParsePlan
	Title string // text of the first `# heading`; may be empty
	Tasks []Task // in file order; the task at position pos is Tasks[pos-1]

	Headings []Heading // those of the document that Markdown sees, task headers among them, in file order
	Opaque   []Span    // fenced blocks and closed comments: what stands there is no prose; in file order

	ValidationCommands []Command // what the gate runs, in file order
	ValidationProse    []Prose   // what stands in the section and is no command: reported, never run

	Problems []Problem // what a person should know; never a reason that ParsePlan fails

	text string // the whole file, byte order mark included
}

// Command is one validation command. Text is given to the shell as it is; a fenced block is one command
// that may have several lines.
type Command struct {
	Text string `json:"text"`
	Line int    `json:"line"`
}

// Prose is an entry of the validation section that is no command.
type Prose struct {
	Text string `json:"text"`
	Line int    `json:"line"`
}

// TaskStatus tells how far a task is.
type TaskStatus string

// The statuses of the public JSON. The parser never yields TaskStatusFailed; a face that knows of a failure
// may set it.
const (
	TaskStatusPending TaskStatus = "pending" // no box ticked yet, or no boxes at all
	TaskStatusActive  TaskStatus = "active"  // some boxes ticked, and an agent can still tick one
	TaskStatusDone    TaskStatus = "done"    // has boxes, and an agent can tick none of them
	TaskStatusFailed  TaskStatus = "failed"
)

// Task is one `### Task N: title` section.
type Task struct {
	Position   int    // 1-based place in the plan: the identity of the task
	Number     int    // ID as an integer, 0 if it is none ("2.5", "2a")
	ID         string // what stands between the keyword and the colon: "2.5"
	Title      string
	Status     TaskStatus
	Checkboxes []Checkbox // box n is Checkboxes[n-1]
	Blocks     []Block    // shell blocks that stand before the first box
	Review     ReviewMark // what the task says about its own review
	Line       int        // 1-based line of the header
	Span       Span       // from the header to the next task, higher heading or end of file
}

// Checkbox is one `- [ ] text`.
type Checkbox struct {
	Text    string // the rest of the box's own line, without blanks around it
	Checked bool   // x or X
	State   BoxState
	Sample  bool // the whole text is a format sample like `- [ ]`: reported, and never to be ticked by an agent
	Line    int
	Depth   int     // nesting of its list, 0 = outermost
	Offset  int     // byte offset of the character between the brackets
	Span    Span    // its list item, with everything nested in it
	Blocks  []Block // shell blocks that belong to this box: those after it and before the next
}

// BoxState is what a box says.
type BoxState string

// The states of a box.
const (
	BoxOpen    BoxState = "open"    // [ ]
	BoxChecked BoxState = "checked" // [x] or [X]
	BoxManual  BoxState = "manual"  // [~], or [ ] and the text begins with (manual): a person must do it
	BoxSkipped BoxState = "skipped" // [-]: left out on purpose, the reason is in the text
)

// Heading is a heading of the document itself: it stands in no list, quote, fence or HTML.
type Heading struct {
	Level  int
	Text   string // without the marks
	Line   int
	Offset int  // first byte of its first line
	Setext bool // underlined with = or -
}

// Block is a closed fenced block whose language is sh, bash or shell.
type Block struct {
	Lang string // first word of Info, as written
	Info string // what follows the opening fence
	Text string // content with LF line ends, without the indentation of the list it stands in
	Line int    // line of the opening fence
}

// Span is a range of bytes of the file, End excluded.
type Span struct{ Start, End int }

// Task returns the task at a 1-based position.
func (p *Plan) Task(pos int) (Task, bool) {
	if pos < 1 || pos > len(p.Tasks) {
		return Task{}, false
	}
	return p.Tasks[pos-1], true
}

// Source returns the bytes that the plan was read from, as a string.
func (p *Plan) Source() string { return p.text }
