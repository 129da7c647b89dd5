package web

import (
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"ralphex/internal/web/view"
)

// PublicSession is a run as the public ralphex lists it, and RunState beside that.
type PublicSession struct {
	ID           string         `json:"id"`
	State        string         `json:"state"`     // active, completed
	RunState     view.RunState  `json:"run_state"` // of ours
	Dir          string         `json:"dir"`       // name of the repository
	DirPath      string         `json:"dirPath,omitempty"`
	PlanPath     string         `json:"planPath,omitempty"`
	Branch       string         `json:"branch,omitempty"`
	Mode         string         `json:"mode,omitempty"`
	RunParams    string         `json:"runParams,omitempty"`
	StartTime    time.Time      `json:"startTime"`
	LastModified time.Time      `json:"lastModified"`
	DiffStats    *view.DiffStat `json:"diffStats,omitempty"`
}

// PublicPlan is a plan as the public ralphex has it.
type PublicPlan struct {
	Title string           `json:"title"`
	Tasks []PublicPlanTask `json:"tasks"`
}

// PublicPlanTask is a task of it.
type PublicPlanTask struct {
	Number     int             `json:"number"`
	Title      string          `json:"title"`
	Status     string          `json:"status"`
	Checkboxes []PublicPlanBox `json:"checkboxes"`
}

// PublicPlanBox is a checkbox.
type PublicPlanBox struct {
	Text    string `json:"text"`
	Checked bool   `json:"checked"`
}

// routePublic adds the addresses of the public ralphex, for what is written for it.
func (s *Server) routePublic(at func(string, string, handler)) {
	at("GET", "/api/sessions", s.publicSessions)
	at("GET", "/api/plan", s.publicPlan)
	at("GET", "/events", s.publicEvents)
}

func (s *Server) publicSessions(w http.ResponseWriter, r *http.Request) error {
	list := []PublicSession{}
	if _, is := s.single(); !is {
		for _, run := range s.runs() {
			list = append(list, publicSession(run))
		}
	}
	slices.SortStableFunc(list, func(a, b PublicSession) int { return b.LastModified.Compare(a.LastModified) })
	return writeJSON(w, r, http.StatusOK, list)
}

func publicSession(run view.Run) PublicSession {
	p := PublicSession{ID: run.ID, State: "active", RunState: run.State, Dir: run.Project, DirPath: run.Root, PlanPath: run.PlanPath, Branch: run.Branch,
		Mode: run.Mode, RunParams: run.Executor, StartTime: run.Started, LastModified: run.Last, DiffStats: run.Diff}
	if run.State.Over() {
		p.State = "completed"
	}
	if p.Dir == "" {
		p.Dir = filepath.Base(run.Root)
	}
	return p
}

// publicPlan is the plan of a run; without an id that of the only one.
func (s *Server) publicPlan(w http.ResponseWriter, r *http.Request) error {
	id := query(r, "session")
	if only, is := s.single(); is {
		id = only
	}
	if id == "" {
		return NotFound("no plan file configured")
	}
	i := slices.IndexFunc(s.runs(), func(run view.Run) bool { return run.ID == id })
	if i < 0 {
		return NotFound("session not found: %s", id)
	}
	run := s.runs()[i]
	if run.PlanPath == "" {
		return NotFound("no plan file for session")
	}
	plan, err := s.cfg.Facts.Plan(r.Context(), run)
	if err != nil {
		return refused(http.StatusInternalServerError, "failed", "unable to load plan", "")
	}
	return writeJSON(w, r, http.StatusOK, publicPlan(plan))
}

func publicPlan(p Plan) PublicPlan {
	out := PublicPlan{Title: p.Title, Tasks: []PublicPlanTask{}}
	for _, t := range p.Tasks {
		one := PublicPlanTask{Number: t.Number, Title: t.Title, Status: t.Status, Checkboxes: []PublicPlanBox{}}
		for _, b := range t.Checkboxes {
			one.Checkboxes = append(one.Checkboxes, PublicPlanBox{Text: b.Text, Checked: b.Checked})
		}
		out.Tasks = append(out.Tasks, one)
	}
	return out
}

// publicEvents streams the log of a run in the public events.
func (s *Server) publicEvents(w http.ResponseWriter, r *http.Request) error {
	id := query(r, "session")
	if only, is := s.single(); is {
		id = only
	}
	if id == "" {
		return NotFound("no session specified")
	}
	run, err := s.session(id)
	if err != nil {
		return NotFound("session not found: %s", id)
	}
	from, err := after(r)
	if err != nil {
		return err
	}
	return s.follow(w, r, run, from, Public)
}
