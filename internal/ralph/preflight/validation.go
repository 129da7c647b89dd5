package preflight

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// Readiness is what is known of a validation command.
type Readiness string

// The states.
const (
	ValidationMissing      Readiness = "missing"
	ValidationSelected     Readiness = "selected" // there is a command, with no program that could be looked for
	ValidationConfirmed    Readiness = "executableConfirmed"
	ValidationNotConfirmed Readiness = "executableNotConfirmed"
)

// Validation is the command that would prove the selected task.
type Validation struct {
	Hint           string // the task's own; empty = it has none
	Effective      string // what would run; empty = nothing
	NormalizedFrom string // what it was before a leading cd was taken off; empty = it is as it was
	Readiness      Readiness
}

// chooseValidation takes the override, else the task's own command, else the first that the project's files name. A prompt that fills the
// backlog proves nothing.
func (s Snapshot) chooseValidation(selected *task.Task, replenish bool) Validation {
	var v Validation
	if selected != nil {
		v.Hint = selected.Validation
	}
	if !replenish {
		v.Effective = s.Settings.ValidationOverride
		if v.Effective == "" {
			v.Effective = v.Hint
		}
		if v.Effective == "" && len(s.Scanned) > 0 {
			v.Effective = s.Scanned[0]
		}
	}
	if rest, ok := withoutCd(v.Effective, s.Layout.Root, VerificationRoot(s.Layout, s.Settings)); ok {
		v.NormalizedFrom, v.Effective = v.Effective, rest
	}
	v.Readiness = s.readiness(v.Effective)
	return v
}

// VerificationRoot is the folder in which a task is worked on and judged: the workspace, unless inspectionRootOverride names another one.
func VerificationRoot(l layout.Layout, s settings.Settings) string {
	switch at := s.InspectionRoot; {
	case at == "":
		return l.Root
	case filepath.IsAbs(at):
		return filepath.Clean(at)
	default:
		return filepath.Join(l.Root, filepath.FromSlash(at))
	}
}

// withoutCd takes `cd <dir> &&` off where dir is the folder in which the command runs anyway.
func withoutCd(command, workspace, root string) (string, bool) {
	after, ok := strings.CutPrefix(stable.Trim(command), "cd ")
	if !ok {
		return "", false
	}
	dir, rest, ok := strings.Cut(after, "&&")
	dir, rest = strings.Trim(stable.Trim(dir), `"'`), stable.Trim(rest)
	if !ok || dir == "" || rest == "" || strings.ContainsAny(dir, "$`*?;|&") {
		return "", false
	}
	from := []string{workspace}
	if workspace == root {
		from = append(from, filepath.Dir(root)) // the project's folder, named from the one above it
	}
	for _, base := range from {
		at := filepath.FromSlash(dir)
		if !filepath.IsAbs(at) {
			at = filepath.Join(base, at)
		}
		if filepath.Clean(at) == root {
			return rest, true
		}
	}
	return "", false
}

// builtins are words that every POSIX shell runs itself.
var builtins = []string{":", "[", ".", "cd", "command", "echo", "eval", "exec", "exit", "export", "false", "printf", "pwd", "set", "test", "true", "type", "umask", "unset"}

func (s Snapshot) readiness(command string) Readiness {
	if command == "" {
		return ValidationMissing
	}
	word := program(command)
	if word == "" || s.executable == nil {
		return ValidationSelected
	}
	if slices.Contains(builtins, word) {
		return ValidationConfirmed
	}
	switch found, known := s.executable(word); {
	case !known:
		return ValidationSelected
	case found:
		return ValidationConfirmed
	}
	return ValidationNotConfirmed
}

// program returns the first word behind leading KEY=value words; empty where it is no plain word.
func program(command string) string {
	for rest := stable.Trim(command); rest != ""; rest = stable.Trim(rest) {
		word := rest
		switch end := strings.IndexAny(rest, " \t\n"); {
		case rest[0] == '"' || rest[0] == '\'':
			end := strings.IndexByte(rest[1:], rest[0])
			if end < 0 {
				return ""
			}
			word, rest = rest[1:end+1], rest[end+2:]
		case end >= 0:
			word, rest = rest[:end], rest[end:]
		default:
			rest = ""
		}
		if !assignment(word) {
			if strings.ContainsAny(word, "$`(){}<>|&;*?\"'=") {
				return ""
			}
			return word
		}
	}
	return ""
}

func assignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// sentence is the validation part of a summary.
func (v Validation) sentence() string {
	if v.Effective == "" {
		return "Validation none."
	}
	state := map[Readiness]string{ValidationConfirmed: "confirmed", ValidationNotConfirmed: "not confirmed", ValidationSelected: "not checked"}[v.Readiness]
	return fmt.Sprintf("Validation %s. Executable token %s.", v.Effective, state)
}

func (e *evaluation) validation() {
	s, v := e.s.Settings, e.r.Validation
	if len(s.Verifiers) == 0 {
		e.add("no_verifiers_enabled", "No verifier is enabled: nothing proves what an agent reports.")
	}
	if v.Effective == "" {
		if slices.Contains(s.Verifiers, "validationCommand") && !e.r.Replenish {
			e.add("validation_command_missing", "Validation is enabled, and there is no command: give the task a `validation`, or set ralphCodex.validationCommandOverride.")
		}
		return
	}
	switch v.Readiness {
	case ValidationConfirmed:
		e.add("validation_command_executable_confirmed", fmt.Sprintf("Validation command %q: its program %s was found.", v.Effective, program(v.Effective)))
	case ValidationNotConfirmed:
		e.add("validation_command_executable_not_confirmed", fmt.Sprintf("Validation command %q: its program %s was not found.", v.Effective, program(v.Effective)))
	default:
		e.add("validation_command_selected_not_confirmed", fmt.Sprintf("Validation command %q: it has no program that could be looked for.", v.Effective))
	}
	if v.NormalizedFrom != "" {
		e.add("validation_command_normalized", fmt.Sprintf("Validation command %q was shortened from %q: it runs in that folder anyway.", v.Effective, v.NormalizedFrom))
	}
	first, _, _ := strings.Cut(v.Effective, " ")
	if e.s.Windows && (assignment(first) || strings.Contains(v.Effective, "$(") || strings.HasPrefix(v.Effective, "export ")) {
		e.add("validation_command_shell_mismatch", fmt.Sprintf("Validation command %q is written for a POSIX shell.", v.Effective))
	}
}
