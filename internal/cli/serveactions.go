package cli

import (
	"context"
	"fmt"
	"net/http"

	"ralphex/internal/control"
	"ralphex/internal/web"
	runview "ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// actions steer runs from the dashboard, by the ways that the verbs go.
type actions struct{ user string }

// actionsOf are those of the person who started the dashboard; inside of an agent's session there are none.
func actionsOf(p *Proc) web.Actions {
	if inSession(p) {
		return nil
	}
	return actions{user: userName(p)}
}

// by says for the journal who gave an order. Who holds another device is not known: the order comes from the dashboard of the person.
func (a actions) by(o web.Order) string {
	by := a.user + " at the dashboard"
	if o.From != "" {
		by += ", " + o.From
	}
	return by
}

// Do gives an order to a run.
func (a actions) Do(ctx context.Context, run runview.Run, o web.Order) (web.Reply, error) {
	if run.Source != runview.Journal {
		return web.Reply{}, web.Conflict("nothing is known of this run but its log", "steer it where it was started")
	}
	switch o.Verb {
	case web.VerbRetryNow:
		return a.retryNow(ctx, run, a.by(o))
	case web.VerbBudget:
		return a.budget(ctx, run, o)
	}
	there, err := livingRun(run.Root, string(run.Run))
	if err != nil {
		return web.Reply{}, err
	}
	if there == nil {
		hint := "the same command goes on with it"
		if o.Verb == web.VerbAnswer || o.Verb == web.VerbDraft {
			hint = "ralphex answer " + string(run.Run) + " goes on with it, and answers"
		}
		return web.Reply{}, web.Conflict("the run does not go on", hint)
	}
	reply, err := askRun(ctx, *there, control.Request{ID: o.ID, Run: there.Run, Order: o.Verb, AfterTask: o.AfterTask, By: a.by(o), Task: o.Task, Seq: o.Seq,
		Text: o.Text, Option: o.Option, Action: o.Action, Feedback: o.Feedback})
	if err != nil {
		return web.Reply{}, &web.Refusal{Status: http.StatusBadGateway, Code: "no_answer", Message: err.Error(), Next: hintOf(err)}
	}
	return web.Reply{OK: reply.OK, Text: reply.Text, Hint: reply.Hint}, nil
}

func (a actions) retryNow(ctx context.Context, run runview.Run, by string) (web.Reply, error) {
	waiting, err := waitingRuns(run.Root)
	if err != nil {
		return web.Reply{}, err
	}
	for _, w := range waiting {
		if w.Run == string(run.Run) {
			if err := tellRetryNow(ctx, run.Root, w.Run, by); err != nil {
				return web.Reply{}, err
			}
			return web.Reply{OK: true, Text: "it tries again now"}, nil
		}
	}
	return web.Reply{}, web.Conflict("it waits for no limit", "look again")
}

func (a actions) budget(ctx context.Context, run runview.Run, o web.Order) (web.Reply, error) {
	found, err := findRun(run.Root, run.Root, string(run.Run))
	if err != nil {
		return web.Reply{}, err
	}
	limits, err := addBudget(ctx, run.Root, found, event.Limits{CostUSD: o.CostUSD, Tokens: o.Tokens, Time: o.Time, Sessions: o.Sessions}, a.by(o))
	if err != nil {
		return web.Reply{}, web.Conflict(err.Error(), hintOf(err))
	}
	return web.Reply{OK: true, Text: fmt.Sprintf("it may use %s", limits)}, nil
}
