// Package redact keeps secrets out of what is written down: logs, journals, transcripts.
//
//	environment ─► values of names like *TOKEN*, *KEY*, *SECRET* ─┐
//	settings    ─► their secret values                           ├─► New ─► Bytes, String   a whole text
//	known shapes of tokens (sk-…, ghp_…, AKIA…, eyJ…, PEM keys) ─┘      └─► Writer          a stream, in any pieces
//
// A secret becomes [redacted:NAME]. Values are found as they are and as JSON writes them. The search looks closer only
// where two bytes in a row occur at the beginning of a secret, so that text without secrets costs little.
//
// It is a net, not a wall: a secret that is split by colours, encoded, or shorter than eight bytes goes through.
package redact
