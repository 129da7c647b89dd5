package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"ralphex/internal/journal"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/web"
	runview "ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// Trust is what the next iteration is about to do, what this run did, and what was mended by itself. Each is the answer of its verb; a part
// that can't be told does not take the others with it.
func (f *pageFacts) Trust(ctx context.Context, run runview.Run) (web.Trust, error) {
	if run.Source != runview.Journal {
		return web.Trust{}, errTextLog("timeline")
	}
	ctx, end, err := f.begin(ctx)
	if err != nil {
		return web.Trust{}, err
	}
	defer end()
	t := web.Trust{Remediations: json.RawMessage("[]")}
	s, noStore := openStore(ctx, f.p.at(run.Root))
	if t.Timeline, err = timelineOf(s, run); err != nil {
		return t, err
	}
	if noStore != nil {
		t.Note = "what is planned ahead can't be told: " + firstLine(noStore.Error())
		return t, nil
	}
	if !s.initialized() {
		t.Note = "there is no .ralph workspace, so nothing is planned ahead: ralphex workspace init makes one"
		return t, nil
	}
	t.Intent = stable.Marshal(s.intent(ctx, f.p.at(run.Root), f.p.layers.GlobalDir))
	if _, err := os.Stat(s.Latest().Remediation); err == nil {
		data, _, err := latestRemediation(s)
		switch {
		case err != nil:
			t.Note = firstLine(err.Error())
		default:
			t.Remediations = fmt.Appendf(nil, "[%s]", data)
		}
	}
	return t, nil
}

// timelineOf is the timeline of a run: of its bundle in the store, where it has one, else of its journal. A nil store has none.
func timelineOf(s *store, run runview.Run) (json.RawMessage, error) {
	var facts []event.Event
	name := ""
	for e, err := range journal.Events(run.Path, event.Output{}.Kind()) {
		if err != nil {
			return nil, err
		}
		facts = append(facts, e)
		switch d := e.Data.(type) {
		case event.RunStart:
			name = d.Provenance
		case event.RunEnd:
			if d.Provenance != "" {
				name = d.Provenance
			}
		}
	}
	if s != nil {
		if bundle, err := s.Bundle(name); err == nil {
			if list, err := events.Read(filepath.Join(bundle, events.FileName)); err == nil && len(list) > 0 {
				return stable.Marshal(events.Fold(list).Stable()), nil
			}
		}
	}
	return stable.Marshal(events.Fold(events.Project(events.NewMapper(run.Root, nil), string(run.Run), facts)).Stable()), nil
}
