package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"ralphex/pkg/executor"
)

// editText lets the person change a text in their editor: VISUAL, EDITOR, vi. Where the editor fails the file stays, and the error names it.
func editText(ctx context.Context, p *Proc, pattern, text string) (string, error) {
	editor := cmp.Or(getenv(p.Env, "VISUAL"), getenv(p.Env, "EDITOR"), "vi")
	words := executor.SplitArgs(editor)
	if len(words) == 0 {
		return "", errors.New("VISUAL or EDITOR names no editor")
	}
	f, err := os.CreateTemp("", pattern)
	if err != nil {
		return "", fmt.Errorf("edit: %w", err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("edit: %w", err)
	}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], f.Name())...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Dir, p.Env, p.In, p.Err, p.Err
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("edit: %s: %w (the text is in %s)", editor, err, f.Name())
	}
	edited, err := os.ReadFile(f.Name())
	if err != nil {
		return "", fmt.Errorf("edit: %w", err)
	}
	_ = os.Remove(f.Name()) // best effort: it is in the system's own folder
	return string(edited), nil
}
