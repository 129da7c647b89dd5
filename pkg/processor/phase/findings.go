package phase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralphex/pkg/event"
	"ralphex/pkg/finding"
	"ralphex/pkg/vcs"
)

// ownRounds is the kind of the rounds in which ralphex's own rules look at a change.
const ownRounds = "ralphex"

// named takes what somebody named in a round into the ledger, and journals each change.
func (d *desk) named(kind string, n int, reviewer string, found []finding.Finding) finding.Delta {
	delta := d.ledger.Add(finding.Round{Kind: kind, N: n, Reviewer: reviewer}, found)
	for _, c := range delta.Changes {
		d.change(c)
	}
	return delta
}

func (d *desk) change(c finding.Change) {
	if fact, ok := c.Fact(); ok {
		fact.Stage = d.stage
		d.log.Emit(0, fact)
	}
}

// theirs are the findings of a report that are the reviewer's own: one that it was put before by ralphex's rules is there already.
func (d *desk) theirs(said []finding.Finding) (own []finding.Finding) {
	rules := map[finding.ID]bool{}
	for _, e := range d.ledger.Entries() {
		rules[e.ID] = e.Source == ownRounds
	}
	for _, f := range said {
		if id, ok := d.ledger.Match(f); !ok || !rules[id] {
			own = append(own, f)
		}
	}
	return own
}

func (d *desk) settled(id finding.ID, as finding.Disposition, reason, commit string) {
	if c, ok := d.ledger.Settle(id, as, reason, commit); ok {
		d.change(c)
	}
}

// own asks ralphex's rules what they find in the change. What they don't find any more is fixed. The text is for the prompt.
func (d *desk) own(ctx context.Context, n int, since vcs.Rev) (string, error) {
	seen, err := d.inspect(ctx, since)
	if errors.Is(err, vcs.ErrUnsupported) {
		return "", nil
	}
	if err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		d.note(0, event.Warn, "the change could not be looked at by ralphex's own rules: "+err.Error(), "")
		return "", nil
	}
	for _, r := range seen.Renamed {
		d.ledger.Rename(r[0], r[1])
	}
	found := seen.Found
	for i := range found {
		found[i].Source = ownRounds
	}
	d.named(ownRounds, n, ownRounds, found)
	var b strings.Builder
	for _, e := range d.ledger.Entries() {
		if e.Source != ownRounds || e.Disposition != finding.Open {
			continue
		}
		if !slices.ContainsFunc(found, func(f finding.Finding) bool { id, ok := d.ledger.Match(f); return ok && id == e.ID }) {
			d.settled(e.ID, finding.Fixed, "the change has it no more", string(d.state.head.Rev))
			continue
		}
		fmt.Fprintf(&b, "%s - %s\n", e.Place(), e.Text)
	}
	return b.String(), nil
}

// unanswered warns of what ralphex's rules found and the reviewer neither mended nor refuted: its silence is no answer.
func (d *desk) unanswered() {
	for _, e := range d.ledger.Open() {
		if e.Source == ownRounds {
			d.note(0, event.Warn, "neither mended nor refuted by "+d.reviewer+": "+e.Place()+" - "+e.Text, "look at it, or run the review again: ralphex --review")
		}
	}
}

// judge turns what a reviewer says became of findings into facts: fixed is what the session changed the file of. A finding that a
// session says nothing about, and whose file it changed, is fixed when the next look doesn't name it again.
func (d *desk) judge(ctx context.Context, said []finding.Finding, t turn) {
	changed := d.changedBy(ctx, t)
	again := map[finding.ID]bool{}
	for _, f := range said {
		id, ok := d.ledger.Match(f)
		if !ok {
			continue
		}
		again[id] = true
		if f.Disposition == "" {
			if changed(f.File) {
				d.claimed[id] = t.commit
			}
			continue
		}
		as, reason := finding.Judge(f, changed)
		commit := ""
		if as == finding.Fixed {
			commit = t.commit
		}
		d.settled(id, as, reason, commit)
	}
	for id, commit := range d.claimed {
		if !again[id] {
			delete(d.claimed, id)
			d.settled(id, finding.Fixed, "its file was changed, and it was not named again", commit)
		}
	}
}

// pathed is a Tree that knows what a path is in a commit; see vcs.Repo.
type pathed interface {
	PathAt(ctx context.Context, r vcs.Rev, path string) (string, error)
}

// changedBy tells whether a session changed a file: in its commits or ours of its work, or in what is still uncommitted.
func (d *desk) changedBy(ctx context.Context, t turn) func(file string) bool {
	p, _ := d.tree.(pathed)
	return func(file string) bool {
		if !t.changed {
			return false
		}
		if slices.Contains(t.left, file) {
			return true
		}
		from, to := t.before.head.Rev, d.state.head.Rev
		if p == nil || from == to || from == "" {
			return false
		}
		was, err := p.PathAt(ctx, from, file)
		if err != nil {
			return false
		}
		is, err := p.PathAt(ctx, to, file)
		return err == nil && was != is
	}
}

// Count sums up a ledger.
func Count(l *finding.Ledger) FindingCount {
	var c FindingCount
	for _, e := range l.Entries() {
		c.Found++
		switch e.Disposition {
		case finding.Fixed:
			c.Fixed++
		case finding.Refuted:
			c.Refuted++
		default:
			c.Open++
		}
	}
	return c
}
