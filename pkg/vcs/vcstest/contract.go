package vcstest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

// row is one operation of the contract that all kinds of repositories share. It is told through a Person, so that Git, Mercurial and a
// wrapper are held to the same words.
type row struct {
	name string
	tell func(t *testing.T, s *scene)
}

// scene is what a row plays on.
type scene struct {
	Person
	*Folder
	b     Backend
	row   string
	mu    *sync.Mutex
	cells map[string]string
}

// repo opens the scene's repository.
func (s *scene) repo(t *testing.T) vcs.Repo {
	t.Helper()
	v, err := s.b.Open(t.Context(), s.Dir, s.Env)
	s.ok(t, err)
	return v
}

// ok goes on if err is nil. A refusal ends the row with "no" in the table, if the backend said beforehand that it would refuse.
func (s *scene) ok(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, vcs.ErrUnsupported) {
		why := err.Error()
		if u, ok := errors.AsType[*vcs.UnsupportedError](err); ok {
			why = u.Why
		}
		s.lacks(t, why)
	}
	require.NoError(t, err)
}

// lacks ends the row with "no: why" in the table.
func (s *scene) lacks(t *testing.T, why string) {
	t.Helper()
	s.note("no: " + why)
	if !slices.Contains(s.b.Lacks, s.row) {
		t.Fatalf("%s does not keep %q: %s", s.b.Name, s.row, why)
	}
	t.SkipNow()
}

// absent ends the row with "no: why" for a power that vcs.Caps says is not there: nobody was promised it.
func (s *scene) absent(t *testing.T, why string) {
	t.Helper()
	s.note("no: " + why)
	t.SkipNow()
}

func (s *scene) note(cell string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells[s.row] = cell
}

// Rows names the operations of the contract, in the order of the table.
func Rows() []string {
	var names []string
	for _, r := range contract() {
		names = append(names, r.name)
	}
	return names
}

func contract() []row { return slices.Concat(placeRows, stateRows, commitRows, historyRows) }

// RunContract holds a backend to the contract and returns its column of the table: "yes" or "no: reason" for each row that was run.
func RunContract(t *testing.T, b Backend) map[string]string {
	t.Helper()
	var mu sync.Mutex
	cells := map[string]string{}
	for _, name := range b.Lacks {
		require.Contains(t, Rows(), name, "%s lacks a row that does not exist", b.Name)
	}
	t.Run(b.Name, func(t *testing.T) {
		for _, r := range contract() {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				p := b.New(t)
				s := &scene{Person: p, Folder: p.Files(), b: b, row: r.name, mu: &mu, cells: cells}
				r.tell(t, s)
				if slices.Contains(b.Lacks, r.name) {
					t.Errorf("%s keeps %q: take it out of its Lacks", b.Name, r.name)
				}
				if !t.Failed() {
					s.note("yes")
				}
			})
		}
	})
	return cells
}

// Column is a backend's answers.
type Column struct {
	Name  string
	Cells map[string]string
}

// Table writes columns as a Markdown table; a row that was not run is "?".
func Table(columns ...Column) string {
	var b strings.Builder
	b.WriteString("| operation |")
	for _, c := range columns {
		b.WriteString(" " + c.Name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, name := range Rows() {
		b.WriteString("| " + name + " |")
		for _, c := range columns {
			cell := c.Cells[name]
			if cell == "" {
				cell = "?"
			}
			b.WriteString(" " + strings.ReplaceAll(strings.ReplaceAll(cell, "|", "\\|"), "\n", " ") + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// commit asks the backend for a commit and demands that it is made.
func (s *scene) commit(t *testing.T, v vcs.Repo, paths ...string) vcs.CommitResult {
	t.Helper()
	res, err := v.Commit(context.WithoutCancel(t.Context()), vcs.CommitRequest{Message: "feat: work", Paths: paths})
	s.ok(t, err)
	return res
}
