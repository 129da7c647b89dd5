package vcs

import (
	"bytes"
	"context"
	"strings"
	"sync"
)

// ability is something that a wrapper may have beyond its contract.
type ability struct {
	name string
	args []string // a question that changes nothing and that any repository with a commit can answer
	lack string   // what a user misses without it
}

var extras = []ability{
	{"merge-base", []string{"merge-base", "--is-ancestor", "HEAD", "HEAD"}, "rewritten history is only noticed when its old commits are gone"},
	{"tree", []string{"rev-parse", "HEAD^{tree}"}, "receipts name the commit instead of its tree"},
	{"log", []string{"log", "--oneline", "HEAD..HEAD"}, "commits of the agent are not listed"},
	{"check-ignore", nil, "ignored files are not told from committed ones"},
	{"var", []string{"var", "GIT_EDITOR"}, ""}, // which has an answer with and without a name to commit under,
}

// abilities remembers what was found out. The zero value knows of none.
type abilities struct {
	mu    sync.Mutex
	known map[string]bool
}

func (a *abilities) has(name string) bool {
	yes, _ := a.asked(name)
	return yes
}

func (a *abilities) asked(name string) (yes, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	yes, known = a.known[name]
	return yes, known
}

func (a *abilities) set(name string, yes bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil {
		a.known = map[string]bool{}
	}
	a.known[name] = yes
}

// probe asks for each extra once. Only a command that doesn't end by itself is an error: it would hang in mid-run, too.
func (w *wrapper) probe(ctx context.Context) error {
	h, err := w.head(ctx)
	if err != nil {
		return err
	}
	for _, x := range extras {
		args := x.args
		if x.name == "check-ignore" {
			// 1 = "not ignored" is the answer, and a question without a name is a mistake. Who says 1 to both knows neither.
			err := w.checkIgnore(ctx, ".ralphex-asks-for-a-name-that-nobody-has")
			if exitCode(err) < 0 && err != nil {
				return err
			}
			_, none := w.run.look(ctx, "check-ignore", "-q")
			w.can.set(x.name, exitCode(err) == 1 && exitCode(none) > 1)
			continue
		}
		out, err := w.run.look(ctx, args...)
		if exitCode(err) < 0 && err != nil {
			return err
		}
		switch {
		case h.Unborn && x.name != "var": // asked again when there is a commit
		case x.name == "tree" || x.name == "var":
			w.can.set(x.name, err == nil && len(bytes.TrimSpace(out)) > 0)
		default:
			w.can.set(x.name, err == nil)
		}
	}
	return nil
}

// able is has, for an extra that could not be asked for before the first commit.
func (w *wrapper) able(ctx context.Context, name string) bool {
	yes, known := w.can.asked(name)
	if known {
		return yes
	}
	for _, x := range extras {
		if x.name == name {
			out, err := w.run.look(ctx, x.args...)
			yes = err == nil && (name != "tree" || len(bytes.TrimSpace(out)) > 0)
			w.can.set(name, yes)
		}
	}
	return yes
}

func (w *wrapper) Caps() Caps {
	var lacks []string
	for _, x := range extras {
		if yes, known := w.can.asked(x.name); known && !yes && x.lack != "" {
			lacks = append(lacks, x.lack+" (no "+x.name+")")
		}
	}
	note := "through " + w.run.tool + ": no worktrees"
	if len(lacks) > 0 {
		note += "; " + strings.Join(lacks, "; ")
	}
	// The commands behind a wrapper run hooks and sign as they always do.
	return Caps{Hooks: true, Signing: true, Note: note}
}
