package archtest

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wall says what the code of a package may import from this module, and why no more.
type wall struct {
	may []string // package folders; "*" = everything
	why string
}

// walls is the map of the project: each package has one row.
var walls = map[string]wall{
	"cmd/ralphex":          {[]string{"internal/cli"}, "main starts the program and passes its exit code on; all wiring is internal/cli's"},
	"internal/cli":         {[]string{"*"}, "the only place that knows everyone"},
	"internal/cli/clitest": {[]string{"pkg/vcs/vcstest"}, "the built program is seen from outside: by what it prints and serves"},

	"internal/web":      {[]string{"internal/web/view", "pkg/event"}, "the server asks for runs, facts and orders through interfaces of its own; files and repositories are behind them"},
	"internal/web/view": {[]string{"pkg/event", "pkg/finding"}, "facts in, what is shown of a run out: it reads no file and no clock"},
	"internal/web/source": {[]string{"internal/web/view", "pkg/event", "pkg/signals", "internal/durable"},
		"files that tell of runs become events; it writes none, and asks no repository"},
	"internal/web/feed":    {[]string{"internal/web/source", "internal/web/view", "pkg/event"}, "events of a session, encoded once for all who read them; how they travel is its caller's"},
	"internal/web/webtest": {nil, "it has no code but tests, which see the dashboard as a person does: through a browser"},
	"internal/notify":      {[]string{"pkg/event", "internal/proc", "internal/wait"}, "a face draws events; settings and secrets come in as values"},
	"internal/progress":    {[]string{"pkg/event", "internal/durable"}, "a face draws events; it asks nobody else what happened"},
	"internal/lsp": {[]string{"internal/lsp/jsonrpc", "pkg/plan", "pkg/plan/check"},
		"an editor's face of the checker: it reads no file, no configuration, and writes nothing but messages"},
	"internal/lsp/jsonrpc": {nil, "messages know nothing of plans"},
	"internal/lsp/lsptest": {[]string{"internal/lsp/jsonrpc"}, "the scripted editor sees a server as any editor does"},
	"internal/term":        {[]string{"pkg/event", "pkg/plan"}, "a face draws events; it starts and decides nothing"},

	"pkg/processor": {[]string{"internal/wait", "pkg/processor/phase", "pkg/plan", "pkg/executor", "pkg/event", "pkg/signals", "pkg/finding", "pkg/vcs"},
		"the Runner orders phases; agents, repositories, gates and files come in through interfaces of its own"},
	"pkg/processor/phase": {[]string{"internal/wait", "pkg/plan", "pkg/signals", "pkg/executor", "pkg/event", "pkg/finding", "pkg/vcs"},
		"a phase knows nouns and what it declares itself; it never calls the Runner and names no agent"},

	"pkg/executor":       {[]string{"pkg/signals", "pkg/event"}, "the contract of a session names no agent and no process"},
	"pkg/executor/jsonl": {[]string{"pkg/event"}, "lines and their memory; what they mean is their reader's"},
	"pkg/executor/reset": {[]string{"internal/lazyregexp"}, "a text in, a time out"},
	"pkg/executor/session": {[]string{"pkg/executor", "pkg/executor/jsonl", "pkg/executor/reset", "pkg/signals", "pkg/event", "internal/lazyregexp", "internal/proc", "internal/redact"},
		"what all agents share once their process runs; it names none of them"},
	"pkg/executor/session/sessiontest": {[]string{"pkg/executor/session", "pkg/event", "internal/proc"}, "pages of what a dialect understands"},
	"pkg/executor/claude": {[]string{"pkg/executor", "pkg/executor/session", "pkg/executor/jsonl", "pkg/executor/reset", "pkg/event", "internal/lazyregexp", "internal/proc"},
		"one agent is one folder: argv, environment and stream of its command, nothing of the run around it"},
	"pkg/executor/codex": {[]string{"pkg/executor", "pkg/executor/session", "pkg/executor/jsonl", "pkg/event", "internal/lazyregexp"},
		"one agent is one folder: argv, environment and stream of its command, nothing of the run around it"},
	"pkg/executor/custom": {[]string{"pkg/executor", "pkg/executor/session", "pkg/executor/jsonl"},
		"a script of the user's is an agent like any other"},
	"pkg/executor/copilot":  {[]string{"pkg/executor", "pkg/executor/session", "pkg/executor/jsonl", "pkg/event"}, "one agent is one folder"},
	"pkg/executor/gemini":   {[]string{"pkg/executor", "pkg/executor/session", "pkg/executor/jsonl", "pkg/event"}, "one agent is one folder"},
	"pkg/executor/opencode": {[]string{"pkg/executor", "pkg/executor/session", "pkg/executor/jsonl", "pkg/event"}, "one agent is one folder"},
	"pkg/executor/pi":       {[]string{"pkg/executor", "pkg/executor/session", "pkg/executor/jsonl", "pkg/event"}, "one agent is one folder"},
	"pkg/executor/qwen": {[]string{"pkg/executor", "pkg/executor/claude", "pkg/executor/session", "pkg/executor/jsonl", "pkg/event"},
		"its stream is claude's but for its failures"},
	"pkg/executor/runbook": {[]string{"pkg/executor", "pkg/signals", "pkg/event", "pkg/plan", "internal/proc", "internal/gate"},
		"the runbook works a plan's own blocks off; it knows no repository"},
	"pkg/executor/executortest": {[]string{"pkg/executor", "pkg/signals", "pkg/event", "pkg/plan"},
		"the scripted agent is an agent like any other"},

	"internal/ticks": {[]string{"internal/ralph/task", "internal/ralph/stable", "pkg/plan", "pkg/plan/convert", "pkg/plan/origin"},
		"the formats whose ticks are no single byte; which plan came from where is pkg/plan/origin's"},
	"internal/gate": {[]string{"pkg/event", "internal/proc"},
		"the gate runs commands and keeps what they said; trees, commits and verdicts on tasks are its caller's"},
	"internal/workspace": {[]string{"pkg/plan", "pkg/event", "pkg/vcs", "internal/durable"},
		"the place of a run asks for a repository through its own interface, in pkg/vcs's words, so that any backend fits"},

	"pkg/signals":        {nil, "the words that agents speak lie at the bottom"},
	"pkg/event":          {[]string{"pkg/signals"}, "facts know who speaks, not who listens"},
	"pkg/finding":        {[]string{"pkg/event"}, "what reviewers find is text in, data out; who reviews, and who keeps it, come to it"},
	"pkg/finding/weaken": {[]string{"pkg/finding", "internal/lazyregexp"}, "a diff in, findings out; where the diff comes from is its caller's"},
	"pkg/plan":           {[]string{"internal/durable"}, "a plan is a Markdown file; it knows no repository, no agent and no run"},
	"pkg/plan/origin":    {[]string{"pkg/plan", "internal/durable"}, "what a plan remembers of its sources is text in the plan; it knows no reader and no repository"},
	"pkg/plan/format":    {[]string{"pkg/plan"}, "spacing and skeletons are bytes in, bytes out"},
	"pkg/plan/check":     {[]string{"pkg/plan", "internal/lazyregexp"}, "a pure function over bytes: files, colours and exit codes are its callers'"},
	"pkg/plan/convert": {[]string{"pkg/plan", "pkg/plan/check", "internal/lazyregexp"},
		"other formats become a plan here, and the check is the judge of what is written; files come in through fs.FS, nothing is fetched"},
	"scripts":         {nil, "scripts are text"},
	"pkg/vcs":         {[]string{"internal/wait", "internal/proc", "internal/durable", "scripts"}, "a repository knows no plan: policy is internal/workspace's"},
	"pkg/vcs/vcstest": {[]string{"pkg/vcs", "internal/proc"}, "the conformance suite sees a backend as strangers see it"},

	"internal/ralph/lock": {[]string{"internal/wait"}, "a lock knows a path and a budget; what is read and written under it is its caller's"},
	"internal/ralph/task": {[]string{"internal/ralph/stable", "internal/ralph/lock", "internal/durable", "internal/lazyregexp"},
		"tasks know their file and its lock; what a workspace, a claim or a plan is they need not know"},
	"internal/ralph/claim": {[]string{"internal/ralph/lock", "internal/ralph/stable", "internal/durable"},
		"claims are records of a file: what a task is, and who may select it, is decided elsewhere"},
	"internal/ralph/state": {[]string{"internal/ralph/layout", "internal/ralph/lock", "internal/ralph/stable", "internal/durable"},
		"the state counts iterations and remembers their results; what an iteration does is its caller's"},
	"internal/ralph/artifact": {[]string{"internal/ralph/layout", "internal/ralph/lock", "internal/ralph/stable", "internal/ralph/state", "internal/durable"},
		"shapes of files: what an iteration does, and whether its evidence holds, is decided elsewhere"},
	"internal/ralph/provenance": {[]string{"internal/ralph/artifact", "internal/ralph/layout", "internal/ralph/stable", "internal/ralph/state", "internal/durable"},
		"it binds bytes to bytes; it starts no process and asks no repository"},
	"internal/ralph/stable":     {nil, "the bytes of a JSON file know nothing of what the file means"},
	"internal/ralph/prd":        {[]string{"internal/ralph/task", "internal/ralph/stable", "internal/durable", "internal/lazyregexp"}, "a draft is a text and tasks; it asks no model, and confirms nothing by itself"},
	"internal/ralph/planimport": {[]string{"internal/ralph/task", "pkg/plan", "internal/lazyregexp"}, "the projection of a plan goes through the producers of the graph, as everybody's tasks do"},
	"internal/ralph/events": {[]string{"internal/ralph/stable", "internal/durable", "pkg/event", "pkg/signals"},
		"a second view of a run's facts: it knows the words of both journals, and decides nothing"},

	"internal/ralph/layout":   {nil, "names of files and folders; whoever reads or writes them has reasons of its own"},
	"internal/ralph/doctrine": {[]string{"internal/ralph/layout", "internal/ralph/stable", "internal/durable"}, "doctrine is what people hold true; it knows no task and no run"},
	"internal/ralph/iteration": {[]string{"internal/ralph/artifact", "internal/ralph/claim", "internal/ralph/doctrine", "internal/ralph/layout", "internal/ralph/lock", "internal/ralph/stable", "internal/ralph/state", "internal/ralph/task",
		"internal/durable", "internal/lazyregexp"}, "what an iteration means is decided from facts; it starts nothing, and sees no repository"},
	"internal/ralph/prompt": {[]string{"internal/ralph/artifact", "internal/ralph/iteration", "internal/ralph/stable", "internal/ralph/state", "internal/ralph/task", "internal/durable", "internal/lazyregexp"},
		"a prompt is a text made of texts; what they are read from, and who gets it, is its caller's"},
	"internal/ralph/retention": {[]string{"internal/ralph/layout", "internal/ralph/state", "internal/ralph/stable", "internal/durable", "internal/lazyregexp"},
		"what is old goes by names and references; it reads no task and decides about none"},
	"internal/ralph/setup": {[]string{"internal/ralph/layout", "internal/ralph/doctrine", "internal/ralph/stable", "internal/ralph/lock", "internal/ralph/task", "internal/durable"},
		"a workspace is made and cleared here; who may ask for it is its caller's"},
	"internal/ralph/status": {[]string{"internal/ralph/layout", "internal/durable", "internal/ralph/preflight", "internal/ralph/state", "internal/ralph/task", "internal/ralph/stable"},
		"it shows what the store says and writes nothing; the repository around it comes in as data"},
	"internal/ralph/health": {[]string{"internal/ralph/layout", "internal/durable", "internal/ralph/lock", "internal/ralph/stable"}, "it tells what was left behind, and can do nothing about it"},
	"internal/ralph/preflight": {[]string{"internal/ralph/layout", "internal/ralph/settings", "internal/ralph/doctrine", "internal/ralph/health", "internal/ralph/state", "internal/ralph/task",
		"internal/ralph/claim", "internal/ralph/lock", "internal/ralph/stable", "internal/durable"},
		"it judges a snapshot; agents and programs are looked for through its own interface, and it starts none"},
	"internal/ralph/settings": {[]string{"internal/ralph/layout", "internal/durable"}, "settings are data: what they switch on is decided by who reads them"},

	"internal/price":                 {[]string{"pkg/event", "internal/durable"}, "a price list knows tokens and dollars; whose they are it need not know"},
	"internal/journal":               {[]string{"pkg/event", "pkg/finding", "pkg/signals", "internal/durable"}, "the journal is events on disk and back"},
	"internal/control":               {[]string{"internal/durable", "internal/wait"}, "an order is a name and a text; what it does is up to the run"},
	"internal/trust":                 {[]string{"internal/durable", "internal/wait"}, "a permission is a place and a hash; what a setting means it need not know"},
	"internal/config":                {nil, "settings are data: what they switch on is decided by who reads them"},
	"internal/report":                {[]string{"pkg/plan/check", "pkg/finding"}, "a format writes findings; it finds none"},
	"internal/integrate":             {[]string{"internal/durable"}, "texts and where they lie; what they tell an agent to run it need not know"},
	"internal/sandbox":               {nil, "a description in, a command out; who starts it, and where settings lie, is its caller's"},
	"internal/redact":                {nil, "texts in, texts out; who has secrets says so"},
	"internal/textdiff":              {nil, "two texts in, one out"},
	"internal/lazyregexp":            {nil, "the floor stands on nothing"},
	"internal/wait":                  {nil, "the floor stands on nothing"},
	"internal/durable":               {[]string{"internal/durable/internal/step"}, "the floor stands on nothing but the place where a test can stand"},
	"internal/durable/internal/step": {nil, "a place between two system calls knows neither of them"},
	"internal/durable/durabletest":   {[]string{"internal/durable/internal/step"}, "tests stand between the system calls, and nobody else can"},
	"internal/ralph/storetest":       {nil, "it has no code but tests, which see the store as its users do"},
	"internal/proc":                  {nil, "the floor stands on nothing"},
	"internal/archtest":              {nil, "the judge is nobody's friend"},
	"internal/fakemodel":             {nil, "a model knows no agent, and no run"},
	"test/e2e":                       {nil, "it has no code but tests, which see ralphex as its users do"},
}

