package progress

import (
	"path/filepath"
	"strings"
)

// maxSlug is the public limit, in bytes.
const maxSlug = 50

// Path returns the file of a run in dir (.ralphex/progress). In mode "plan", subject is the description of the plan to be
// made; in the others it is the plan file, or empty. branch is what the user asked for by name, or empty.
func Path(dir, mode, subject, branch string) string {
	return filepath.Join(dir, name(mode, subject, branch))
}

func name(mode, subject, branch string) string {
	suffix := map[string]string{"review": "-review", "codex-only": "-codex", "report": "-report"}[mode]
	switch {
	case mode == "plan" && subject == "":
		return "progress-plan.txt"
	case mode == "plan":
		return "progress-plan-" + slug(subject) + ".txt"
	case branch != "":
		return "progress-" + slug(branch) + suffix + ".txt"
	case subject != "":
		return "progress-" + strings.TrimSuffix(filepath.Base(subject), ".md") + suffix + ".txt"
	}
	return "progress" + suffix + ".txt"
}

// slug makes a file name of any text: "Add a Thing!" becomes "add-a-thing".
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		if r == ' ' {
			r = '-'
		}
		dash := r == '-' && !strings.HasSuffix(b.String(), "-")
		if dash || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		}
	}
	s := strings.Trim(b.String(), "-")
	s = strings.TrimRight(s[:min(len(s), maxSlug)], "-")
	if s == "" {
		return "unnamed"
	}
	return s
}
