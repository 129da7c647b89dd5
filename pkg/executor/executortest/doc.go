// Package executortest is an agent that plays a script, for stories that need one and may not have a real one.
//
// The test binary itself is the agent, under the agent's name. With testscript:
//
//	testscript.Main(m, map[string]func(){"ralphex": ralphex, "claude": executortest.Main})
//
// and without, as the first line of a TestMain (then the test binary's own path is the agent's command):
//
//	executortest.Intercept()
//
// # The script
//
// AGENT_SCRIPT names the file, AGENT_PLAN the plan that is ticked (else it is the first existing .md file that the prompt
// names). Each start of the agent plays the next session of the file; which one is next stands in the file
// AGENT_SCRIPT.n. A start without a session of its own plays `session *`; if there is none, it says so on stderr and
// exits with 97.
//
//	# two sessions, then the same for ever
//	session
//	    say I begin with the first task.
//	    write greet.txt hello
//	    tick next
//	    git add -A
//	    git commit -qm "feat: greet"
//	session
//	    hang
//	session *
//	    tick next
//	    signal ALL_TASKS_DONE
//
// With the one argument --version it says a version, and plays nothing.
//
// A session prints an init line, plays its steps, prints a result line and exits with 0. Blanks before a step don't matter,
// # begins a comment line, \n in TEXT is a newline. A step that fails ends the agent: stderr, exit 98; with a "-" before
// it, as in `- git commit -m x`, the failure is ignored.
//
//	speaking     say TEXT           the agent's own text, one block
//	             say-file FILE      the same with the text of a file
//	             signal NAME        say <<<RALPHEX:NAME>>>
//	             deltas TEXT        the same in pieces of 7 bytes, then whole, as with partial messages
//	             think TEXT         thinking
//	             subagent TEXT      text of a subagent
//	             tool TEXT          a finished tool call with this result
//	             tool-begin TEXT    a tool call (command TEXT) whose result does not come
//	             raw TEXT           a line that is no JSON
//	             line JSON          any line
//	             stderr TEXT        a line on stderr
//	plan         tick POS|next|all [BOX]      tick the boxes of a task, or one of them; untick undoes it
//	             plan FILE          from here on, this is the plan
//	files        write FILE TEXT    append FILE TEXT    remove FILE    move FILE FILE
//	             prompt-to FILE     args-to FILE        env-to FILE
//	commands     git ARGS…          sh COMMAND
//	             spawn COMMAND      start and leave behind, output thrown away
//	             spawn-holding COMMAND   the same, but it holds our stdout and stderr
//	waiting      sleep DURATION     hang                wait-file FILE
//	ends         exit N             at once, without a result line
//	             limit              usage limit hit, as the CLI says it; exit 1
//	             login-error        not logged in; exit 1
//	             overload           HTTP 529; exit 1
//	             kill-parent        SIGKILL to the process that started us, then go on
//	             kill-self          SIGKILL to ourselves
//	             ignore-term        ignore SIGTERM from here on
//
// The agent knows nothing of ralphex's packages: what it does to a plan it does by its own simple rule, so that it can't
// share their mistakes.
package executortest
