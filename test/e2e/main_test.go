//go:build linux

package e2e

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	cache   string  // where the command lines are installed
	binary  string  // the built ralphex
	chosen  []agent // those that RALPHEX_E2E_AGENTS names
	runs    atomic.Int64
	skipped atomic.Int64
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(tests(m))
}

func tests(m *testing.M) int {
	names := os.Getenv("RALPHEX_E2E_AGENTS")
	if names == "" {
		fmt.Println("e2e: RALPHEX_E2E_AGENTS is not set; make e2e-agents runs these tests")
		return 0
	}
	if err := prepare(names); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	defer os.RemoveAll(filepath.Dir(binary))
	code := m.Run()
	fmt.Printf("agents: %d ran, %d skipped\n", runs.Load(), skipped.Load())
	return code
}

// prepare picks the agents, and builds ralphex while they are being installed.
func prepare(names string) error {
	for _, a := range agents {
		if names == "all" || slices.Contains(strings.Fields(strings.ReplaceAll(names, ",", " ")), a.name) {
			chosen = append(chosen, a)
		}
	}
	if len(chosen) == 0 {
		return fmt.Errorf("RALPHEX_E2E_AGENTS=%s names no agent; all, or some of claude, codex, gemini, copilot, pi, qwen, opencode", names)
	}
	cache = os.Getenv("RALPHEX_E2E_DIR")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("find a cache folder (or set RALPHEX_E2E_DIR): %w", err)
		}
		cache = filepath.Join(dir, "ralphex-e2e")
	}
	tmp, err := os.MkdirTemp("", "ralphex-e2e-")
	if err != nil {
		return err
	}
	binary = filepath.Join(tmp, "ralphex")
	var wg sync.WaitGroup
	errs := make([]error, 1+len(chosen))
	wg.Go(func() { errs[0] = run("", "go", "build", "-o", binary, "ralphex/cmd/ralphex") })
	for i, a := range chosen {
		wg.Go(func() { errs[1+i] = a.install() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// install brings the agent into the cache, unless it is there. A folder has its name only when it is whole.
func (a agent) install() error {
	if _, err := os.Stat(filepath.Join(a.bin(), a.name)); err == nil {
		return nil
	}
	if err := a.fitsNode(); err != nil {
		return err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(cache, a.name+"-new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	start := time.Now()
	if err := run(tmp, "npm", "install", "--prefix", tmp, "--no-audit", "--no-fund", "--loglevel=error", a.pkg+"@"+a.version); err != nil {
		return fmt.Errorf("install %s@%s: %w", a.pkg, a.version, err)
	}
	if err := os.Rename(tmp, a.folder()); err != nil && !errors.Is(err, fs.ErrExist) { // somebody else was faster
		return err
	}
	fmt.Printf("e2e: installed %s %s in %.0f s\n", a.name, a.version, time.Since(start).Seconds())
	return nil
}

// fitsNode says so if the Node that is here is too old for the agent: npm would install it none the less.
func (a agent) fitsNode() error {
	if a.needs == 0 {
		return nil
	}
	out, err := exec.Command("node", "--version").Output()
	var major int
	if _, scan := fmt.Sscanf(string(out), "v%d.", &major); err != nil || scan != nil {
		return fmt.Errorf("%s needs Node %d, and node --version does not answer: leave it out of RALPHEX_E2E_AGENTS", a.name, a.needs)
	}
	if major < a.needs {
		return fmt.Errorf("%s needs Node %d, here is %d: leave it out of RALPHEX_E2E_AGENTS", a.name, a.needs, major)
	}
	return nil
}

func run(dir, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}

// each runs a test for each of the chosen agents among names; all of them where none is named.
func each(t *testing.T, test func(t *testing.T, a agent), names ...string) {
	t.Helper()
	t.Parallel()
	for _, a := range chosen {
		if len(names) == 0 || slices.Contains(names, a.name) {
			t.Run(a.name, func(t *testing.T) {
				t.Parallel()
				t.Cleanup(func() {
					if t.Skipped() {
						skipped.Add(1)
					} else {
						runs.Add(1)
					}
				})
				test(t, a)
			})
		}
	}
}
