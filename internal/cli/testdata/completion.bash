# bash completion for ralphex
_ralphex() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=run word words
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in run|demo|show|tick|check|convert|create|answer|new|fmt|integrations|serve|status|pause|resume|stop|skip|note|retry-now|notify|cost|findings|replay|budget|restore|worktrees|workspace|task|claim|prd|preflight|iterate|loop|prompt|remediation|reconcile|timeline|provenance|receipt|latest|cleanup|config|trust|sandbox|doctor|lsp|version|completion|man) verb=$word; break;; esac
  done
  case $verb in
    run) words="--tasks-only -t --review -r --external-only -e --report --format --from --review-when --executor --codex --pass-claude-md --fallback-executors --validate --allow-deletions --max-iterations -m --task-model --review-model --plan --answers --run --no-run --plan-model --external-review-tool --custom-review-script --max-external-iterations --review-patience --claude-command --claude-args --wait --session-timeout --idle-timeout --max-cost --max-tokens --max-time --max-sessions --branch --worktree --no-worktree --base-ref -b --preserve-anthropic-api-key --trust-repo-config --sync --skip-finalize --dry-run --prompts --live --no-live --quiet -q --json --debug -d --init --reset --dump-defaults --serve -s --port -p --host --watch -w --help -h --no-color --no-input --config-dir --version -v";;
    demo) words="--dir --help -h --no-color --no-input --config-dir --version -v";;
    show) words="--json --help -h --no-color --no-input --config-dir --version -v";;
    tick) words="--box --all --undo --help -h --no-color --no-input --config-dir --version -v";;
    check) words="--profile --fix --diff --format --json --strict-warnings --quiet -q --staged --deep --stdin-name --list-rules --explain --help -h --no-color --no-input --config-dir --version -v";;
    convert) words="--output -o --from --to --title --validate --tag --sync --fail-on-loss --json --push-ticks --check --staged --help -h --no-color --no-input --config-dir --version -v";;
    create) words="--answers --json --run --no-run --executor --plan-model --task-model --max-iterations -m --wait --session-timeout --idle-timeout --branch --worktree --no-worktree --trust-repo-config --help -h --no-color --no-input --config-dir --version -v";;
    answer) words="--option --text --accept --revise --reject --json --run --no-run --trust-repo-config --help -h --no-color --no-input --config-dir --version -v";;
    new) words="--output -o --dir --validate --help -h --no-color --no-input --config-dir --version -v";;
    fmt) words="--check --diff --help -h --no-color --no-input --config-dir --version -v";;
    integrations) words="--uninstall --chain --print --for --here --list --remove --dry-run --json --help -h --no-color --no-input --config-dir --version -v";;
    serve) words="--port -p --host --open --json --help -h --no-color --no-input --config-dir --version -v";;
    status) words="--json --all -a --store --help -h --no-color --no-input --config-dir --version -v";;
    pause) words="--json --after-task --help -h --no-color --no-input --config-dir --version -v";;
    resume) words="--json --help -h --no-color --no-input --config-dir --version -v";;
    stop) words="--json --after-task --help -h --no-color --no-input --config-dir --version -v";;
    skip) words="--json --help -h --no-color --no-input --config-dir --version -v";;
    note) words="--json --help -h --no-color --no-input --config-dir --version -v";;
    retry-now) words="--json --help -h --no-color --no-input --config-dir --version -v";;
    notify) words="--on --dry-run --trust-repo-config --json --help -h --no-color --no-input --config-dir --version -v";;
    cost) words="--all -a --since --json --csv --prices --help -h --no-color --no-input --config-dir --version -v";;
    findings) words="--open --format --json --help -h --no-color --no-input --config-dir --version -v";;
    replay) words="--session --executor --exit --json --help -h --no-color --no-input --config-dir --version -v";;
    budget) words="--json --cost --tokens --time --sessions --help -h --no-color --no-input --config-dir --version -v";;
    restore) words="--list --show --path --to --staged --overwrite --drop --older-than --json --help -h --no-color --no-input --config-dir --version -v";;
    worktrees) words="--json --dry-run -n --help -h --no-color --no-input --config-dir --version -v";;
    workspace) words="--objective --starter-tasks --json --fix --yes -y --force --help -h --no-color --no-input --config-dir --version -v";;
    task) words="--status --open --below --json --format --id --parent --depends-on --notes --validation --acceptance --constraint --context --priority --mode --tier --lock-wait --dry-run -n --prompt --response --executor --model --trust-repo-config --help -h --no-color --no-input --config-dir --version -v";;
    claim) words="--all --json --reason --by --yes --agent --help -h --no-color --no-input --config-dir --version -v";;
    prd) words="--objective --draft --dry-run -n --yes -y --replace --append --lock-wait --json --help -h --no-color --no-input --config-dir --version -v";;
    preflight) words="--json --help -h --no-color --no-input --config-dir --version -v";;
    iterate) words="--executor --model --trust-repo-config --json --help -h --no-color --no-input --config-dir --version -v";;
    loop) words="--max --until-empty --autonomous --executor --model --trust-repo-config --help -h --no-color --no-input --config-dir --version -v";;
    prompt) words="--task --json --help -h --no-color --no-input --config-dir --version -v";;
    remediation) words="--json --lock-wait --help -h --no-color --no-input --config-dir --version -v";;
    reconcile) words="--dry-run -n --json --help -h --no-color --no-input --config-dir --version -v";;
    timeline) words="--intent --json --help -h --no-color --no-input --config-dir --version -v";;
    provenance) words="--all --json --help -h --no-color --no-input --config-dir --version -v";;
    receipt) words="--all --run --json --verify --help -h --no-color --no-input --config-dir --version -v";;
    latest) words="--open --json --help -h --no-color --no-input --config-dir --version -v";;
    cleanup) words="--dry-run -n --keep --json --help -h --no-color --no-input --config-dir --version -v";;
    config) words="--all -a --origin -o --json --strict --global --local --yes -y --help -h --no-color --no-input --config-dir --version -v";;
    trust) words="--list --revoke --yes -y --json --help -h --no-color --no-input --config-dir --version -v";;
    sandbox) words="--engine --image --credentials --env -E --mount --network --no-settings --dry-run --help -h --no-color --no-input --config-dir --version -v";;
    doctor) words="--trust-repo-config --json --help -h --no-color --no-input --config-dir --version -v";;
    lsp) words="--profile --help -h --no-color --no-input --config-dir --version -v";;
    version) words="--help -h --no-color --no-input --config-dir --version -v";;
    completion) words="--help -h --no-color --no-input --config-dir --version -v";;
    man) words="--help -h --no-color --no-input --config-dir --version -v";;
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  if [[ $prev == --* ]]; then
    COMPREPLY=($(compgen -W "$(ralphex __complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "$cur"))
    [[ ${#COMPREPLY[@]} -gt 0 ]] && return
  fi
  case $verb in
    task|claim|prd|workspace|worktrees|restore|findings|answer|cost|budget|prompt|remediation|replay|timeline|provenance|latest|retry-now|integrations|completion|config|pause|resume|stop|skip|notify) COMPREPLY=($(compgen -W "$(ralphex __complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "$cur")); [[ ${#COMPREPLY[@]} -gt 0 || $prev != --* && $prev != import ]] || COMPREPLY=($(compgen -f -- "$cur"));;
    run|show|tick|check|fmt) COMPREPLY=($(compgen -W "$(ralphex __complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "$cur")); compopt -o filenames 2>/dev/null; mapfile -O ${#COMPREPLY[@]} -t COMPREPLY < <(compgen -f -X '!*.md' -- "$cur"; compgen -d -- "$cur");;
    *) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -X '!*.md' -- "$cur"; compgen -d -- "$cur");;
  esac
  if (( COMP_CWORD == 1 )); then COMPREPLY+=($(compgen -W "run demo show tick check convert create answer new fmt integrations serve status pause resume stop skip note retry-now notify cost findings replay budget restore worktrees workspace task claim prd preflight iterate loop prompt remediation reconcile timeline provenance receipt latest cleanup config trust sandbox doctor lsp version completion man" -- "$cur")); fi
}
complete -F _ralphex ralphex
