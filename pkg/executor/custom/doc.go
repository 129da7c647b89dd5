// Package custom runs a script of the user's own as the agent.
//
//	SCRIPT PROMPTFILE ─► stdout: text, the agent's own word ─► Talk
//	                     stderr: shown
//	                     exit 0: done; else a failure, with the last line of stderr
//
// The script gets one argument, the path of a temporary file with the prompt, and nothing on its standard input. What it
// prints is shown as it comes, kept, and searched for signals. It gets no session markers of other agents in its environment, and no
// ANTHROPIC_API_KEY unless that is wanted.
package custom
