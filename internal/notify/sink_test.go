package notify

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"context"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

// recorder is a channel that keeps what it gets.
type recorder struct {
	name string
	got  chan post
	err  error
}

func newRecorder(name string) *recorder { return &recorder{name: name, got: make(chan post, 20)} }

func (r *recorder) kind() string  { return r.name }
func (r *recorder) place() string { return "here" }
func (r *recorder) send(_ context.Context, p post) error {
	r.got <- p
	return r.err
}

func notifier(t *testing.T, on []Occasion, channels ...channel) *Notifier {
	t.Helper()
	n, err := New(Settings{On: on})
	require.NoError(t, err)
	n.channels = channels
	return n
}

// tell hands events to a new sink and returns what was sent, in order.
func tell(t *testing.T, o SinkOptions, facts ...event.Data) []post {
	t.Helper()
	r := newRecorder("r")
	o.Root = "/work/shop"
	s := NewSink(notifier(t, nil, r), o)
	for i, d := range facts {
		require.NoError(t, s.Handle(event.Event{Seq: int64(i + 1), Run: "run-1", Time: time.Unix(1, 0), Data: d}))
		s.Wait()
	}
	close(r.got)
	var out []post
	for p := range r.got {
		out = append(out, p)
	}
	return out
}

var start = event.RunStart{Plan: "/work/shop/docs/plans/p.md", Mode: "full", Branch: "p", Tasks: 3, Done: []string{"1: One"}}

func TestSuccessIsToldWithWhatItCost(t *testing.T) {
	t.Parallel()
	dollars := func(model string, u event.Usage, _ map[string]event.Usage) (float64, bool) {
		assert.Equal(t, "opus", model)
		return 0.5, true
	}
	got := tell(t, SinkOptions{Dollars: dollars}, start,
		event.SessionStart{Executor: "claude", Model: "opus"}, event.SessionEnd{Usage: event.Usage{InputTokens: 100, CostUSD: 0.25}},
		event.SessionStart{Executor: "claude", Model: "opus"}, event.SessionEnd{Usage: event.Usage{InputTokens: 10}},
		event.TaskEnd{ID: "2", Title: "Two", Outcome: event.Done}, event.TaskEnd{ID: "3", Title: "Three", Outcome: event.Done},
		event.Archived{From: "/work/shop/docs/plans/p.md", To: "/work/shop/docs/plans/completed/p.md"},
		event.RunEnd{Outcome: event.Done, Elapsed: 330 * time.Second, Files: 2, Additions: 10, Deletions: 3})
	require.Len(t, got, 1)
	m := got[0].Message
	m.Host = "h"
	assert.Equal(t, "ralphex completed on h\n\nproject:  shop\nplan:     docs/plans/completed/p.md\nbranch:   p\nmode:     full\ntasks:    3 of 3 done\n"+
		"duration: 5m30s\nchanges:  2 files (+10/-3 lines)\ncost:     $0.75\n", render(notifier(t, nil).template, m))
	assert.Equal(t, "/work/shop/docs/plans/completed/p.md", m.PlanFile)
	assert.Equal(t, "run-1.9", m.ID)
	assert.EqualValues(t, 110, m.Tokens)
}

func TestOccasionsOfTheEnd(t *testing.T) {
	t.Parallel()
	limited := []event.Data{event.SessionStart{Executor: "claude"}, event.SessionEnd{Failure: "limit"}}
	tests := []struct {
		name   string
		before []event.Data
		end    event.RunEnd
		want   Occasion
		next   string
	}{
		{"done", nil, event.RunEnd{Outcome: event.Done}, Success, ""},
		{"unproven", nil, event.RunEnd{Outcome: event.Unproven}, Success, ""},
		{"left", nil, event.RunEnd{Outcome: event.LeftHuman, Exit: 3}, NeedsInput, "do what is left, tick it (ralphex show docs/plans/p.md), then ralphex docs/plans/p.md"},
		{"deletions", nil, event.RunEnd{Outcome: event.Failed, Exit: 3}, NeedsInput, "do what is left, tick it (ralphex show docs/plans/p.md), then ralphex docs/plans/p.md"},
		{"failed", nil, event.RunEnd{Outcome: event.Failed, Exit: 1}, Failure, "ralphex docs/plans/p.md goes on where it ended"},
		{"busy", nil, event.RunEnd{Outcome: event.Failed, Exit: 10}, Failure, "ralphex docs/plans/p.md goes on where it ended"},
		{"Ctrl+C", nil, event.RunEnd{Outcome: event.Interrupted, Exit: 130}, Abort, "ralphex docs/plans/p.md goes on where it ended"},
		{"paused and left", nil, event.RunEnd{Outcome: event.Interrupted}, Abort, "ralphex docs/plans/p.md goes on where it ended"},
		{"limit", limited, event.RunEnd{Outcome: event.Interrupted, Exit: 4}, Limit, "ralphex docs/plans/p.md goes on when the limit is over"},
		{"budget", nil, event.RunEnd{Outcome: event.Interrupted, Exit: 4}, Budget, "ralphex budget add run-1, then ralphex docs/plans/p.md"},
		{"login", []event.Data{event.SessionStart{Executor: "claude"}}, event.RunEnd{Outcome: event.Interrupted, Exit: 5}, Login,
			"see to the account of claude, then ralphex docs/plans/p.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tell(t, SinkOptions{}, append(append([]event.Data{start}, tt.before...), tt.end)...)
			require.Len(t, got, 1)
			assert.Equal(t, tt.want, got[0].Occasion)
			assert.Equal(t, tt.next, got[0].Next)
			assert.True(t, got[0].Ended)
			assert.Equal(t, 1, got[0].Done)
		})
	}
}

