package archtest

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// home says where the code may import a library from; tests may use any.
type home struct {
	prefix string // of the import path
	in     []string
	why    string
}

// homes names the place of each library that has one.
var homes = []home{
	{"github.com/alecthomas/kong", []string{"internal/cli"}, "the grammar of the command line is one place's business"},
	{"github.com/yuin/goldmark", []string{"pkg/plan", "internal/term"}, "plans are read once; everybody else sees the model"},
	{"github.com/go-git/", []string{"pkg/vcs", "pkg/vcs/vcstest"}, "backends are files of pkg/vcs, so that another one can stand in"},
	{"gopkg.in/ini.v1", []string{"internal/config"}, "the dialect of the settings file is one place's business"},
	{"github.com/goccy/go-yaml", []string{"internal/config"}, "only the heads of agents' files are YAML"},
	{"charm.land/", []string{"internal/term", "internal/cli"}, "libraries don't draw: only a terminal's face does"},
	{"github.com/charmbracelet/", []string{"internal/term", "internal/progress", "internal/cli", "internal/report"}, "libraries don't draw: only a face does"},
	{"github.com/fsnotify/", []string{"internal/cli", "internal/control", "internal/web/source"}, "nothing but a watching command, a run that listens, and the dashboard needs it"},
	{"github.com/google/renameio", []string{"internal/durable"}, "all durable bytes go through internal/durable"},
	{"github.com/sergi/go-diff", []string{"internal/textdiff"}, "differences are shown in one way"},
	{"github.com/gofrs/flock", []string{"internal/durable", "internal/progress"}, "locks are internal/durable's; the progress file keeps its public one"},
	{"os/exec", []string{"internal/proc", "internal/cli", "internal/cli/clitest", "pkg/executor/session", "pkg/executor/runbook", "internal/gate", "pkg/vcs", "pkg/vcs/vcstest", "pkg/executor/executortest", "internal/term"},
		"children are started through internal/proc, which ends them with all of their own"},
	{"github.com/stretchr/testify", []string{"internal/cli/clitest", "pkg/vcs/vcstest", "pkg/executor/executortest", "pkg/executor/session/sessiontest"}, "test libraries stay out of the program"},
	{"github.com/rogpeppe/go-internal", nil, "test libraries stay out of the program"},
	{module + "/internal/fakemodel", nil, "test libraries stay out of the program"},
	{"github.com/creack/pty", nil, "test libraries stay out of the program"},
	{"github.com/chromedp/", nil, "test libraries stay out of the program"},
	{"github.com/charmbracelet/glamour", nil, "its start-up cost is paid by every --version (12 ms measured)"},
	{"charm.land/glamour", []string{"internal/term"}, "drafts are drawn in one place; its start-up cost is paid by every --version (docs/performance.md)"},
}

// TestLibrariesStayAtHome checks the imports of libraries that have a home.
func TestLibrariesStayAtHome(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, imp := range s.imports() {
			for _, h := range homes {
				if strings.HasPrefix(imp, h.prefix) {
					assert.True(t, slices.Contains(h.in, s.pkg), "%s imports %s: %s (its home is %s)", s.path, imp, h.why, homeNames(h))
				}
			}
		}
	}
}

func homeNames(h home) string {
	if len(h.in) == 0 {
		return "test files only"
	}
	return strings.Join(h.in, ", ")
}

// TestFloorIsPlain keeps the words and facts that everyone shares on the standard library alone.
func TestFloorIsPlain(t *testing.T) {
	plain := []string{"pkg/signals", "pkg/event", "pkg/finding", "pkg/executor", "pkg/processor", "pkg/processor/phase", "internal/gate"}
	for _, s := range sources(t) {
		if s.test || !slices.Contains(plain, s.pkg) {
			continue
		}
		for _, imp := range s.imports() {
			first, _, _ := strings.Cut(imp, "/")
			assert.False(t, strings.Contains(first, "."), "%s imports %s: this package is promised to need the standard library only", s.path, imp)
		}
	}
}
