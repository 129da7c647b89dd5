package claim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

const (
	oldTime = "2020-01-01T00:00:00.000Z" // stale under any TTL of the tests
	cli1    = "run-i001-cli-20260317T120000Z"
	cli2    = "run-i002-cli-20260317T130000Z"
)

// store makes a store whose file holds the records.
func store(t testing.TB, records ...Claim) *Store {
	t.Helper()
	s := New(filepath.Join(t.TempDir(), "claims.json"), time.Hour)
	if len(records) > 0 {
		f, err := load(s.path)
		require.NoError(t, err)
		for _, c := range records {
			f.append(c)
		}
		require.NoError(t, f.save())
	}
	return s
}

func rec(task, agent, provenance, at string, status Status) Claim {
	return Claim{TaskID: task, AgentID: agent, ProvenanceID: provenance, ClaimedAt: at, Status: status}
}

func text(t testing.TB, s *Store) string {
	t.Helper()
	b, err := os.ReadFile(s.path)
	require.NoError(t, err)
	return string(b)
}

func (s *Store) acquire(t testing.TB, task, agent, provenance string) *Result {
	t.Helper()
	r, err := s.Acquire(t.Context(), Request{TaskID: task, AgentID: agent, ProvenanceID: provenance})
	require.NoError(t, err)
	return r
}

func TestA29Acquire(t *testing.T) {
	s := store(t)
	r := s.acquire(t, "T1", "a", cli1)
	require.Equal(t, Acquired, r.Outcome)
	assert.Equal(t, r.Canonical, r.Claim)
	assert.False(t, r.Claim.Stale)
	before := text(t, s)
	assert.Equal(t, AlreadyHeld, s.acquire(t, "T1", "a", cli1).Outcome)
	r = s.acquire(t, "T1", "b", cli1)
	assert.Equal(t, Contested, r.Outcome, "another agent")
	assert.Nil(t, r.Claim)
	assert.Equal(t, "a", r.Canonical.AgentID)
	assert.Equal(t, Contested, s.acquire(t, "T1", "a", cli2).Outcome, "another provenance")
	assert.Equal(t, before, text(t, s), "the file is as it was")
	assert.Equal(t, Acquired, s.acquire(t, "T2", "a", cli1).Outcome)
	_, err := s.Acquire(t.Context(), Request{TaskID: "T1"})
	assert.Error(t, err)
}

