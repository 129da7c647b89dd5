package vcs_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// benchFiles is how many files the benchmarks' repository has; RALPHEX_BENCH_FILES=100000 for a big one.
func benchFiles(b *testing.B) int {
	if s := os.Getenv("RALPHEX_BENCH_FILES"); s != "" {
		n, err := strconv.Atoi(s)
		require.NoError(b, err)
		return n
	}
	return 1000
}

func benchRepo(b *testing.B) *vcstest.Repo {
	r := vcstest.NewRepo(b)
	for i := range benchFiles(b) {
		r.Write(fmt.Sprintf("dir%03d/file%d.txt", i/100, i), fmt.Sprint("content ", i))
	}
	r.Commit("first")
	return r
}

// engines runs a benchmark on both engines, side by side.
func engines(b *testing.B, f func(b *testing.B, r *vcstest.Repo, v vcs.Repo)) {
	r := benchRepo(b)
	for _, backend := range []string{"auto", "git"} {
		b.Run(backend, func(b *testing.B) {
			v, err := vcs.Open(b.Context(), r.Dir, vcs.Options{Env: r.Env, Backend: backend})
			require.NoError(b, err)
			f(b, r, v)
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	engines(b, func(b *testing.B, r *vcstest.Repo, _ vcs.Repo) {
		for b.Loop() {
			_, err := vcs.Open(b.Context(), r.Dir, vcs.Options{Env: r.Env})
			require.NoError(b, err)
		}
	})
}

func BenchmarkHead(b *testing.B) {
	engines(b, func(b *testing.B, _ *vcstest.Repo, v vcs.Repo) {
		for b.Loop() {
			_, err := v.Head(b.Context())
			require.NoError(b, err)
		}
	})
}

func BenchmarkDefaultBranch(b *testing.B) {
	engines(b, func(b *testing.B, _ *vcstest.Repo, v vcs.Repo) {
		for b.Loop() {
			_, err := v.DefaultBranch(b.Context())
			require.NoError(b, err)
		}
	})
}

func BenchmarkTreeHash(b *testing.B) {
	engines(b, func(b *testing.B, r *vcstest.Repo, v vcs.Repo) {
		rev := vcs.Rev(r.Head())
		for b.Loop() {
			_, err := v.TreeHash(b.Context(), rev)
			require.NoError(b, err)
		}
	})
}

func BenchmarkTracked(b *testing.B) {
	engines(b, func(b *testing.B, _ *vcstest.Repo, v vcs.Repo) {
		for b.Loop() {
			_, err := v.Tracked(b.Context(), "dir005/file555.txt")
			require.NoError(b, err)
		}
	})
}

func BenchmarkStatus(b *testing.B) {
	engines(b, func(b *testing.B, _ *vcstest.Repo, v vcs.Repo) {
		for b.Loop() {
			_, err := v.Status(b.Context())
			require.NoError(b, err)
		}
	})
}

func BenchmarkCreateBranch(b *testing.B) {
	engines(b, func(b *testing.B, _ *vcstest.Repo, v vcs.Repo) {
		stem := strings.ReplaceAll(b.Name(), "/", "-")
		for i := 0; b.Loop(); i++ {
			require.NoError(b, v.CreateBranch(b.Context(), vcs.Branch(fmt.Sprintf("%s-%d-%d", stem, b.N, i))))
		}
	})
}

func BenchmarkCommit(b *testing.B) {
	engines(b, func(b *testing.B, r *vcstest.Repo, v vcs.Repo) {
		for i := 0; b.Loop(); i++ {
			r.Write("dir005/file555.txt", fmt.Sprint(b.Name(), b.N, i))
			_, err := v.Commit(b.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"dir005/file555.txt"}})
			require.NoError(b, err)
		}
	})
}

// BenchmarkGitCommit is the floor of BenchmarkCommit: the same command alone.
func BenchmarkGitCommit(b *testing.B) {
	r := benchRepo(b)
	for i := 0; b.Loop(); i++ {
		r.Write("dir005/file555.txt", fmt.Sprint(b.Name(), b.N, i))
		r.Git("commit", "-q", "-m", "m", "--", "dir005/file555.txt")
	}
}
