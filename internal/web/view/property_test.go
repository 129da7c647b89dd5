package view

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/finding"
)

// chance makes events that no run would tell in that order: of all kinds, with few different values, so that they meet each other.
type chance struct{ *rand.Rand }

func (c chance) events(t *testing.T, n int) (events []event.Event) {
	t.Helper()
	at, kinds := t0, event.Kinds()
	for i := range n {
		at = at.Add(time.Duration(c.IntN(1000)) * time.Millisecond)
		zero, err := event.Decode(fmt.Appendf(nil, `{"v":1,"seq":1,"type":%q,"data":{}}`, kinds[c.IntN(len(kinds))]))
		require.NoError(t, err)
		d := reflect.New(reflect.TypeOf(zero.Data)).Elem()
		c.fill(d)
		phases := []event.Phase{"", event.PhaseTask, event.PhaseReview, event.PhaseCodex}
		events = append(events, event.Event{Seq: int64(i + 1), Time: at.In(time.FixedZone("", 3600)), Run: "r", Phase: phases[c.IntN(len(phases))], Task: c.IntN(4),
			Data: d.Interface().(event.Data)})
	}
	return events
}

var words = []string{"", "a", "b", "found", "settled", "open", "fixed", "refuted", "tasks", "review", "external", "task", "done", "failed", "skipped", "interrupted"}

func (c chance) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(words[c.IntN(len(words))])
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(c.IntN(5)) - 1)
	case reflect.Uint64:
		v.SetUint(c.Uint64N(5))
	case reflect.Float64:
		v.SetFloat(float64(c.IntN(3)))
	case reflect.Bool:
		v.SetBool(c.IntN(2) == 0)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), c.IntN(3), 2))
		for i := range v.Len() {
			c.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range c.IntN(3) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			c.fill(key)
			c.fill(value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			if c.IntN(2) == 0 {
				v.Set(reflect.ValueOf(t0.Add(time.Duration(c.IntN(60)) * time.Minute).In(time.FixedZone("", 7200))))
			}
			return
		}
		for i := range v.NumField() {
			c.fill(v.Field(i))
		}
	}
}

// again reads events as a journal has them.
func again(t *testing.T, events []event.Event) (read []event.Event) {
	t.Helper()
	for _, e := range events {
		line, err := event.AppendJSON(nil, e)
		require.NoError(t, err)
		back, err := event.Decode(line)
		require.NoError(t, err)
		read = append(read, back)
	}
	return read
}

// shown is all that a state shows, in each life its process can have.
func shown(t *testing.T, s *State, now time.Time) string {
	t.Helper()
	var text string
	for _, alive := range []Alive{Unknown, Running, Dead} {
		d := s.Detail(now, alive)
		require.Equal(t, s.Run(now, alive), d.Run)
		raw, err := json.Marshal(d)
		require.NoError(t, err)
		text += string(raw) + "\n"
	}
	return text
}

func priced(_ string, u event.Usage, shares map[string]event.Usage) (float64, bool) {
	if _, free := shares["a"]; free {
		return 0, false
	}
	return float64(u.Tokens()) / 8, true
}

// TestLiveIsReplayed: whoever watches, replays, goes on after a break, or reads a part twice sees the same. What was shown in between
// changes nothing.
func TestLiveIsReplayed(t *testing.T) {
	for seed := range uint64(200) {
		c := chance{rand.New(rand.NewPCG(seed, 1))}
		for _, source := range []Source{Journal, Progress} {
			meta := Meta{ID: "r", Source: source, Root: "/repo", Price: priced}
			live := c.events(t, 1+c.IntN(120))
			replayed := again(t, live)
			now := soon(live)
			a, b := NewState(meta), NewState(meta)
			for _, e := range live {
				a.Apply(e)
			}
			cut := c.IntN(len(live))
			for _, e := range replayed[:cut] {
				b.Apply(e)
			}
			_ = shown(t, b, now)
			for _, e := range replayed[c.IntN(cut+1):] { // the tail is read from somewhere before the cut
				b.Apply(e)
			}
			require.Equal(t, shown(t, a, now), shown(t, b, now), "seed %d, %s, cut %d", seed, source, cut)
		}
	}
}

