package webtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ralphex/internal/cli/clitest"
	"ralphex/internal/journal"
	"ralphex/pkg/event"
	"ralphex/pkg/vcs/vcstest"
)

// serve starts `ralphex serve` in a repository and returns its address.
func serve(tb testing.TB, repo *vcstest.Repo, args ...string) (*clitest.Process, string) {
	tb.Helper()
	p := clitest.Begin(tb, repo, "", append([]string{"serve", "--port", "0"}, args...))
	return p, p.At()
}

// planned is a repository with a plan, and a folder .tmp for what is none of the project's business.
func planned(tb testing.TB, plan string) *vcstest.Repo {
	tb.Helper()
	repo := vcstest.NewRepo(tb)
	repo.Write("docs/plans/p.md", plan)
	repo.Write(".gitignore", "/.tmp/\n")
	repo.Commit("start")
	repo.Write(".tmp/here", "")
	return repo
}

// written writes the journal of a run into a repository: what each fact of it is, one a second.
func written(tb testing.TB, repo *vcstest.Repo, id event.RunID, facts ...event.Event) {
	tb.Helper()
	w, err := journal.Open(repo.Path(".ralph/events"), id)
	require.NoError(tb, err)
	start := time.Now().Add(-time.Duration(len(facts)+60) * time.Second)
	for i, e := range facts {
		e.Run, e.Seq, e.Time = id, int64(i+1), start.Add(time.Duration(i)*time.Second)
		require.NoError(tb, w.Handle(e))
	}
	require.NoError(tb, w.Close())
}
