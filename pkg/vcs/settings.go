package vcs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// settings answers the few questions about the user's configuration that a run has: are there commit hooks, is there an author?
// It reads the files itself where that is certain to be the whole truth, and asks "git config" where it isn't (includes,
// a system file at an unknown place, configuration by environment).
type settings struct {
	layout layout
	tool   string                                                    // the git, "" = none
	ask    func(ctx context.Context, args ...string) ([]byte, error) // runs it
	env    map[string]string

	mu    sync.Mutex
	stamp string // of the repository's own files when hooks was found; an agent may install hooks in mid-run
	hooks string // folder of the hooks
	extra bool   // hooks that live in the configuration
}

// commitHooks are those that a commit may run and that may change files or refuse.
var commitHooks = []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "reference-transaction", "post-rewrite"}

func newSettings(l layout, tool string, ask func(context.Context, ...string) ([]byte, error), env []string) *settings {
	s := &settings{layout: l, tool: tool, ask: ask, env: make(map[string]string, len(env))}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		s.env[name] = value
	}
	return s
}

// pairs is the environment that these settings are of.
func (s *settings) pairs() []string {
	pairs := make([]string, 0, len(s.env))
	for name, value := range s.env {
		pairs = append(pairs, name+"="+value)
	}
	return pairs
}

// hasHooks reports whether a commit may run a hook of the user's.
func (s *settings) hasHooks(ctx context.Context) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := s.ownStamp(); s.hooks == "" || now != s.stamp {
		if err := s.findHooks(ctx); err != nil {
			return false, err
		}
		s.stamp = now
	}
	if s.extra {
		return true, nil
	}
	for _, name := range commitHooks {
		fi, err := os.Stat(filepath.Join(s.hooks, name))
		if err == nil && !fi.IsDir() && (runtime.GOOS == "windows" || fi.Mode()&0o111 != 0) {
			return true, nil
		}
	}
	return false, nil
}

// findHooks settles where the hooks are.
func (s *settings) findHooks(ctx context.Context) error {
	s.hooks, s.extra = filepath.Join(s.layout.common, "hooks"), false
	files, certain := s.files()
	if certain && !mention(files, "hookspath", "[hook") {
		return nil
	}
	out, err := s.ask(ctx, "config", "--null", "--type=path", "--get", "core.hooksPath")
	switch {
	case err == nil:
		s.hooks = string(bytes.TrimRight(out, "\x00"))
		if !filepath.IsAbs(s.hooks) {
			s.hooks = filepath.Join(s.layout.root, s.hooks)
		}
	case exitCode(err) != 1: // 1 = not set
		s.hooks = ""
		return err
	}
	_, err = s.ask(ctx, "config", "--null", "--get-regexp", `^hook\..*\.command$`)
	s.extra = err == nil
	return nil
}

// identity returns nil if git would find an author and a committer.
func (s *settings) identity(ctx context.Context) error {
	if c, certain := s.merged(); certain {
		user := c.Section("user")
		name, mail := user.Option("name"), user.Option("email")
		if mail == "" {
			mail = s.env["EMAIL"]
		}
		if name != "" && mail != "" {
			return nil
		}
	}
	for _, who := range []string{"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"} {
		if _, err := s.ask(ctx, "var", who); err != nil {
			if exitCode(err) == 128 {
				return &IdentityError{Err: err}
			}
			return err
		}
	}
	return nil
}

// merged returns the configuration as one, the later file winning. certain is false if there may be more than that.
func (s *settings) merged() (c *config.Config, certain bool) {
	files, certain := s.files()
	c = &config.Config{}
	for _, f := range files {
		decode(f, c)
	}
	return c, certain
}

// files returns the text of every configuration file that git would read, from system to worktree.
// certain is false if there may be more than that.
func (s *settings) files() (files [][]byte, certain bool) {
	if s.env["GIT_CONFIG_COUNT"] != "" || s.env["GIT_CONFIG_PARAMETERS"] != "" || s.env["GIT_CONFIG"] != "" {
		return nil, false
	}
	if !s.systemKnown() {
		return nil, false
	}
	for _, path := range s.places() {
		b, err := os.ReadFile(path)
		if err != nil {
			if os.IsNotExist(err) {
				continue
			}
			return nil, false
		}
		files = append(files, b)
	}
	return files, !mention(files, "include")
}

// systemKnown reports whether we know where git's system-wide file lies. That place is compiled in; on Linux distributions it is /etc.
func (s *settings) systemKnown() bool {
	if yes(s.env["GIT_CONFIG_NOSYSTEM"]) || s.env["GIT_CONFIG_SYSTEM"] != "" {
		return true
	}
	if s.tool == "" {
		return true // no git here, so nobody has compiled another place in
	}
	tool, err := filepath.EvalSymlinks(s.tool)
	return err == nil && runtime.GOOS == "linux" && tool == "/usr/bin/git"
}

func (s *settings) places() []string {
	var places []string
	switch {
	case yes(s.env["GIT_CONFIG_NOSYSTEM"]):
	case s.env["GIT_CONFIG_SYSTEM"] != "":
		places = append(places, s.env["GIT_CONFIG_SYSTEM"])
	default:
		places = append(places, "/etc/gitconfig")
	}
	home := s.env["HOME"]
	if global, set := s.env["GIT_CONFIG_GLOBAL"]; set {
		if global != "" {
			places = append(places, global)
		}
	} else {
		xdg := s.env["XDG_CONFIG_HOME"]
		if xdg == "" && home != "" {
			xdg = filepath.Join(home, ".config")
		}
		if xdg != "" {
			places = append(places, filepath.Join(xdg, "git", "config"))
		}
		if home != "" {
			places = append(places, filepath.Join(home, ".gitconfig"))
		}
	}
	return append(places, s.own()...)
}

// own are the files of the repository itself.
func (s *settings) own() []string {
	return []string{filepath.Join(s.layout.common, "config"), filepath.Join(s.layout.gitDir, "config.worktree")}
}

// ownStamp changes when the repository's own configuration does.
func (s *settings) ownStamp() string {
	var b strings.Builder
	for _, path := range s.own() {
		if fi, err := os.Stat(path); err == nil {
			fmt.Fprint(&b, fi.ModTime().UnixNano(), " ", fi.Size())
		}
		b.WriteByte('|')
	}
	return b.String()
}

// mention reports whether any of the texts holds one of the words, in any case.
func mention(files [][]byte, words ...string) bool {
	for _, f := range files {
		low := bytes.ToLower(f)
		for _, w := range words {
			if bytes.Contains(low, []byte(w)) {
				return true
			}
		}
	}
	return false
}

// readConfig reads one configuration file; what can't be read is empty.
func readConfig(path string) *config.Config {
	c := &config.Config{}
	if b, err := os.ReadFile(path); err == nil {
		decode(b, c)
	}
	return c
}

func decode(text []byte, into *config.Config) {
	_ = config.NewDecoder(bytes.NewReader(text)).Decode(into) // a file with an error counts as far as it goes; git itself will complain
}

// yes reads git's boolean.
func yes(v string) bool {
	switch strings.ToLower(v) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}
