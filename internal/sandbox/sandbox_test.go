package sandbox

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// place is a repository at home/src/app, and a home folder with secrets.
func place(t *testing.T) Spec {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("paths of the container are those of a Unix machine")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	root := filepath.Join(top, "home", "src", "app")
	put(t, filepath.Join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
	put(t, filepath.Join(root, "docs", "plans", "p.md"), "# P\n")
	put(t, filepath.Join(top, "home", ".claude", ".credentials.json"), "{}")
	put(t, filepath.Join(top, "home", ".ssh", "id"), "secret")
	return Spec{Engine: "docker", Image: "ralphex", Root: root, Dir: root, Home: filepath.Join(top, "home"), Args: []string{"docs/plans/p.md"}}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
}

// bound are the values of --mount.
func bound(t *testing.T, s Spec) []string {
	t.Helper()
	argv, err := s.Argv()
	require.NoError(t, err)
	var list []string
	for i, a := range argv {
		if a == "--mount" {
			list = append(list, argv[i+1])
		}
		assert.NotEqual(t, "--volume", a)
		assert.NotEqual(t, "--privileged", a)
	}
	return list
}

func TestNothingIsMountedUnasked(t *testing.T) {
	s := place(t)
	assert.Equal(t, []string{"type=bind,source=" + s.Root + ",target=" + s.Root}, bound(t, s))

	s.Settings, s.Credentials = filepath.Join(s.Home, ".config", "ralphex"), []string{"claude"}
	s.Mounts = []string{filepath.Join(s.Home, "cache:rw")}
	put(t, filepath.Join(s.Home, "cache", "x"), "")
	assert.Equal(t, []string{
		"type=bind,source=" + s.Root + ",target=" + s.Root,
		"type=bind,source=" + s.Settings + ",target=/run/ralphex/config,readonly",
		"type=bind,source=" + filepath.Join(s.Home, ".claude", ".credentials.json") + ",target=/run/ralphex/home/.claude/.credentials.json",
		"type=bind,source=" + filepath.Join(s.Home, "cache") + ",target=" + filepath.Join(s.Home, "cache"),
	}, bound(t, s))
}

func TestCommandIsWhole(t *testing.T) {
	s := place(t)
	s.Terminal, s.User, s.Network, s.Env, s.Image = true, "1000:1000", "none", []string{"API_KEY", "A=b c"}, "mine:2"
	s.Dir, s.Args = filepath.Join(s.Root, "docs"), []string{"plans/p.md", "--wait", "1h"}
	argv, err := s.Argv()
	require.NoError(t, err)
	assert.Equal(t, strings.Fields(`docker run --rm --init --interactive --tty --env TERM --cap-drop ALL --security-opt no-new-privileges --pids-limit 4096
		--user 1000:1000 --network none --tmpfs /home/ralphex:rw,exec,mode=1777 --env HOME=/home/ralphex --env RALPHEX_DOCKER=1`), argv[:len(argv)-12])
	assert.Equal(t, []string{"--mount", "type=bind,source=" + s.Root + ",target=" + s.Root, "--env", "API_KEY", "--env", "A=b c",
		"--workdir", s.Dir, "mine:2", "plans/p.md", "--wait", "1h"}, argv[len(argv)-12:])

	s.Engine = "podman"
	argv, err = s.Argv()
	require.NoError(t, err)
	assert.Contains(t, strings.Join(argv, " "), " --userns keep-id ")
	assert.NotContains(t, argv, "--user")
}

// No link of the repository brings anything of the machine into the container.
func TestLinksThatLeaveAreRefused(t *testing.T) {
	for _, name := range []string{".ralphex", ".ralph", ".claude", "docs/plans", "docs/plans/linked.md", ".ralphex/config"} {
		t.Run(name, func(t *testing.T) {
			s := place(t)
			at := filepath.Join(s.Root, filepath.FromSlash(name))
			require.NoError(t, os.RemoveAll(at))
			require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
			require.NoError(t, os.Symlink(filepath.Join(s.Home, ".ssh"), at))
			s.Args = []string{"-t", "docs/plans/linked.md"}
			refused(t, s, "lies outside of the repository")
		})
	}
	t.Run("beside them", func(t *testing.T) {
		s := place(t)
		require.NoError(t, os.Symlink(filepath.Join(s.Home, ".ssh"), filepath.Join(s.Root, "keys")))
		assert.Len(t, bound(t, s), 1, "a link that nobody asked for is mounted as what it is: a link to nowhere")
		s.Mounts = []string{"keys"}
		refused(t, s, "--mount keys: it is a link of the repository, and leads to ")
	})
	t.Run("within", func(t *testing.T) {
		s := place(t)
		require.NoError(t, os.Symlink("docs", filepath.Join(s.Root, ".claude")))
		assert.Len(t, bound(t, s), 1)
	})
}

func TestTooMuchIsRefused(t *testing.T) {
	s := place(t)
	for mount, why := range map[string]string{
		"/":                                      "your home folder",
		s.Home:                                   "your home folder",
		filepath.Dir(s.Root):                     "more than this repository",
		"docs":                                   "lies in the repository",
		filepath.Join(s.Home, "no"):              "no such file",
		filepath.Join(s.Home, "a,b"):             "comma",
		filepath.Join(s.Home, "d.sock"):          "",
		filepath.Join(s.Home, "run/docker.sock"): "has the whole machine",
	} {
		put(t, filepath.Join(s.Home, "a,b"), "")
		put(t, filepath.Join(s.Home, "d.sock"), "")
		put(t, filepath.Join(s.Home, "run", "docker.sock"), "")
		s.Mounts = []string{mount}
		if why == "" {
			bound(t, s)
			continue
		}
		refused(t, s, why)
	}
	s.Mounts = nil
	s.Credentials = []string{"codex"}
	refused(t, s, "there is no login in "+filepath.Join(s.Home, ".codex", "auth.json"))
	s.Credentials = []string{"copilot"}
	refused(t, s, "no file of it is known")
	s.Credentials, s.Env = nil, []string{"=x"}
	refused(t, s, "it has no name")
	s.Env, s.Root = nil, s.Home
	refused(t, s, "it holds your home folder")
}

func TestLoginOfAnotherFolder(t *testing.T) {
	s := place(t)
	other := filepath.Join(s.Home, "elsewhere")
	put(t, filepath.Join(other, "auth.json"), "{}")
	s.Credentials, s.Environ = []string{"codex"}, []string{"CODEX_HOME=" + other}
	assert.Contains(t, bound(t, s), "type=bind,source="+filepath.Join(other, "auth.json")+",target=/run/ralphex/home/.codex/auth.json")
}

// A linked worktree needs the folder of its repository; a file .git that only claims one gets nothing.
func TestWorktrees(t *testing.T) {
	s := place(t)
	main := filepath.Join(s.Root, ".git")
	tree := filepath.Join(s.Home, "src", "tree")
	admin := filepath.Join(main, "worktrees", "tree")
	put(t, filepath.Join(tree, ".git"), "gitdir: "+admin+"\n")
	put(t, filepath.Join(admin, "commondir"), "../..\n")
	s.Root, s.Dir, s.Args = tree, tree, nil
	refused(t, s, "does not know this folder as its worktree")
	put(t, filepath.Join(admin, "gitdir"), filepath.Join(tree, ".git")+"\n")
	assert.Equal(t, []string{"type=bind,source=" + tree + ",target=" + tree, "type=bind,source=" + main + ",target=" + main}, bound(t, s))

	put(t, filepath.Join(tree, ".git"), "gitdir: "+filepath.Join(s.Home, ".ssh")+"\n")
	refused(t, s, "does not know this folder as its worktree")
	put(t, filepath.Join(tree, ".hg", "sharedpath"), "/elsewhere")
	refused(t, s, "share of another Mercurial repository")
}

func refused(t *testing.T, s Spec, why string) {
	t.Helper()
	_, err := s.Argv()
	var r *Refusal
	require.ErrorAs(t, err, &r)
	assert.Contains(t, err.Error(), why)
	assert.NotEmpty(t, r.Hint())
}
