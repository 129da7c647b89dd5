// Package gemini runs sessions of the gemini CLI.
//
//	stdout (-o stream-json) ─► message of the assistant ─► Talk.Delta, until something else comes
//	                           tool_use ─► Talk.Tool … tool_result ─► ToolEnds, foreign
//	                           result ─► usage, failure
//
// The assistant's text comes in pieces that may tear a signal, so they are joined. A tool_result says success even when the
// command failed. Exit codes are HTTP codes modulo 256 (401 is 145), and 0 after SIGTERM: a stream without its result line
// is no success. Its stderr holds stack traces of retries: attempts are shown, traces aren't.
package gemini
