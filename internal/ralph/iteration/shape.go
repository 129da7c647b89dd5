package iteration

import (
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/lazyregexp"
	"ralphex/internal/ralph/task"
)

// The findings about the shape of a task.
const (
	MissingAcceptance = "missing_acceptance"
	MissingValidation = "missing_validation"
	BroadScope        = "broad_scope"
	CompoundTitle     = "compound_title"
	GreenfieldRisk    = "greenfield_bootstrap_risk"
	MissingScript     = "missing_package_script"
)

// blockingFindings are those for which a task should not be executed as it is; the others are warnings.
var blockingFindings = []string{BroadScope, GreenfieldRisk, MissingScript}

// Advice is what the shape of a task recommends.
type Advice string

// The advices.
const (
	Execute       Advice = "execute"
	WarnOnly      Advice = "warn"
	Decompose     Advice = "decompose"
	BlockOrReview Advice = "block_or_review"
)

// Ground is what the shape of a task is held against.
type Ground struct {
	Effective string   // validation command that would run; "" = none
	Sources   int      // folders with sources
	Tests     bool     // there are some
	Manifests int      // of the project
	Scripts   []string // of package.json; nil = there is none
}

// Shape is what can be told of a task by its words alone.
type Shape struct {
	Findings  []ShapeFinding
	Atomicity string // atomic, compound, epic, unknown
	Advice    Advice
}

// ShapeFinding is one thing about a task that speaks against executing it as it is.
type ShapeFinding struct{ Code, Message string }

// Has tells whether a finding is there.
func (s Shape) Has(code string) bool {
	return slices.ContainsFunc(s.Findings, func(f ShapeFinding) bool { return f.Code == code })
}

// blocks is the first blocking finding, nil = none.
func (s Shape) blocks() *ShapeFinding {
	for i, f := range s.Findings {
		if slices.Contains(blockingFindings, f.Code) {
			return &s.Findings[i]
		}
	}
	return nil
}

var (
	broadWords = lazyregexp.New(`(?i)\b(?:build|create|write|make|implement|develop) (?:the |an? |our |this )?(?:whole |entire |complete |full )?(?:app|application|product|platform|system|game|website|backend|frontend)\b|\bend[- ]to[- ]end\b|\beverything\b|\b(?:whole|entire|complete) (?:app|application|product|project|system)\b|\bfull[- ]stack\b|\bfrom scratch\b`)

	// lifecycle are the groups of words that each stand for a part of a product's life: a task that speaks of four of them is a project.
	lifecycle = []*lazyregexp.Regexp{
		lazyregexp.New(`(?i)\b(?:plan|plans|design|specify|spec|architect)\b`), lazyregexp.New(`(?i)\b(?:scaffold|bootstrap|set up|setup|initiali[sz]e|init)\b`),
		lazyregexp.New(`(?i)\b(?:implement|build|code|develop|write)\b`), lazyregexp.New(`(?i)\b(?:test|tests|testing|verify|validate)\b`),
		lazyregexp.New(`(?i)\b(?:document|docs|documentation|deploy|release|publish|ship)\b`),
	}
	severalThings = lazyregexp.New(`(?i)(^|[^\pL\pN_])(and|then|plus)($|[^\pL\pN_])|(^|[^\pL\pN_])from\s.*\sthrough($|[^\pL\pN_])`)
	packageScript = lazyregexp.New(`^(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+([\w:.-]+)|(test|start))(?:\s|$)`)
)

// broadGroups is how many groups of the lifecycle make a task broad, and manyParts how many parts between commas make a title compound.
const (
	broadGroups = 4
	manyParts   = 4
)

// ShapeOf looks at a task. plan may supply what the task lacks; nil = there is none.
func ShapeOf(t *task.Task, plan *TaskPlan, g Ground) Shape {
	var s Shape
	add := func(code, format string, args ...any) {
		s.Findings = append(s.Findings, ShapeFinding{code, fmt.Sprintf(format, args...)})
	}
	id := task.Plain(t.ID)
	planned := plan != nil && plan.SuggestedValidation != ""
	if len(t.Acceptance) == 0 && (plan == nil || len(plan.SuggestedAcceptance) == 0) {
		add(MissingAcceptance, "%s says nowhere how one sees that it is done.", id)
	}
	if t.Validation == "" && g.Effective == "" && !planned {
		add(MissingValidation, "%s has no validation command, and the project names none.", id)
	}
	words := t.Title + " " + t.Notes
	groups := 0
	for _, group := range lifecycle {
		if group.MatchString(words) {
			groups++
		}
	}
	broad := broadWords.MatchString(words) || groups >= broadGroups
	if broad {
		add(BroadScope, "%s asks for more than one session can do.", id)
	}
	compound := severalThings.MatchString(t.Title) || len(strings.Split(t.Title, ",")) >= manyParts
	if compound {
		add(CompoundTitle, "The title of %s names several things.", id)
	}
	greenfield := g.Sources == 0 && !g.Tests && g.Manifests <= 1 && (broad || compound)
	if greenfield {
		add(GreenfieldRisk, "There is no project yet that %s could be added to.", id)
	}
	if name := missingScript(t.Validation, g); name != "" {
		add(MissingScript, "The validation of %s runs the script %q, and package.json has none of that name.", id, name)
	}
	s.judge(broad || greenfield, compound)
	return s
}

// judge draws the conclusions.
func (s *Shape) judge(epic, compound bool) {
	switch {
	case epic:
		s.Atomicity = "epic"
	case compound:
		s.Atomicity = "compound"
	case s.Has(MissingAcceptance), s.Has(MissingValidation):
		s.Atomicity = "unknown"
	default:
		s.Atomicity = "atomic"
	}
	switch {
	case s.Has(MissingScript):
		s.Advice = BlockOrReview
	case epic:
		s.Advice = Decompose
	case len(s.Findings) > 0:
		s.Advice = WarnOnly
	default:
		s.Advice = Execute
	}
}

// missingScript is the script of a package manager that a command runs and package.json lacks; "" = none. Where there is no package.json, the task may be
// the one that makes it.
func missingScript(command string, g Ground) string {
	m := packageScript.FindStringSubmatch(strings.TrimSpace(command))
	if m == nil || g.Scripts == nil {
		return ""
	}
	name := m[1] + m[2]
	if slices.Contains(g.Scripts, name) {
		return ""
	}
	return name
}
