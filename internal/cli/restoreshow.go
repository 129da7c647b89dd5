package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"ralphex/internal/workspace"
	"ralphex/pkg/vcs"
)

// list prints the copies with what they hold.
func (c restoreCmd) list(ctx context.Context, p *Proc, store vcs.SnapshotStore, copies []keptCopy) error {
	for i, k := range copies {
		files, err := store.SnapshotFiles(ctx, k.Ref)
		if err != nil {
			return err
		}
		copies[i].Files = len(files)
	}
	return c.printList(p, "", copies)
}

func (c restoreCmd) printList(p *Proc, did string, copies []keptCopy) error {
	if copies == nil {
		copies = []keptCopy{}
	}
	if c.JSON {
		key := "copies"
		if did != "" {
			key = did
		}
		return printJSON(p.Out, map[string]any{"version": 1, key: copies})
	}
	if len(copies) == 0 {
		said := "no copies"
		if n := c.OlderThan; n != nil && *n > 0 { // there may be younger ones
			said = fmt.Sprintf("no copies that are %d %s old", *n, plural(*n, "day", "days"))
		}
		fmt.Fprintln(plainly(p.Out), said)
		return nil
	}
	if did != "" {
		for _, k := range copies {
			fmt.Fprintf(plainly(p.Out), "%s %s %s (was %s)\n", did, k.Run, k.Name, k.Rev)
		}
		return nil
	}
	run := ""
	for _, k := range copies {
		if k.Run != run {
			run = k.Run
			fmt.Fprintf(plainly(p.Out), "%s  %s\n", k.Run, k.Plan)
		}
		fmt.Fprintf(plainly(p.Out), "  %-8s %s  %3d %-5s  %s\n", k.Name, k.Time.Local().Format("2006-01-02 15:04"), k.Files, plural(k.Files, "file", "files"), k.Why)
	}
	return nil
}

// shownFile is one file of a copy.
type shownFile struct {
	Path    string `json:"path"`
	Mode    string `json:"mode"`
	Deleted bool   `json:"deleted,omitempty"`
	Staged  bool   `json:"staged,omitempty"`
}

// show prints the files of one copy.
func (c restoreCmd) show(ctx context.Context, p *Proc, store vcs.SnapshotStore, copies []keptCopy) error {
	k, err := c.pick(ctx, store, copies, c.Show)
	if err != nil {
		return err
	}
	files, err := store.SnapshotFiles(ctx, k.Ref)
	if err != nil {
		return err
	}
	k.Files = len(files)
	shown := []shownFile{}
	for _, f := range files {
		if workspace.Under(f.Path, c.Path) {
			shown = append(shown, shownFile{f.Path, f.Mode, f.Deleted, f.Staged})
		}
	}
	if c.JSON {
		return printJSON(p.Out, struct {
			Version int         `json:"version"`
			Copy    keptCopy    `json:"copy"`
			Files   []shownFile `json:"files"`
		}{1, k, shown})
	}
	fmt.Fprintf(plainly(p.Out), "%s %s, %s: %s\n", k.Run, k.Name, k.Time.Local().Format("2006-01-02 15:04"), k.Why)
	for _, f := range shown {
		what := "file   "
		switch {
		case f.Deleted:
			what = "deleted"
		case f.Staged:
			what = "staged "
		case f.Mode == "120000":
			what = "link   "
		case f.Mode == "160000":
			what = "not kept, a repository of its own:"
		}
		fmt.Fprintf(plainly(p.Out), "  %s %s\n", what, visible(f.Path))
	}
	return nil
}

// printRestored tells what became of each file, also after an error.
func (c restoreCmd) printRestored(p *Proc, k keptCopy, res workspace.Restored) error {
	if c.JSON {
		files := res.Files
		if files == nil {
			files = []workspace.RestoredFile{}
		}
		return printJSON(p.Out, struct {
			Version int                      `json:"version"`
			Copy    keptCopy                 `json:"copy"`
			Before  string                   `json:"kept_before,omitempty"`
			Files   []workspace.RestoredFile `json:"files"`
		}{1, k, res.Before.Ref, files})
	}
	fmt.Fprintf(plainly(p.Out), "%s %s: %s\n", k.Run, k.Name, k.Why)
	for _, f := range res.Files {
		why := ""
		if f.Why != "" {
			why = ": " + f.Why
		}
		fmt.Fprintf(plainly(p.Out), "  %-11s %s%s\n", f.Did, visible(f.Path), why)
	}
	if len(res.Files) == 0 {
		fmt.Fprintln(plainly(p.Out), "  nothing of that is in the copy")
	}
	if res.Before.Ref != "" {
		fmt.Fprintf(plainly(p.Out), "the tree as it was before is kept as %s\n", res.Before.Ref)
	}
	if res.Left() > 0 && !c.Overwrite && c.To == "" {
		fmt.Fprintln(p.Err, "what differs was left alone; --overwrite replaces it and keeps a copy first, --to DIR puts the files elsewhere")
	}
	return nil
}

// visible quotes a path that would break a line or the terminal.
func visible(path string) string {
	if q := fmt.Sprintf("%q", path); len(q) != len(path)+2 {
		for _, r := range path {
			if r < ' ' || r == 0x7f || r == '\uFFFD' {
				return q
			}
		}
	}
	return path
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
