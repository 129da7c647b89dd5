package vcs

import (
	"context"
	"fmt"
)

// openHg opens the Mercurial repository whose top folder is root.
func openHg(_ context.Context, root string, _ Options) (Repo, error) {
	return nil, fmt.Errorf("%w: Mercurial (%s)", ErrUnsupported, root)
}