// A wait is told once: not each hour, not again by a process that goes on with it.
func TestWaitsAreToldOnce(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 1, 29, 20, 0, 7, 0, time.UTC)
	one := event.Wait{For: time.Hour, Until: until, Agent: "claude", Reason: "rate limit: resets 8pm"}
	other := event.Wait{For: time.Hour, Until: until.Add(5 * time.Hour), Agent: "claude"}
	got := tell(t, SinkOptions{Start: start}, one, one, event.Wait{For: time.Second, Reason: "overload"}, other)
	require.Len(t, got, 2)
	assert.Equal(t, Limit, got[0].Occasion)
	assert.False(t, got[0].Ended)
	assert.Equal(t, "waiting", got[0].Status())
	assert.Contains(t, got[0].text, "ralphex waits for a usage limit on ")
	assert.Contains(t, got[0].text, "reason:   rate limit: resets 8pm\n")
	assert.Contains(t, got[0].text, "next:     nothing: it goes on by itself at ")
	assert.Len(t, tell(t, SinkOptions{Start: start, Told: []event.Wait{one}}, one, other), 1)
}

func TestQuestionsAreTold(t *testing.T) {
	t.Parallel()
	got := tell(t, SinkOptions{Start: start}, event.Asked{Question: "Which?", Options: []string{"a", "b"}}, event.Asked{Question: "Which?", Answer: "a"})
	require.Len(t, got, 1)
	assert.Equal(t, NeedsInput, got[0].Occasion)
	assert.Equal(t, "Which? (a / b)", got[0].Reason)
}

// A draft waits for a person as a question does; one that goes back to the agent doesn't.
func TestDraftNeedsInput(t *testing.T) {
	got := tell(t, SinkOptions{Start: start}, event.Draft{N: 1, Text: "# A", Back: true}, event.Draft{N: 2, Text: "# B"})
	require.Len(t, got, 1)
	assert.Equal(t, NeedsInput, got[0].Occasion)
	assert.Equal(t, "draft 2 of the plan waits for a review", got[0].Reason)
}

func TestOnlyWhatIsWanted(t *testing.T) {
	t.Parallel()
	r := newRecorder("r")
	s := NewSink(notifier(t, []Occasion{Failure}, r), SinkOptions{Root: "/"})
	require.NoError(t, s.Handle(event.Event{Data: event.RunEnd{Outcome: event.Done}}))
	s.Wait()
	assert.Empty(t, r.got)
	assert.False(t, notifier(t, nil).Wants(Success), "nobody listens")
}

// stuck is a channel that takes all of its time.
type stuck struct{ recorder }

func (s *stuck) send(ctx context.Context, _ post) error {
	<-ctx.Done()
	return ctx.Err()
}

// Channels are told at once, each has its own time, and one that fails costs the others nothing.
func TestChannelsDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		good, bad := newRecorder("good"), newRecorder("bad")
		bad.err = errors.New("token sesame-sesame is wrong\x1b[31m")
		n := notifier(t, nil, &stuck{recorder{name: "stuck"}}, bad, good)
		n.timeout = 100 * time.Millisecond
		n.safe = func(s string) string { return s + " (checked)" }
		var failed atomic.Int32
		s := NewSink(n, SinkOptions{Root: "/", Failed: func(sent Sent) {
			failed.Add(1)
			switch sent.Channel {
			case "stuck":
				assert.EqualError(t, sent.Err, "no answer within 100ms (checked)")
			case "bad":
				assert.EqualError(t, sent.Err, "token sesame-sesame is wrong[31m (checked)")
			default:
				assert.Fail(t, sent.Channel)
			}
		}})
		began := time.Now()
		require.NoError(t, s.Handle(event.Event{Data: event.RunEnd{Outcome: event.Done}}))
		<-good.got
		assert.Zero(t, time.Since(began), "neither who emits nor the other channels wait")
		s.Wait()
		assert.EqualValues(t, 2, failed.Load())
	})
}
