// Package settings reads the `ralphCodex.*` keys of a `.ralph` workspace.
//
//	.vscode/settings.json    { "ralphCodex.prdPath": "docs/goal.md", … }    comments and trailing commas allowed; never written
//	.ralph/settings.json     { "prdPath": "docs/goal.md", … }               ours; the prefix may be there or not
//
// For each key the editor's file wins, then ours, then the default. A value of the wrong type, or outside a list of choices, reads as the
// default and is named in Warnings; numbers are rounded down and clamped; strings are trimmed. Keys that only an editor can use are known
// and ignored. Nothing here starts anything: a command in a settings file is a string until its reader decides to trust it.
package settings
