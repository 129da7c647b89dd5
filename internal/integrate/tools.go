package integrate

import (
	"os"
	"path/filepath"
)

// Tool is a program that reads command files.
type Tool struct {
	Name   string
	folder string // below the home folder
	env    string // variable that names another folder
	within string // of the tool's folder, where commands are
	here   string // of a repository, with slashes; empty = the tool reads none there
	Typed  string // what a person types before a command's name
}

// Tools are those that are known.
var Tools = []Tool{
	{Name: "claude", folder: ".claude", env: "CLAUDE_CONFIG_DIR", within: "commands", here: ".claude/commands", Typed: "/"},
	{Name: "codex", folder: ".codex", env: "CODEX_HOME", within: "prompts", Typed: "/prompts:"},
}

// home is the tool's own folder. getenv reads the environment.
func (t Tool) home(getenv func(string) string) string {
	if dir := getenv(t.env); dir != "" {
		return dir
	}
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE")
	}
	return filepath.Join(home, t.folder)
}

// IsThere tells whether the person uses the tool: it has a folder.
func (t Tool) IsThere(getenv func(string) string) bool {
	fi, err := os.Stat(t.home(getenv))
	return err == nil && fi.IsDir()
}

// File is the place of a command for the person.
func (t Tool) File(command string, getenv func(string) string) File {
	return File{Tool: t.Name, Command: command, Dir: filepath.Join(t.home(getenv), t.within), Name: command + ".md"}
}

// FileIn is the place of a command in a repository; ok is false where the tool reads none there.
func (t Tool) FileIn(root, command string) (f File, ok bool) {
	return File{Tool: t.Name, Command: command, Dir: root, Name: t.here + "/" + command + ".md"}, t.here != ""
}
