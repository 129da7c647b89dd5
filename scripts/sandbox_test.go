package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The start of a container links the logins that were mounted into a home folder that is empty, and goes on as ralphex.
func TestSandboxStart(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	dir := t.TempDir()
	login := filepath.Join(dir, "logins", ".local", "share", "an agent", "auth.json")
	for name, text := range map[string]string{login: "{}", filepath.Join(dir, "bin", "ralphex"): "#!/bin/sh\necho \"$@\" in \"$HOME\"\nexit 3\n", filepath.Join(dir, "home", "x"): ""} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o755))
	}
	home := filepath.Join(dir, "home")
	cmd := exec.Command(sh, "sandbox-start.sh", "--review", "a plan.md")
	cmd.Env = []string{"HOME=" + home, "RALPHEX_LOGINS=" + filepath.Join(dir, "logins"), "PATH=" + filepath.Join(dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")}
	out, err := cmd.Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 3, exit.ExitCode())
	assert.Equal(t, "--review a plan.md in "+home+"\n", string(out))
	at, err := os.Readlink(filepath.Join(home, ".local", "share", "an agent", "auth.json"))
	require.NoError(t, err)
	assert.Equal(t, login, at)
}
