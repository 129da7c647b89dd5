package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/term"
	"ralphex/pkg/executor"
)

type latestCmd struct {
	What string `arg:"" enum:"summary,provenance,prompt-evidence,transcript,bundle-dir" help:"summary, provenance, prompt-evidence, transcript, bundle-dir."`
	Open bool   `help:"Open it in your editor ($VISUAL, $EDITOR) instead of printing its path."`
	JSON bool   `name:"json" help:"Print the path as JSON."`
}

// Help shows examples.
func (latestCmd) Help() string {
	return `The newest piece of evidence in the .ralph workspace. A summary that was deleted is made again from the JSON beside it, and that from the newest bundle.

  summary           of the last iteration; else of the last preflight
  provenance        of the last bundle; else the bundle's JSON
  prompt-evidence   why the last prompt is as it is, and what it was made of
  transcript        what the last agent said; else the newest last message
  bundle-dir        folder of the last bundle

Examples:
  cat "$(ralphex latest summary)"
  ralphex latest transcript --open
  cd "$(ralphex latest bundle-dir)" && sha256sum -c SHA256SUMS

Exit codes: 0; 2 when there is none yet.`
}

// Run prints the path, or opens it.
func (c latestCmd) Run(ctx context.Context, p *Proc) error {
	s, err := openStore(ctx, p)
	if err != nil {
		return err
	}
	if err := s.CheckInside(); err != nil {
		return err
	}
	if _, err := provenance.Restore(s.Layout); err != nil {
		fmt.Fprintf(p.Err, "warning: what was deleted of the latest copies is not made again: %v\n", err)
	}
	if _, stale, err := artifact.Repair(ctx, s.Layout); err != nil {
		fmt.Fprintf(p.Err, "warning: summaries are not made again: %v\n", err)
	} else if len(stale) > 0 {
		fmt.Fprintf(p.Err, "warning: no summary can be made of %s\n", strings.Join(stale, ", "))
	}
	path := c.find(s)
	if path == "" {
		return usage(fmt.Errorf("no %s in %s yet", c.What, s.Rel(s.Artifacts)), "ralphex PLAN leaves it with its first session, where record is evidence or full")
	}
	switch {
	case c.JSON:
		enc := json.NewEncoder(p.Out)
		enc.SetIndent("", "  ")
		return enc.Encode(struct {
			Version int    `json:"version"`
			What    string `json:"what"`
			Path    string `json:"path"`
		}{1, c.What, path})
	case c.Open:
		return openInEditor(ctx, p, path)
	}
	out := p.Out
	if term.Of(p.In, p.Out, p.Err, p.Env, true).Live {
		out = plainly(out) // its name comes from a file that anybody may have written
	}
	_, err = fmt.Fprintln(out, path)
	return err
}

// find is the first of the places that is there, "" if none is. What is there has to be what it is called, and to lie in the workspace itself: a link may
// lead to anybody's files, and a pipe has no end.
func (c latestCmd) find(s *store) string {
	latest := s.Latest()
	var places []string
	switch c.What {
	case "summary":
		places = []string{latest.Summary, latest.PreflightSummary}
	case "provenance":
		places = []string{latest.ProvenanceSummary, latest.ProvenanceBundle}
	case "prompt-evidence":
		places = []string{latest.PromptEvidence}
	case "transcript":
		places = []string{below(latestObject(latest.CLIInvocation).Text("transcriptPath"), s.Runs, s.Artifacts), newestMessage(s.Runs)}
	case "bundle-dir":
		places = []string{below(latestObject(latest.ProvenanceBundle).Text("bundleDir"), s.Bundles), newestBundle(s)}
	}
	for _, path := range places {
		fi, err := os.Stat(path)
		if path == "" || err != nil || !fi.Mode().IsRegular() && !fi.IsDir() || fi.IsDir() != (c.What == "bundle-dir") || !leadsInside(s.Root, path) {
			continue
		}
		return path
	}
	return ""
}

// below is a path that lies in one of the folders, "" if it does not: it comes from a file that anybody may have written.
func below(path string, folders ...string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	path = filepath.Clean(path)
	for _, dir := range folders {
		if path != dir && layout.Within(dir, path) {
			return path
		}
	}
	return ""
}

// leadsInside tells whether a path, all links followed, lies in the workspace.
func leadsInside(root, path string) bool {
	top, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	return err == nil && layout.Within(top, real)
}

func latestObject(path string) *stable.Object {
	data, err := durable.ReadFile(path, 16<<20)
	if o := stable.ObjectOf(data, err); o != nil {
		return o
	}
	return &stable.Object{}
}

// newestBundle is the folder of the bundle with the highest number, "" if there is none: where the workspace was moved, its files name the old place.
func newestBundle(s *store) string {
	ids, err := provenance.List(s.Layout)
	if err != nil || len(ids) == 0 {
		return ""
	}
	dir, _ := s.Bundle(ids[0]) // "" with an error
	return dir
}

// newestMessage is the last message with the highest number, "" if there is none.
func newestMessage(dir string) string {
	entries, _ := os.ReadDir(dir) // absent = none
	best, name := -1, ""
	for _, e := range entries {
		base, ok := strings.CutSuffix(e.Name(), ".last-message.md")
		n := 0
		if _, err := fmt.Sscanf(base[strings.LastIndex(base, "-")+1:], "%d", &n); !ok || err != nil || e.Type()&fs.ModeType != 0 {
			continue
		}
		if n > best {
			best, name = n, filepath.Join(dir, e.Name())
		}
	}
	return name
}

// openInEditor shows a file or folder in the person's editor.
func openInEditor(ctx context.Context, p *Proc, path string) error {
	editor := getenv(p.Env, "VISUAL")
	if editor == "" {
		editor = getenv(p.Env, "EDITOR")
	}
	words := executor.SplitArgs(editor)
	if len(words) == 0 {
		return usage(fmt.Errorf("neither VISUAL nor EDITOR names an editor; the file is %s", path), "set one, or print the path without --open")
	}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], path)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env, cmd.Dir = p.In, p.Out, p.Err, p.Env, p.Dir
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("open %s with %s: %w", path, words[0], err)
	}
	return nil
}
