package convert

import (
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// .ralph/tasks.json is flat: {"version": 2, "tasks": [{"id": "T1", "title", "status", "parentId", "dependsOn", …}]}.
// Keys are exact, with the misspellings that its other readers correct, too.

func detectRalph(in *Input) (int, string) {
	v := in.jsonValue("tasks.json", ".ralph/tasks.json")
	if v == nil || v.kind != '{' || v.get("tasks").kind != '[' {
		return 0, ""
	}
	list := v.get("tasks").list()
	for _, t := range list {
		if t.kind != '{' || t.get("id").kind != '"' || t.get("title").kind != '"' || t.has("checkboxes") {
			return 0, ""
		}
	}
	switch {
	case v.get("version").str() == "2" && len(list) > 0:
		return 93, "JSON of version 2 with tasks"
	case len(list) > 0 && list[0].get("status").kind == '"':
		return 80, "JSON with a flat list of tasks"
	}
	return 0, ""
}

// ralphAliases are misspelled keys, folded to lower-case letters and digits.
var ralphAliases = map[string]string{
	"dependencies": "dependsOn", "dependency": "dependsOn", "dependson": "dependsOn",
	"acceptancecriteria": "acceptance", "donecriteria": "acceptance", "guardrails": "constraints",
	"files": "context", "relevantfiles": "context", "type": "mode", "taskmode": "mode", "tasktype": "mode",
}

// ralphKeys are the supported keys, in the order in which they are written.
var ralphKeys = []string{"id", "title", "status", "parentId", "dependsOn", "notes", "validation", "blocker", "priority", "mode", "tier",
	"acceptance", "constraints", "context", "writeRiskLabels", "lastVerifierResult", "lastReconciliationWarning"}

// correct renames misspelled keys whose target is not there.
func correct(v *value) {
	for i, k := range v.keys {
		if slices.Contains(ralphKeys, k) {
			continue
		}
		folded := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, strings.ToLower(k))
		if to, ok := ralphAliases[folded]; ok && !v.has(to) {
			v.keys[i] = to
		}
	}
}

type ralph struct {
	s        *Source
	path     string
	byID     map[string]*value
	children map[string][]*value
	commands map[string]int // validation command → how many tasks name it
	named    int            // tasks that name one
	total    int
}

func readRalph(s *Source, in *Input, _ Options) error {
	f, v, err := in.jsonFile("tasks.json", ".ralph/tasks.json")
	if err != nil {
		return err
	}
	r := ralph{s: s, path: f.Path, byID: map[string]*value{}, children: map[string][]*value{}, commands: map[string]int{}}
	list := v.get("tasks").list()
	r.total = len(list)
	if v.kind != '{' || len(list) == 0 {
		return ErrNothing
	}
	s.Title = in.folderTitle(f)
	for _, t := range list {
		r.know(t)
	}
	var tops []*value
	for _, t := range list {
		parent := t.get("parentId").str()
		switch {
		case t.kind != '{':
		case parent == "":
			tops = append(tops, t)
		case r.byID[parent] == nil:
			s.lose(f.Path, t.line, parent, "a parent that the file does not have; the task stands by itself")
			tops = append(tops, t)
		default:
			r.children[parent] = append(r.children[parent], t)
		}
	}
	if err := r.parentCycle(list); err != nil {
		return err
	}
	if len(tops) == 1 && r.isProjection(tops[0]) {
		r.projection(tops[0])
	} else {
		for _, t := range tops {
			r.task(t)
		}
	}
	r.validation()
	return nil
}

// know registers a task.
func (r *ralph) know(t *value) {
	if t.kind != '{' {
		return
	}
	correct(t)
	if v := t.get("validation").str(); isCommand(v) {
		if r.commands[v]++; r.commands[v] > 1 {
			r.s.Counted = append(r.s.Counted, words(v)...)
		}
	}
	if t.get("validation").str() != "" {
		r.named++
	}
	id := t.get("id").str()
	r.s.Counted = append(r.s.Counted, words(t.get("parentId").str())...)
	if r.byID[id] != nil {
		r.s.lose(r.path, t.line, id, "an id that another task has already")
		return
	}
	r.byID[id] = t
}

// parentCycle finds tasks that are their own ancestors.
func (r *ralph) parentCycle(list []*value) error {
	state := map[string]int{}
	for _, t := range list {
		var path []string
		id := t.get("id").str()
		for id != "" && state[id] == 0 {
			state[id] = 1
			path = append(path, id)
			up := r.byID[id]
			if up == nil {
				id = ""
				break
			}
			id = up.get("parentId").str()
		}
		if i := slices.Index(path, id); i >= 0 && id != "" {
			return &CycleError{Path: append(path[i:], id)}
		}
		for _, p := range path {
			state[p] = 2
		}
	}
	return nil
}

// validation takes a command that all tasks name, as far as they name one. A command of some tasks only would be
// red before they are done: it stays with them, as text.
func (r *ralph) validation() {
	for c, n := range r.commands {
		if !r.own(c) && n > 0 {
			r.s.Commands = append(r.s.Commands, plan.Command{Text: c})
		}
	}
}

