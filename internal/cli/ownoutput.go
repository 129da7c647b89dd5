package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"ralphex/pkg/vcs"
)

// ownOutput lists the untracked files of the repository that our own output goes to: nohup.out, or that of `ralphex … > run.log`. They
// were there before us and grow while we speak, which is neither a change of the person's that keeps a run from beginning nor work of an
// agent. It is looked for only where output goes to a file.
func ownOutput(ctx context.Context, p *Proc, repo vcs.Repo) []string {
	var ours []os.FileInfo
	for _, w := range []io.Writer{p.Out, p.Err} {
		if f, ok := w.(*os.File); ok {
			if fi, err := f.Stat(); err == nil && fi.Mode().IsRegular() {
				ours = append(ours, fi)
			}
		}
	}
	if len(ours) == 0 {
		return nil
	}
	status, err := repo.Status(ctx)
	if err != nil {
		return nil // who asks for it next is told
	}
	var own []string
	for _, c := range status.Changes {
		fi, err := os.Lstat(filepath.Join(repo.Root(), filepath.FromSlash(c.Path)))
		if err == nil && c.Untracked() && slices.ContainsFunc(ours, func(o os.FileInfo) bool { return os.SameFile(o, fi) }) {
			own = append(own, c.Path)
		}
	}
	return own
}
