package check

// table is the list of rules, in the order of the documentation.
var table = []Rule{
	{ID: "plan-unreadable", Severity: Error, Profile: Run, Title: "A plan can be read"},
}
