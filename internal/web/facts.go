package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// Facts are what is known of a run beside its journal: its plan as it is now, its repository, its evidence. All of them only look: they never
// wait for a run, and no run waits for them. An error may be a [*Refusal] or fs.ErrNotExist, which have a status, and may have a Hint.
type Facts interface {
	// Plan is the plan where it lies now: in the worktree, renamed, archived.
	Plan(ctx context.Context, run view.Run) (Plan, error)
	// Diff is what the run changed, or one of its tasks or commits.
	Diff(ctx context.Context, run view.Run, of DiffOf) (Diff, error)
	// Gate is what a command of a gate said; seq is the gate's, command counts from 1, 0 = all of them.
	Gate(ctx context.Context, run view.Run, seq int64, command int) (io.ReadCloser, error)
	// Receipts is what `ralphex receipt --json` prints of the run.
	Receipts(ctx context.Context, run view.Run) (json.RawMessage, error)
	// Trust is what is needed to judge what ran without anybody looking.
	Trust(ctx context.Context, run view.Run) (Trust, error)
	// Cost is what the run used up, as `ralphex cost` says it.
	Cost(ctx context.Context, run view.Detail) (Cost, error)
}

// Plan is a plan as the page shows it.
type Plan struct {
	Path     string          `json:"path"`     // slash-separated and relative to the root, where it is in there
	Title    string          `json:"title"`    // its H1
	Archived bool            `json:"archived"` // it lies in the folder of finished plans
	Tasks    []PlanTask      `json:"tasks"`
	Markdown string          `json:"markdown"` // its bytes; what is no UTF-8 is replaced
	Commands []event.Command `json:"commands"` // validation commands
}

// PlanTask is a task of it.
type PlanTask struct {
	Pos        int       `json:"pos"`    // 1-based: the seed's task_num
	ID         string    `json:"id"`     // as the header has it: "2.5", "2a"
	Number     int       `json:"number"` // of the public format: 0 where the identifier is no integer
	Title      string    `json:"title"`
	Status     string    `json:"status"` // pending, active, done, failed
	Line       int       `json:"line"`
	Checkboxes []PlanBox `json:"checkboxes"`
}

// PlanBox is a checkbox.
type PlanBox struct {
	Text    string `json:"text"`
	Checked bool   `json:"checked"`
	Manual  bool   `json:"manual,omitempty"` // a person's
}

// DiffOf says which change is asked for. Without either it is the whole run's.
type DiffOf struct {
	Task   int    // 1-based position
	Commit string // revision
}

// Diff is a change, ready to be drawn side by side.
type Diff struct {
	Base  string     `json:"base"`
	Head  string     `json:"head"` // empty = the working tree
	Files []DiffFile `json:"files"`
	Note  string     `json:"note,omitempty"` // what is missing, and why
}

// DiffFile is a file of it.
type DiffFile struct {
	Path      string     `json:"path"`
	OldPath   string     `json:"old_path,omitempty"` // of one that was renamed or copied
	Status    string     `json:"status"`             // added, deleted, modified, renamed, copied, type
	Additions int        `json:"additions"`
	Deletions int        `json:"deletions"`
	Binary    bool       `json:"binary,omitempty"`
	TooBig    bool       `json:"too_big,omitempty"` // its hunks are left out
	Hunks     []DiffHunk `json:"hunks"`
}

// DiffHunk is a stretch of lines.
type DiffHunk struct {
	OldStart int        `json:"old_start"`
	OldLines int        `json:"old_lines"`
	NewStart int        `json:"new_start"`
	NewLines int        `json:"new_lines"`
	Section  string     `json:"section,omitempty"`
	Lines    []DiffLine `json:"lines"`
}

// DiffLine is a line.
type DiffLine struct {
	Op   string `json:"op"`            // " ", "+" or "-"
	Old  int    `json:"old,omitempty"` // its number before
	New  int    `json:"new,omitempty"` // and after
	Text string `json:"text"`
}

// Trust is the read-only view of an operator: what was meant to happen, what did, and what was mended without being asked.
type Trust struct {
	Intent       json.RawMessage `json:"intent"`       // as `ralphex timeline --intent`; null = there is none
	Timeline     json.RawMessage `json:"timeline"`     // as `ralphex timeline`
	Remediations json.RawMessage `json:"remediations"` // a list
	Note         string          `json:"note,omitempty"`
}

// Cost is what a run used up.
type Cost struct {
	Total  view.CostRow      `json:"total"`
	Tasks  []CostTask        `json:"tasks"`
	Phases []view.CostRow    `json:"phases"`
	Models []view.CostRow    `json:"models"`
	Points []view.SpendPoint `json:"points"`
	Budget *event.Budget     `json:"budget,omitempty"`
}