func TestRecordIsWrittenInOrder(t *testing.T) {
	s := store(t)
	_, err := s.Acquire(t.Context(), Request{TaskID: "T1", AgentID: "a", ProvenanceID: cli1, BaseBranch: "main", FeatureBranch: "f"})
	require.NoError(t, err)
	v, err := stable.ParseObject([]byte(text(t, s)))
	require.NoError(t, err)
	assert.Equal(t, []string{"version", "claims"}, v.Keys())
	list, _ := v.Get("claims")
	record := list.(*stable.Array).Items[0].(*stable.Object)
	assert.Equal(t, []string{"taskId", "agentId", "provenanceId", "claimedAt", "status", "baseBranch", "featureBranch"}, record.Keys())
	at, _ := record.String("claimedAt")
	assert.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`, at)
}

func TestA30RacingAcquirers(t *testing.T) {
	s := store(t).WithBudget(lock.Budget{Retries: 10_000, Delay: time.Millisecond})
	var mu sync.Mutex
	got := map[Outcome]int{}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			r, err := s.Acquire(t.Context(), Request{TaskID: "T1", AgentID: fmt.Sprint("a", i), ProvenanceID: cli1})
			assert.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			got[r.Outcome]++
		})
	}
	wg.Wait()
	assert.Equal(t, map[Outcome]int{Acquired: 1, Contested: 7}, got)
}

func TestA31HandoffClaims(t *testing.T) {
	const ide = "run-i003-ide-20260317T120000Z"
	s := store(t, rec("T1", "a", ide, oldTime, Active), rec("T2", "a", ide, oldTime, Active))
	r := s.acquire(t, "T1", "a", cli1)
	assert.Equal(t, Acquired, r.Outcome)
	f, err := s.Read(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []Status{Released, Active, Active}, []Status{f.Claims[0].Status, f.Claims[1].Status, f.Claims[2].Status}, "of T1 only")
	assert.Equal(t, "", f.Claims[0].ResolvedAt)

	s = store(t, rec("T1", "other", cli2, oldTime, Active), rec("T1", "b", ide, oldTime, Active))
	r = s.acquire(t, "T1", "a", cli1)
	assert.Equal(t, Contested, r.Outcome, "the other holder stays")
	assert.Equal(t, "other", r.Canonical.AgentID)
	f, err = s.Read(t.Context())
	require.NoError(t, err)
	assert.Equal(t, Released, f.Claims[1].Status, "released all the same, whatever its agent")
	for id, want := range map[string]bool{ide: true, "run-i1-ide-": true, cli1: false, "run-i-ide-x": false, "x-run-i1-ide-x": false, "run-i1x-ide-": false} {
		assert.Equal(t, want, isIDE(id), id)
	}
}

func TestA32Release(t *testing.T) {
	s := store(t)
	s.acquire(t, "T1", "a", cli1)
	before := text(t, s)
	r, err := s.Release(t.Context(), "T1", "b")
	require.NoError(t, err)
	assert.Equal(t, NotHeld, r.Outcome)
	assert.Equal(t, before, text(t, s))
	r, err = s.Release(t.Context(), "T1", "a")
	require.NoError(t, err)
	assert.Equal(t, DidRelease, r.Outcome)
	assert.Nil(t, r.Canonical)
	assert.Equal(t, Released, r.Claim.Status)
	assert.NotContains(t, text(t, s), "resolved", "a plain release writes no recovery fields")
	r, err = s.Release(t.Context(), "T1", "a")
	require.NoError(t, err)
	assert.Equal(t, NotHeld, r.Outcome, "twice is safe")
	assert.Equal(t, Acquired, s.acquire(t, "T1", "b", cli2).Outcome)
}

func TestA33StaleBlocksUntilResolved(t *testing.T) {
	stale := rec("T1", "a", cli1, oldTime, Active)
	s := store(t, stale)
	r := s.acquire(t, "T1", "b", cli2)
	assert.Equal(t, Contested, r.Outcome)
	assert.True(t, r.Canonical.Stale)

	_, err := s.Resolve(t.Context(), stale, "", "  ")
	assert.ErrorContains(t, err, "a reason is needed")
	other := stale
	other.ClaimedAt = "2020-01-02T00:00:00.000Z"
	r, err = s.Resolve(t.Context(), other, "", "gone")
	require.NoError(t, err)
	assert.Equal(t, NotEligible, r.Outcome, "not the claim that was seen")

	r, err = s.Resolve(t.Context(), stale, " ", " its process is gone \n")
	require.NoError(t, err)
	require.Equal(t, Resolved, r.Outcome)
	assert.Equal(t, Stale, r.Claim.Status)
	assert.Equal(t, "operator", r.Claim.ResolvedBy)
	assert.Equal(t, "its process is gone", r.Claim.ResolutionReason)
	_, ok := stable.ParseTime(r.Claim.ResolvedAt)
	assert.True(t, ok)
	assert.Equal(t, oldTime, r.Claim.ClaimedAt)
	r, err = s.Resolve(t.Context(), stale, "", "again")
	require.NoError(t, err)
	assert.Equal(t, NotEligible, r.Outcome)

	r = s.acquire(t, "T1", "b", cli2)
	require.Equal(t, Acquired, r.Outcome, "back in the pool")
	before := text(t, s)
	r, err = s.Resolve(t.Context(), r.Claim.Claim, "me", "fresh")
	require.NoError(t, err)
	assert.Equal(t, NotEligible, r.Outcome, "a fresh claim")
	assert.Equal(t, before, text(t, s))
}

func TestA34Watchdog(t *testing.T) {
	s := store(t, rec("T1", "a", cli1, oldTime, Active))
	why := Finding{Severity: "high", Reason: "no result since", Evidence: "iteration-001"}
	_, err := s.ResolveAsWatchdog(t.Context(), "implementer", "dog", "T1", "a", why)
	assert.ErrorContains(t, err, `only "watchdog" recovers claims`)
	_, err = s.ResolveAsWatchdog(t.Context(), WatchdogRole, "dog", "T1", "a", Finding{Reason: "a feeling"})
	assert.ErrorContains(t, err, "severity, reason and evidence")
	_, err = s.ResolveAsWatchdog(t.Context(), WatchdogRole, "", "T1", "a", why)
	assert.ErrorContains(t, err, "needs an agent id")

	before := text(t, s)
	for _, c := range [][2]string{{"T1", "b"}, {"T2", "a"}} {
		r, err := s.ResolveAsWatchdog(t.Context(), WatchdogRole, "dog", c[0], c[1], why)
		require.NoError(t, err)
		assert.Equal(t, NotEligible, r.Outcome)
		assert.True(t, r.LookupMiss)
	}
	assert.Equal(t, before, text(t, s))

	r, err := s.ResolveAsWatchdog(t.Context(), WatchdogRole, "dog", "T1", "a", why)
	require.NoError(t, err)
	assert.Equal(t, Resolved, r.Outcome)
	assert.False(t, r.LookupMiss)
	assert.Equal(t, "dog", r.Claim.ResolvedBy)
	assert.Equal(t, "watchdog [high]: no result since (evidence: iteration-001)", r.Claim.ResolutionReason)
	assert.NotEmpty(t, r.Claim.ResolvedAt)

	s.acquire(t, "T1", "b", cli2) // claimed anew by another agent
	before = text(t, s)
	r, err = s.ResolveAsWatchdog(t.Context(), WatchdogRole, "dog", "T1", "a", why)
	require.NoError(t, err)
	assert.True(t, r.LookupMiss)
	assert.Equal(t, before, text(t, s))
	r, err = s.ResolveAsWatchdog(t.Context(), WatchdogRole, "dog", "T1", "b", why)
	require.NoError(t, err)
	assert.Equal(t, NotEligible, r.Outcome)
	assert.False(t, r.LookupMiss, "found, but fresh")
}

// A35: looking is all that a prompt preparation may do, and looking makes no file and no claim.
func TestA35LookingClaimsNothing(t *testing.T) {
	s := store(t)
	g, err := s.Inspect(t.Context(), time.Now())
	require.NoError(t, err)
	assert.Empty(t, g.Tasks)
	assert.NoFileExists(t, s.path)
	entries, err := os.ReadDir(filepath.Dir(s.path))
	require.NoError(t, err)
	assert.Empty(t, entries)
}

func TestContestedByTwoActive(t *testing.T) {
	one, two := rec("T1", "a", cli1, oldTime, Active), rec("T1", "a", cli2, oldTime, Active)
	s := store(t, one, two)
	assert.Equal(t, Contested, s.acquire(t, "T1", "a", cli2).Outcome, "its own canonical claim, but not alone")
	s = store(t, two, two)
	assert.Equal(t, AlreadyHeld, s.acquire(t, "T1", "a", cli2).Outcome, "the same record twice is one claim")
}

// Another program writes between our write and our second look.
func TestSecondLook(t *testing.T) {
	s := store(t)
	s.wrote = func() {
		f, err := load(s.path)
		require.NoError(t, err)
		f.append(rec("T1", "intruder", cli2, oldTime, Active))
		require.NoError(t, f.save())
	}
	r := s.acquire(t, "T1", "a", cli1)
	assert.Equal(t, Contested, r.Outcome)
	assert.Equal(t, "intruder", r.Canonical.AgentID)

	s = store(t)
	s.acquire(t, "T1", "a", cli1)
	was := text(t, s)
	s.wrote = func() { require.NoError(t, os.WriteFile(s.path, []byte(was), 0o600)) }
	_, err := s.Release(t.Context(), "T1", "a")
	assert.ErrorContains(t, err, "changed by another program in the same moment")
}

func TestHolds(t *testing.T) {
	s := store(t)
	s.acquire(t, "T1", "a", cli1)
	for _, tt := range []struct {
		task, agent, provenance string
		want                    bool
	}{{"T1", "a", cli1, true}, {"T1", "a", cli2, false}, {"T1", "b", cli1, false}, {"T2", "a", cli1, false}} {
		held, err := s.Holds(t.Context(), tt.task, tt.agent, tt.provenance)
		require.NoError(t, err)
		assert.Equal(t, tt.want, held, tt)
	}
}

func TestInspect(t *testing.T) {
	now := time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC)
	at := func(d time.Duration) string { return stable.Time(now.Add(-d)) }
	resolved := func(task, when string) Claim {
		c := rec(task, "a", cli1, oldTime, Stale)
		c.ResolvedAt, c.ResolvedBy, c.ResolutionReason = when, "me", "why"
		return c
	}
	s := store(t,
		rec("T2", "a", cli1, at(time.Hour), Active), // not older than the TTL
		rec("T10", "a", cli1, at(time.Hour+time.Millisecond), Active),
		rec("T2", "b", cli2, "some day", Active),
		rec("T1", "a", cli1, at(0), Released),
		resolved("T1", "never"), resolved("T3", at(0)), resolved("T4", at(time.Minute)),
	)
	f, err := s.Read(t.Context())
	require.NoError(t, err)
	g := f.Inspect(now, time.Hour)
	require.Len(t, g.Tasks, 2)
	assert.Equal(t, "T10", g.Tasks[0].TaskID, "by the bytes of the id")
	assert.True(t, g.Tasks[0].Canonical.Stale)
	assert.False(t, g.Tasks[0].Contested)
	two := g.Task("T2")
	require.NotNil(t, two)
	assert.True(t, two.Contested)
	assert.Equal(t, "b", two.Canonical.AgentID)
	assert.Len(t, two.Active, 2)
	assert.False(t, two.Active[0].Stale)
	assert.False(t, two.Canonical.Stale, "of unknown age")
	assert.Nil(t, g.Task("T1"))
	assert.Equal(t, "T3", g.LatestResolved.TaskID)
	assert.False(t, f.Inspect(now, 0).Tasks[0].Canonical.Stale, "a TTL of 0 makes none stale")
	assert.Equal(t, g, f.Inspect(now, time.Hour))
}

// What others wrote stays: records that are none, keys that we don't know, the order of both.
func TestForeignRecordsStay(t *testing.T) {
	s := store(t)
	const before = `{
  "note": "by hand",
  "version": 1,
  "claims": [
    7,
    {
      "agentId": "x",
      "taskId": "T9"
    },
    {
      "agentId": "a",
      "taskId": "T1",
      "claimedAt": "2020-01-01T00:00:00.000Z",
      "provenanceId": "run-i001-cli-20260317T120000Z",
      "status": "paused",
      "extra": {
        "b": [],
        "a": "<&>"
      }
    }
  ]
}
`
	require.NoError(t, os.WriteFile(s.path, []byte(before), 0o600))
	r, err := s.Release(t.Context(), "T1", "a")
	require.NoError(t, err)
	assert.Equal(t, DidRelease, r.Outcome, "an unknown status reads as active")
	assert.Equal(t, strings.Replace(before, "paused", "released", 1), text(t, s))
}

func TestBrokenFileIsNotReset(t *testing.T) {
	for broken, want := range map[string]string{
		"{":                             "line 1, column 2",
		"[]":                            "expected an object, found an array",
		`{"version":1,"claims":{}}`:     `column 23: expected "claims" to be an array`,
		`{"version":2,"claims":[]}`:     "version 2 is newer",
		"\uFEFF{\"version\":1}":         "byte order mark",
		`{"version":1,"claims":[],}   `: "expected a key",
	} {
		s := store(t)
		require.NoError(t, os.WriteFile(s.path, []byte(broken), 0o600))
		_, acquire := s.Acquire(t.Context(), Request{TaskID: "T1", AgentID: "a", ProvenanceID: cli1})
		_, release := s.Release(t.Context(), "T1", "a")
		_, holds := s.Holds(t.Context(), "T1", "a", cli1)
		_, resolve := s.Resolve(t.Context(), rec("T1", "a", cli1, oldTime, Active), "", "x")
		_, read := s.Read(t.Context())
		for _, err := range []error{acquire, release, holds, resolve, read} {
			var b *BrokenError
			require.ErrorAs(t, err, &b, broken)
			assert.ErrorContains(t, err, want)
			assert.NotEmpty(t, b.Hint())
		}
		assert.Equal(t, broken, text(t, s))
		assert.NoFileExists(t, s.LockPath())
	}
	for _, blank := range []string{"", " \n\uFEFF"} {
		s := store(t)
		require.NoError(t, os.WriteFile(s.path, []byte(blank), 0o600))
		assert.Equal(t, Acquired, s.acquire(t, "T1", "a", cli1).Outcome)
	}
}

func TestLockedFileIsAnError(t *testing.T) {
	s := store(t).WithBudget(lock.Budget{})
	require.NoError(t, os.WriteFile(s.LockPath(), nil, 0o600))
	_, err := s.Acquire(t.Context(), Request{TaskID: "T1", AgentID: "a", ProvenanceID: cli1})
	var timeout *lock.TimeoutError
	require.ErrorAs(t, err, &timeout)
	assert.Contains(t, timeout.Hint(), s.LockPath())
	f, err := s.Read(t.Context())
	require.NoError(t, err, "looking goes on without the lock")
	assert.Empty(t, f.Claims)
}

func TestHold(t *testing.T) {
	s := store(t)
	q := Request{TaskID: "T1", AgentID: "a", ProvenanceID: cli1}
	active := func() int {
		g, err := s.Inspect(t.Context(), time.Now())
		require.NoError(t, err)
		return len(g.Tasks)
	}
	boom := errors.New("boom")
	r, err := s.Hold(t.Context(), q, time.Hour, func(context.Context) error {
		assert.Equal(t, 1, active())
		return boom
	})
	assert.Equal(t, Acquired, r.Outcome)
	assert.ErrorIs(t, err, boom)
	assert.Zero(t, active())

	assert.Panics(t, func() { _, _ = s.Hold(t.Context(), q, time.Hour, func(context.Context) error { panic("boom") }) })
	assert.Zero(t, active())

	ctx, cancel := context.WithCancel(t.Context())
	_, err = s.Hold(ctx, q, time.Hour, func(ctx context.Context) error {
		cancel()
		return ctx.Err()
	})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Zero(t, active(), "an interrupted run leaves no claim")

	s.acquire(t, "T1", "other", cli2)
	r, err = s.Hold(t.Context(), q, time.Hour, func(context.Context) error {
		t.Error("worked without the claim")
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, Contested, r.Outcome)
	assert.Equal(t, 1, active(), "the other's claim stays")
}

// The loss of the claim ends the work, and what another run holds by then is not released.
func TestHoldIsLost(t *testing.T) {
	s := store(t)
	q := Request{TaskID: "T1", AgentID: "a", ProvenanceID: cli1}
	_, err := s.Hold(t.Context(), q, time.Millisecond, func(ctx context.Context) error {
		_, err := s.Release(ctx, "T1", "a")
		require.NoError(t, err)
		s.acquire(t, "T1", "a", cli2)
		<-ctx.Done()
		return context.Cause(ctx)
	})
	assert.ErrorIs(t, err, ErrLost)
	assert.ErrorContains(t, err, "T1")
	held, err := s.Holds(t.Context(), "T1", "a", cli2)
	require.NoError(t, err)
	assert.True(t, held)
}

func TestProvenanceID(t *testing.T) {
	at := time.Date(2026, 3, 17, 13, 0, 0, 999, time.FixedZone("", 3600))
	assert.Equal(t, "run-i007-cli-20260317T120000Z", ProvenanceID(7, CLI, at))
	assert.Equal(t, "run-i1000-ide-20260317T120000Z", ProvenanceID(1000, IDE, at))
	assert.True(t, isIDE(ProvenanceID(7, IDE, at)))
}

func Benchmark200Claims(b *testing.B) {
	var records []Claim
	for i := range 200 {
		records = append(records, rec(fmt.Sprint("T", i), "a", cli1, oldTime, Active))
	}
	s := store(b, records...)
	b.Run("inspect", func(b *testing.B) {
		for b.Loop() {
			_, err := s.Inspect(b.Context(), time.Now())
			require.NoError(b, err)
		}
	})
	b.Run("acquire and release", func(b *testing.B) {
		for b.Loop() {
			s.acquire(b, "X", "a", cli1)
			_, err := s.Release(b.Context(), "X", "a")
			require.NoError(b, err)
		}
	})
}

// The last active claim in the file is the canonical one, and only that is released.
func TestCanonicalIsTheLastActive(t *testing.T) {
	s := store(t, rec("T1", "first", cli1, oldTime, Active), rec("T1", "last", cli2, oldTime, Active), rec("T1", "x", cli1, oldTime, Released))
	r, err := s.Release(t.Context(), "T1", "first")
	require.NoError(t, err)
	assert.Equal(t, NotHeld, r.Outcome)
	assert.Equal(t, "last", r.Canonical.AgentID)
	r, err = s.Release(t.Context(), "T1", "last")
	require.NoError(t, err)
	assert.Equal(t, DidRelease, r.Outcome)
	assert.Equal(t, "first", r.Canonical.AgentID)
	held, err := s.Holds(t.Context(), "T1", "first", cli1)
	require.NoError(t, err)
	assert.True(t, held)
}
