// Package fakemodel is a model server for tests: it listens on the loopback device, and answers the real command lines of
// agents with turns that a script holds, in whichever of four protocols they ask.
//
//	claude                       POST …/v1/messages            Anthropic Messages, streamed or whole
//	codex                        POST …/responses              OpenAI Responses        ┐
//	opencode, copilot, pi, qwen  POST …/chat/completions       Chat Completions        ├─► Script: turns, in order
//	gemini                       POST …:streamGenerateContent  Gemini, streamed or whole ┘   └─► Requests: what was asked
//
// A script says what the model does ("run this command", "write this file"), not how a protocol says it. Which of the
// agent's own tools is meant, and what its arguments are called, is read from the tools that the request offers: one
// script drives all agents.
//
//	{"turns": [
//	  {"text": "I write the file.", "calls": [{"write": {"path": "a.txt", "content": "a\n"}}]},
//	  {"match": ["a.txt"], "calls": [{"bash": "git add -A && git commit -qm a"}], "usage": {"input": 900, "output": 30}},
//	  {"fail": {"status": 529, "type": "overloaded_error", "message": "Overloaded"}, "times": 2},
//	  {"text": "This is cut in the middle.", "drop": "mid"},
//	  {"text": "Done."}
//	]}
//
// Only tests may import it; nothing of it is in the program.
package fakemodel
