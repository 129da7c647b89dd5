package processor

import (
	"bytes"
	"fmt"

	"ralphex/pkg/plan"
)

// planLocator knows where the plan is now and what it says. It reads the file at each Load, and parses only
// what changed.
type planLocator struct {
	configured string
	actual     string
	last       *plan.Plan
	src        []byte
}

func newPlanLocator(path string, p *plan.Plan) *planLocator {
	return &planLocator{configured: path, actual: path, last: p}
}

// Path is the plan's place as last found.
func (l *planLocator) Path() string { return l.actual }

// Load finds the plan, by its date-prefix alternates and in completed/ too, and reads it. The same pointer comes
// back while the bytes are the same. A plan that is gone is an error: it must never look finished.
func (l *planLocator) Load() (*plan.Plan, error) {
	path, err := plan.Locate(l.configured)
	if err != nil {
		return nil, fmt.Errorf("find plan %s: %w", l.configured, err)
	}
	src, err := plan.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	if l.last != nil && path == l.actual && l.src != nil && bytes.Equal(src, l.src) {
		return l.last, nil
	}
	p, err := l.parse(path, src)
	if err != nil {
		return nil, err
	}
	l.actual, l.src, l.last = path, src, p
	return p, nil
}

func (l *planLocator) parse(path string, src []byte) (*plan.Plan, error) {
	if l.last != nil && path == l.actual && l.src != nil {
		return l.last.Reparse(src)
	}
	return plan.ParsePlanFile(path)
}