// TestWalls checks each import of the module's code against the map.
func TestWalls(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		w := walls[s.pkg]
		for _, imp := range s.imports() {
			to, ours := strings.CutPrefix(imp, module+"/")
			if ours && !slices.Contains(w.may, "*") && !slices.Contains(w.may, to) {
				assert.Fail(t, forbidden(s.path, s.pkg, to, w))
			}
		}
	}
}

// forbidden words the answer to an import that has no row.
func forbidden(file, from, to string, w wall) string {
	may := "nothing of this module"
	if len(w.may) > 0 {
		may = strings.Join(w.may, ", ")
	}
	return fmt.Sprintf("%s: %s imports %s: %s (it may import %s)", file, from, to, w.why, may)
}

// TestMapIsTrue checks that the map and the tree name the same packages.
func TestMapIsTrue(t *testing.T) {
	have := packages(t)
	for pkg, w := range walls {
		assert.NotEmpty(t, w.why, "the wall of %s has no reason", pkg)
		assert.False(t, have[pkg] == nil, "the map names %s, which is gone: take its row out, and its line in doc.go", pkg)
		for _, to := range w.may {
			if to != "*" {
				assert.False(t, walls[to].why == "", "the row of %s allows %s, which has no row", pkg, to)
			}
		}
	}
	for pkg := range have {
		assert.False(t, walls[pkg].why == "", "%s is a new package: give it a row with a reason in walls_test.go", pkg)
	}
}

// TestNoCycleInMap checks that the map itself has layers: what it allows goes down only.
func TestNoCycleInMap(t *testing.T) {
	const open, done = 1, 2
	state := map[string]int{}
	var visit func(pkg string, trail []string)
	visit = func(pkg string, trail []string) {
		require.NotEqual(t, open, state[pkg], "the map allows a circle: %s", strings.Join(append(trail, pkg), " ─► "))
		if state[pkg] == done {
			return
		}
		state[pkg] = open
		for _, to := range walls[pkg].may {
			if to != "*" {
				visit(to, append(trail, pkg))
			}
		}
		state[pkg] = done
	}
	names := make([]string, 0, len(walls))
	for pkg := range walls {
		names = append(names, pkg)
	}
	sort.Strings(names)
	for _, pkg := range names {
		visit(pkg, nil)
	}
}
