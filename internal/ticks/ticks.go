package ticks

import (
	"context"
	"errors"
	"fmt"

	"ralphex/internal/ralph/task"
	"ralphex/pkg/plan/convert"
	"ralphex/pkg/plan/origin"
)

// Sources is an origin.Store of all formats that can be ticked.
type Sources struct{}

var _ origin.Store = Sources{}

// Takes tells whether sources of a format can be ticked.
func (Sources) Takes(format string) bool {
	return format == string(convert.Ralph) || format == string(convert.TaskMaster)
}

// Tick makes objects done. See origin.Store.
func (Sources) Tick(ctx context.Context, path, format string, objects []origin.Object) ([]string, error) {
	switch format {
	case string(convert.Ralph):
		return store(ctx, path, objects)
	case string(convert.TaskMaster):
		return taskMaster(path, objects)
	}
	return nil, fmt.Errorf("%s: sources of the format %s can't be ticked: %w", path, format, origin.ErrStore)
}

// store ticks tasks of a `.ralph` store. Its ids name tasks for good, so a title that was changed there is no obstacle.
func store(ctx context.Context, path string, objects []origin.Object) ([]string, error) {
	ids := make([]string, len(objects))
	for i, o := range objects {
		ids[i] = o.ID
	}
	_, done, err := task.At(path).DoneAll(ctx, ids)
	return done, err
}

// UncertainError names an object that is not surely the one that the plan's box came from. Nothing was written to its file.
type UncertainError struct {
	ID, Text string
	Why      string
}

func (e *UncertainError) Error() string {
	return fmt.Sprintf("task %s (%q): %s", e.ID, e.Text, e.Why)
}

// Hint says what to do.
func (e *UncertainError) Hint() string {
	return "nothing was written there: tick these tasks by hand, or convert the source again"
}

// errShape is returned for a file that is not what was converted.
var errShape = errors.New("the file has no list of tasks any more")
