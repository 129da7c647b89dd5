package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/pkg/plan"
	"ralphex/pkg/plan/format"
)

// planShelf is the folder of plans, as plan creation sees it.
type planShelf struct {
	root string
	dir  string // slash-separated, relative to the root
	name string // for a plan without a title
}

func (r *running) shelf() planShelf {
	return planShelf{root: r.repo.Root(), dir: path.Clean(filepath.ToSlash(r.cfg.PlansDir)), name: r.opts.create.request}
}

// Path is the absolute path of a plan.
func (s planShelf) Path(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

// Free is YYYYMMDD-<title>.md, with a number where that is taken, here or among the finished ones.
func (s planShelf) Free(text string) string {
	title := s.name
	if p, err := plan.ParsePlan([]byte(text)); err == nil && p.Title != "" {
		title = p.Title
	}
	stem := strings.TrimSuffix(format.FileName(format.CleanTitle(title), time.Now()), ".md")
	for n := 1; ; n++ {
		file := stem + ".md"
		if n > 1 {
			file = fmt.Sprintf("%s-v%d.md", stem, n)
		}
		if !s.taken(path.Join(s.dir, file)) && !s.taken(path.Join(s.dir, plan.CompletedDir, file)) {
			return path.Join(s.dir, file)
		}
	}
}

func (s planShelf) taken(name string) bool {
	_, err := os.Lstat(s.Path(name))
	return !errors.Is(err, fs.ErrNotExist)
}

// Plans reads all plans. What is no regular file, or too large for a plan, is none.
func (s planShelf) Plans() (map[string][]byte, error) {
	entries, err := os.ReadDir(s.Path(s.dir))
	if errors.Is(err, fs.ErrNotExist) {
		return map[string][]byte{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read plans: %w", err)
	}
	plans := map[string][]byte{}
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), ".md") {
			continue
		}
		name := path.Join(s.dir, e.Name())
		text, err := durable.ReadFile(s.Path(name), plan.MaxSize)
		if errors.As(err, new(*durable.TooBigError)) || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read plans: %w", err)
		}
		plans[name] = text
	}
	return plans, nil
}

// Write writes a plan whole.
func (s planShelf) Write(name string, text []byte) error {
	at := s.Path(name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	return durable.WriteFile(at, text, 0o644)
}
