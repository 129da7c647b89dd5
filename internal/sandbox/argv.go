package sandbox

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Spec is what is wanted. All paths are absolute paths of this machine.
type Spec struct {
	Engine string // "docker" or "podman": the first word of the command
	Image  string
	Root   string // the repository's root, with its links resolved
	Dir    string // the working folder, in Root
	Home   string // the home folder, which is never mounted; empty = there is none

	Settings    string   // the global settings folder; empty = not mounted
	Credentials []string // agents whose login the container gets, "claude"
	Mounts      []string // PATH, PATH:ro or PATH:rw; ro is the default
	Env         []string // NAME, which takes the value that the engine's own environment has, or NAME=value
	Network     string   // the engine's word for it; empty = its default
	Terminal    bool     // stdin and stdout are a terminal
	User        string   // "uid:gid"; empty = the image's
	Environ     []string // of this process: says where agents keep their logins

	Args []string // of ralphex in the container
}

// Places in the container.
const (
	home     = "/home/ralphex"
	settings = "/run/ralphex/config"
	logins   = "/run/ralphex/home" // the image links what lies here into the home folder
	where    = "/workspace"        // of a repository whose own path a container can't have
)

// Argv is the command. What it would mount is looked at on the disk; an error says what is refused, and what to type instead.
func (s Spec) Argv() ([]string, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	argv := []string{s.Engine, "run", "--rm", "--init", "--interactive"}
	if s.Terminal {
		argv = append(argv, "--tty", "--env", "TERM")
	}
	argv = append(argv, "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--pids-limit", "4096")
	if s.User != "" && s.Engine == "podman" {
		argv = append(argv, "--userns", "keep-id")
	} else if s.User != "" {
		argv = append(argv, "--user", s.User)
	}
	if s.Network != "" {
		argv = append(argv, "--network", s.Network)
	}
	argv = append(argv, "--tmpfs", home+":rw,exec,mode=1777", "--env", "HOME="+home, "--env", "RALPHEX_DOCKER=1")
	mounts, err := s.mounts()
	if err != nil {
		return nil, err
	}
	for _, m := range mounts {
		argv = append(argv, "--mount", m.String())
	}
	if s.Settings != "" {
		argv = append(argv, "--env", "RALPHEX_CONFIG_DIR="+settings)
	}
	for _, e := range s.Env {
		argv = append(argv, "--env", e)
	}
	argv = append(argv, "--workdir", s.inside(s.Dir), s.Image)
	return append(argv, s.Args...), nil
}

// inside is where a path of the repository is in the container.
func (s Spec) inside(p string) string {
	if path.IsAbs(s.Root) {
		return p
	}
	rel, err := filepath.Rel(s.Root, p) // C:\src: a container has no such path
	if err != nil {
		return where
	}
	return path.Join(where, filepath.ToSlash(rel))
}

// mount is one thing of this machine that the container sees.
type mount struct {
	from, to string
	writable bool
}

// String is the mount as the engine reads it.
func (m mount) String() string {
	s := "type=bind,source=" + m.from + ",target=" + m.to
	if !m.writable {
		s += ",readonly"
	}
	return s
}

// mounts are all, the repository first.
func (s Spec) mounts() ([]mount, error) {
	list := []mount{{s.Root, s.inside(s.Root), true}}
	common, err := commonFolder(s.Root)
	if err != nil {
		return nil, err
	}
	if common != "" {
		list = append(list, mount{common, common, true})
	}
	if s.Settings != "" {
		list = append(list, mount{s.Settings, settings, false})
	}
	for _, name := range s.Credentials {
		m, err := s.credential(name)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	for _, text := range s.Mounts {
		m, err := s.asked(text)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	for _, m := range list {
		if strings.ContainsAny(m.from+m.to, ",\"\n\r") {
			return nil, refuse("the path "+m.from, "an engine can't mount a path with a comma, a quote or a line end", "rename it")
		}
	}
	return list, nil
}

// asked reads a mount that the person names.
func (s Spec) asked(text string) (mount, error) {
	name, writable := strings.CutSuffix(text, ":rw")
	name = strings.TrimSuffix(name, ":ro")
	if !filepath.IsAbs(name) {
		name = filepath.Join(s.Dir, name)
	}
	name = filepath.Clean(name)
	to, err := filepath.EvalSymlinks(name)
	if err != nil {
		return mount{}, refuse(fmt.Sprintf("--mount %s", text), err.Error(), "name a file or folder that is there")
	}
	switch {
	case within(s.Root, name) && !within(s.Root, to):
		return mount{}, refuse("--mount "+text, "it is a link of the repository, and leads to "+to, "if you want that in the container, name it itself: --mount "+to)
	case within(s.Root, to):
		return mount{}, refuse("--mount "+text, "it lies in the repository", "leave it out: all of the repository is there")
	case within(to, s.Home) && s.Home != "", within(to, s.Root):
		return mount{}, refuse("--mount "+text, "it holds your home folder, or more than this repository", "name the folders that are needed, one by one")
	case slices.Contains([]string{"docker.sock", "podman.sock"}, filepath.Base(to)):
		return mount{}, refuse("--mount "+text, "who can talk to the engine has the whole machine", "leave it out")
	case !path.IsAbs(to):
		return mount{}, refuse("--mount "+text, "a container has no path like "+to, "copy what is needed into the repository")
	}
	return mount{to, to, writable}, nil
}
