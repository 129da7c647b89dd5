package check

import (
	"cmp"
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// sectionName is one of the eight sections of the format.
type sectionName struct {
	name     string
	optional bool
}

// names are the sections in their order.
var names = []sectionName{
	{"Overview", false},
	{"Context", false},
	{"Development Approach", false},
	{"Testing Strategy", false},
	{"Progress Tracking", false},
	{"Technical Details", true},
	{"Implementation Steps", false},
	{"Post-Completion", true},
}

const (
	steps     = "Implementation Steps"
	stepIndex = 6
	// oldSteps is how plans named that section before; it is read as the same.
	oldSteps = "Tasks"
)

// section is a `## heading` with all that stands below it.
type section struct {
	plan.Heading
	end   int // offset where the next section begins, or a `# heading`, or the end
	index int // in names, -1 = another section
	exact bool
}

// name is how the format writes the section's name.
func (s section) name() string {
	if s.index < 0 {
		return s.Text
	}
	return names[s.index].name
}

// outline is the plan's headings, sorted by what they are.
type outline struct {
	titles   []plan.Heading // level 1
	sections []section
	found    [][]int // per name: indexes of its sections
}

func readOutline(p *plan.Plan) outline {
	o := outline{found: make([][]int, len(names))}
	last := -1
	for _, h := range p.Headings {
		if h.Level > 2 {
			continue
		}
		if last >= 0 {
			o.sections[last].end = h.Offset
			last = -1
		}
		if h.Level == 1 {
			o.titles = append(o.titles, h)
			continue
		}
		s := section{Heading: h, end: len(p.Source())}
		s.index, s.exact = nameIndex(h.Text)
		last = len(o.sections)
		if s.index >= 0 {
			o.found[s.index] = append(o.found[s.index], last)
		}
		o.sections = append(o.sections, s)
	}
	o.readOldName()
	return o
}

// readOldName takes `## Tasks` for Implementation Steps where nothing else is.
func (o *outline) readOldName() {
	if len(o.found[stepIndex]) > 0 {
		return
	}
	for i := range o.sections {
		if o.sections[i].index < 0 && strings.EqualFold(bareName(o.sections[i].Text), oldSteps) {
			o.sections[i].index = stepIndex
			o.found[stepIndex] = append(o.found[stepIndex], i)
			return
		}
	}
}

// nameIndex finds a section by its name. exact is false if the name is written in another way.
func nameIndex(text string) (index int, exact bool) {
	bare := bareName(text)
	for i, n := range names {
		if strings.EqualFold(bare, n.name) {
			return i, text == n.name
		}
	}
	return -1, false
}

// bareName is a heading without emphasis and colon.
func bareName(text string) string {
	return strings.Trim(text, " \t:*_")
}

// sectionAt returns the section that holds an offset.
func (o *outline) sectionAt(offset int) (section, bool) {
	i, found := slices.BinarySearchFunc(o.sections, offset, func(s section, at int) int { return cmp.Compare(s.Offset, at) })
	if !found {
		i--
	}
	if i < 0 {
		return section{}, false
	}
	return o.sections[i], offset < o.sections[i].end
}
