// Package e2e runs real plans through the real command lines of agents, with the built ralphex, in scratch repositories.
// Only the model is not real: internal/fakemodel plays it, on the loopback device.
//
//	make e2e-agents
//	   │ npm, pinned versions            built from this tree
//	   ▼                                      │
//	cache/claude-2.1.332/… ◄── starts ── ralphex ── plan, gate, commit ──► scratch repository
//	   │                                                                        ▲
//	   ├── asks ──► fakemodel: "write greet.sh", "run this", 529, silence …     │
//	   └── edits, commits, spawns ──────────────────────────────────────────────┘
//
// Without RALPHEX_E2E_AGENTS (a list of names, or "all") the tests do nothing: they need npm and a registry, and belong to no
// `make test`. The command lines are installed once into RALPHEX_E2E_DIR (default: ralphex-e2e in the user's cache folder),
// each in a folder of its version; nothing is installed globally. Each test has a home, a repository and a model of its
// own, and ends with the question which processes it left behind: none.
package e2e
