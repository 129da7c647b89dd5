package trust

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func write(t *testing.T, root, name, text string) string {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	return path
}

func printOf(t *testing.T, root string, commands ...Command) Print {
	t.Helper()
	p, err := Fingerprint(root, commands)
	require.NoError(t, err)
	return p
}

func TestFingerprintFindsTheFilesThatAreExecuted(t *testing.T) {
	root := t.TempDir()
	write(t, root, "run.sh", "x")
	write(t, root, "tools/a b.sh", "x")
	write(t, root, "tools/c.js", "x")
	write(t, root, "dir/inner", "x")
	for value, want := range map[string][]string{
		"./run.sh":                            {"run.sh"},
		"run.sh --fast":                       {"run.sh"},
		"tools/a b.sh":                        {"tools/a b.sh"},
		`sh -c "./run.sh && node tools/c.js"`: {"run.sh", "tools/c.js"},
		"node --require=./tools/c.js x":       {"tools/c.js"},
		"(cd dir; ./run.sh|tee log)":          {"run.sh"},
		filepath.Join(root, "run.sh"):         {"run.sh"},
		"tools/../run.sh":                     {"run.sh"},
		"dir":                                 nil,
		"claude --verbose":                    nil,
		"/bin/sh":                             nil,
		"../elsewhere":                        nil,
		"":                                    nil,
	} {
		assert.Equal(t, want, printOf(t, root, Command{"worktree_setup", value}).Scripts, value)
	}
}

func TestFingerprintChangesWithEveryByte(t *testing.T) {
	root := t.TempDir()
	script := write(t, root, "run.sh", "one")
	a, b := Command{"a", "./run.sh"}, Command{"b", "x"}
	base := printOf(t, root, a, b)
	assert.Equal(t, base, printOf(t, root, b, a), "the order of keys means nothing")
	seen := map[string]bool{base.Hash: true}
	for _, commands := range [][]Command{{a}, {b}, {a, {"b", "y"}}, {a, {"c", "x"}}, {{"a", "./run.sh "}, b}, {{"ab", "x"}}, {{"a", "bx"}}, nil} {
		hash := printOf(t, root, commands...).Hash
		assert.False(t, seen[hash], "%v", commands)
		seen[hash] = true
	}
	require.NoError(t, os.WriteFile(script, []byte("two"), 0o755))
	assert.NotEqual(t, base.Hash, printOf(t, root, a, b).Hash)
	require.NoError(t, os.Remove(script))
	assert.NotEqual(t, base.Hash, printOf(t, root, a, b).Hash, "a script that is gone is another thing, too")
}

func TestLinksOutOfTheRepository(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	outside := write(t, other, "evil.sh", "x")
	write(t, root, "real.sh", "x")
	if err := os.Symlink(outside, filepath.Join(root, "run.sh")); err != nil {
		t.Skip("no right to make links here")
	}
	require.NoError(t, os.Symlink("real.sh", filepath.Join(root, "near.sh")))
	require.NoError(t, os.Symlink(other, filepath.Join(root, "tools")))
	for _, value := range []string{"./run.sh", "sh tools/evil.sh", filepath.Join(root, "run.sh")} {
		_, err := Fingerprint(root, []Command{{"vcs_command", value}})
		require.ErrorIs(t, err, ErrOutside, value)
		assert.ErrorContains(t, err, "vcs_command")
	}
	one := printOf(t, root, Command{"vcs_command", "./near.sh"})
	assert.Equal(t, []string{"near.sh"}, one.Scripts)
	write(t, root, "real.sh", "y")
	assert.NotEqual(t, one.Hash, printOf(t, root, Command{"vcs_command", "./near.sh"}).Hash, "the bytes behind the link count")
}

func TestStoreRemembers(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	s := Store{filepath.Join(t.TempDir(), "new", "trust.json")}
	has := func(root, hash string) bool {
		ok, err := s.Has(root, hash)
		require.NoError(t, err)
		return ok
	}
	assert.False(t, has(root, "h1"))
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, g := range []Grant{{Root: root, Hash: "h1", At: at}, {Root: root, Hash: "h1", At: at}, {Root: root, Hash: "h2", At: at}, {Root: other, Hash: "h3", At: at}} {
		require.NoError(t, s.Add(g))
	}
	list, err := s.List()
	require.NoError(t, err)
	assert.Len(t, list, 3, "the same permission twice is one")
	assert.True(t, has(root, "h1") && has(root, "h2") && has(other, "h3"))
	assert.False(t, has(other, "h1"), "a permission is for one place")
	fi, err := os.Stat(s.Path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), fi.Mode().Perm())

	n, err := s.Revoke(root)
	require.NoError(t, err)
	assert.Equal(t, 2, n)
	assert.False(t, has(root, "h1") || has(root, "h2"))
	assert.True(t, has(other, "h3"))
}

func TestStoreThatCanNotBeReadAllowsNothing(t *testing.T) {
	root := t.TempDir()
	for _, text := range []string{"{", `{"version": 2, "grants": [{"root": "` + filepath.ToSlash(root) + `", "hash": "h"}]}`} {
		s := Store{write(t, t.TempDir(), "trust.json", text)}
		ok, err := s.Has(root, "h")
		require.Error(t, err)
		assert.False(t, ok && err == nil)
		require.Error(t, s.Add(Grant{Root: root, Hash: "h"}))
		have, err := os.ReadFile(s.Path)
		require.NoError(t, err)
		assert.Equal(t, text, string(have), "nothing is written over it")
	}
}

func TestStoreKeepsAllThatAreAddedAtOnce(t *testing.T) {
	s := Store{filepath.Join(t.TempDir(), "trust.json")}
	var wg sync.WaitGroup
	for _, hash := range []string{"a", "b", "c", "d"} {
		wg.Go(func() { assert.NoError(t, s.Add(Grant{Root: "/r", Hash: hash})) })
	}
	wg.Wait()
	list, err := s.List()
	require.NoError(t, err)
	assert.Len(t, list, 4)
}