// TestWhatIsShownStays: what a state gave out is not changed by what comes later.
func TestWhatIsShownStays(t *testing.T) {
	for seed := range uint64(50) {
		c := chance{rand.New(rand.NewPCG(seed, 2))}
		events := c.events(t, 120)
		s := NewState(Meta{ID: "r", Source: Journal, Price: priced})
		for _, e := range events[:60] {
			s.Apply(e)
		}
		d := s.Detail(soon(events), Running)
		before, err := json.Marshal(d)
		require.NoError(t, err)
		for _, e := range events[60:] {
			s.Apply(e)
			s.Detail(soon(events), Dead)
		}
		after, err := json.Marshal(d)
		require.NoError(t, err)
		require.Equal(t, string(before), string(after), "seed %d", seed)
	}
}

// TestAnythingMayBeLeftOut: of a journal that lost lines, or of which only the ends are read, something is shown all the same.
func TestAnythingMayBeLeftOut(t *testing.T) {
	for seed := range uint64(100) {
		c := chance{rand.New(rand.NewPCG(seed, 5))}
		events := c.events(t, 100)
		s, b := NewState(Meta{ID: "r", Source: Journal, Root: "/repo", Price: priced}), NewBroadcastLogger()
		for _, e := range events {
			if c.IntN(2) == 0 {
				s.Apply(e)
				b.Events(e)
			}
		}
		text := shown(t, s, soon(events))
		require.NotContains(t, text, ":null", "seed %d", seed)
	}
}

// TestFindingsAreTheLedgers: the ledger of findings and this view read the same facts the same way.
func TestFindingsAreTheLedgers(t *testing.T) {
	for seed := range uint64(200) {
		c := chance{rand.New(rand.NewPCG(seed, 3))}
		var ledger finding.Ledger
		s := NewState(Meta{})
		for i := range 40 {
			var f event.Finding
			c.fill(reflect.ValueOf(&f).Elem())
			f.What = []string{"found", "settled"}[c.IntN(2)]
			if c.IntN(2) == 0 {
				f.ID = string(finding.Finding{File: f.File, Rule: f.Rule, Text: f.Text}.ID())
			}
			ledger.Read(f)
			s.Apply(event.Event{Seq: int64(i + 1), Data: f})
		}
		var want, got []string
		for _, e := range ledger.Entries() {
			want = append(want, fmt.Sprintf("%s %s:%d-%d %v %s %s %s %s %s %s %s %d", e.ID, e.File, e.Line, e.EndLine, e.Also, e.Severity, e.Text, e.Source, e.Rule,
				e.Disposition, e.Reason, e.Commit, e.Last.N))
		}
		for _, e := range s.Detail(t0, Dead).FindingList {
			got = append(got, fmt.Sprintf("%s %s:%d-%d %v %s %s %s %s %s %s %s %d", e.ID, e.File, e.Line, e.EndLine, e.Also, e.Severity, e.Text, e.Source, e.Rule,
				e.Disposition, e.Reason, e.Commit, e.Round))
		}
		require.Equal(t, want, got, "seed %d", seed)
	}
}

// A plot needs no more points than it has room for, and its last one is the sum.
func TestSpendIsThinned(t *testing.T) {
	s := NewState(Meta{Price: priced})
	s.Apply(event.Event{Seq: 1, Time: t0, Data: event.SessionStart{N: 1}})
	for i := range 9999 {
		s.Apply(event.Event{Seq: int64(i + 2), Time: t0.Add(time.Duration(i) * time.Second), Data: event.Spent{Usage: event.Usage{InputTokens: int64(i + 1)}}})
	}
	points := s.Detail(t0, Running).Spend
	assert.LessOrEqual(t, len(points), maxSpend)
	assert.Greater(t, len(points), maxSpend/4)
	assert.Equal(t, int64(9999), points[len(points)-1].Tokens)
	for i := 1; i < len(points); i++ {
		require.Less(t, points[i-1].Tokens, points[i].Tokens)
	}
}

func TestTailOf(t *testing.T) {
	long := ""
	for len(long) < 3*MaxTail {
		long += "é漢"
	}
	got := tailOf(long)
	assert.LessOrEqual(t, len(got), MaxTail)
	assert.Equal(t, long[len(long)-len(got):], got)
	assert.NotContains(t, got, "\uFFFD")
	assert.Equal(t, "short", tailOf("short"))
}
