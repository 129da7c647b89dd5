// Package copilot runs sessions of the copilot CLI.
//
//	stdout (--output-format json) ─► assistant.message ─► Talk.Say (its deltas come before and are left out)
//	                                 tool.execution_start ─► Talk.Tool … tool.execution_complete ─► ToolEnds, foreign
//	                                 session.error ─► failure;  result ─► session id, exit code
//
// It reports premium requests and no tokens unless the provider's usage comes as assistant.usage.
package copilot
