package web

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"ralphex/internal/web/view"
)

// Meta is what the page has to know of its server.
type Meta struct {
	Version      string `json:"version"`
	Host         string `json:"host"`             // this machine
	Control      bool   `json:"control"`          // runs can be steered from here
	Single       string `json:"single,omitempty"` // id of the only run that is served
	StalledAfter int64  `json:"stalled_after_ns"`
	CSRF         string `json:"csrf"` // for orders; another one after each start of the server
}

// RunList is the list of runs.
type RunList struct {
	Runs []view.Run `json:"runs"`
}

// MarshalJSON encodes each row by itself: one that can't be encoded is not the end of all.
func (l RunList) MarshalJSON() ([]byte, error) {
	rows := make([]json.RawMessage, 0, len(l.Runs))
	for _, run := range l.Runs {
		if text, err := encodeRun(run); err == nil {
			rows = append(rows, text)
		}
	}
	return json.Marshal(struct {
		Runs []json.RawMessage `json:"runs"`
	}{rows})
}

// encodeRun is a row as JSON. Of one with a figure or a time that JSON can't have, it is what is known without them.
func encodeRun(run view.Run) ([]byte, error) {
	text, err := json.Marshal(run)
	if err == nil {
		return text, nil
	}
	return json.Marshal(view.Run{ID: run.ID, Run: run.Run, Source: run.Source, Project: run.Project, Root: run.Root, Path: run.Path, Plan: run.Plan, PlanPath: run.PlanPath,
		Title: run.Title, Branch: run.Branch, Worktree: run.Worktree, Mode: run.Mode, Executor: run.Executor, Host: run.Host, Version: run.Version, State: run.State, Outcome: run.Outcome,
		Why: "its figures can't be shown: " + err.Error(), Seq: run.Seq, Can: run.Can})
}

// FindingList are the findings of a run.
type FindingList struct {
	Findings []view.Finding `json:"findings"`
}

// Events is a piece of the log of a run.
type Events struct {
	Events []json.RawMessage `json:"events"`
	Next   int64             `json:"next"` // go on behind it: ?after=
}

// routeRuns adds what is asked of the journal.
func (s *Server) routeRuns(at func(string, string, handler)) {
	at("GET", "/api/v1/meta", s.meta)
	at("GET", "/api/v1/runs", func(w http.ResponseWriter, r *http.Request) error {
		return writeJSON(w, r, http.StatusOK, RunList{Runs: s.runs()})
	})
	at("GET", "/api/v1/runs/{id}", func(w http.ResponseWriter, r *http.Request) error {
		d, err := s.detail(r)
		if err != nil {
			return err
		}
		return writeJSON(w, r, http.StatusOK, d)
	})
	at("GET", "/api/v1/runs/{id}/findings", func(w http.ResponseWriter, r *http.Request) error {
		d, err := s.detail(r)
		if err != nil {
			return err
		}
		return writeJSON(w, r, http.StatusOK, FindingList{Findings: orNone(d.FindingList)})
	})
	at("GET", "/api/v1/runs/{id}/events", s.events)
	at("GET", "/api/v1/runs/{id}/export", s.export)
	at("GET", "/api/v1/openapi.json", func(w http.ResponseWriter, r *http.Request) error {
		return write(w, r, http.StatusOK, "application/json; charset=utf-8", openAPI)
	})
}

func (s *Server) meta(w http.ResponseWriter, r *http.Request) error {
	single, _ := s.single()
	return writeJSON(w, r, http.StatusOK, Meta{Version: s.cfg.Version, Host: s.cfg.Machine, Control: s.cfg.Actions != nil, Single: single,
		StalledAfter: int64(view.StalledAfter), CSRF: s.guard.csrf})
}

// detail is all that is known of the run that an address names.
func (s *Server) detail(r *http.Request) (view.Detail, error) {
	run, err := s.session(r.PathValue("id"))
	if err != nil {
		return view.Detail{}, err
	}
	return run.Detail(r.Context())
}

const (
	// pageOfEvents is how many events are sent without a limit, mostEvents how many at once at most.
	pageOfEvents = 1_000
	mostEvents   = 10_000
)

// events is the log of a run: a piece of it as JSON, or all of it and what follows as a stream.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	run, err := s.session(r.PathValue("id"))
	if err != nil {
		return err
	}
	from, err := after(r)
	if err != nil {
		return err
	}
	text := query(r, "limit")
	if text == "" && !strings.Contains(r.Header.Get("Accept"), "application/json") {
		return s.follow(w, r, run, from, V1)
	}
	limit := pageOfEvents
	if text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > mostEvents {
			return BadRequest("limit=%s: give a number from 1 to %d", quoted(text), mostEvents)
		}
	}
	rows, next, err := run.Rows(r.Context(), from, limit)
	if err != nil {
		return err
	}
	return writeJSON(w, r, http.StatusOK, Events{Events: orNone(rows), Next: next})
}

// orNone is a list that is never null.
func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
