package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// Options say where the layers come from. The package asks neither the environment nor the home
// folder of the process: what it shall know is here.
type Options struct {
	GlobalDir string            // value of --config-dir; empty: RALPHEX_CONFIG_DIR, else ~/.config/ralphex
	RepoRoot  string            // folder whose .ralphex is the local layer; empty: there is none
	Env       []string          // "NAME=value", as os.Environ gives it; names the home folder, too
	Flags     map[string]string // key name → value, for each flag that was given
	TrustRepo bool              // --trust-repo-config: the local layer may name commands
	Executors []string          // the agents there are; empty: not checked
	// Trusted tells whether a person has allowed just these commands of the local layer: nil is yes, any other error
	// says why not. It is asked only where there are some. A nil func is no.
	Trusted func(repoRoot string, commands []Command) error
}

// Config is what the layers say together. It does not change after Load.
type Config struct {
	Values
	origins map[string]Origin // of keys that some layer sets
	folders []folder          // of prompts and agents, from the strongest to the weakest
}

// setting is one key as one layer sets it.
type setting struct {
	key    Key
	raw    string
	origin Origin
}

// Load reads all layers. The error joins everything that is wrong in any of them, each with its place:
// *ValueError, *TrustError, or a file that cannot be read. Warnings are returned with an error, too.
func Load(o Options) (*Config, []Warning, error) {
	env := environment(o.Env)
	where := places(o, env)
	var (
		all      []setting
		warnings = where.warnings
		errs     []error
	)
	for _, f := range where.files {
		settings, warns, err := readFile(f)
		all, warnings = append(all, settings...), append(warnings, warns...)
		errs = append(errs, err)
	}
	all = append(all, envLayer(env)...)
	flags, err := flagLayer(o.Flags)
	all, errs = append(all, flags...), append(errs, err)

	c := &Config{origins: map[string]Origin{}, folders: where.folders}
	errs = append(errs, c.merge(all, o, env["HOME"]))
	if err := errors.Join(errs...); err != nil {
		return nil, warnings, fmt.Errorf("load config: %w", err)
	}
	return c, warnings, nil
}

// merge applies the settings in order; they come from the lowest layer to the highest.
func (c *Config) merge(all []setting, o Options, home string) error {
	for _, k := range table() {
		if err := k.set(&c.Values, k.Default); err != nil {
			return fmt.Errorf("default of %s: %w", k.Name, err)
		}
	}
	var (
		errs     []error
		commands []Command
	)
	for _, s := range all {
		if s.key.agent {
			s.key.Choices = o.Executors
		}
		before := s.key.show(&c.Values)
		if s.key.tilde && s.origin.Layer != Flag && home != "" {
			if rest, ok := strings.CutPrefix(s.raw, "~/"); ok {
				s.raw = filepath.Join(home, rest)
			}
		}
		err := refuseControls(s.raw)
		if err == nil {
			err = s.key.set(&c.Values, s.raw)
		}
		if err != nil {
			errs = append(errs, &ValueError{Key: s.key.Name, Origin: s.origin, Reason: err.Error()})
			continue
		}
		now := s.key.show(&c.Values)
		if s.key.Command && s.origin.Layer == Local && !o.TrustRepo && now != before {
			commands = append(commands, Command{Key: s.key.Name, Value: now, Origin: s.origin})
		}
		c.origins[s.key.Name] = s.origin
	}
	c.findAtTop(o.RepoRoot)
	return errors.Join(append(errs, judge(o, commands)...)...)
}

// findAtTop makes absolute paths of commands that are named relative to a folder, "./wrappers/mine.sh", and lie there below the
// repository's root: they mean the same from any subfolder. What a flag names is the caller's matter, who knows where it was typed.
func (c *Config) findAtTop(root string) {
	if root == "" {
		return
	}
	for _, k := range table() {
		field := reflect.ValueOf(&c.Values).Elem().Field(k.index)
		if !k.top || c.origins[k.Name].Layer == Flag {
			continue
		}
		command := field.String()
		if filepath.IsAbs(command) || !strings.ContainsAny(command, `/\`) {
			continue
		}
		at := filepath.Join(root, filepath.FromSlash(command))
		if fi, err := os.Stat(at); err == nil && !fi.IsDir() {
			field.SetString(at)
		}
	}
}

// judge asks whether commands of the repository's own settings may be obeyed.
func judge(o Options, commands []Command) []error {
	if len(commands) == 0 {
		return nil
	}
	why := ErrUntrusted
	if o.Trusted != nil {
		if why = o.Trusted(o.RepoRoot, commands); why == nil {
			return nil
		}
	}
	var errs []error
	for _, c := range commands {
		errs = append(errs, &TrustError{Command: c, Why: why})
	}
	return errs
}

// Origin tells which layer the value of a key comes from.
func (c *Config) Origin(key string) Origin { return c.origins[key] }

// Source is Origin as text: "local .ralphex/config:12", "env RALPHEX_TASK_MODEL", "default".
func (c *Config) Source(key string) string { return c.origins[key].String() }

// IsSet tells whether any layer sets the key, be it to its default.
func (c *Config) IsSet(key string) bool { return c.origins[key].Layer != Default }

// Value is the value of a key as one would write it in the file; "" for an unknown key.
func (c *Config) Value(key string) string {
	k, ok := Lookup(key)
	if !ok {
		return ""
	}
	return k.show(&c.Values)
}

// Reject makes the error for a value that only the caller could judge, with the value's place in it.
func (c *Config) Reject(key, reason string) error {
	return &ValueError{Key: key, Origin: c.Origin(key), Reason: reason}
}

// envLayer reads RALPHEX_<KEY> for each key.
func envLayer(env map[string]string) []setting {
	var list []setting
	for _, k := range table() {
		if raw, ok := env[k.Env()]; ok {
			list = append(list, setting{k, raw, Origin{Layer: Env, Name: k.Env()}})
		}
	}
	// In the container the container is the sandbox.
	if k, ok := Lookup("codex_sandbox"); ok && env["RALPHEX_DOCKER"] == "1" {
		list = append(list, setting{k, "danger-full-access", Origin{Layer: Env, Name: "RALPHEX_DOCKER"}})
	}
	return list
}

// flagLayer takes the flags over. An unknown name is a mistake of the caller.
func flagLayer(flags map[string]string) ([]setting, error) {
	var list []setting
	for name, raw := range flags {
		k, ok := Lookup(name)
		if !ok {
			return nil, fmt.Errorf("flag for unknown key %q", name)
		}
		if raw == "" && k.noneIsEmpty {
			raw = "none"
		}
		list = append(list, setting{k, raw, Origin{Layer: Flag, Name: "--" + k.Flag}})
	}
	slices.SortFunc(list, func(a, b setting) int { return cmp.Compare(a.key.index, b.key.index) })
	return list, nil
}

// environment turns "NAME=value" pairs into a map; the last of a name wins. HOME is filled from
// USERPROFILE where a system has no HOME.
func environment(pairs []string) map[string]string {
	m := make(map[string]string, len(pairs))
	for _, p := range pairs {
		if name, value, ok := strings.Cut(p, "="); ok {
			m[name] = value
		}
	}
	if m["HOME"] == "" && runtime.GOOS == "windows" {
		m["HOME"] = m["USERPROFILE"]
	}
	return m
}

// sameDir tells whether two folders are one, links resolved.
func sameDir(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
