// Package lsptest speaks with a language server as an editor would, along a conversation that a person can read.
//
//	# What is shown here.                      a comment
//	>> initialize 1                            the client asks, with an id; without one it only tells
//	{"capabilities": {}}                       its params: JSON, until an empty line. "@plan.md" is the text of that file
//
//	<< 1                                       the server answers: its result, or `error CODE: message`; … is any
//	{"capabilities": {…}}
//
//	<< textDocument/publishDiagnostics         the server tells; with an id it asks
//	{…}
//
//	>> result "ralphex-1"                      the client answers
//	{"applied": true}
//
//	>> raw {"jsonrpc":                         one message, as it is
//	>> bytes "Content-Length: x\r\n\r\n"       what no client should send
//	>> apply 2 after.md                        do the second code action of the last answer, tell the server, keep the text
//	>> wait 200ms                              let that time pass
//	>> hang up                                 close the stream
//
//	== ErrNoShutdown                           how the session ended
//	-- plan.md --                              files, as in a txtar
//	# Plan
//
// What the client does is played; what the server did is the golden part: Play puts in what it really did.
package lsptest
