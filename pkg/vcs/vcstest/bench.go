package vcstest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchDir is where the repositories of benchmarks are kept from one time to the next: $RALPHEX_BENCH_DIR, else a folder of the user's cache.
func BenchDir(tb testing.TB) string {
	tb.Helper()
	if dir := os.Getenv("RALPHEX_BENCH_DIR"); dir != "" {
		return dir
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		tb.Skip("no cache folder; set RALPHEX_BENCH_DIR")
	}
	return filepath.Join(cache, "ralphex", "bench")
}

// BenchRepo is a repository with so many files, 100 in each folder, and so many commits, the first with all files and each further with one
// change. It is made once and kept; whoever writes to it brings HEAD back to main.
func BenchRepo(tb testing.TB, files, commits int) *Repo {
	tb.Helper()
	dir := filepath.Join(BenchDir(tb), fmt.Sprintf("v1-%d-files-%d-commits", files, commits))
	if _, err := os.Stat(dir); err != nil {
		made := dir + fmt.Sprintf(".%d", os.Getpid())
		r := NewRepoAt(tb, made)
		r.imported(files, commits)
		r.Git("checkout", "-q", "main", "--")
		if err := os.Rename(made, dir); err != nil { // somebody else was quicker
			require.NoError(tb, os.RemoveAll(made))
		}
	}
	dir, err := filepath.EvalSymlinks(dir)
	require.NoError(tb, err)
	return &Repo{Folder: Folder{Dir: dir, Env: Env(tb), tb: tb}, clock: Start}
}

// imported fills the repository by one process.
func (r *Repo) imported(files, commits int) {
	r.tb.Helper()
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Env, cmd.Stderr = r.Dir, r.Env, os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(r.tb, err)
	require.NoError(r.tb, cmd.Start())
	commit := func(n int, change func()) {
		fmt.Fprintf(in, "commit refs/heads/main\ncommitter Test Author <test@example.org> %d +0000\ndata 6\ncommit\n", Start.Unix()+int64(60*n))
		change()
	}
	commit(0, func() {
		for i := range files {
			inline(in, i, 0)
		}
	})
	for n := 1; n < commits; n++ {
		commit(n, func() { inline(in, n%files, n) })
	}
	require.NoError(r.tb, in.Close())
	require.NoError(r.tb, cmd.Wait())
}

// inline writes one file of the stream.
func inline(w io.Writer, i, n int) {
	text := fmt.Sprintf("content %d of file %d\n", n, i)
	fmt.Fprintf(w, "M 100644 inline dir%04d/file%d.txt\ndata %d\n%s\n", i/100, i, len(text), text)
}
