package sandbox

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// login is where an agent keeps who it is logged in as: one file.
type login struct {
	agent  string
	folder string // below the home folder, with slashes
	env    string // the variable that names another folder; empty = none
	file   string
}

// loginFiles are the agents whose login is one file. Others are logged in by variables: Spec.Env.
var loginFiles = []login{
	{"claude", ".claude", "CLAUDE_CONFIG_DIR", ".credentials.json"},
	{"codex", ".codex", "CODEX_HOME", "auth.json"},
	{"gemini", ".gemini", "", "oauth_creds.json"},
	{"opencode", ".local/share/opencode", "", "auth.json"},
	{"qwen", ".qwen", "", "oauth_creds.json"},
}

// Agents are those whose credentials can be named.
func Agents() []string {
	var names []string
	for _, l := range loginFiles {
		names = append(names, l.agent)
	}
	return names
}

// credential is the mount of an agent's login: one file, which the agent may renew.
func (s Spec) credential(agent string) (mount, error) {
	for _, l := range loginFiles {
		if l.agent != agent {
			continue
		}
		dir := filepath.Join(s.Home, filepath.FromSlash(l.folder))
		for _, e := range s.Environ {
			if v, ok := strings.CutPrefix(e, l.env+"="); ok && l.env != "" && v != "" {
				dir = v
			}
		}
		file := filepath.Join(dir, l.file)
		from, err := filepath.EvalSymlinks(file)
		if err == nil {
			if fi, statErr := os.Stat(from); statErr == nil && !fi.Mode().IsRegular() {
				err = os.ErrInvalid
			}
		}
		if err != nil {
			return mount{}, refuse("--credentials "+agent, "there is no login in "+file,
				"leave it out; with a key or a gateway name variables instead: --env ANTHROPIC_API_KEY")
		}
		return mount{from, path.Join(logins, l.folder, l.file), true}, nil
	}
	return mount{}, refuse("--credentials "+agent, "no file of it is known", "these are: "+strings.Join(Agents(), ", ")+"; for others name variables: --env NAME")
}
