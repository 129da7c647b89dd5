package vcs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// benchSizes are the numbers of files; RALPHEX_BENCH_FILES=1000,20000 picks some.
func benchSizes(b *testing.B) (sizes []int) {
	list := os.Getenv("RALPHEX_BENCH_FILES")
	if list == "" {
		list = "1000,20000,100000"
	}
	for s := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(s)
		require.NoError(b, err)
		sizes = append(sizes, n)
	}
	return sizes
}

// engines are who answers, in the order in which they are printed side by side.
var engines = []string{"auto", "git", "go-git"}

type benched func(b *testing.B, r *vcstest.Repo, v vcs.Repo)

// bySize runs a benchmark on all engines in repositories of all sizes.
func bySize(b *testing.B, f benched) {
	for _, n := range benchSizes(b) {
		b.Run(fmt.Sprint(n), func(b *testing.B) { sideBySide(b, vcstest.BenchRepo(b, n, 1), f) })
	}
}

// byHistory runs a benchmark on all engines in a repository with a long history.
func byHistory(b *testing.B, f benched) {
	b.Run("10000-commits", func(b *testing.B) { sideBySide(b, vcstest.BenchRepo(b, 1000, 10_000), f) })
}

func sideBySide(b *testing.B, r *vcstest.Repo, f benched) {
	for _, engine := range engines {
		b.Run(engine, func(b *testing.B) {
			v, err := vcs.Open(b.Context(), r.Dir, vcs.Options{Env: r.Env, Backend: engine})
			require.NoError(b, err)
			f(b, r, v)
		})
	}
}

// loop measures one call.
func loop(b *testing.B, call func() error) {
	for b.Loop() {
		require.NoError(b, call())
	}
}

// BenchmarkSpawn is the floor of everything that starts a process.
func BenchmarkSpawn(b *testing.B) {
	loop(b, func() error { return exec.Command("/bin/true").Run() })
}

func BenchmarkOpen(b *testing.B) {
	bySize(b, func(b *testing.B, r *vcstest.Repo, v vcs.Repo) {
		backend := strings.TrimPrefix(b.Name()[strings.LastIndexByte(b.Name(), '/'):], "/")
		loop(b, func() error {
			_, err := vcs.Open(b.Context(), r.Dir, vcs.Options{Env: r.Env, Backend: backend})
			return err
		})
	})
}

// BenchmarkWhere is what a run asks first: HEAD, its branch and the default branch.
func BenchmarkWhere(b *testing.B) {
	bySize(b, func(b *testing.B, _ *vcstest.Repo, v vcs.Repo) {
		loop(b, func() error {
			_, err := v.Head(b.Context())
			if err == nil {
				_, err = v.DefaultBranch(b.Context())
			}
			return err
		})
	})
}

func BenchmarkTreeHash(b *testing.B) {
	bySize(b, func(b *testing.B, r *vcstest.Repo, v vcs.Repo) {
		rev := vcs.Rev(r.Head())
		loop(b, func() error { _, err := v.TreeHash(b.Context(), rev); return err })
	})
}

func BenchmarkTracked(b *testing.B) {
	bySize(b, func(b *testing.B, _ *vcstest.Repo, v vcs.Repo) {
		loop(b, func() error { _, err := v.Tracked(b.Context(), "dir0005/file555.txt"); return err })
	})
}

func BenchmarkStatusClean(b *testing.B) {
	bySize(b, func(b *testing.B, _ *vcstest.Repo, v vcs.Repo) {
		loop(b, func() error { _, err := v.Status(b.Context()); return err })
	})
}

func BenchmarkStatusDirty(b *testing.B) {
	bySize(b, func(b *testing.B, r *vcstest.Repo, v vcs.Repo) {
		r.Write("dir0005/new.txt", "1")
		b.Cleanup(func() { r.Remove("dir0005/new.txt") })
		loop(b, func() error { _, err := v.Status(b.Context()); return err })
	})
}

func BenchmarkCreateBranch(b *testing.B) {
	bySize(b, func(b *testing.B, r *vcstest.Repo, v vcs.Repo) {
		refs := filepath.Join(r.Dir, ".git", "refs", "heads", "bench")
		b.Cleanup(func() {
			r.Git("symbolic-ref", "HEAD", "refs/heads/main")
			require.NoError(b, os.RemoveAll(refs))
		})
		n := 0
		loop(b, func() error { n++; return v.CreateBranch(b.Context(), vcs.Branch(fmt.Sprintf("bench/%d-%d", b.N, n))) })
	})
}

func BenchmarkCommit(b *testing.B) {
	bySize(b, func(b *testing.B, r *vcstest.Repo, v vcs.Repo) {
		n := 0
		loop(b, func() error {
			n++
			r.Write("dir0005/file555.txt", fmt.Sprint(b.Name(), b.N, n, os.Getpid()))
			_, err := v.Commit(b.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"dir0005/file555.txt"}})
			return err
		})
	})
}

func BenchmarkLog20(b *testing.B) {
	byHistory(b, func(b *testing.B, r *vcstest.Repo, v vcs.Repo) {
		rev := vcs.Rev(r.Head())
		loop(b, func() error { _, err := v.Log(b.Context(), "", rev, 20); return err })
	})
}

func BenchmarkLogAll(b *testing.B) {
	byHistory(b, func(b *testing.B, r *vcstest.Repo, v vcs.Repo) {
		rev := vcs.Rev(r.Head())
		loop(b, func() error { _, err := v.Log(b.Context(), "", rev, 0); return err })
	})
}

func BenchmarkAncestor(b *testing.B) {
	byHistory(b, func(b *testing.B, r *vcstest.Repo, v vcs.Repo) {
		old, rev := vcs.Rev(r.Git("rev-parse", "HEAD~5000")), vcs.Rev(r.Head())
		loop(b, func() error { _, err := v.IsAncestor(b.Context(), old, rev); return err })
	})
}

func BenchmarkDiffStat(b *testing.B) {
	byHistory(b, func(b *testing.B, r *vcstest.Repo, v vcs.Repo) {
		old, rev := vcs.Rev(r.Git("rev-parse", "HEAD~40")), vcs.Rev(r.Head())
		loop(b, func() error { _, err := v.DiffStat(b.Context(), old, rev); return err })
	})
}