// own tells whether a command is not the one of all tasks.
func (r *ralph) own(cmd string) bool {
	return r.commands[cmd] != r.named || r.named == 1 && r.total > 1
}

func (r *ralph) task(v *value) {
	id := v.get("id").str()
	t := Task{ID: id, Title: bare(oneLine(v.get("title").str()), id), Origin: Origin{r.path, v.line, -1, id}}
	t.Intro = r.fields(v)
	t.Depends = r.depends(v)
	state := r.status(v)
	r.below(&t, id, 0)
	open := 0
	for _, it := range t.Items {
		if !it.Checked() {
			open++
		}
	}
	switch {
	case len(t.Items) == 0, state != plan.BoxChecked && open == 0:
		text := firstText(t.Title, id)
		t.Items = append(t.Items, Item{Text: text, State: stateIn(text, state), Origin: t.Origin})
	case state == plan.BoxChecked && open > 0:
		r.s.lose(r.path, v.line, t.Title, "is done there while tasks below it are open; those count")
	}
	r.s.Tasks = append(r.s.Tasks, t)
}

// below adds the descendants of a task as items.
func (r *ralph) below(t *Task, parent string, depth int) {
	for _, v := range r.children[parent] {
		id := v.get("id").str()
		title := bare(oneLine(v.get("title").str()), id)
		it := Item{ID: id, Text: strings.TrimSpace(id + " " + withoutMark(title)), Depth: depth, Origin: Origin{r.path, v.line, -1, id}}
		if isEnding(title, writeTests) || isEnding(title, runTests) {
			it.Text = title // an id in front would hide that it is the ending
			r.s.Counted = append(r.s.Counted, words(id)...)
		}
		it.State = stateIn(title, r.status(v))
		it.Detail = r.fields(v)
		it.Depends = r.depends(v)
		t.Items = append(t.Items, it)
		if r.byID[id] == v && depth < 50 {
			r.below(t, id, depth+1)
		}
	}
}

// stateIn reads the marks that we write into titles, since the format has no status for them.
func stateIn(title string, state plan.BoxState) plan.BoxState {
	switch {
	case strings.HasPrefix(title, "(manual)") && state == plan.BoxOpen:
		return plan.BoxManual
	case strings.HasPrefix(title, "(skipped)") && state == plan.BoxChecked:
		return plan.BoxSkipped
	}
	return state
}

func (r *ralph) depends(v *value) []string {
	var out []string
	for _, d := range v.get("dependsOn").strs() {
		if hasToken(v.get("title").str(), d) {
			r.s.Counted = append(r.s.Counted, words(d)...)
		}
		out = appendNew(out, d)
	}
	return out
}

// status reads the four statuses. What a plan can't say is a loss.
func (r *ralph) status(v *value) plan.BoxState {
	switch st := v.get("status"); st.str() {
	case "done":
		r.s.Counted = append(r.s.Counted, "done")
		return plan.BoxChecked
	case "todo":
		r.s.Counted = append(r.s.Counted, "todo")
	default:
		if id := v.get("id").str(); activeStatus(st.str()) && len(r.children[id]) > 0 {
			r.s.Counted = append(r.s.Counted, words(st.str())...) // its children say so
			break
		}
		r.s.lose(r.path, st.line, st.str(), "a status that a plan does not have; the box is open")
	}
	return plan.BoxOpen
}

// fields are the texts of a task.
func (r *ralph) fields(v *value) string {
	out := v.get("notes").str()
	for _, f := range []struct{ key, name string }{{"acceptance", "Acceptance"}, {"constraints", "Constraints"}, {"context", "Context"}, {"writeRiskLabels", "Write risks"}} {
		if list := v.get(f.key).strs(); len(list) > 0 {
			text := f.name + ":\n"
			for _, l := range list {
				text += "\n- " + oneLine(l)
			}
			out = joinProse(out, text)
		}
	}
	if cmd := v.get("validation").str(); cmd != "" && (!isCommand(cmd) || r.own(cmd)) {
		text := oneLine(cmd)
		if isCommand(cmd) {
			text = "`" + strings.ReplaceAll(text, "`", "'") + "`"
		}
		out = joinProse(out, "Validation: "+text)
		r.s.lose(r.path, v.get("validation").line, cmd, "a validation of this task only: it is text in the plan, where commands run after every task")
	}
	for _, f := range []struct{ key, name string }{{"blocker", "Blocked by"}, {"priority", "Priority"}, {"mode", "Mode"}, {"tier", "Tier"},
		{"lastVerifierResult", "Last verifier result"}, {"lastReconciliationWarning", "Last warning"}} {
		out = joinProse(out, labelled(f.name, v.get(f.key).str()))
	}
	return out
}

// bare is a text without the id that it begins with.
func bare(text, id string) string {
	if rest, ok := strings.CutPrefix(text, id); ok && id != "" && strings.HasPrefix(rest, " ") {
		return strings.TrimSpace(rest)
	}
	return text
}
