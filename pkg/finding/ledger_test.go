package finding

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

func review(n int) Round { return Round{Kind: "review", N: n, Reviewer: "quality"} }

func texts(list []Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.Text)
	}
	return out
}

func TestLedgerTellsNewFromOld(t *testing.T) {
	var l Ledger
	one, two, three := at("a.go", 1, "one"), at("a.go", 2, "two"), at("b.go", 3, "three")

	d := l.Add(review(1), []Finding{one, two, one})
	assert.Equal(t, []string{"one", "two"}, texts(d.New))
	assert.False(t, d.Same, "there was no round before")

	_, news := l.Settle(one.ID(), Refuted, "by design", "")
	assert.True(t, news)
	_, news = l.Settle(two.ID(), Fixed, "", "1a2b3c4")
	assert.True(t, news)
	_, news = l.Settle(two.ID(), Fixed, "", "1a2b3c4")
	assert.False(t, news, "said before")
	_, news = l.Settle("0000", Fixed, "", "")
	assert.False(t, news, "nobody named it")

	one.Line, two.Line = 11, 12
	d = l.Add(review(2), []Finding{two, one, three})
	assert.Equal(t, []string{"three"}, texts(d.New))
	assert.Equal(t, []string{"two"}, texts(d.Reopened), "a fix that did not hold")
	assert.Equal(t, []string{"one"}, texts(d.Returned), "dismissed before")
	assert.Empty(t, d.Known)
	assert.False(t, d.Same)

	d = l.Add(review(3), []Finding{three, two, one})
	assert.True(t, d.Same, "the order is no difference")
	assert.Equal(t, []string{"three", "two"}, texts(d.Known))

	entries := l.Entries()
	require.Len(t, entries, 3)
	assert.Equal(t, Entry{ID: one.ID(), Finding: Finding{File: "a.go", Line: 11, Text: "one", Disposition: Refuted, Reason: "by design"}, First: review(1), Last: review(3), Times: 3}, entries[0])
	assert.Equal(t, "it was fixed, and is found again", entries[1].Reason)
	assert.Empty(t, entries[1].Commit, "the commit did not fix it")
	assert.Equal(t, []string{"two", "three"}, []string{l.Open()[0].Text, l.Open()[1].Text})
}

func TestLedgerComparesRoundsOfAKind(t *testing.T) {
	var l Ledger
	one := at("a.go", 1, "one")
	assert.False(t, l.Add(review(1), nil).Same)
	assert.True(t, l.Add(review(2), nil).Same, "nothing twice")
	assert.False(t, l.Add(Round{Kind: "external", N: 1}, []Finding{one}).Same)
	assert.False(t, l.Add(review(3), []Finding{one}).Same)
	assert.True(t, l.Add(Round{Kind: "external", N: 2}, []Finding{one}).Same)
	assert.False(t, l.Add(review(4), nil).Same)
}

// TestLedgerRoundAgain: a round that was cut off and is done again is compared with the round before it.
func TestLedgerRoundAgain(t *testing.T) {
	var l Ledger
	one, two := at("a.go", 1, "one"), at("a.go", 2, "two")
	l.Add(review(1), []Finding{one})
	l.Add(review(2), []Finding{two})
	assert.True(t, l.Add(review(2), []Finding{one}).Same)
	assert.Equal(t, 2, l.Entries()[0].Times)
	assert.Equal(t, 1, l.Entries()[1].Times)
}

// TestLedgerClaimsSettleNothing: what a reviewer says of a finding's fate waits for Judge and Settle.
func TestLedgerClaimsSettleNothing(t *testing.T) {
	var l Ledger
	f := at("a.go", 1, "one")
	f.Disposition, f.Reason = Fixed, "trust me"
	l.Add(review(1), []Finding{f})
	assert.Equal(t, Open, l.Entries()[0].Disposition)
	assert.Empty(t, l.Entries()[0].Reason)
}

func TestLedgerRename(t *testing.T) {
	var l Ledger
	old := at("a.go", 1, "one")
	l.Add(review(1), []Finding{old})
	l.Settle(old.ID(), Refuted, "by design", "")
	l.Rename("a.go", "pkg/a.go")
	d := l.Add(review(2), []Finding{at("pkg/a.go", 5, "one")})
	assert.Len(t, d.Returned, 1)
	assert.True(t, d.Same)
	assert.Equal(t, "pkg/a.go", l.Entries()[0].File)
	assert.Equal(t, old.ID(), l.Entries()[0].ID, "an entry keeps its ID")

	replayed := replay(d.Changes)
	assert.Len(t, replayed.Add(review(3), []Finding{at("pkg/a.go", 5, "one")}).Returned, 1, "a replay knows both names")
}

func TestLedgerMatch(t *testing.T) {
	var l Ledger
	l.Add(review(1), []Finding{{File: "a.go", Line: 10, EndLine: 20, Text: "one"}, at("a.go", 30, "two"), at("a.go", 30, "three")})
	id, ok := l.Match(at("a.go", 99, "two"))
	assert.True(t, ok)
	assert.Equal(t, at("a.go", 1, "two").ID(), id)
	id, ok = l.Match(at("a.go", 15, "said in other words"))
	assert.True(t, ok)
	assert.Equal(t, at("a.go", 1, "one").ID(), id)
	for _, f := range []Finding{at("a.go", 30, "two of them are there"), at("b.go", 15, "another file"), at("a.go", 21, "no finding there"), at("a.go", 0, "no line")} {
		_, ok = l.Match(f)
		assert.False(t, ok, f.Text)
	}
}

// replay makes the ledger that brought forth these changes.
func replay(changes []Change) *Ledger {
	l := &Ledger{}
	for _, c := range changes {
		l.Apply(c)
	}
	return l
}

