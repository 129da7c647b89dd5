package prompt

import (
	"math"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/stable"
)

// Budget is how large a prompt may be.
type Budget struct {
	Profile string         // codex, claude, custom
	Custom  map[string]int // "<kind>:<target>" → tokens, for the profile custom
}

// targets are tokens by kind: of codex for cliExec and ideHandoff, then of claude.
var targets = map[iteration.Kind][4]int{
	iteration.Bootstrap:        {2100, 1500, 3200, 2200},
	iteration.Normal:           {1600, 1000, 2400, 1500},
	iteration.Replenish:        {1800, 1300, 2800, 1900},
	iteration.FixFailure:       {1700, 1100, 2500, 1700},
	iteration.ContinueProgress: {1600, 1000, 2400, 1500},
	iteration.HumanReview:      {1500, 1100, 2300, 1700},
}

// profiles are the first columns of targets; a profile that has none of its own has codex's.
var profiles = map[string]int{"codex": 0, "claude": 2}

// tokens is the size that a prompt of the kind should have. A custom budget that names no size for it falls back to codex's.
func (b Budget) tokens(kind iteration.Kind, target string) int {
	column := 0
	if target == artifact.IDEHandoff {
		column = 1
	}
	column += profiles[b.Profile]
	if n := b.Custom[string(kind)+":"+target]; b.Profile == "custom" && n > 0 {
		return n
	}
	return targets[kind][column]
}

// bias is what a kind of prompt gives up last, and omission in which order the optional parts go.
var policies = map[iteration.Kind]struct {
	bias     string
	omission []string
}{
	iteration.Bootstrap:        {"repository", []string{"priorIterationContext", "progressContext", "taskPlanContext", "runtimeContext", "structureContext", "repoContext"}},
	iteration.Normal:           {"task", []string{"structureContext", "repoContext", "runtimeContext", "priorIterationContext", "progressContext", "taskPlanContext"}},
	iteration.Replenish:        {"backlog", []string{"taskPlanContext", "structureContext", "runtimeContext", "priorIterationContext", "repoContext", "progressContext"}},
	iteration.FixFailure:       {"failure", []string{"structureContext", "repoContext", "progressContext", "runtimeContext", "taskPlanContext", "priorIterationContext"}},
	iteration.ContinueProgress: {"progress", []string{"structureContext", "repoContext", "runtimeContext", "taskPlanContext", "priorIterationContext", "progressContext"}},
	iteration.HumanReview:      {"review", []string{"structureContext", "repoContext", "runtimeContext", "taskPlanContext", "progressContext", "priorIterationContext"}},
}

// tokensOf estimates the tokens of a text: a quarter of its bytes, rounded up.
func tokensOf(text string) int { return (len(text) + 3) / 4 }

// record is promptBudget of the evidence.
func (b Budget) record(in Input, text string, selected, omitted []string) *stable.Object {
	target, n := b.tokens(in.Kind, in.Target), tokensOf(text)
	spread := max(16, int(math.Ceil(float64(n)*0.12)))
	mode := "within_budget"
	if len(omitted) > 0 {
		mode = "trimmed"
	}
	var required, optional []string
	for _, s := range sections {
		if s.required {
			required = append(required, s.key)
		} else {
			optional = append(optional, s.key)
		}
	}
	policy := policies[in.Kind]
	return stable.NewObject("policyName", string(in.Kind)+":"+in.Target, "budgetMode", mode, "targetTokens", target, "minimumContextBias", policy.bias,
		"estimatedTokens", n, "withinTarget", n <= target, "budgetDeltaTokens", target-n,
		"estimatedTokenRange", stable.NewObject("min", max(0, n-spread), "max", n+spread),
		"requiredSections", required, "optionalSections", optional, "omissionOrder", policy.omission, "selectedSections", selected, "omittedSections", omitted)
}
