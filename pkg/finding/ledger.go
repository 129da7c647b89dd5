package finding

import (
	"maps"
	"slices"
)

// Round is one look of one reviewer.
type Round struct {
	Kind     string `json:"kind"` // "review", "external": rounds of one kind are compared with each other
	N        int    `json:"n"`    // from 1
	Reviewer string `json:"reviewer,omitempty"`
}

// Entry is a finding and what became of it.
type Entry struct {
	ID ID
	Finding
	Commit string // that fixed it
	First  Round  // in which it was found
	Last   Round  // in which it was found again; First, where it never was
	Times  int    // rounds that named it
}

// Delta is what a round brought.
type Delta struct {
	New      []Finding // never named before
	Known    []Finding // named before, and open
	Reopened []Finding // named before and fixed: it is open again
	Returned []Finding // named before and refuted: it stays so
	Same     bool      // the round before of this kind named the same set
	Changes  []Change  // for the journal
}

// Change is one step of a ledger's life, in the order in which it happened. Ledger.Apply takes it; Change.Fact is what the journal has of
// it, and Ledger.Read reads that back.
type Change struct {
	What    What
	Round   Round
	ID      ID      // of the entry: not of Finding, where its file was renamed
	Finding Finding // as it is after the change
	Commit  string
}

// What is the kind of a change.
type What string

// The changes.
const (
	Began   What = "began"   // a round: what it names follows
	Found   What = "found"   // a reviewer named it
	Settled What = "settled" // its disposition is another one
)

// Ledger holds all findings of a run across rounds. The zero value is empty. It is not safe for use by several
// goroutines.
type Ledger struct {
	entries []*Entry
	byID    map[ID]*Entry // with the IDs that entries have under a new name of their file
	rounds  map[string]*looks
	current Round
}

// looks are the last two rounds of a kind.
type looks struct {
	round     Round
	now, past map[ID]bool
	second    bool // there was a round before
}

// Add takes what a round named. Claims of its findings settle nothing: see Judge and Settle. A round that is added
// again (it was cut off) takes the place of itself.
func (l *Ledger) Add(round Round, found []Finding) Delta {
	var d Delta
	record := func(c Change) {
		l.Apply(c)
		d.Changes = append(d.Changes, c)
	}
	record(Change{What: Began, Round: round})
	seen := map[ID]bool{}
	for _, f := range found {
		id := f.ID()
		e := l.byID[id]
		if e != nil {
			id = e.ID
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		f.Disposition, f.Reason = Open, ""
		commit := ""
		switch {
		case e == nil:
			d.New = append(d.New, f)
		case e.Disposition == Refuted:
			f.Disposition, f.Reason = Refuted, e.Reason
			d.Returned = append(d.Returned, f)
		case e.Disposition == Fixed:
			f.Reason = "it was fixed, and is found again"
			d.Reopened = append(d.Reopened, f)
		default:
			f.Reason, commit = e.Reason, e.Commit
			d.Known = append(d.Known, f)
		}
		record(Change{What: Found, Round: round, ID: id, Finding: f, Commit: commit})
	}
	d.Same = l.rounds[round.Kind].same()
	return d
}

func (k *looks) same() bool {
	return k.second && maps.Equal(k.now, k.past)
}

// Settle says what became of a finding, from a fact or with a reason. It tells whether that was news.
func (l *Ledger) Settle(id ID, d Disposition, reason, commit string) (Change, bool) {
	e := l.byID[id]
	if e == nil || (e.Disposition == d && e.Reason == reason && e.Commit == commit) {
		return Change{}, false
	}
	c := Change{What: Settled, Round: l.current, ID: e.ID, Finding: e.Finding, Commit: commit}
	c.Finding.Disposition, c.Finding.Reason = d, reason
	l.Apply(c)
	return c, true
}

// Apply takes a change that this or another ledger made.
func (l *Ledger) Apply(c Change) {
	if l.byID == nil {
		l.byID, l.rounds = map[ID]*Entry{}, map[string]*looks{}
	}
	switch c.What {
	case Began:
		l.begin(c.Round)
	case Found:
		l.found(c)
	case Settled:
		if e := l.byID[c.ID]; e != nil {
			e.Disposition, e.Reason, e.Commit = c.Finding.Disposition, c.Finding.Reason, c.Commit
		}
	}
}

func (l *Ledger) begin(r Round) {
	l.current = r
	k := l.rounds[r.Kind]
	switch {
	case k == nil:
		l.rounds[r.Kind] = &looks{round: r, now: map[ID]bool{}}
	case k.round == r:
		k.now = map[ID]bool{}
	default:
		l.rounds[r.Kind] = &looks{round: r, now: map[ID]bool{}, past: k.now, second: true}
	}
}

func (l *Ledger) found(c Change) {
	if k := l.rounds[c.Round.Kind]; k == nil || k.round != c.Round {
		l.begin(c.Round)
	}
	e := l.byID[c.ID]
	if e == nil {
		e = &Entry{ID: c.ID, First: c.Round}
		l.entries = append(l.entries, e)
		l.byID[c.ID] = e
	}
	e.Finding, e.Commit = c.Finding, c.Commit
	if e.Last != c.Round {
		e.Last = c.Round
		e.Times++
	}
	l.byID[c.Finding.ID()] = e // it may be another one, where the file was renamed
	l.rounds[c.Round.Kind].now[c.ID] = true
}

// Rename lets findings of a file be recognised under its new name.
func (l *Ledger) Rename(from, to string) {
	for _, e := range l.entries {
		if e.File == from {
			f := e.Finding
			f.File = to
			if id := f.ID(); l.byID[id] == nil {
				l.byID[id] = e
			}
		}
	}
}

// Match finds the entry that a finding means: the one with its ID, else the only one at its lines. A session that
// evaluates findings of another reviewer tells them in its own words.
func (l *Ledger) Match(f Finding) (ID, bool) {
	if e := l.byID[f.ID()]; e != nil {
		return e.ID, true
	}
	var only *Entry
	for _, e := range l.entries {
		if e.File == f.File && f.Line > 0 && f.Line <= max(e.Line, e.EndLine) && e.Line <= max(f.Line, f.EndLine) {
			if only != nil {
				return "", false
			}
			only = e
		}
	}
	if only == nil {
		return "", false
	}
	return only.ID, true
}

// Entries lists all findings in the order in which they were first named.
func (l *Ledger) Entries() []Entry {
	out := make([]Entry, len(l.entries))
	for i, e := range l.entries {
		out[i] = *e
	}
	return out
}

// Open lists the findings that are neither fixed nor refuted.
func (l *Ledger) Open() []Entry {
	return slices.DeleteFunc(l.Entries(), func(e Entry) bool { return e.Disposition != Open })
}
