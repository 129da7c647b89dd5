# fish completion for ralphex
complete -c ralphex -n __fish_use_subcommand -a run -d 'Work a plan off, task by task (the default command).'
complete -c ralphex -n __fish_use_subcommand -a demo -d 'Watch a small plan being worked off in a new Git repository, without agent and network.'
complete -c ralphex -n __fish_use_subcommand -a show -d 'Show what ralphex reads in a plan: tasks, boxes, validation commands, problems.'
complete -c ralphex -n __fish_use_subcommand -a tick -d 'Tick or open boxes of a plan, one byte each.'
complete -c ralphex -n __fish_use_subcommand -a check -d 'Check plans like code, and repair what is certain.'
complete -c ralphex -n __fish_use_subcommand -a convert -d 'Make a plan of what you have: specs, issues, task lists, todos, prose.'
complete -c ralphex -n __fish_use_subcommand -a create -d 'Make a plan of a description, together with an agent that asks and drafts.'
complete -c ralphex -n __fish_use_subcommand -a answer -d 'Answer what a run that makes a plan asked, and let it go on.'
complete -c ralphex -n __fish_use_subcommand -a new -d 'Write the skeleton of a new plan.'
complete -c ralphex -n __fish_use_subcommand -a fmt -d 'Number the tasks of plans and tidy their spacing; no word is changed.'
complete -c ralphex -n __fish_use_subcommand -a integrations -d 'Install ralphex into other tools.'
complete -c ralphex -n __fish_use_subcommand -a serve -d 'Show runs in a browser, live, and steer them.'
complete -c ralphex -n __fish_use_subcommand -a status -d 'Show the runs of this repository: what goes on, what ended and how.'
complete -c ralphex -n __fish_use_subcommand -a pause -d 'Have a run wait, holding its place.'
complete -c ralphex -n __fish_use_subcommand -a resume -d 'Have a paused run go on.'
complete -c ralphex -n __fish_use_subcommand -a stop -d 'End a run politely; the same command goes on with it.'
complete -c ralphex -n __fish_use_subcommand -a skip -d 'Have a run leave its task open, or end its review, and go on.'
complete -c ralphex -n __fish_use_subcommand -a note -d 'Tell the next session of a run something.'
complete -c ralphex -n __fish_use_subcommand -a retry-now -d 'End a run\'s wait for a usage limit: it tries again now.'
complete -c ralphex -n __fish_use_subcommand -a notify -d 'Try the channels that tell what became of a run.'
complete -c ralphex -n __fish_use_subcommand -a cost -d 'Show what runs have used up: sessions, time, tokens, dollars, by task, phase and model.'
complete -c ralphex -n __fish_use_subcommand -a findings -d 'Show what reviewers of a run found, and what became of it.'
complete -c ralphex -n __fish_use_subcommand -a replay -d 'Show what was understood of an agent\'s raw stream: words, tools, signals, usage, failure.'
complete -c ralphex -n __fish_use_subcommand -a budget -d 'Show what a run may still use up, and give it more.'
complete -c ralphex -n __fish_use_subcommand -a restore -d 'Show and bring back copies of the working tree that runs kept.'
complete -c ralphex -n __fish_use_subcommand -a worktrees -d 'Show the worktrees of runs, remove those that are merged, find one.'
complete -c ralphex -n __fish_use_subcommand -a workspace -d 'Make and look after a .ralph workspace, the store that several people and agents share.'
complete -c ralphex -n __fish_use_subcommand -a task -d 'Look at and change the task graph of the .ralph workspace.'
complete -c ralphex -n __fish_use_subcommand -a claim -d 'Show which agent works on which task of the .ralph workspace; resolve what was abandoned.'
complete -c ralphex -n __fish_use_subcommand -a prd -d 'Make an objective and a backlog, to be reviewed and confirmed.'
complete -c ralphex -n __fish_use_subcommand -a preflight -d 'Check whether anything may be executed in the .ralph workspace.'
complete -c ralphex -n __fish_use_subcommand -a iterate -d 'Take the next task of the .ralph workspace, have the agent do it in one session, verify and record it.'
complete -c ralphex -n __fish_use_subcommand -a loop -d 'Iterate until no task of the .ralph workspace can be worked on, or a person is needed.'
complete -c ralphex -n __fish_use_subcommand -a prompt -d 'Prepare the prompt of the next iteration for a session of your own; nothing is claimed or started.'
complete -c ralphex -n __fish_use_subcommand -a remediation -d 'Show and apply what the loop proposes about a task at which it stopped again and again.'
complete -c ralphex -n __fish_use_subcommand -a reconcile -d 'Compare the objective of the .ralph workspace with its task graph; a proposal, nothing changes.'
complete -c ralphex -n __fish_use_subcommand -a timeline -d 'Print what happened in a run or an iteration, step by step, as JSON.'
complete -c ralphex -n __fish_use_subcommand -a provenance -d 'Check the evidence that sessions left: what was asked, what ran, what was verified.'
complete -c ralphex -n __fish_use_subcommand -a receipt -d 'Show what became of a task, and how that is known; hold it against the repository.'
complete -c ralphex -n __fish_use_subcommand -a latest -d 'Find the newest summary, bundle, prompt evidence or transcript.'
complete -c ralphex -n __fish_use_subcommand -a cleanup -d 'Delete what old iterations left in the .ralph workspace.'
complete -c ralphex -n __fish_use_subcommand -a config -d 'Show, check and compare settings, prompts and agents; make templates of them.'
complete -c ralphex -n __fish_use_subcommand -a trust -d 'Allow the commands that a repository\'s own settings name; show and take back what was allowed.'
complete -c ralphex -n __fish_use_subcommand -a sandbox -d 'Run ralphex in a container that sees this repository and what you name.'
complete -c ralphex -n __fish_use_subcommand -a doctor -d 'Check what a run needs: repository, agent, git, configuration.'
complete -c ralphex -n __fish_use_subcommand -a lsp -d 'Serve an editor: diagnostics, quick fixes, outline and ticks of plans.'
complete -c ralphex -n __fish_use_subcommand -a version -d 'Print the version.'
complete -c ralphex -n __fish_use_subcommand -a completion -d 'Print a completion script for bash, zsh or fish.'
complete -c ralphex -n __fish_use_subcommand -a man -d 'Print the manual page, or write those of all commands.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l tasks-only -d 'Run the tasks only, no reviews.' -s t
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l review -d 'Review only (docs/reviews.md): the work on a plan, or, without one, the branch that is checked out.' -s r
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l external-only -d 'Only the external review.' -s e
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l report -d 'With --review: change nothing, print what was found; exit 3 if that is anything.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l format -d 'How --report prints it: text, json, sarif, github.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l from -d 'Begin with this phase: tasks, review, external, review2, finalize.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l review-when -d 'When the work is reviewed: end (default), task, group, none.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l executor -d 'Agent of the run: claude (default), codex, opencode, gemini, copilot, pi, qwen, custom, runbook.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l codex -d 'The same as --executor codex.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l pass-claude-md -d 'Let codex read the project\'s CLAUDE.md.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l fallback-executors -d 'Agents that stand in while that one is at its limit, logged out or missing.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l validate -d 'What a red validation means: gate (the task is not done), report, off.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l allow-deletions -d 'Let tasks delete as many files as they like (see max_delete_share).'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l max-iterations -d 'Sessions at most (default: by the size of the plan, at least 50).' -s m -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l task-model -d 'model[:effort] of task sessions.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l review-model -d 'model[:effort] of review sessions (default: as of task sessions).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l plan -d 'Make a plan of this description first, together with you (docs/create.md); - reads it from standard input.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l answers -d 'With --plan: answers to what is asked, from this file; - is standard input.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l run -d 'With --plan: run the plan that was made without asking; --no-run: only make it.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l no-run -d 'The opposite of --run.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l plan-model -d 'model[:effort] of sessions that make a plan (default: as of task sessions).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l external-review-tool -d 'Who reviews from outside: codex (default), custom, none.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l custom-review-script -d 'Script of the external review by custom.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l max-external-iterations -d 'Rounds of external review at most (default: a fifth of --max-iterations, at least 3).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l review-patience -d 'End the external review after so many rounds in a row that changed nothing (default 1).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l claude-command -d 'claude, or a compatible command.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l claude-args -d 'Its arguments; an empty value means none.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l wait -d 'Wait so long on a usage limit and go on (0 = stop with exit 4).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l session-timeout -d 'Longest session (default 4h, 0 = off).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l idle-timeout -d 'Longest silence of a session (default 30m, 0 = off).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l max-cost -d 'Dollars that the run may cost; exit 4 when they are spent (docs/cost.md).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l max-tokens -d 'Tokens that it may use, in and out: 500k, 2M.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l max-time -d 'How long it may take.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l max-sessions -d 'How many sessions it may have, reviews and repeated ones included.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l branch -d 'Branch to work on, instead of the one named after the plan.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l worktree -d 'Work in a worktree of its own, on a branch of its own (docs/worktrees.md); --no-worktree: in place.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l no-worktree -d 'The opposite of --worktree.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l base-ref -d 'What the change is compared with, instead of the default branch.' -s b -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l preserve-anthropic-api-key -d 'Leave ANTHROPIC_API_KEY in the agent\'s environment.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l trust-repo-config -d 'Obey commands that this repository\'s .ralphex/config names.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l sync -d 'Write the ticks of proven tasks back to the file that the plan was converted from (docs/sync.md).'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l skip-finalize -d 'No finalize step, whatever the settings say.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l dry-run -d 'Say what would happen, phase by phase, and touch nothing.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l prompts -d 'With --dry-run: also the prompts, as agents would get them.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l live -d 'Show the run on the whole terminal (docs/live.md); --no-live: as lines.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l no-live -d 'The opposite of --live.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l quiet -d 'Print warnings, errors and the summary only.' -s q
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l json -d 'Print events as JSON lines on stdout instead of text.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l debug -d 'Print what is executed to stderr.' -s d
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l init -d 'Put commented templates into .ralphex/ and exit: ralphex config init.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l reset -d 'Go back to the built-in settings, prompts or agents: ralphex config reset.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l dump-defaults -d 'Write what is built in to a folder and exit: ralphex config dump.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l serve -d 'Show the run in a browser, live (docs/dashboard.md); without a plan, but with folders to watch, only show.' -s s
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l port -d 'Port of the dashboard (default 8080, 0 = any that is free).' -s p -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l host -d 'Address it listens at (default 127.0.0.1).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l watch -d 'Folder whose runs it shows, too; may be repeated (default: watch_dirs).' -s w -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l no-color -d 'No colours.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n 'not __fish_seen_subcommand_from demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from demo' -l dir -d 'Make the repository here; the folder must not exist or be empty (default: a new temporary folder).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from demo' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from demo' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from demo' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from demo' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from demo' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from show' -l json -d 'Print it as JSON (docs/plan-format.md).'
complete -c ralphex -n '__fish_seen_subcommand_from show' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from show' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from show' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from show' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from show' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from tick' -l box -d 'Box of the task, 1 = its first; may be given again.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from tick' -l all -d 'All boxes of the task.'
complete -c ralphex -n '__fish_seen_subcommand_from tick' -l undo -d 'Open boxes instead of ticking them.'
complete -c ralphex -n '__fish_seen_subcommand_from tick' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from tick' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from tick' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from tick' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from tick' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from check' -l profile -d 'strict: the whole format. run: only what would make a run fail.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l fix -d 'Repair what is certain, and report what is left.'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l diff -d 'Show what --fix would change, and change nothing.'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l format -d 'text, json, sarif, github or junit.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l json -d 'The same as --format json.'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l strict-warnings -d 'Exit 1 for warnings, too.'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l quiet -d 'One line a finding, and only for those that make the exit code 1.' -s q
complete -c ralphex -n '__fish_seen_subcommand_from check' -l staged -d 'Read the plans as they are staged, not the working files (default: those that the next commit changes).'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l deep -d 'Look for the programs of the validation commands on the PATH.'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l stdin-name -d 'Name that findings in stdin have.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l list-rules -d 'List the rules.'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l explain -d 'Explain a rule, with a wrong and a right example.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from check' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from check' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l output -d 'File to write, - is stdout (default: YYYYMMDD-<title>.md in the plans folder).' -s o -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l from -d 'Format of the source, if it is taken for another one.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l to -d 'plan, json (the model) or tasks.json (.ralph, version 2); the last two go to stdout.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l title -d 'Title of the plan, instead of the source\'s.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l validate -d 'Validation command that the source does not name; may be given again.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l tag -d 'Tag of a Task Master file (default: master, or the first).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l sync -d 'Remember where each box came from, so that ticks can go back there (docs/sync.md).'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l fail-on-loss -d 'Write nothing and exit 1 if the plan can\'t say all of the source.'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l json -d 'Report as JSON: what was written, and each loss.'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l push-ticks -d 'Write the ticks of this plan back to the source it was made from, one byte each.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l check -d 'Find plans whose source changed since; the arguments are plans or sources (default: all plans).'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l staged -d 'With --check: look at what is staged, and only at what the next commit touches.'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from convert' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from create' -l answers -d 'Answers to what is asked, from this file: lines or JSON; - is standard input.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l json -d 'Ask nobody: print what waits for an answer as JSON, and end with 3.'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l run -d 'Run the plan that was made without asking; --no-run: only make it.'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l no-run -d 'The opposite of --run.'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l executor -d 'Agent that drafts: claude (default), codex, opencode, gemini, copilot, pi, qwen.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l plan-model -d 'model[:effort] of its sessions (default: as of task sessions).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l task-model -d 'model[:effort] of task sessions.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l max-iterations -d 'A fifth of it, and at least 5, is how many sessions there are at most.' -s m -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l wait -d 'Wait so long on a usage limit and go on (0 = stop with exit 4).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l session-timeout -d 'Longest session (default 4h, 0 = off).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l idle-timeout -d 'Longest silence of a session (default 30m, 0 = off).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l branch -d 'Branch that the plan is run on, instead of the one named after it.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l worktree -d 'Run it in a worktree of its own; --no-worktree: in place.'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l no-worktree -d 'The opposite of --worktree.'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l trust-repo-config -d 'Obey commands that this repository\'s .ralphex/config names.'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from create' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from create' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l option -d 'Take this option of the question, from 1 on.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l text -d 'Answer the question in words; - reads them from standard input.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l accept -d 'Accept the draft: it is written.'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l revise -d 'Say what is to be another way; - reads it from standard input.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l reject -d 'Reject the draft: the run ends with 1.'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l json -d 'Ask nobody, at a terminal either: print what waits next as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l run -d 'Run the plan when it is written, without asking; --no-run: don\'t.'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l no-run -d 'The opposite of --run.'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l trust-repo-config -d 'Obey commands that this repository\'s .ralphex/config names.'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from new' -l output -d 'File to write; - is stdout.' -s o -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from new' -l dir -d 'Folder to write YYYYMMDD-<title>.md to (default: the plans folder).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from new' -l validate -d 'Validation command; may be given again. Without one, those that the project\'s files suggest.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from new' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from new' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from new' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from new' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from new' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from fmt' -l check -d 'Change nothing, list the files that are not tidy, exit 1 if there are any.'
complete -c ralphex -n '__fish_seen_subcommand_from fmt' -l diff -d 'Change nothing, show what would change.'
complete -c ralphex -n '__fish_seen_subcommand_from fmt' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from fmt' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from fmt' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from fmt' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from fmt' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l uninstall -d 'Remove the hook, and put back one that it was chained to.'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l chain -d 'Where there is a hook already: keep it, and run it first.'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l print -d 'Print the hook and change nothing.'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l for -d 'Tool: claude, codex; without it, those whose folder is in your home folder.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l here -d 'Into this repository (.claude/commands), for all who work in it, instead of your home folder.'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l list -d 'Show what is installed, and change nothing.'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l remove -d 'Remove them.'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l dry-run -d 'Show what would be done, and change nothing.'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from serve' -l port -d 'Port; 0 = any that is free.' -s p -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from serve' -l host -d 'Address to listen at. Another than this machine\'s own needs the token that is printed.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from serve' -l open -d 'Open the page in a browser.'
complete -c ralphex -n '__fish_seen_subcommand_from serve' -l json -d 'Print where it listens as a line of JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from serve' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from serve' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from serve' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from serve' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from serve' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from status' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from status' -l all -d 'All runs, not only the newest of each plan.' -s a
complete -c ralphex -n '__fish_seen_subcommand_from status' -l store -d 'The whole status of the .ralph workspace instead, as a document.'
complete -c ralphex -n '__fish_seen_subcommand_from status' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from status' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from status' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from status' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from status' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from pause' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from pause' -l after-task -d 'Let the task that is being worked on come to its end first.'
complete -c ralphex -n '__fish_seen_subcommand_from pause' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from pause' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from pause' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from pause' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from pause' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from resume' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from resume' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from resume' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from resume' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from resume' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from resume' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from stop' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from stop' -l after-task -d 'Let the task that is being worked on come to its end first.'
complete -c ralphex -n '__fish_seen_subcommand_from stop' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from stop' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from stop' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from stop' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from stop' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from skip' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from skip' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from skip' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from skip' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from skip' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from skip' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from note' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from note' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from note' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from note' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from note' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from note' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from retry-now' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from retry-now' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from retry-now' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from retry-now' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from retry-now' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from retry-now' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from notify' -l on -d 'What the message is about.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from notify' -l dry-run -d 'Print the message, and send nothing.'
complete -c ralphex -n '__fish_seen_subcommand_from notify' -l trust-repo-config -d 'Obey commands and addresses that this repository\'s .ralphex/config names.'
complete -c ralphex -n '__fish_seen_subcommand_from notify' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from notify' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from notify' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from notify' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from notify' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from notify' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from cost' -l all -d 'All runs.' -s a
complete -c ralphex -n '__fish_seen_subcommand_from cost' -l since -d 'Runs that began on that day or later, or so long ago at most: 2026-11-30, 7d, 12h.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from cost' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from cost' -l csv -d 'Print a line a session, for spreadsheets.'
complete -c ralphex -n '__fish_seen_subcommand_from cost' -l prices -d 'Print the price list instead.'
complete -c ralphex -n '__fish_seen_subcommand_from cost' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from cost' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from cost' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from cost' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from cost' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from findings' -l open -d 'Only what is neither fixed nor refuted.'
complete -c ralphex -n '__fish_seen_subcommand_from findings' -l format -d 'text, json, sarif or github.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from findings' -l json -d 'The same as --format json.'
complete -c ralphex -n '__fish_seen_subcommand_from findings' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from findings' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from findings' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from findings' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from findings' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from replay' -l session -d 'Session of the run (default: the last one whose stream was kept).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from replay' -l executor -d 'Whose stream it is (default: by the journal, or by its first lines).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from replay' -l exit -d 'Exit code of the agent, for a file.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from replay' -l json -d 'Print a JSON line for each fact, and one for what the session was.'
complete -c ralphex -n '__fish_seen_subcommand_from replay' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from replay' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from replay' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from replay' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from replay' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from budget' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from budget' -l cost -d 'Dollars.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from budget' -l tokens -d 'Tokens: 500k, 2M.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from budget' -l time -d 'Time.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from budget' -l sessions -d 'Sessions.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from budget' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from budget' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from budget' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from budget' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from budget' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l list -d 'List the copies (the default without COPY, --path or --to).'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l show -d 'List the files of copy N.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l path -d 'Only this file or folder, from the repository\'s root; may be given again.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l to -d 'Write into this folder and not into the working tree; works while a run goes on.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l staged -d 'What was staged, where the working tree had something else.'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l overwrite -d 'Replace files that differ. A copy of the working tree is kept first.'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l drop -d 'Forget copies: those of RUN, or with --older-than those of all runs. It is the only thing that does.'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l older-than -d 'With --list or --drop: only copies that are so many days old.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from worktrees' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from worktrees' -l dry-run -d 'Only say what would go.' -s n
complete -c ralphex -n '__fish_seen_subcommand_from worktrees' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from worktrees' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from worktrees' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from worktrees' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from worktrees' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -l objective -d 'What is to be built; - reads it from standard input. Without it, prd.md is a placeholder.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -l starter-tasks -d 'Begin with two tasks: name the first piece of work, then do it.'
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -l fix -d 'Make missing folders and files first. Nothing that is there is changed, but tasks.json is brought into its canonical form.'
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -l yes -d 'Remove it.' -s y
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -l force -d 'Also while an agent has a claim.'
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from task' -l status -d 'Only tasks of this status: todo, in_progress, blocked, done; may be given again.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l open -d 'Only tasks that are not done.'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l below -d 'Only what lies below this task.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l format -d 'text (the default), mermaid or dot.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l id -d 'Id (default: the lowest free T<n>).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l parent -d 'Task that it is a part of; that one waits for it from then on.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l depends-on -d 'Task that must be done before; may be given again.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l notes -d 'What is known about it; - reads it from standard input.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l validation -d 'Command line that proves it.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l acceptance -d 'How one sees that it is done; may be given again.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l constraint -d 'What must hold all the while; may be given again.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l context -d 'File or fact to start from; may be given again.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l priority -d 'low, normal or high.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l mode -d 'default or documentation.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l tier -d 'simple, medium or complex.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l lock-wait -d 'How long to wait while others write the tasks (default: 250ms).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l dry-run -d 'Only show the parts.' -s n
complete -c ralphex -n '__fish_seen_subcommand_from task' -l prompt -d 'Only print what the agent would be asked.'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l response -d 'Take the answer from a file (- is standard input) and start no agent.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l executor -d 'Agent to ask (default: that of runs).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l model -d 'model[:effort] of the session (default: task_model).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l trust-repo-config -d 'Obey commands that this repository\'s .ralphex/config names.'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from task' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from claim' -l all -d 'Also those that were released or resolved.'
complete -c ralphex -n '__fish_seen_subcommand_from claim' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from claim' -l reason -d 'Why the claim is taken for abandoned; it is kept in the file.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from claim' -l by -d 'Who decides it (default: the user\'s name).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from claim' -l yes -d 'Do it.'
complete -c ralphex -n '__fish_seen_subcommand_from claim' -l agent -d 'Agent id of the watchdog (default: the workspace\'s agentId).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from claim' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from claim' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from claim' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from claim' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from claim' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l objective -d 'What is to be built, a sentence or Markdown; - reads it from standard input.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l draft -d 'A draft that --dry-run --json printed and somebody reviewed; - reads it from standard input.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l dry-run -d 'Only show the draft.' -s n
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l yes -d 'Write it without a question.' -s y
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l replace -d 'Also where there is an objective or a backlog: they are lost.'
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l append -d 'Leave the objective as it is, and put the tasks behind those that are there.'
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l lock-wait -d 'How long to wait while others write the tasks (default: 250ms).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from prd' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from preflight' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from preflight' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from preflight' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from preflight' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from preflight' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from preflight' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from iterate' -l executor -d 'Agent (default: that of the configuration).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from iterate' -l model -d 'Model, and effort behind a colon.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from iterate' -l trust-repo-config -d 'Obey commands in the repository\'s own .ralphex/config.'
complete -c ralphex -n '__fish_seen_subcommand_from iterate' -l json -d 'Print the result of the iteration as JSON; the agent\'s words go to standard error.'
complete -c ralphex -n '__fish_seen_subcommand_from iterate' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from iterate' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from iterate' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from iterate' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from iterate' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from loop' -l max -d 'At most so many iterations (default: ralphIterationCap).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from loop' -l until-empty -d 'As many iterations as the task graph needs.'
complete -c ralphex -n '__fish_seen_subcommand_from loop' -l autonomous -d 'Have the agent propose further tasks when none is left, and carry out remediations, as autonomyMode autonomous does.'
complete -c ralphex -n '__fish_seen_subcommand_from loop' -l executor -d 'Agent (default: that of the configuration).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from loop' -l model -d 'Model, and effort behind a colon.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from loop' -l trust-repo-config -d 'Obey commands in the repository\'s own .ralphex/config.'
complete -c ralphex -n '__fish_seen_subcommand_from loop' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from loop' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from loop' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from loop' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from loop' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from prompt' -l task -d 'Prepare it for this task (default: the one that the loop would take).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from prompt' -l json -d 'Print what was prepared, and where it lies, as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from prompt' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from prompt' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from prompt' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from prompt' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from prompt' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from remediation' -l json -d 'Print the file as it is.'
complete -c ralphex -n '__fish_seen_subcommand_from remediation' -l lock-wait -d 'How long to wait while others write the tasks (default: 250ms).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from remediation' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from remediation' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from remediation' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from remediation' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from remediation' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from reconcile' -l dry-run -d 'Only print; write no report.' -s n
complete -c ralphex -n '__fish_seen_subcommand_from reconcile' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from reconcile' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from reconcile' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from reconcile' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from reconcile' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from reconcile' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from timeline' -l intent -d 'Instead, what the next iteration of the .ralph workspace would do, by its settings and the task that would be selected.'
complete -c ralphex -n '__fish_seen_subcommand_from timeline' -l json -d 'Print it as JSON, as it is in any case.'
complete -c ralphex -n '__fish_seen_subcommand_from timeline' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from timeline' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from timeline' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from timeline' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from timeline' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from provenance' -l all -d 'All bundles.'
complete -c ralphex -n '__fish_seen_subcommand_from provenance' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from provenance' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from provenance' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from provenance' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from provenance' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from provenance' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from receipt' -l all -d 'All tasks of the run.'
complete -c ralphex -n '__fish_seen_subcommand_from receipt' -l run -d 'Run: its id, the beginning of it, or its plan. Without it, the newest.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from receipt' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from receipt' -l verify -d 'Hold it against the repository and the evidence: commits and trees, outputs of the validation, bundles.'
complete -c ralphex -n '__fish_seen_subcommand_from receipt' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from receipt' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from receipt' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from receipt' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from receipt' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from latest' -l open -d 'Open it in your editor ($VISUAL, $EDITOR) instead of printing its path.'
complete -c ralphex -n '__fish_seen_subcommand_from latest' -l json -d 'Print the path as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from latest' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from latest' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from latest' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from latest' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from latest' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from cleanup' -l dry-run -d 'Only show what would go.' -s n
complete -c ralphex -n '__fish_seen_subcommand_from cleanup' -l keep -d 'How many of the newest of each kind stay; 0 deletes nothing.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from cleanup' -l json -d 'Print the manifest as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from cleanup' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from cleanup' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from cleanup' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from cleanup' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from cleanup' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from config' -l all -d 'Also the keys that nobody has set.' -s a
complete -c ralphex -n '__fish_seen_subcommand_from config' -l origin -d 'Say where each value comes from: file and line, variable, default.' -s o
complete -c ralphex -n '__fish_seen_subcommand_from config' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from config' -l strict -d 'Exit 1 on warnings, too.'
complete -c ralphex -n '__fish_seen_subcommand_from config' -l global -d 'Your own folder (~/.config/ralphex) instead of this repository\'s .ralphex/.'
complete -c ralphex -n '__fish_seen_subcommand_from config' -l local -d 'This repository\'s .ralphex/ instead of your own folder.'
complete -c ralphex -n '__fish_seen_subcommand_from config' -l yes -d 'Reset without a question.' -s y
complete -c ralphex -n '__fish_seen_subcommand_from config' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from config' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from config' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from config' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from config' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from trust' -l list -d 'Show what was allowed, of all repositories.'
complete -c ralphex -n '__fish_seen_subcommand_from trust' -l revoke -d 'Forget what was allowed in this repository.'
complete -c ralphex -n '__fish_seen_subcommand_from trust' -l yes -d 'Allow it without a question: you have read it.' -s y
complete -c ralphex -n '__fish_seen_subcommand_from trust' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from trust' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from trust' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from trust' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from trust' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from trust' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l engine -d 'docker or podman (default: the one that is there).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l image -d 'Image with ralphex and its agents (default ralphex; docs/sandbox.md has how to make one).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l credentials -d 'Give the container the login of an agent: claude, codex, gemini, opencode, qwen.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l env -d 'Give it a variable: NAME as it is here, or NAME=value.' -s E -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l mount -d 'Give it a folder or a file: PATH to read, PATH:rw to write, too.' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l network -d 'Network of the container, in the engine\'s words: none, bridge, …' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l no-settings -d 'Leave out your own settings, prompts and agents.'
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l dry-run -d 'Print the command and start nothing.'
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from sandbox' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from doctor' -l trust-repo-config -d 'Look as a run with this flag would: obey commands that this repository\'s .ralphex/config names.'
complete -c ralphex -n '__fish_seen_subcommand_from doctor' -l json -d 'Print it as JSON.'
complete -c ralphex -n '__fish_seen_subcommand_from doctor' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from doctor' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from doctor' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from doctor' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from doctor' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from lsp' -l profile -d 'Rules that are asked: strict (all) or run (what would make a run fail).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from lsp' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from lsp' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from lsp' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from lsp' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from lsp' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from version' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from version' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from version' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from version' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from version' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from completion' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from completion' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from completion' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from completion' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from completion' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from man' -l help -d 'Show context-sensitive help.' -s h
complete -c ralphex -n '__fish_seen_subcommand_from man' -l no-color -d 'No colours.'
complete -c ralphex -n '__fish_seen_subcommand_from man' -l no-input -d 'Ask nothing: what would be asked is refused, with what to type instead.'
complete -c ralphex -n '__fish_seen_subcommand_from man' -l config-dir -d 'Folder of the global configuration (default ~/.config/ralphex).' -r -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from man' -l version -d 'Print the version.' -s v
complete -c ralphex -n '__fish_seen_subcommand_from run show tick check fmt; or __fish_use_subcommand' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from task' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from claim' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from prd' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from workspace' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from worktrees' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from restore' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from findings' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from answer' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from cost' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from budget' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from prompt' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from remediation' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from replay' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from timeline' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from provenance' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from latest' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from retry-now' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from integrations' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from completion' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from config' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from pause' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from resume' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from stop' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from skip' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
complete -c ralphex -n '__fish_seen_subcommand_from notify' -a '(ralphex __complete (commandline -opc)[2..-1] 2>/dev/null)'
