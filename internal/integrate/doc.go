// Package integrate puts command files of ralphex into other tools: texts that a coding agent follows when a person types /ralphex.
//
//	commands/NAME.md ─► Claude Code   ~/.claude/commands/NAME.md, or .claude/commands/NAME.md of a repository     /NAME
//	                 └► Codex         ~/.codex/prompts/NAME.md                                              /prompts:NAME
//
// Both read the same form: what stands between --- lines, and $ARGUMENTS. The last line of an installed file holds the hash of all above it. By
// it a file that nobody changed is known, and only such a one is replaced or removed:
//
//	missing ─ install ─► current ◄─ install ─ outdated      the file is ours, of another version
//	changed, foreign                                       somebody's: left alone, always
package integrate