// CostTask is the share of a task.
type CostTask struct {
	view.CostRow
	Pos int `json:"pos"` // 0 = what no task has: reviews, a plan that is made
}

// routeFacts adds what is asked of Facts.
func (s *Server) routeFacts(at func(string, string, handler)) {
	if s.cfg.Facts == nil {
		s.cfg.Facts = noFacts{}
	}
	at("GET", "/api/v1/runs/{id}/plan", s.withRun(func(w http.ResponseWriter, r *http.Request, run view.Run) error {
		return answer(w, r, func() (any, error) { return s.cfg.Facts.Plan(r.Context(), run) })
	}))
	at("GET", "/api/v1/runs/{id}/diff", s.withRun(func(w http.ResponseWriter, r *http.Request, run view.Run) error {
		of, err := diffOf(r)
		if err != nil {
			return err
		}
		return answer(w, r, func() (any, error) { return s.cfg.Facts.Diff(r.Context(), run, of) })
	}))
	at("GET", "/api/v1/runs/{id}/receipts", s.withRun(func(w http.ResponseWriter, r *http.Request, run view.Run) error {
		return answer(w, r, func() (any, error) { return s.cfg.Facts.Receipts(r.Context(), run) })
	}))
	at("GET", "/api/v1/runs/{id}/trust", s.withRun(func(w http.ResponseWriter, r *http.Request, run view.Run) error {
		return answer(w, r, func() (any, error) { return s.cfg.Facts.Trust(r.Context(), run) })
	}))
	at("GET", "/api/v1/runs/{id}/cost", s.cost)
	at("GET", "/api/v1/runs/{id}/gates/{seq}/output", s.withRun(s.gate))
}

// answer makes something and sends it.
func answer(w http.ResponseWriter, r *http.Request, get func() (any, error)) error {
	v, err := get()
	if err != nil {
		return err
	}
	return writeJSON(w, r, http.StatusOK, v)
}

func diffOf(r *http.Request) (DiffOf, error) {
	of := DiffOf{Commit: query(r, "commit")}
	if text := query(r, "task"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return of, BadRequest("task=%s: give the position of a task, from 1 on", quoted(text))
		}
		of.Task = n
	}
	if of.Task != 0 && of.Commit != "" {
		return of, BadRequest("give task or commit, not both")
	}
	return of, nil
}

func (s *Server) cost(w http.ResponseWriter, r *http.Request) error {
	d, err := s.detail(r)
	if err != nil {
		return err
	}
	return answer(w, r, func() (any, error) { return s.cfg.Facts.Cost(r.Context(), d) })
}

// maxOutput is how much of a gate's output is shown.
const maxOutput = 8 << 20

// gate sends what a command said, as text whatever it is.
func (s *Server) gate(w http.ResponseWriter, r *http.Request, run view.Run) error {
	seq, err := strconv.ParseInt(r.PathValue("seq"), 10, 64)
	if err != nil || seq < 1 {
		return BadRequest("%s is no gate: give the seq of one", quoted(r.PathValue("seq")))
	}
	command := 0
	if text := query(r, "command"); text != "" {
		if command, err = strconv.Atoi(text); err != nil || command < 1 {
			return BadRequest("command=%s: commands are counted from 1 on", quoted(text))
		}
	}
	from, err := s.cfg.Facts.Gate(r.Context(), run, seq, command)
	if err != nil {
		return err
	}
	defer from.Close()
	body, err := io.ReadAll(io.LimitReader(from, maxOutput+1))
	if err != nil {
		return err
	}
	if len(body) > maxOutput {
		body = append(body[:maxOutput], "\n… the rest is in the file\n"...)
	}
	return write(w, r, http.StatusOK, "text/plain; charset=utf-8", body)
}

// noFacts is for a server that has journals alone.
type noFacts struct{}

func noFact() error { return NotFound("this server has the journals of runs only") }

func (noFacts) Plan(context.Context, view.Run) (Plan, error)         { return Plan{}, noFact() }
func (noFacts) Diff(context.Context, view.Run, DiffOf) (Diff, error) { return Diff{}, noFact() }
func (noFacts) Gate(context.Context, view.Run, int64, int) (io.ReadCloser, error) {
	return nil, noFact()
}
func (noFacts) Receipts(context.Context, view.Run) (json.RawMessage, error) { return nil, noFact() }
func (noFacts) Trust(context.Context, view.Run) (Trust, error)              { return Trust{}, noFact() }
func (noFacts) Cost(context.Context, view.Detail) (Cost, error)             { return Cost{}, noFact() }
