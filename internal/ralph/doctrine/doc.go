// Package doctrine keeps the doctrine pack of a `.ralph` workspace: what people hold true about the project, in nine small files.
//
//	.ralph/doctrine/
//	├── project-profile.md      ├── decisions.md
//	├── invariants.md   *       ├── risks.md
//	├── boundaries.md   *       ├── open-questions.md
//	├── workflows.md            └── evidence-index.json
//	└── agents.md       *
//
//	* protected: an agent must not rewrite it. Take compares what was before a session with what is after it.
//
// Four things are done with it, and none of them changes a word that somebody wrote:
//
//	Create     makes the files that are missing
//	Adopt      the same for a workspace that lives already, and puts a broken evidence index right (its old bytes are kept beside it)
//	Inspect    says what is missing; warnings only, doctrine never stops a run
//	Propose    turns the doctrineUpdates of a completion report into an artifact for a person to read; nothing applies it
package doctrine
