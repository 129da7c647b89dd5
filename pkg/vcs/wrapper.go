package vcs

import (
	"context"
	"fmt"
)

// openWrapper opens the repository that dir lies in through the user's own vcs_command.
func openWrapper(_ context.Context, _ string, o Options) (Repo, error) {
	return nil, fmt.Errorf("%w: vcs_command %s", ErrUnsupported, o.Command)
}
