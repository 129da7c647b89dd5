package ticks

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ralphex/internal/ralph/stable"
	"ralphex/pkg/plan"
	"ralphex/pkg/plan/origin"
)

// taskMaster ticks tasks and subtasks of a Task Master file: the bytes of their status become "done", and no other byte changes. All of
// them or none: if one is not surely the task that the plan's box came from, the file stays as it is.
func taskMaster(path string, objects []origin.Object) (ids []string, err error) {
	err = plan.Edit(path, func(src []byte) ([]byte, error) {
		var out []byte
		out, ids, err = tickTaskMaster(src, objects)
		return out, err
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// edit is one status value that becomes another one.
type edit struct{ start, end int }

func tickTaskMaster(src []byte, objects []origin.Object) (out []byte, ids []string, err error) {
	known, err := tasksOf(src)
	if err != nil {
		return nil, nil, err
	}
	var edits []edit
	var errs []error
	for _, o := range objects {
		at, err := known.find(o)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		status, _ := at.String("status")
		if slices.Contains([]string{"done", "completed", "complete"}, strings.ToLower(status)) {
			continue
		}
		start := at.ValueAt("status")
		end := start + valueLen(src[max(start, 0):])
		if start < 0 || at.Twice("status") || end == start {
			errs = append(errs, &UncertainError{o.ID, o.Text, `it has no "status" that is a string, or two of them`})
			continue
		}
		edits = append(edits, edit{start, end})
		ids = append(ids, o.ID)
	}
	if len(errs) > 0 {
		return nil, nil, errors.Join(errs...)
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	from := 0
	for _, e := range edits {
		out = append(append(out, src[from:e.start]...), `"done"`...)
		from = e.end
	}
	return append(out, src[from:]...), ids, nil
}

// valueLen is the length of the string that a text begins with, 0 if it is no string.
func valueLen(text []byte) int {
	if len(text) == 0 || text[0] != '"' {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// objectsByID are the tasks of a file and the subtasks in them, "3.2" the second of the third, over all tags.
type objectsByID map[string][]*stable.Object

func tasksOf(src []byte) (objectsByID, error) {
	top, err := stable.ParseObject(bytes.TrimPrefix(src, []byte("\ufeff")))
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		return nil, errors.New("it begins with a byte order mark, which its own tool can't read")
	}
	found := objectsByID{}
	found.add(top)
	for _, tag := range top.Keys() {
		if v, _ := top.Get(tag); v != nil {
			if o, ok := v.(*stable.Object); ok {
				found.add(o)
			}
		}
	}
	if len(found) == 0 {
		return nil, errShape
	}
	return found, nil
}

func (f objectsByID) add(tag *stable.Object) {
	for _, t := range objectsIn(tag, "tasks") {
		id := idOf(t)
		f[id] = append(f[id], t)
		for _, sub := range objectsIn(t, "subtasks") {
			sid := idOf(sub)
			if !strings.Contains(sid, ".") {
				sid = id + "." + sid
			}
			f[sid] = append(f[sid], sub)
		}
	}
}

func objectsIn(o *stable.Object, key string) (list []*stable.Object) {
	v, _ := o.Get(key)
	a, ok := v.(*stable.Array)
	if !ok {
		return nil
	}
	for _, item := range a.Items {
		if o, ok := item.(*stable.Object); ok {
			list = append(list, o)
		}
	}
	return list
}

func idOf(o *stable.Object) string {
	switch v, _ := o.Get("id"); v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// find returns the one object with the id and the text that the box was made of. Tags may use the same numbers.
func (f objectsByID) find(o origin.Object) (*stable.Object, error) {
	var fit []*stable.Object
	for _, c := range f[o.ID] {
		title, _ := c.String("title")
		if o.Was(title) || o.Was(o.ID+" "+title) {
			fit = append(fit, c)
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(f[o.ID]) == 0:
		return nil, &UncertainError{o.ID, o.Text, "there is no task with this id any more"}
	case len(fit) == 0:
		return nil, &UncertainError{o.ID, o.Text, "the task with this id has another title now"}
	}
	return nil, &UncertainError{o.ID, o.Text, fmt.Sprintf("%d tags have a task with this id and title", len(fit))}
}
