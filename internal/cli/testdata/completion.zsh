#compdef ralphex
_ralphex_words() {
  local -a found
  found=(${(f)"$(ralphex __complete ${(Q)words[2,CURRENT-1]} 2>/dev/null)"})
  compadd -a found || _files
}
_ralphex_plans() {
  local -a found
  found=(${(f)"$(ralphex __complete ${(Q)words[2,CURRENT-1]} 2>/dev/null)"})
  compadd -a found
  _files -g '*.md'
}
_ralphex() {
  local -a verbs
  verbs=(
    'run:Work a plan off, task by task (the default command).'
    'demo:Watch a small plan being worked off in a new Git repository, without agent and network.'
    'show:Show what ralphex reads in a plan: tasks, boxes, validation commands, problems.'
    'tick:Tick or open boxes of a plan, one byte each.'
    'check:Check plans like code, and repair what is certain.'
    'convert:Make a plan of what you have: specs, issues, task lists, todos, prose.'
    'create:Make a plan of a description, together with an agent that asks and drafts.'
    'answer:Answer what a run that makes a plan asked, and let it go on.'
    'new:Write the skeleton of a new plan.'
    'fmt:Number the tasks of plans and tidy their spacing; no word is changed.'
    'integrations:Install ralphex into other tools.'
    'serve:Show runs in a browser, live, and steer them.'
    'status:Show the runs of this repository: what goes on, what ended and how.'
    'pause:Have a run wait, holding its place.'
    'resume:Have a paused run go on.'
    'stop:End a run politely; the same command goes on with it.'
    'skip:Have a run leave its task open, or end its review, and go on.'
    'note:Tell the next session of a run something.'
    'retry-now:End a run'\''s wait for a usage limit: it tries again now.'
    'notify:Try the channels that tell what became of a run.'
    'cost:Show what runs have used up: sessions, time, tokens, dollars, by task, phase and model.'
    'findings:Show what reviewers of a run found, and what became of it.'
    'replay:Show what was understood of an agent'\''s raw stream: words, tools, signals, usage, failure.'
    'budget:Show what a run may still use up, and give it more.'
    'restore:Show and bring back copies of the working tree that runs kept.'
    'worktrees:Show the worktrees of runs, remove those that are merged, find one.'
    'workspace:Make and look after a .ralph workspace, the store that several people and agents share.'
    'task:Look at and change the task graph of the .ralph workspace.'
    'claim:Show which agent works on which task of the .ralph workspace; resolve what was abandoned.'
    'prd:Make an objective and a backlog, to be reviewed and confirmed.'
    'preflight:Check whether anything may be executed in the .ralph workspace.'
    'iterate:Take the next task of the .ralph workspace, have the agent do it in one session, verify and record it.'
    'loop:Iterate until no task of the .ralph workspace can be worked on, or a person is needed.'
    'prompt:Prepare the prompt of the next iteration for a session of your own; nothing is claimed or started.'
    'remediation:Show and apply what the loop proposes about a task at which it stopped again and again.'
    'reconcile:Compare the objective of the .ralph workspace with its task graph; a proposal, nothing changes.'
    'timeline:Print what happened in a run or an iteration, step by step, as JSON.'
    'provenance:Check the evidence that sessions left: what was asked, what ran, what was verified.'
    'receipt:Show what became of a task, and how that is known; hold it against the repository.'
    'latest:Find the newest summary, bundle, prompt evidence or transcript.'
    'cleanup:Delete what old iterations left in the .ralph workspace.'
    'config:Show, check and compare settings, prompts and agents; make templates of them.'
    'trust:Allow the commands that a repository'\''s own settings name; show and take back what was allowed.'
    'sandbox:Run ralphex in a container that sees this repository and what you name.'
    'doctor:Check what a run needs: repository, agent, git, configuration.'
    'lsp:Serve an editor: diagnostics, quick fixes, outline and ticks of plans.'
    'version:Print the version.'
    'completion:Print a completion script for bash, zsh or fish.'
    'man:Print the manual page, or write those of all commands.'
  )
  local verb=run word
  for word in ${words[2,CURRENT-1]}; do
    case $word in run|demo|show|tick|check|convert|create|answer|new|fmt|integrations|serve|status|pause|resume|stop|skip|note|retry-now|notify|cost|findings|replay|budget|restore|worktrees|workspace|task|claim|prd|preflight|iterate|loop|prompt|remediation|reconcile|timeline|provenance|receipt|latest|cleanup|config|trust|sandbox|doctor|lsp|version|completion|man) verb=$word; break;; esac
  done
  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
    _describe command verbs
    _ralphex_plans
    return
  fi
  case $verb in
    run)
      _arguments \
        '--tasks-only[Run the tasks only, no reviews.]' \
        '--review[Review only (docs/reviews.md)\: the work on a plan, or, without one, the branch that is checked out.]' \
        '--external-only[Only the external review.]' \
        '--report[With --review\: change nothing, print what was found; exit 3 if that is anything.]' \
        '--format[How --report prints it\: text, json, sarif, github.]:value:_ralphex_words' \
        '--from[Begin with this phase\: tasks, review, external, review2, finalize.]:value:_ralphex_words' \
        '--review-when[When the work is reviewed\: end (default), task, group, none.]:value:_ralphex_words' \
        '--executor[Agent of the run\: claude (default), codex, opencode, gemini, copilot, pi, qwen, custom, runbook.]:value:_ralphex_words' \
        '--codex[The same as --executor codex.]' \
        '--pass-claude-md[Let codex read the project'\''s CLAUDE.md.]' \
        '--fallback-executors[Agents that stand in while that one is at its limit, logged out or missing.]:value:_ralphex_words' \
        '--validate[What a red validation means\: gate (the task is not done), report, off.]:value:_ralphex_words' \
        '--allow-deletions[Let tasks delete as many files as they like (see max_delete_share).]' \
        '--max-iterations[Sessions at most (default\: by the size of the plan, at least 50).]:value:_ralphex_words' \
        '--task-model[model(\:effort) of task sessions.]:value:_ralphex_words' \
        '--review-model[model(\:effort) of review sessions (default\: as of task sessions).]:value:_ralphex_words' \
        '--plan[Make a plan of this description first, together with you (docs/create.md); - reads it from standard input.]:value:_ralphex_words' \
        '--answers[With --plan\: answers to what is asked, from this file; - is standard input.]:value:_ralphex_words' \
        '--run[With --plan\: run the plan that was made without asking; --no-run\: only make it.]' \
        '--no-run[The opposite of --run.]' \
        '--plan-model[model(\:effort) of sessions that make a plan (default\: as of task sessions).]:value:_ralphex_words' \
        '--external-review-tool[Who reviews from outside\: codex (default), custom, none.]:value:_ralphex_words' \
        '--custom-review-script[Script of the external review by custom.]:value:_ralphex_words' \
        '--max-external-iterations[Rounds of external review at most (default\: a fifth of --max-iterations, at least 3).]:value:_ralphex_words' \
        '--review-patience[End the external review after so many rounds in a row that changed nothing (default 1).]:value:_ralphex_words' \
        '--claude-command[claude, or a compatible command.]:value:_ralphex_words' \
        '--claude-args[Its arguments; an empty value means none.]:value:_ralphex_words' \
        '--wait[Wait so long on a usage limit and go on (0 = stop with exit 4).]:value:_ralphex_words' \
        '--session-timeout[Longest session (default 4h, 0 = off).]:value:_ralphex_words' \
        '--idle-timeout[Longest silence of a session (default 30m, 0 = off).]:value:_ralphex_words' \
        '--max-cost[Dollars that the run may cost; exit 4 when they are spent (docs/cost.md).]:value:_ralphex_words' \
        '--max-tokens[Tokens that it may use, in and out\: 500k, 2M.]:value:_ralphex_words' \
        '--max-time[How long it may take.]:value:_ralphex_words' \
        '--max-sessions[How many sessions it may have, reviews and repeated ones included.]:value:_ralphex_words' \
        '--branch[Branch to work on, instead of the one named after the plan.]:value:_ralphex_words' \
        '--worktree[Work in a worktree of its own, on a branch of its own (docs/worktrees.md); --no-worktree\: in place.]' \
        '--no-worktree[The opposite of --worktree.]' \
        '--base-ref[What the change is compared with, instead of the default branch.]:value:_ralphex_words' \
        '--preserve-anthropic-api-key[Leave ANTHROPIC_API_KEY in the agent'\''s environment.]' \
        '--trust-repo-config[Obey commands that this repository'\''s .ralphex/config names.]' \
        '--sync[Write the ticks of proven tasks back to the file that the plan was converted from (docs/sync.md).]' \
        '--skip-finalize[No finalize step, whatever the settings say.]' \
        '--dry-run[Say what would happen, phase by phase, and touch nothing.]' \
        '--prompts[With --dry-run\: also the prompts, as agents would get them.]' \
        '--live[Show the run on the whole terminal (docs/live.md); --no-live\: as lines.]' \
        '--no-live[The opposite of --live.]' \
        '--quiet[Print warnings, errors and the summary only.]' \
        '--json[Print events as JSON lines on stdout instead of text.]' \
        '--debug[Print what is executed to stderr.]' \
        '--init[Put commented templates into .ralphex/ and exit\: ralphex config init.]' \
        '--reset[Go back to the built-in settings, prompts or agents\: ralphex config reset.]' \
        '--dump-defaults[Write what is built in to a folder and exit\: ralphex config dump.]:value:_ralphex_words' \
        '--serve[Show the run in a browser, live (docs/dashboard.md); without a plan, but with folders to watch, only show.]' \
        '--port[Port of the dashboard (default 8080, 0 = any that is free).]:value:_ralphex_words' \
        '--host[Address it listens at (default 127.0.0.1).]:value:_ralphex_words' \
        '--watch[Folder whose runs it shows, too; may be repeated (default\: watch_dirs).]:value:_ralphex_words' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_ralphex_plans';;
    demo)
      _arguments \
        '--dir[Make the repository here; the folder must not exist or be empty (default\: a new temporary folder).]:value:_ralphex_words' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    show)
      _arguments \
        '--json[Print it as JSON (docs/plan-format.md).]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_ralphex_plans';;
    tick)
      _arguments \
        '--box[Box of the task, 1 = its first; may be given again.]:value:_ralphex_words' \
        '--all[All boxes of the task.]' \
        '--undo[Open boxes instead of ticking them.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_ralphex_plans';;
    check)
      _arguments \
        '--profile[strict\: the whole format. run\: only what would make a run fail.]:value:_ralphex_words' \
        '--fix[Repair what is certain, and report what is left.]' \
        '--diff[Show what --fix would change, and change nothing.]' \
        '--format[text, json, sarif, github or junit.]:value:_ralphex_words' \
        '--json[The same as --format json.]' \
        '--strict-warnings[Exit 1 for warnings, too.]' \
        '--quiet[One line a finding, and only for those that make the exit code 1.]' \
        '--staged[Read the plans as they are staged, not the working files (default\: those that the next commit changes).]' \
        '--deep[Look for the programs of the validation commands on the PATH.]' \
        '--stdin-name[Name that findings in stdin have.]:value:_ralphex_words' \
        '--list-rules[List the rules.]' \
        '--explain[Explain a rule, with a wrong and a right example.]:value:_ralphex_words' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_ralphex_plans';;
    convert)
      _arguments \
        '--output[File to write, - is stdout (default\: YYYYMMDD-<title>.md in the plans folder).]:value:_ralphex_words' \
        '--from[Format of the source, if it is taken for another one.]:value:_ralphex_words' \
        '--to[plan, json (the model) or tasks.json (.ralph, version 2); the last two go to stdout.]:value:_ralphex_words' \
        '--title[Title of the plan, instead of the source'\''s.]:value:_ralphex_words' \
        '--validate[Validation command that the source does not name; may be given again.]:value:_ralphex_words' \
        '--tag[Tag of a Task Master file (default\: master, or the first).]:value:_ralphex_words' \
        '--sync[Remember where each box came from, so that ticks can go back there (docs/sync.md).]' \
        '--fail-on-loss[Write nothing and exit 1 if the plan can'\''t say all of the source.]' \
        '--json[Report as JSON\: what was written, and each loss.]' \
        '--push-ticks[Write the ticks of this plan back to the source it was made from, one byte each.]:value:_ralphex_words' \
        '--check[Find plans whose source changed since; the arguments are plans or sources (default\: all plans).]' \
        '--staged[With --check\: look at what is staged, and only at what the next commit touches.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    create)
      _arguments \
        '--answers[Answers to what is asked, from this file\: lines or JSON; - is standard input.]:value:_ralphex_words' \
        '--json[Ask nobody\: print what waits for an answer as JSON, and end with 3.]' \
        '--run[Run the plan that was made without asking; --no-run\: only make it.]' \
        '--no-run[The opposite of --run.]' \
        '--executor[Agent that drafts\: claude (default), codex, opencode, gemini, copilot, pi, qwen.]:value:_ralphex_words' \
        '--plan-model[model(\:effort) of its sessions (default\: as of task sessions).]:value:_ralphex_words' \
        '--task-model[model(\:effort) of task sessions.]:value:_ralphex_words' \
        '--max-iterations[A fifth of it, and at least 5, is how many sessions there are at most.]:value:_ralphex_words' \
        '--wait[Wait so long on a usage limit and go on (0 = stop with exit 4).]:value:_ralphex_words' \
        '--session-timeout[Longest session (default 4h, 0 = off).]:value:_ralphex_words' \
        '--idle-timeout[Longest silence of a session (default 30m, 0 = off).]:value:_ralphex_words' \
        '--branch[Branch that the plan is run on, instead of the one named after it.]:value:_ralphex_words' \
        '--worktree[Run it in a worktree of its own; --no-worktree\: in place.]' \
        '--no-worktree[The opposite of --worktree.]' \
        '--trust-repo-config[Obey commands that this repository'\''s .ralphex/config names.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    answer)
      _arguments \
        '--option[Take this option of the question, from 1 on.]:value:_ralphex_words' \
        '--text[Answer the question in words; - reads them from standard input.]:value:_ralphex_words' \
        '--accept[Accept the draft\: it is written.]' \
        '--revise[Say what is to be another way; - reads it from standard input.]:value:_ralphex_words' \
        '--reject[Reject the draft\: the run ends with 1.]' \
        '--json[Ask nobody, at a terminal either\: print what waits next as JSON.]' \
        '--run[Run the plan when it is written, without asking; --no-run\: don'\''t.]' \
        '--no-run[The opposite of --run.]' \
        '--trust-repo-config[Obey commands that this repository'\''s .ralphex/config names.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    new)
      _arguments \
        '--output[File to write; - is stdout.]:value:_ralphex_words' \
        '--dir[Folder to write YYYYMMDD-<title>.md to (default\: the plans folder).]:value:_ralphex_words' \
        '--validate[Validation command; may be given again. Without one, those that the project'\''s files suggest.]:value:_ralphex_words' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    fmt)
      _arguments \
        '--check[Change nothing, list the files that are not tidy, exit 1 if there are any.]' \
        '--diff[Change nothing, show what would change.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_ralphex_plans';;
    integrations)
      _arguments \
        '--uninstall[Remove the hook, and put back one that it was chained to.]' \
        '--chain[Where there is a hook already\: keep it, and run it first.]' \
        '--print[Print the hook and change nothing.]' \
        '--for[Tool\: claude, codex; without it, those whose folder is in your home folder.]:value:_ralphex_words' \
        '--here[Into this repository (.claude/commands), for all who work in it, instead of your home folder.]' \
        '--list[Show what is installed, and change nothing.]' \
        '--remove[Remove them.]' \
        '--dry-run[Show what would be done, and change nothing.]' \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    serve)
      _arguments \
        '--port[Port; 0 = any that is free.]:value:_ralphex_words' \
        '--host[Address to listen at. Another than this machine'\''s own needs the token that is printed.]:value:_ralphex_words' \
        '--open[Open the page in a browser.]' \
        '--json[Print where it listens as a line of JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    status)
      _arguments \
        '--json[Print it as JSON.]' \
        '--all[All runs, not only the newest of each plan.]' \
        '--store[The whole status of the .ralph workspace instead, as a document.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    pause)
      _arguments \
        '--json[Print it as JSON.]' \
        '--after-task[Let the task that is being worked on come to its end first.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    resume)
      _arguments \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    stop)
      _arguments \
        '--json[Print it as JSON.]' \
        '--after-task[Let the task that is being worked on come to its end first.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    skip)
      _arguments \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    note)
      _arguments \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    retry-now)
      _arguments \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    notify)
      _arguments \
        '--on[What the message is about.]:value:_ralphex_words' \
        '--dry-run[Print the message, and send nothing.]' \
        '--trust-repo-config[Obey commands and addresses that this repository'\''s .ralphex/config names.]' \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    cost)
      _arguments \
        '--all[All runs.]' \
        '--since[Runs that began on that day or later, or so long ago at most\: 2026-11-30, 7d, 12h.]:value:_ralphex_words' \
        '--json[Print it as JSON.]' \
        '--csv[Print a line a session, for spreadsheets.]' \
        '--prices[Print the price list instead.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    findings)
      _arguments \
        '--open[Only what is neither fixed nor refuted.]' \
        '--format[text, json, sarif or github.]:value:_ralphex_words' \
        '--json[The same as --format json.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    replay)
      _arguments \
        '--session[Session of the run (default\: the last one whose stream was kept).]:value:_ralphex_words' \
        '--executor[Whose stream it is (default\: by the journal, or by its first lines).]:value:_ralphex_words' \
        '--exit[Exit code of the agent, for a file.]:value:_ralphex_words' \
        '--json[Print a JSON line for each fact, and one for what the session was.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    budget)
      _arguments \
        '--json[Print it as JSON.]' \
        '--cost[Dollars.]:value:_ralphex_words' \
        '--tokens[Tokens\: 500k, 2M.]:value:_ralphex_words' \
        '--time[Time.]:value:_ralphex_words' \
        '--sessions[Sessions.]:value:_ralphex_words' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    restore)
      _arguments \
        '--list[List the copies (the default without COPY, --path or --to).]' \
        '--show[List the files of copy N.]:value:_ralphex_words' \
        '--path[Only this file or folder, from the repository'\''s root; may be given again.]:value:_ralphex_words' \
        '--to[Write into this folder and not into the working tree; works while a run goes on.]:value:_ralphex_words' \
        '--staged[What was staged, where the working tree had something else.]' \
        '--overwrite[Replace files that differ. A copy of the working tree is kept first.]' \
        '--drop[Forget copies\: those of RUN, or with --older-than those of all runs. It is the only thing that does.]' \
        '--older-than[With --list or --drop\: only copies that are so many days old.]:value:_ralphex_words' \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    worktrees)
      _arguments \
        '--json[Print it as JSON.]' \
        '--dry-run[Only say what would go.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    workspace)
      _arguments \
        '--objective[What is to be built; - reads it from standard input. Without it, prd.md is a placeholder.]:value:_ralphex_words' \
        '--starter-tasks[Begin with two tasks\: name the first piece of work, then do it.]' \
        '--json[Print it as JSON.]' \
        '--fix[Make missing folders and files first. Nothing that is there is changed, but tasks.json is brought into its canonical form.]' \
        '--yes[Remove it.]' \
        '--force[Also while an agent has a claim.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    task)
      _arguments \
        '--status[Only tasks of this status\: todo, in_progress, blocked, done; may be given again.]:value:_ralphex_words' \
        '--open[Only tasks that are not done.]' \
        '--below[Only what lies below this task.]:value:_ralphex_words' \
        '--json[Print it as JSON.]' \
        '--format[text (the default), mermaid or dot.]:value:_ralphex_words' \
        '--id[Id (default\: the lowest free T<n>).]:value:_ralphex_words' \
        '--parent[Task that it is a part of; that one waits for it from then on.]:value:_ralphex_words' \
        '--depends-on[Task that must be done before; may be given again.]:value:_ralphex_words' \
        '--notes[What is known about it; - reads it from standard input.]:value:_ralphex_words' \
        '--validation[Command line that proves it.]:value:_ralphex_words' \
        '--acceptance[How one sees that it is done; may be given again.]:value:_ralphex_words' \
        '--constraint[What must hold all the while; may be given again.]:value:_ralphex_words' \
        '--context[File or fact to start from; may be given again.]:value:_ralphex_words' \
        '--priority[low, normal or high.]:value:_ralphex_words' \
        '--mode[default or documentation.]:value:_ralphex_words' \
        '--tier[simple, medium or complex.]:value:_ralphex_words' \
        '--lock-wait[How long to wait while others write the tasks (default\: 250ms).]:value:_ralphex_words' \
        '--dry-run[Only show the parts.]' \
        '--prompt[Only print what the agent would be asked.]' \
        '--response[Take the answer from a file (- is standard input) and start no agent.]:value:_ralphex_words' \
        '--executor[Agent to ask (default\: that of runs).]:value:_ralphex_words' \
        '--model[model(\:effort) of the session (default\: task_model).]:value:_ralphex_words' \
        '--trust-repo-config[Obey commands that this repository'\''s .ralphex/config names.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    claim)
      _arguments \
        '--all[Also those that were released or resolved.]' \
        '--json[Print it as JSON.]' \
        '--reason[Why the claim is taken for abandoned; it is kept in the file.]:value:_ralphex_words' \
        '--by[Who decides it (default\: the user'\''s name).]:value:_ralphex_words' \
        '--yes[Do it.]' \
        '--agent[Agent id of the watchdog (default\: the workspace'\''s agentId).]:value:_ralphex_words' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    prd)
      _arguments \
        '--objective[What is to be built, a sentence or Markdown; - reads it from standard input.]:value:_ralphex_words' \
        '--draft[A draft that --dry-run --json printed and somebody reviewed; - reads it from standard input.]:value:_ralphex_words' \
        '--dry-run[Only show the draft.]' \
        '--yes[Write it without a question.]' \
        '--replace[Also where there is an objective or a backlog\: they are lost.]' \
        '--append[Leave the objective as it is, and put the tasks behind those that are there.]' \
        '--lock-wait[How long to wait while others write the tasks (default\: 250ms).]:value:_ralphex_words' \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    preflight)
      _arguments \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    iterate)
      _arguments \
        '--executor[Agent (default\: that of the configuration).]:value:_ralphex_words' \
        '--model[Model, and effort behind a colon.]:value:_ralphex_words' \
        '--trust-repo-config[Obey commands in the repository'\''s own .ralphex/config.]' \
        '--json[Print the result of the iteration as JSON; the agent'\''s words go to standard error.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    loop)
      _arguments \
        '--max[At most so many iterations (default\: ralphIterationCap).]:value:_ralphex_words' \
        '--until-empty[As many iterations as the task graph needs.]' \
        '--autonomous[Have the agent propose further tasks when none is left, and carry out remediations, as autonomyMode autonomous does.]' \
        '--executor[Agent (default\: that of the configuration).]:value:_ralphex_words' \
        '--model[Model, and effort behind a colon.]:value:_ralphex_words' \
        '--trust-repo-config[Obey commands in the repository'\''s own .ralphex/config.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    prompt)
      _arguments \
        '--task[Prepare it for this task (default\: the one that the loop would take).]:value:_ralphex_words' \
        '--json[Print what was prepared, and where it lies, as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    remediation)
      _arguments \
        '--json[Print the file as it is.]' \
        '--lock-wait[How long to wait while others write the tasks (default\: 250ms).]:value:_ralphex_words' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    reconcile)
      _arguments \
        '--dry-run[Only print; write no report.]' \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    timeline)
      _arguments \
        '--intent[Instead, what the next iteration of the .ralph workspace would do, by its settings and the task that would be selected.]' \
        '--json[Print it as JSON, as it is in any case.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    provenance)
      _arguments \
        '--all[All bundles.]' \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    receipt)
      _arguments \
        '--all[All tasks of the run.]' \
        '--run[Run\: its id, the beginning of it, or its plan. Without it, the newest.]:value:_ralphex_words' \
        '--json[Print it as JSON.]' \
        '--verify[Hold it against the repository and the evidence\: commits and trees, outputs of the validation, bundles.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    latest)
      _arguments \
        '--open[Open it in your editor ($VISUAL, $EDITOR) instead of printing its path.]' \
        '--json[Print the path as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    cleanup)
      _arguments \
        '--dry-run[Only show what would go.]' \
        '--keep[How many of the newest of each kind stay; 0 deletes nothing.]:value:_ralphex_words' \
        '--json[Print the manifest as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    config)
      _arguments \
        '--all[Also the keys that nobody has set.]' \
        '--origin[Say where each value comes from\: file and line, variable, default.]' \
        '--json[Print it as JSON.]' \
        '--strict[Exit 1 on warnings, too.]' \
        '--global[Your own folder (~/.config/ralphex) instead of this repository'\''s .ralphex/.]' \
        '--local[This repository'\''s .ralphex/ instead of your own folder.]' \
        '--yes[Reset without a question.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    trust)
      _arguments \
        '--list[Show what was allowed, of all repositories.]' \
        '--revoke[Forget what was allowed in this repository.]' \
        '--yes[Allow it without a question\: you have read it.]' \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    sandbox)
      _arguments \
        '--engine[docker or podman (default\: the one that is there).]:value:_ralphex_words' \
        '--image[Image with ralphex and its agents (default ralphex; docs/sandbox.md has how to make one).]:value:_ralphex_words' \
        '--credentials[Give the container the login of an agent\: claude, codex, gemini, opencode, qwen.]:value:_ralphex_words' \
        '--env[Give it a variable\: NAME as it is here, or NAME=value.]:value:_ralphex_words' \
        '--mount[Give it a folder or a file\: PATH to read, PATH\:rw to write, too.]:value:_ralphex_words' \
        '--network[Network of the container, in the engine'\''s words\: none, bridge, …]:value:_ralphex_words' \
        '--no-settings[Leave out your own settings, prompts and agents.]' \
        '--dry-run[Print the command and start nothing.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    doctor)
      _arguments \
        '--trust-repo-config[Look as a run with this flag would\: obey commands that this repository'\''s .ralphex/config names.]' \
        '--json[Print it as JSON.]' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    lsp)
      _arguments \
        '--profile[Rules that are asked\: strict (all) or run (what would make a run fail).]:value:_ralphex_words' \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    version)
      _arguments \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
    completion)
      _arguments \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:word:_ralphex_words';;
    man)
      _arguments \
        '--help[Show context-sensitive help.]' \
        '--no-color[No colours.]' \
        '--no-input[Ask nothing\: what would be asked is refused, with what to type instead.]' \
        '--config-dir[Folder of the global configuration (default ~/.config/ralphex).]:value:_ralphex_words' \
        '--version[Print the version.]' \
        '*:plan:_files -g "*.md"';;
  esac
}
if [ "$funcstack[1]" = _ralphex ]; then _ralphex "$@"; else compdef _ralphex ralphex; fi
