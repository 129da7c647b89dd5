package config

import (
	"os"
	"path/filepath"
	"strings"
)

// file is a settings file that may exist.
type file struct {
	layer  Layer
	path   string
	shown  string // short form for people
	within string // folder that no link may lead out of; empty: any may
}

// layout is where the files of all layers lie.
type layout struct {
	files    []file   // from the weakest to the strongest
	folders  []folder // from the strongest to the weakest
	warnings []Warning
}

// places finds the folders of the global and the local layer.
func places(o Options, env map[string]string) layout {
	global, shown, chosen := globalDir(o, env)
	l := layout{
		files:   []file{{layer: Global, path: filepath.Join(global, "config"), shown: filepath.Join(shown, "config")}},
		folders: []folder{{layer: Global, path: global, shown: shown}},
	}
	if _, err := os.Stat(global); err != nil && chosen != "" {
		l.warnings = append(l.warnings, Warning{Origin: Origin{Layer: Global, Name: chosen}, Text: "no folder " + global + ": no global settings are read"})
	}
	if o.RepoRoot == "" {
		return l
	}
	local := filepath.Join(o.RepoRoot, ".ralphex")
	if sameDir(local, global) {
		return l
	}
	l.files = append(l.files, file{layer: Local, path: filepath.Join(local, "config"), shown: filepath.Join(".ralphex", "config"), within: o.RepoRoot})
	l.folders = append([]folder{{layer: Local, path: local, shown: ".ralphex", within: o.RepoRoot}}, l.folders...)
	return l
}

// Paths are where a file of that name may lie beside the settings files, the strongest place first.
func Paths(o Options, name string) []string {
	var paths []string
	for _, f := range places(o, environment(o.Env)).files {
		paths = append([]string{filepath.Join(filepath.Dir(f.path), name)}, paths...)
	}
	return paths
}

// GlobalDir is the folder of the global layer, whether it exists or not.
func GlobalDir(o Options) string {
	dir, _, _ := globalDir(o, environment(o.Env))
	return dir
}

// globalDir returns the global folder, its short form for people, and the name of what chose it.
func globalDir(o Options, env map[string]string) (dir, shown, chosen string) {
	switch home := env["HOME"]; {
	case o.GlobalDir != "":
		dir, chosen = o.GlobalDir, "--config-dir"
	case env["RALPHEX_CONFIG_DIR"] != "":
		dir, chosen = env["RALPHEX_CONFIG_DIR"], "RALPHEX_CONFIG_DIR"
	default:
		dir = filepath.Join(home, ".config", "ralphex")
	}
	return dir, abbreviate(dir, env["HOME"]), chosen
}

// abbreviate writes the home folder as ~.
func abbreviate(path, home string) string {
	if home == "" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(home, string(filepath.Separator))+string(filepath.Separator)); ok {
		return filepath.Join("~", rest)
	}
	return path
}
