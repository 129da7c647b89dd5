package phase

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"ralphex/pkg/event"
)

// write brings the accepted draft into the tree, to the byte. The agent is asked to; whatever it writes instead, or where it
// writes nothing, ralphex does it.
func (w *drafting) write(ctx context.Context) error {
	name, text := w.talk.review.Path, []byte(w.talk.draft.Text)
	before, err := w.parts.Shelf.Plans()
	if err != nil {
		return err
	}
	if there, ok := before[name]; ok {
		if bytes.Equal(there, text) { // a session that was killed behind it, or that wrote before it was asked to
			w.tell(event.PlanFile{Path: name, By: "agent"})
			return nil
		}
		w.keep(ctx, 0, name+" is written anew")
		w.note(0, event.Warn, name+" differs from the draft that was accepted: it is written again", "ralphex restore has what stood there")
		return w.put(name, text)
	}
	if w.opts.ToolWrites {
		return w.put(name, text)
	}
	again, err := w.asked(ctx, name)
	if again || err != nil {
		return err
	}
	return w.judge(ctx, name, text, before)
}

func (w *drafting) put(name string, text []byte) error {
	if err := w.parts.Shelf.Write(name, text); err != nil {
		return err
	}
	w.tell(event.PlanFile{Path: name, By: "ralphex"})
	return nil
}

// asked has the agent write the file. again tells that a person interrupted it and wants it once more.
func (w *drafting) asked(ctx context.Context, name string) (again bool, err error) {
	w.tell(event.NewPlanIterationSection(w.talk.sessions + 1))
	res, err := w.run(ctx, func() (Prompt, error) {
		p := w.talk.prompt()
		p.Write = w.parts.Shelf.Path(name)
		return w.parts.Prompts.Create(p)
	})
	switch {
	case errors.Is(err, ErrBreak):
		return true, w.broken(ctx, err)
	case err != nil && ctx.Err() != nil:
		return false, err
	case err != nil:
		w.note(0, event.Warn, "the session that was to write the plan could not be run: "+err.Error(), "")
	case res.Failure != nil:
		w.note(0, event.Warn, "the session that was to write the plan failed: "+firstLine(res.Failure.Message), "")
	case res.Cause != nil:
		w.note(0, event.Warn, "the session that was to write the plan was ended by "+res.Cause.Error(), "")
	}
	if _, surprise := errors.AsType[*SurpriseError](err); surprise {
		return false, err
	}
	return false, nil
}

// judge looks at what the writing session did: one new file with the accepted text is what it was asked for. Plans that were there
// before it come back as they were, and everything else is told.
func (w *drafting) judge(ctx context.Context, name string, text []byte, before map[string][]byte) error {
	now, err := w.parts.Shelf.Plans()
	if err != nil {
		return err
	}
	if err := w.bringBack(ctx, before, now); err != nil {
		return err
	}
	var fresh []string
	at := ""
	for _, n := range slices.Sorted(maps.Keys(now)) {
		if _, old := before[n]; old {
			continue
		}
		fresh = append(fresh, n)
		if bytes.Equal(now[n], text) && (at == "" || n == name) {
			at = n
		}
	}
	by := "agent"
	switch {
	case at != "":
	case len(fresh) == 1:
		at, by = fresh[0], "ralphex"
		w.note(0, event.Warn, at+" is not what was accepted, to the byte: ralphex wrote the accepted text there", "")
	default:
		at, by = name, "ralphex"
		w.note(0, event.Warn, "the session did not write the plan: ralphex wrote the accepted text to "+at, "")
	}
	if by == "ralphex" {
		if err := w.parts.Shelf.Write(at, text); err != nil {
			return err
		}
	}
	if err := w.look(ctx); err != nil {
		return err
	}
	w.strangers(at)
	w.tell(event.PlanFile{Path: at, By: by})
	return nil
}

// bringBack undoes what the session did to plans that were there before.
func (w *drafting) bringBack(ctx context.Context, before, now map[string][]byte) error {
	for _, n := range slices.Sorted(maps.Keys(before)) {
		if text, there := now[n]; there && bytes.Equal(text, before[n]) {
			continue
		}
		w.keep(ctx, 0, "the writing session changed "+n)
		w.note(0, event.Warn, "the session changed "+n+", another plan: it is as it was before", "")
		if err := w.parts.Shelf.Write(n, before[n]); err != nil {
			return err
		}
	}
	return nil
}

// strangers tells of files that the session made beside the plan.
func (w *drafting) strangers(plan string) {
	var others []string
	for _, p := range w.leftovers() {
		if p != plan && !(strings.HasSuffix(p, "/") && strings.HasPrefix(plan, p)) {
			others = append(others, p)
		}
	}
	if len(others) == 0 {
		return
	}
	w.log.Emit(0, event.SetAside{Paths: others, By: event.ByTool})
	text := "the session was to write the plan only, and wrote: " + list(others)
	w.note(0, event.Warn, text, "look at it: it is in no commit of this run's own")
	w.report.Look = append(w.report.Look, text)
}
