package notify

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ralphex/pkg/event"
)

// SinkOptions are what a Sink knows of a run beforehand.
type SinkOptions struct {
	Root string // of the repository: plans are named from there
	// Start and Usage are what a run that is gone on with has told and used up before; see journal.Resume.
	Start event.RunStart
	Usage event.Usage
	// Told are waits that an earlier process of the run told of.
	Told []event.Wait
	// Dollars prices a session for which the agent names no cost; nil = nobody knows.
	Dollars func(model string, u event.Usage, shares map[string]event.Usage) (float64, bool)
	// Failed is told of each channel that did not get a message. It is called from goroutines of the Sink, and may emit.
	Failed func(Sent)
}

// Sink finds the occasions among a run's events and sends messages without making anybody wait. Handle is called by the bus, one event at a time.
type Sink struct {
	to  *Notifier
	opt SinkOptions

	start   event.RunStart
	plan    string // absolute; where it lies now
	branch  string
	done    map[string]bool
	model   string
	tokens  int64
	cost    float64
	failure string // class of what the last session failed with
	agent   string // of that session
	told    map[string]bool

	sending sync.WaitGroup
}

// NewSink returns the sink of one run.
func NewSink(to *Notifier, o SinkOptions) *Sink {
	s := &Sink{to: to, opt: o, done: map[string]bool{}, told: map[string]bool{}, tokens: o.Usage.Tokens(), cost: o.Usage.CostUSD}
	s.begin(o.Start)
	for _, w := range o.Told {
		s.told[waitKey(w)] = true
	}
	return s
}

func (s *Sink) begin(d event.RunStart) {
	s.start, s.plan, s.branch = d, d.Plan, d.Branch
	for _, key := range d.Done {
		s.done[key] = true
	}
}

// Handle takes an event. It never fails and never waits.
func (s *Sink) Handle(e event.Event) error {
	switch d := e.Data.(type) {
	case event.RunStart:
		s.begin(d)
	case event.Branch:
		s.branch = d.Name
	case event.Archived:
		s.plan = d.To
	case event.TaskEnd:
		key := d.ID + ": " + d.Title
		s.done[key] = d.Outcome != event.Failed && d.Outcome != event.Interrupted && d.Outcome != event.Skipped
	case event.SessionStart:
		s.model, s.agent, s.failure = d.Model, d.Executor, ""
	case event.SessionEnd:
		s.spent(d)
	case event.Wait:
		if !d.Until.IsZero() && d.Agent != "" {
			s.waits(e, d)
		}
	case event.Asked:
		if d.Answer == "" {
			s.tell(e, Message{Occasion: NeedsInput, Reason: question(d), Next: "answer where ralphex runs"}, "asked "+d.Question)
		}
	case event.Draft:
		if !d.Back {
			s.tell(e, Message{Occasion: NeedsInput, Reason: fmt.Sprintf("draft %d of the plan waits for a review", d.N), Next: "answer where ralphex runs, or: ralphex answer"}, fmt.Sprintf("draft %d", d.N))
		}
	case event.RunEnd:
		s.ended(e, d)
	}
	return nil
}

func question(d event.Asked) string {
	if len(d.Options) == 0 {
		return d.Question
	}
	return d.Question + " (" + strings.Join(d.Options, " / ") + ")"
}

// spent adds up what a session cost.
func (s *Sink) spent(d event.SessionEnd) {
	s.failure = d.Failure
	s.tokens += d.Usage.Tokens()
	usd := d.Usage.CostUSD
	if usd == 0 && s.opt.Dollars != nil {
		usd, _ = s.opt.Dollars(s.model, d.Usage, d.Models)
	}
	s.cost += usd
}

// waitKey names a wait: one that goes on after a restart, or is told again each hour, is the same.
func waitKey(w event.Wait) string {
	return "wait " + w.Agent + " " + w.Until.UTC().Truncate(time.Minute).Format(time.RFC3339)
}

func (s *Sink) waits(e event.Event, d event.Wait) {
	s.tell(e, Message{Occasion: Limit, Reason: d.Reason,
		Next: fmt.Sprintf("nothing: it goes on by itself at %s; ralphex retry-now %s tries at once", d.Until.Local().Format("Jan 2 15:04"), e.Run)}, waitKey(d))
}

// ended tells the end of the run.
func (s *Sink) ended(e event.Event, d event.RunEnd) {
	m := Message{Occasion: s.occasionOf(d), Ended: true, Outcome: string(d.Outcome), Reason: d.Reason, Duration: d.Elapsed.Round(time.Second),
		Files: d.Files, Added: d.Additions, Deleted: d.Deletions}
	again := "ralphex " + s.relative(s.start.Plan)
	m.Next = map[Occasion]string{
		Failure:    again + " goes on where it ended",
		Abort:      again + " goes on where it ended",
		NeedsInput: "do what is left, tick it (ralphex show " + s.relative(s.plan) + "), then " + again,
		Limit:      again + " goes on when the limit is over",
		Login:      "see to the account of " + s.agent + ", then " + again,
		Budget:     "ralphex budget add " + string(e.Run) + ", then " + again,
	}[m.Occasion]
	s.tell(e, m, "end")
}

// occasionOf judges by exit code and outcome; the codes are those of docs/exit-codes.md.
func (s *Sink) occasionOf(d event.RunEnd) Occasion {
	const limit = "limit" // class of a session's failure
	switch {
	case d.Exit == 3:
		return NeedsInput
	case d.Exit == 4 && s.failure == limit:
		return Limit
	case d.Exit == 4:
		return Budget
	case d.Exit == 5:
		return Login
	case d.Outcome == event.Interrupted:
		return Abort
	case d.Exit == 0 && slices.Contains(good, d.Outcome):
		return Success
	case d.Exit == 0 && d.Outcome == event.LeftHuman:
		return NeedsInput
	}
	return Failure
}

// tell sends a message, unless it is not wanted or was told before.
func (s *Sink) tell(e event.Event, m Message, key string) {
	if s.told[key] || !s.to.Wants(m.Occasion) {
		return
	}
	s.told[key] = true
	m.ID, m.Time, m.Run = fmt.Sprintf("%s.%d", e.Run, e.Seq), e.Time, string(e.Run)
	m.Project, m.Mode, m.Branch = filepath.Base(s.opt.Root), s.start.Mode, s.branch
	m.PlanFile, m.Plan = s.plan, s.relative(s.plan)
	m.Total, m.Cost, m.Tokens = s.start.Tasks, s.cost, s.tokens
	for _, ok := range s.done {
		if ok {
			m.Done++
		}
	}
	m.Host, _ = os.Hostname()
	s.sending.Go(func() {
		for _, sent := range s.to.Send(context.Background(), m) {
			if sent.Err != nil && s.opt.Failed != nil {
				s.opt.Failed(sent)
			}
		}
	})
}

// relative names a path from the repository's root, where it lies in there.
func (s *Sink) relative(path string) string {
	rel, err := filepath.Rel(s.opt.Root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return filepath.ToSlash(rel)
}

// Wait waits until each channel has got the messages so far, or used up its time.
func (s *Sink) Wait() { s.sending.Wait() }
