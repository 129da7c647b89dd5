package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/ini.v1"
)

// checkSection is the one section that a settings file may have: severities of the rules of `ralphex check`.
const checkSection = "check"

// LoadChecks reads the severities that the global and the local file give to rules of `ralphex check`; the
// local file wins. rules are the ids that there are, severities the words that are allowed. An id that is not
// there is a warning; another word is a *ValueError. Settings outside of [check] are not looked at.
func LoadChecks(o Options, rules, severities []string) (map[string]string, []Warning, error) {
	all := map[string]string{}
	var (
		warnings []Warning
		errs     []error
	)
	for _, f := range places(o, environment(o.Env)).files {
		warns, err := readChecks(f, all, rules, severities)
		warnings = append(warnings, warns...)
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, warnings, fmt.Errorf("load config: %w", err)
	}
	return all, warnings, nil
}

// readChecks adds the severities of one file to all.
func readChecks(f file, all map[string]string, rules, severities []string) ([]Warning, error) {
	text, err := readOptional(f)
	if err != nil || !strings.Contains(string(text), "["+checkSection+"]") {
		return nil, err
	}
	at := Origin{Layer: f.layer, Name: f.shown}
	entries, fault := scan(text)
	parsed, err := ini.LoadSources(ini.LoadOptions{IgnoreInlineComment: true}, text)
	if err != nil {
		at.Line = fault
		return nil, unreadable(at, err)
	}
	var (
		warnings []Warning
		errs     []error
	)
	for _, got := range parsed.Section(checkSection).Keys() {
		at.Line = lineIn(entries, checkSection, got.Name())
		value := strings.ToLower(strings.TrimSpace(got.String()))
		switch {
		case !slices.Contains(rules, got.Name()):
			warnings = append(warnings, Warning{Origin: at, Text: fmt.Sprintf("there is no rule %s; the line has no effect", got.Name()), Hint: DidYouMean(got.Name(), rules, "")})
		case !slices.Contains(severities, value):
			errs = append(errs, &ValueError{Key: got.Name(), Origin: at, Reason: Key{Choices: severities}.notOneOf(value).Error()})
		default:
			all[got.Name()] = value
		}
	}
	return warnings, errors.Join(errs...)
}
