package executor

import (
	"io"
	"os"
	"slices"
	"strings"
)

// DropEnv returns an environment without the variables that rules name. A rule is a name, or the beginning of names
// followed by a star ("CLAUDE_CODE_SSE_*"). nil stands for the environment of this process.
func DropEnv(env []string, rules ...string) []string {
	if env == nil {
		env = os.Environ()
	}
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.ContainsFunc(rules, func(rule string) bool {
			prefix, many := strings.CutSuffix(rule, "*")
			return name == rule || many && strings.HasPrefix(name, prefix)
		})
	})
}

// Getenv looks a variable up in an environment; the last one wins. nil stands for the environment of this process.
func Getenv(env []string, name string) string {
	if env == nil {
		return os.Getenv(name)
	}
	for _, e := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

// Trace returns where commands are told for debugging: stderr if RALPHEX_DEBUG holds "exec", else nil.
func Trace(env []string) io.Writer {
	if slices.Contains(strings.Split(Getenv(env, "RALPHEX_DEBUG"), ","), "exec") {
		return os.Stderr
	}
	return nil
}
