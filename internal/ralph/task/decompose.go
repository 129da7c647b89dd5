package task

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ralphex/internal/lazyregexp"
)

// maxProposed is how many children a proposal made of words has at most.
const maxProposed = 3

var (
	compoundWord  = lazyregexp.New(`(?i)(^|[^\pL\pN_])(and|plus|along with|together with|then)($|[^\pL\pN_])`)
	compoundWish  = lazyregexp.New(`(?i)broad task|needs decomposition|requires decomposition|decompose`)
	fromThrough   = lazyregexp.New(`(?i)(^|[^\pL\pN_])from\s.*\sthrough($|[^\pL\pN_])`)
	conjunction   = lazyregexp.New(`(?i)\s+(?:and|plus|along with|together with|then)\s+`)
	leadingVerb   = lazyregexp.New(`(?i)^(?:add|implement|build|create|fix|update|improve|refactor)\s+`)
	notesSentence = lazyregexp.New(`(?i)generate|keep|limit|propose|dependency|deterministic|verification`)
)

// IsCompound tells whether a task clearly asks for several things.
func IsCompound(t *Task) bool {
	words := strings.Join(strings.Fields(t.Title+" "+t.Notes), " ")
	return compoundWord.MatchString(words) || compoundWish.MatchString(words) || fromThrough.MatchString(words) || strings.Contains(t.Title, ",")
}

// BuildDecompositionProposal cuts a compound task into two or three children, one after the other, by its own words
// (buildDecompositionProposal). No model is asked: the same task gives the same proposal. A task that is not compound gives none.
// effective is the validation command of the iteration, "" if there is none. Ids are not searched for: if one is taken, applying the
// proposal is refused.
func BuildDecompositionProposal(t *Task, effective string) []SuggestedChild {
	if !IsCompound(t) {
		return nil
	}
	titles, why := parts(t)
	var out []SuggestedChild
	for i, title := range titles {
		c := SuggestedChild{ID: fmt.Sprintf("%s.%d", t.ID, i+1), Title: title, ParentID: t.ID, Validation: orNil(effective, t.Validation), Tier: t.Tier,
			Rationale: fmt.Sprintf("Step %d of %d of %s (%s): %s.", i+1, len(titles), t.ID, t.Title, why), DependsOn: inherited(t)}
		if i > 0 {
			c.DependsOn = append(c.DependsOn, SuggestedDependency{TaskID: out[i-1].ID, Reason: BlocksSequence})
		}
		c.Acceptance = append(sharing(t.Acceptance, title), fmt.Sprintf("%s is complete, and nothing else of %s is begun.", title, t.ID))
		out = append(out, c)
	}
	return out
}

// parts are the titles of the children, and where they come from.
func parts(t *Task) (titles []string, why string) {
	for _, s := range conjunction.Split(t.Title, -1) {
		titles = appendTitle(titles, leadingVerb.ReplaceAllString(strings.TrimSpace(s), ""))
	}
	if len(titles) >= 2 {
		return titles[:min(len(titles), maxProposed)], "its title names several things"
	}
	titles = nil
	for _, s := range strings.FieldsFunc(t.Notes, func(r rune) bool { return r == '.' || r == ';' }) {
		if notesSentence.MatchString(s) {
			titles = appendTitle(titles, s)
		}
	}
	if len(titles) >= 2 {
		return titles[:min(len(titles), maxProposed)], "its notes name the steps"
	}
	return []string{"Reproduce with a deterministic check: " + t.Title, "Make the smallest bounded fix: " + t.Title}, "first a check that fails, then what makes it pass"
}

func appendTitle(list []string, s string) []string {
	s = strings.Trim(strings.Join(strings.Fields(s), " "), " ,")
	if s == "" {
		return list
	}
	r, n := utf8.DecodeRuneInString(s)
	return append(list, string(unicode.ToUpper(r))+s[n:])
}

func inherited(t *Task) []SuggestedDependency {
	out := []SuggestedDependency{}
	for _, d := range t.DependsOn {
		out = append(out, SuggestedDependency{TaskID: d, Reason: InheritsParentDependency})
	}
	return out
}

// sharing are the criteria that have a word of the title in them.
func sharing(criteria []string, title string) []string {
	const short = 3
	word := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	titleWords := slices.DeleteFunc(word(title), func(w string) bool { return utf8.RuneCountInString(w) <= short })
	var out []string
	for _, c := range criteria {
		if slices.ContainsFunc(word(c), func(w string) bool { return slices.Contains(titleWords, w) }) {
			out = append(out, c)
		}
	}
	return out
}

// orNil is the first text that is one, nil if none is.
func orNil(list ...string) *string {
	for _, s := range list {
		if s != "" {
			return &s
		}
	}
	return nil
}
