// Package trust remembers which commands of which repository a person has allowed to be executed.
//
// A repository's own settings may name commands, and places where something is sent, which count as such. What was allowed is remembered by the place of the repository and by
// what the commands are: their text, and the bytes of each file of the repository that the text names.
//
//	Fingerprint(root, commands) ─► Print{Hash, Scripts}      one changed byte, another hash
//	Store  $XDG_STATE_HOME/ralphex/trust.json, else trust.json in the global settings folder; mode 0600
//	       {"version": 1, "grants": [{"root": "/src/app", "hash": "…", "commands": ["…"], "scripts": ["…"], "at": "…"}]}
//
// The file lies outside of every repository, so no clone brings its own permission along. What a script calls in its
// turn is not looked at.
package trust