// TestReplayIsTheSame lives many random lives of a ledger, and reads each back through JSON.
func TestReplayIsTheSame(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 6))
		var live Ledger
		var changes []Change
		pick := func() Finding {
			return Finding{File: fmt.Sprintf("f%d.go", r.IntN(3)), Line: 1 + r.IntN(50), Text: fmt.Sprintf("text %d", r.IntN(4)), Disposition: []Disposition{"", Fixed, Refuted, Open}[r.IntN(4)]}
		}
		for range 1 + r.IntN(12) {
			switch r.IntN(3) {
			case 0, 1:
				found := make([]Finding, r.IntN(4))
				for i := range found {
					found[i] = pick()
				}
				round := Round{Kind: []string{"review", "external"}[r.IntN(2)], N: 1 + r.IntN(4)}
				changes = append(changes, live.Add(round, found).Changes...)
			case 2:
				if c, ok := live.Settle(pick().ID(), []Disposition{Fixed, Refuted, Open}[r.IntN(3)], fmt.Sprint("because ", r.IntN(2)), ""); ok {
					changes = append(changes, c)
				}
			}
		}
		data, err := json.Marshal(changes)
		require.NoError(t, err)
		var read []Change
		require.NoError(t, json.Unmarshal(data, &read))
		again := replay(read)
		require.Equal(t, live.Entries(), again.Entries(), "seed %d", seed)
		require.Equal(t, live.Prompt(), again.Prompt())
		next := []Finding{pick(), pick()}
		for _, kind := range []string{"review", "external"} {
			require.Equal(t, live.Add(Round{Kind: kind, N: 9}, next), again.Add(Round{Kind: kind, N: 9}, next), "both see the next round alike")
		}
	}
}

// A ledger is what the journal says of it: facts of findings, and the end of each round.
func TestJournalBringsALedgerBack(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 7))
		var live, again Ledger
		read := func(changes ...Change) {
			for _, c := range changes {
				if fact, ok := c.Fact(); ok {
					data, err := json.Marshal(fact)
					require.NoError(t, err)
					fact = event.Finding{}
					require.NoError(t, json.Unmarshal(data, &fact))
					again.Read(fact)
				}
			}
		}
		pick := func() Finding {
			return Finding{File: fmt.Sprintf("f%d.go", r.IntN(3)), Line: 1 + r.IntN(50), Also: []int{60}, Severity: Major, Text: fmt.Sprintf("text %d", r.IntN(4)), Source: "codex"}
		}
		n := map[string]int{}
		for range 1 + r.IntN(12) {
			if r.IntN(3) == 2 {
				if c, ok := live.Settle(pick().ID(), []Disposition{Fixed, Refuted, Open}[r.IntN(3)], fmt.Sprint("because ", r.IntN(2)), "1a2b"); ok {
					read(c)
				}
				continue
			}
			found := make([]Finding, r.IntN(4))
			for i := range found {
				found[i] = pick()
			}
			kind := []string{"review", "external"}[r.IntN(2)]
			n[kind]++
			read(live.Add(Round{Kind: kind, N: n[kind], Reviewer: "codex"}, found).Changes...)
			again.Read(event.ReviewRound{Stage: event.Stage(kind), N: n[kind], Reviewer: "codex", Found: len(found)})
		}
		require.Equal(t, live.Entries(), again.Entries(), "seed %d", seed)
		next := []Finding{pick(), pick()}
		for _, kind := range []string{"review", "external"} {
			require.Equal(t, live.Add(Round{Kind: kind, N: 99}, next), again.Add(Round{Kind: kind, N: 99}, next), "both see the next round alike, seed %d", seed)
		}
	}
}

func TestPrompt(t *testing.T) {
	var l Ledger
	assert.Empty(t, l.Prompt())
	one, two, three := at("a.go", 1, "one"), at("b.go", 2, "two"), Finding{File: "c.go", Line: 3, EndLine: 5, Also: []int{9, 12}, Text: "three", Severity: Major}
	l.Add(review(1), []Finding{one, two, three})
	l.Settle(one.ID(), Fixed, "", "1a2b3c4")
	l.Settle(two.ID(), Refuted, "by design", "")
	assert.Equal(t, "c.go:3-5 - [major] three (also at line 9, 12) => open\nb.go:2 - two => refuted: by design\na.go:1 - one => fixed: in 1a2b3c4\n", l.Prompt())

	var odd Ledger // what has blanks or no line is read again, too
	for _, f := range []Finding{at("my docs/a.md", 1, "one"), {File: "my docs/b.md", Text: "two"}, {File: "c_test.go", Text: "three"}} {
		odd.Add(review(1), []Finding{f})
	}
	assert.Len(t, Parse(odd.Prompt()).Findings, 3, odd.Prompt())

	told := Parse(l.Prompt()).Findings
	require.Len(t, told, 3, "we speak the format that we ask for")
	assert.Equal(t, []Disposition{Open, Refuted, Fixed}, []Disposition{told[0].Disposition, told[1].Disposition, told[2].Disposition})
}

func TestPromptIsBounded(t *testing.T) {
	var l Ledger
	var many []Finding
	for i := range 2000 {
		many = append(many, at("a.go", i+1, fmt.Sprintf("text %d %s", i, strings.Repeat("long ", 400))))
	}
	l.Add(review(1), many)
	got := l.Prompt()
	assert.Less(t, len(got), promptBytes+100)
	lines := strings.Count(got, "\n")
	assert.Contains(t, got, fmt.Sprintf("(and %d more)\n", 2000-(lines-1)))
}
