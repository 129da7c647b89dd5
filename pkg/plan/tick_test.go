package plan

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const oddBytes = bom + "# P  \r\n\r\n### Task 1: A\t\r\n\t- [ ] tab \xff\x00\r\n- [~] (manual) person\r\n### Task 2: B\r\n* [ ] one  \n- [X] two\n- [-] no need"

func TestTickChangesOneByte(t *testing.T) {
	for _, tt := range []struct {
		name     string
		do       func(path string) error
		old, now string // "" = nothing changes
	}{
		{"tick", func(p string) error { return Tick(p, 1, 1) }, "[ ] tab", "[x] tab"},
		{"tick a person's box", func(p string) error { return Tick(p, 1, 2) }, "[~]", "[x]"},
		{"tick a skipped box", func(p string) error { return Tick(p, 2, 3) }, "[-]", "[x]"},
		{"tick a star", func(p string) error { return Tick(p, 2, 1) }, "* [ ]", "* [x]"},
		{"ticked already", func(p string) error { return Tick(p, 2, 2) }, "", ""},
		{"untick", func(p string) error { return Untick(p, 2, 2) }, "[X]", "[ ]"},
		{"untick an open box", func(p string) error { return Untick(p, 1, 1) }, "", ""},
		{"untick a person's box", func(p string) error { return Untick(p, 1, 2) }, "", ""},
		{"untick a skipped box", func(p string) error { return Untick(p, 2, 3) }, "", ""},
		{"all for an agent", func(p string) error { return TickAll(p, 1) }, "[ ] tab", "[x] tab"},
		{"several", func(p string) error { return SetBoxes(p, 2, []int{1, 2, 1}, true) }, "* [ ]", "* [x]"},
		{"none", func(p string) error { return SetBoxes(p, 2, nil, true) }, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := writePlan(t, oddBytes)
			before, err := os.Stat(path)
			require.NoError(t, err)
			require.NoError(t, tt.do(path))
			want := oddBytes
			if tt.old != "" {
				want = strings.Replace(oddBytes, tt.old, tt.now, 1)
				require.NotEqual(t, oddBytes, want)
			}
			assert.Equal(t, want, read(t, path))
			after, err := os.Stat(path)
			require.NoError(t, err)
			assert.Equal(t, tt.old == "", os.SameFile(before, after), "nothing is written if nothing changes")
			assert.Equal(t, before.Mode(), after.Mode())
			assertAlone(t, path)
		})
	}
}

func TestTickErrors(t *testing.T) {
	path := writePlan(t, oddBytes)
	for _, at := range [][2]int{{0, 1}, {3, 1}, {1, 0}, {1, 3}, {-1, -1}} {
		require.ErrorIs(t, Tick(path, at[0], at[1]), ErrNoBox)
	}
	require.ErrorIs(t, TickAll(path, 3), ErrNoBox)
	require.ErrorIs(t, Tick(filepath.Join(t.TempDir(), "no.md"), 1, 1), os.ErrNotExist)
	require.Error(t, parse(t, oddBytes).Tick(1, 1), "a plan that comes from no file")
	assert.Equal(t, oddBytes, read(t, path))
}

func TestTickAfterTheFileChanged(t *testing.T) {
	const src = "### Task 1: A\n- [ ] one\n- [ ] two\n### Task 2: B\n- [ ] three\n"
	for _, tt := range []struct {
		name, now string
		moved     bool
		found     string
	}{
		{"other boxes ticked", "### Task 1: A\n- [x] one\n- [ ] two\n### Task 2: B\n- [x] three\n", false, ""},
		{"text around it changed", "# New\n\n### Task 1: A\nwhy\n- [ ] one\n  more\n- [ ] two\n", false, ""},
		{"box before it", "### Task 1: A\n- [ ] zero\n- [ ] one\n- [ ] two\n", true, "one"},
		{"box taken out", "### Task 1: A\n- [ ] one\n", true, ""},
		{"text changed", "### Task 1: A\n- [ ] one\n- [ ] two!\n", true, "two!"},
		{"task before it", "### Task 0: Z\n- [ ] one\n- [ ] two\n### Task 1: A\n- [ ] one\n- [ ] two\n", true, "two of task 0: Z"},
		{"emptied", "", true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := writePlan(t, src)
			p, err := ParsePlanFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, []byte(tt.now), 0o644))
			err = p.Tick(1, 2)
			if !tt.moved {
				require.NoError(t, err)
				assert.Equal(t, strings.Replace(tt.now, "[ ] two", "[x] two", 1), read(t, path))
				assert.Equal(t, read(t, path), p.Source(), "p is the file's new state")
				assert.True(t, p.Tasks[0].Checkboxes[1].Checked)
				return
			}
			require.ErrorIs(t, err, ErrMoved)
			moved, ok := errors.AsType[*MovedError](err)
			require.True(t, ok)
			assert.Equal(t, MovedError{Path: path, Position: 1, Box: 2, Want: "two", Found: tt.found}, *moved)
			assert.Equal(t, tt.now, read(t, path))
			assert.Equal(t, src, p.Source(), "p stays what it was")
			assertAlone(t, path)
		})
	}
}

func TestTickKeepsLinksAndModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and modes are another thing there")
	}
	dir := t.TempDir()
	target := filepath.Join(dir, "real", "plan.md")
	require.NoError(t, os.Mkdir(filepath.Dir(target), 0o755))
	require.NoError(t, os.WriteFile(target, []byte(oddBytes), 0o644))
	require.NoError(t, os.Chmod(target, 0o754))
	link := filepath.Join(dir, "link.md")
	require.NoError(t, os.Symlink(filepath.Join("real", "plan.md"), link))

	require.NoError(t, Tick(link, 1, 1))

	st, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, st.Mode()&os.ModeSymlink, "still a link")
	st, err = os.Lstat(target)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o754), st.Mode())
	assert.Contains(t, read(t, target), "[x] tab")
	assertAlone(t, target)
}

func TestWriteRemovesWhatACrashLeft(t *testing.T) {
	path := writePlan(t, oddBytes)
	dir := filepath.Dir(path)
	stale := filepath.Join(dir, ".plan.md.123"+TempSuffix)
	young := filepath.Join(dir, ".plan.md.456"+TempSuffix)
	other := filepath.Join(dir, ".other.md.123"+TempSuffix)
	for _, f := range []string{stale, young, other} {
		require.NoError(t, os.WriteFile(f, nil, 0o644))
	}
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(stale, old, old))
	require.NoError(t, os.Chtimes(other, old, old))
	require.NoError(t, Tick(path, 1, 1))
	assert.NoFileExists(t, stale)
	assert.FileExists(t, young)
	assert.FileExists(t, other)
}

// TestRewriteStartsAnew lets somebody else write while a change is being made: neither write is lost.
func TestRewriteStartsAnew(t *testing.T) {
	path := writePlan(t, "a")
	calls := 0
	require.NoError(t, rewrite(path, func(src []byte) ([]byte, error) {
		calls++
		if calls == 1 {
			require.NoError(t, os.WriteFile(path, []byte("b"), 0o644))
		}
		return append(src[:len(src):len(src)], '!'), nil
	}))
	assert.Equal(t, 2, calls)
	assert.Equal(t, "b!", read(t, path))

	require.ErrorIs(t, rewrite(path, func(src []byte) ([]byte, error) {
		require.NoError(t, os.WriteFile(path, append(src, '?'), 0o644))
		return []byte("x"), nil
	}), errBusy)
	assertAlone(t, path)
}

// TestReadersSeeWholeFiles reads while another goroutine ticks.
func TestReadersSeeWholeFiles(t *testing.T) {
	path := writePlan(t, string(bigPlan(20)))
	size := len(bigPlan(20))
	var wg sync.WaitGroup
	done := make(chan struct{})
	wg.Go(func() {
		defer close(done)
		p, err := ParsePlanFile(path)
		for pos := 1; err == nil && pos <= 20; pos++ {
			err = p.SetBoxes(pos, []int{1, 2, 3}, true)
		}
		assert.NoError(t, err)
	})
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		p, err := ParsePlanFile(path)
		require.NoError(t, err)
		require.Len(t, p.Source(), size)
		for _, task := range p.Tasks {
			require.NotEqual(t, TaskStatusActive, task.Status, "all three boxes or none")
		}
	}
	wg.Wait()
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

// assertAlone checks that nothing was left beside the file.
func assertAlone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}
