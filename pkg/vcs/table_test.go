package vcs_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs/vcstest"
)

var update = flag.Bool("update", false, "write what the backends did into docs/vcs.md")

const (
	tableFile  = "../../docs/vcs.md"
	tableBegin = "<!-- table: written by `go test ./pkg/vcs -update` from what the suite saw -->\n"
	tableEnd   = "<!-- end of table -->\n"
)

// tableColumns are the columns of docs/vcs.md, in their order.
var tableColumns = []string{"git", "go-git", "wrapper", "hg"}

// The table has the columns and rows that there are, each cell as the tests of the backends compare it: nothing that they would not look at.
func TestTableIsAsWritten(t *testing.T) {
	page, err := os.ReadFile(tableFile)
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), tableBegin)
	old, _, ok := strings.Cut(rest, tableEnd)
	require.True(t, ok)
	assert.Equal(t, vcstest.Table(columnsFor(columnsOf(old))...), old)
}

// columnsFor puts columns into their order.
func columnsFor(have map[string]map[string]string) []vcstest.Column {
	var columns []vcstest.Column
	for _, name := range tableColumns {
		columns = append(columns, vcstest.Column{Name: name, Cells: have[name]})
	}
	return columns
}

// contract holds a backend to the contract and to its column of docs/vcs.md, which it writes with -update.
func contract(t *testing.T, b vcstest.Backend) {
	t.Helper()
	cells := vcstest.RunContract(t, b)
	if t.Failed() || len(cells) == 0 { // nothing was run: the tool is missing, or -run picked something else
		return
	}
	page, err := os.ReadFile(tableFile)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(page), tableBegin)
	require.True(t, ok, "docs/vcs.md has lost the beginning of its table")
	old, after, ok := strings.Cut(rest, tableEnd)
	require.True(t, ok, "docs/vcs.md has lost the end of its table")
	have := columnsOf(old)
	if !*update {
		if len(cells) == len(vcstest.Rows()) {
			assert.Equal(t, cells, have[b.Name], "docs/vcs.md tells another story of %s: go test ./pkg/vcs -update", b.Name)
		}
		return
	}
	have[b.Name] = cells
	require.NoError(t, os.WriteFile(tableFile, []byte(before+tableBegin+vcstest.Table(columnsFor(have)...)+tableEnd+after), 0o644))
}

// columnsOf reads a table back: column, row, cell.
func columnsOf(table string) map[string]map[string]string {
	columns := map[string]map[string]string{}
	var names []string
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(strings.Trim(strings.ReplaceAll(line, `\|`, "\x00"), "|"), "|")
		if len(cells) < 2 || strings.HasPrefix(line, "|--") {
			continue
		}
		for i := range cells {
			cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i]), "\x00", "|")
		}
		if names == nil {
			names = cells
			continue
		}
		for i, cell := range cells[1:] {
			if columns[names[i+1]] == nil {
				columns[names[i+1]] = map[string]string{}
			}
			columns[names[i+1]][cells[0]] = cell
		}
	}
	return columns
}
