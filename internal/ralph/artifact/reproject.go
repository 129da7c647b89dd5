package artifact

import (
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
)

// Reproject makes latest-result.json of an iteration again from its iteration-result.json, to the byte; nil if the bytes are no result of one that a process
// was meant for.
func Reproject(l layout.Layout, result []byte) []byte {
	o, err := stable.ParseObject(result)
	if err != nil {
		return nil
	}
	res, ok := state.ReadIteration(o)
	integrity := res.ExecutionIntegrity
	if !ok || integrity == nil {
		return nil
	}
	v := res.Verification
	it := Iteration{AgentID: res.AgentID, ProvenanceID: res.ProvenanceID, Paths: l.Iteration(res.Number), Kind: res.PromptKind, Target: integrity.Text("promptTarget"),
		Template: integrity.Text("templatePath"), TaskID: res.TaskID, TaskTitle: res.TaskTitle, Policy: readPolicy(integrity),
		Validation: Commands{v.TaskValidationHint, v.EffectiveValidationCommand, v.NormalizedValidationCommandFrom}}
	in := Integrity{PlanHash: integrity.Text("executionPlanHash"), PromptHash: integrity.Text("promptHash"), Invoked: integrity.Text("cliInvocationPath") != ""}
	if matched, _ := integrity.Get("executionPayloadMatched"); matched != nil {
		is := matched == true
		in.Matched = &is
	}
	return stable.Marshal(it.Projection(in, res))
}

// readPolicy reads the rootPolicy of a record.
func readPolicy(o *stable.Object) Policy {
	v, _ := o.Get("rootPolicy")
	r, _ := v.(*stable.Object)
	return Policy{Workspace: r.Text("workspaceRootPath"), Inspection: r.Text("inspectionRootPath"), Strategy: r.Text("selectionStrategy"),
		Selection: r.Text("selectionSummary"), Summary: r.Text("policySummary")}
}
