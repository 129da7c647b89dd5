package task

import (
	"context"
	"strings"
)

// unprovenMark begins the warning of a task that stands as done, and that nobody has proven.
const unprovenMark = "unproven: "

// Unproven tells whether the task stands as done by what a session wrote, and no person has said yet what is to become of it.
func (t *Task) Unproven() bool {
	return t.Status == Done && strings.HasPrefix(t.LastReconciliationWarning, unprovenMark)
}

// Doubt notes in tasks that stand as done that nobody has proven them; why is a sentence. Whoever sets their status says what they are, and takes the note away.
func (s Store) Doubt(ctx context.Context, ids []string, why string) error {
	_, err := s.Update(ctx, func(f *File) error {
		for _, id := range ids {
			if i := f.Find(id); i >= 0 && f.Tasks[i].Status == Done {
				f.Tasks[i].LastReconciliationWarning = unprovenMark + why
			}
		}
		return nil
	})
	return err
}

// believe takes the note away.
func (t *Task) believe() {
	if strings.HasPrefix(t.LastReconciliationWarning, unprovenMark) {
		t.LastReconciliationWarning = ""
	}
}

// Unproven are the ids of the tasks that stand as done without proof, in file order.
func (g *Graph) Unproven() (ids []string) {
	for i := range g.tasks {
		if g.tasks[i].Unproven() {
			ids = append(ids, g.tasks[i].ID)
		}
	}
	return ids
}
