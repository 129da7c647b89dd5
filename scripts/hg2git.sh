#!/bin/sh
# hg2git.sh: a Mercurial repository that answers like Git, as far as ralphex asks.
#
#   vcs_command = /path/to/hg2git.sh
#
# (ralphex uses a copy of this by itself where it finds .hg and no .git.)
#
# The model is one growing change: on a public commit the branch is "master", and the first `commit` makes a draft. On a draft
# the branch is its bookmark, or "draft", and every further `commit` amends it; the first message stays. What is secret, has
# children, or waits for a merge, rebase or histedit to be finished, is refused.
#
# Called from the top of the repository; paths are relative to it and are names, never patterns. What succeeds says nothing on
# stderr. Exit codes are Git's: 0, 1 for "no", 128 for what cannot be done.
#
# Environment: HG2GIT_HG    the command to use instead of hg
#              HG2GIT_ROOT  the repository; without it hg looks upward from the working folder
set -u
LC_MESSAGES=C
LANGUAGE=C
HGPLAIN=1
HGENCODING=UTF-8
HGEDITOR=:
export LC_MESSAGES LANGUAGE HGPLAIN HGENCODING HGEDITOR
unset HGPLAINEXCEPT HG_PENDING
NUL_NODE=0000000000000000000000000000000000000000

die() { # die CODE TEXT
	printf 'hg2git: %s\n' "$2" >&2
	exit "$1"
}

# hg runs Mercurial. Its warnings are shown only if it fails: whoever reads both streams would take them for an answer.
hg() {
	set -- --noninteractive --config ui.timeout=10 "$@"
	if [ -n "${HG2GIT_ROOT:-}" ]; then
		set -- -R "$HG2GIT_ROOT" "$@"
	fi
	{
		hg_err=$(command "${HG2GIT_HG:-hg}" "$@" 2>&1 >&3 3>&- </dev/null)
		hg_code=$?
	} 3>&1
	if [ "$hg_code" -ne 0 ] && [ -n "$hg_err" ]; then
		printf '%s\n' "$hg_err" >&2
	fi
	return "$hg_code"
}

# walk is hg for what looks through the tree: what belongs to ralphex is not there. Mercurial has no ignore files in folders, and
# the user's own .hgignore is not ours to write.
walk() {
	hg "$@" -X path:.ralph -X path:.ralphex/progress -X path:.ralphex/worktrees -X path:.ralphex/wip -X path:.ralphex/.gitignore
}

quoted() { # quoted NAME: as a string of the revision language
	printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"
}

# revset puts into REV what a git revision means here. "master" is no name in most repositories: then it is what has been published.
revset() {
	case $1 in
	HEAD | @) REV=. ;;
	HEAD^ | HEAD~) REV='.^' ;;
	HEAD~*[!0-9]*) REV=$(quoted "$1") ;;
	HEAD~*) REV=".~${1#HEAD~}" ;;
	*'^{commit}') revset "${1%'^{commit}'}" ;;
	refs/heads/*) REV=$(bookmark_set "${1#refs/heads/}") ;;
	refs/* | origin/*) REV='none()' ;;
	*)
		REV=$(quoted "$1")
		if [ "$1" = master ] && [ -z "$(nodes 2>/dev/null)" ]; then
			REV='last(public() and ::.)'
		fi
		;;
	esac
}

bookmark_set() {
	printf 'bookmark(%s)' "$(quoted "literal:$1")"
}

nodes() { # the one commit that REV means, as 40 digits
	hg log -r "last($REV)" -T '{node}\n'
}

is_bookmark() {
	hg bookmarks -T '{bookmark}\n' | grep -Fxq -e "$1"
}

unborn() {
	printf '%s\n' "fatal: ambiguous argument 'HEAD': unknown revision or path not in the working tree." >&2
	exit 128
}

# state reads NODE, PHASE, CHILDREN, SECOND (0, or 1 in a merge) and BOOKMARK of the working folder's commit.
state() {
	# shellcheck disable=SC2016
	answer=$(hg log -r . -T '{node} {phase} {revset("children(%d)", rev)|count} {revset("p2()")|count} {activebookmark}\n') || exit 128
	IFS=' ' read -r NODE PHASE CHILDREN SECOND BOOKMARK <<-END
		$answer
	END
}

rev_parse() {
	quiet='' verify='' short=''
	while [ $# -gt 0 ]; do
		case $1 in
		--show-toplevel)
			hg root || exit 128
			return
			;;
		--is-inside-work-tree)
			hg root >/dev/null || exit 128
			echo true
			return
			;;
		-q | --quiet) quiet=1 ;;
		--verify) verify=1 ;;
		--short) short=12 ;;
		--short=*) short=${1#--short=} ;;
		-*) die 128 "rev-parse: unknown option $1" ;;
		*) break ;;
		esac
		shift
	done
	[ $# -eq 1 ] || die 128 "rev-parse: one revision is expected, and $# were given"
	found=$(object "$1" 2>/dev/null)
	if [ "$1" = HEAD ] && [ "$found" = "$NUL_NODE" ]; then
		[ -n "$quiet" ] && exit 1
		unborn
	fi
	if [ -z "$found" ] || [ "$found" = "$NUL_NODE" ]; then
		[ -n "$quiet" ] && exit 1
		[ -n "$verify" ] && die 128 "Needed a single revision: $1 is none"
		die 1 "unknown revision $1"
	fi
	if [ -n "$short" ]; then
		printf "%.${short}s\n" "$found"
	else
		printf '%s\n' "$found"
	fi
}

object() { # the name of a commit, of its tree (REV^{tree}), or of a file in it (REV:PATH)
	case $1 in
	*'^{tree}')
		revset "${1%'^{tree}'}"
		hg log -r "last($REV)" -T '{manifest.node}\n'
		;;
	*:*)
		revset "${1%%:*}"
		[ -n "$(hg files -r "last($REV)" -T x "path:${1#*:}")" ] || return 1
		hg cat -r "last($REV)" "path:${1#*:}" | blob
		;;
	*)
		revset "$1"
		nodes
		;;
	esac
}

symbolic_ref() {
	short='' quiet=''
	while [ $# -gt 1 ]; do
		case $1 in
		--short) short=1 ;;
		-q | --quiet) quiet=1 ;;
		*) die 128 "symbolic-ref: names are read here, not written" ;;
		esac
		shift
	done
	case ${1:-} in
	HEAD) ;;
	refs/remotes/origin/HEAD) exit 1 ;;
	*)
		[ -n "$quiet" ] && exit 1
		printf 'fatal: ref %s is not a symbolic ref\n' "${1:-}" >&2
		exit 128
		;;
	esac
	state
	case $PHASE in
	public) name=master ;;
	draft) name=${BOOKMARK:-draft} ;;
	*) die 1 "$(secret)" ;;
	esac
	[ -n "$short" ] || name=refs/heads/$name
	printf '%s\n' "$name"
}

secret() {
	printf "the commit %.12s is %s, so it cannot be worked on: make it a draft with 'hg phase --draft --force -r .'" "$NODE" "$PHASE"
}

show_ref() {
	verify='' quiet=''
	while [ $# -gt 0 ]; do
		case $1 in
		--verify) verify=1 ;;
		-q | --quiet) quiet=1 ;;
		--heads | --) ;;
		-*) die 128 "show-ref: unknown option $1" ;;
		*) break ;;
		esac
		shift
	done
	if [ -z "$verify" ]; then
		all=$(hg bookmarks -T '{node} refs/heads/{bookmark}\n')
		case $all in
		*" refs/heads/"*) printf '%s\n' "$all" ;;
		*) exit 1 ;;
		esac
		return
	fi
	for ref do
		case $ref in
		refs/heads/?*) is_bookmark "${ref#refs/heads/}" || not_a_ref ;;
		*) not_a_ref ;;
		esac
		if [ -z "$quiet" ]; then
			revset "$ref"
			printf '%s %s\n' "$(nodes)" "$ref"
		fi
	done
}

not_a_ref() {
	[ -n "$quiet" ] && exit 1
	die 128 "'$ref' - not a valid ref"
}

# Two letters for Mercurial's one, as Git pads them.
XY='{ifeq(status,"M"," M",ifeq(status,"A","A ",ifeq(status,"R","D ",ifeq(status,"!"," D","??"))))} '
# A name as Git quotes it in a line.
# shellcheck disable=SC2089
QUOTED='{if(ifcontains("\n",path,1,ifcontains("\t",path,1,ifcontains("\r",path,1,ifcontains("\"",path,1,ifcontains("\\",path,1))))),"\"{sub("\r","\\\\r",sub("\t","\\\\t",sub("\n","\\\\n",sub("\"","\\\\\"",sub("\\\\","\\\\\\\\",path)))))}\"",path)}\n'

status() {
	form=$XY$QUOTED untracked=-u
	while [ $# -gt 0 ]; do
		case $1 in
		--porcelain | --porcelain=v1 | -s | --short | --no-renames | --renames) ;;
		-z) form=$XY'{path}\0' ;;
		-u | -uall | -unormal | --untracked-files | --untracked-files=all | --untracked-files=normal) ;;
		-uno | --untracked-files=no) untracked= ;;
		--)
			shift
			break
			;;
		-*) die 128 "status: unknown option $1" ;;
		*) break ;;
		esac
		shift
	done
	with_paths walk status -mard $untracked -T "$form" -- "$@" || exit 128
}

# with_paths runs a command with what follows "--" as literal names: `walk status -- a b` is `walk status path:a path:b`.
with_paths() {
	turned=''
	for word do
		[ -n "${started:-}" ] || set --
		started=1
		if [ -n "$turned" ]; then
			set -- "$@" "path:$word"
		elif [ "$word" = -- ]; then
			turned=1
		else
			set -- "$@" "$word"
		fi
	done
	started=''
	"$@"
}

checkout() {
	new=''
	while [ $# -gt 0 ]; do
		case $1 in
		-q | --quiet) ;;
		-b) new=1 ;;
		-*) die 128 "checkout: option $1 is not supported" ;;
		*) break ;;
		esac
		shift
	done
	[ "${2:-}" = -- ] || [ $# -eq 1 ] || die 128 "checkout: one name is expected"
	if [ -n "$new" ]; then
		if is_bookmark "$1"; then
			die 128 "a branch named '$1' already exists"
		fi
		hg -q bookmark -- "$1" || exit 128
		return
	fi
	if is_bookmark "$1"; then
		dest=$1
	else
		revset "$1"
		dest=$REV
	fi
	hg -q update --config commands.update.check=noconflict --config merge.checkunknown=abort -r "$dest" || exit 1
}

add() {
	all=''
	while [ $# -gt 0 ]; do
		case $1 in
		-A | --all) all=1 ;;
		-q) ;;
		--)
			shift
			break
			;;
		-*) die 128 "add: unknown option $1" ;;
		*) break ;;
		esac
		shift
	done
	if [ $# -eq 0 ]; then
		[ -n "$all" ] || die 128 "add: nothing specified, nothing added"
		walk -q addremove --similarity 0 -X 're:(?s).*[\n\r]' || exit 128 # no such name can be kept
		return
	fi
	replaced "$@"
	with_paths hg -q addremove --similarity 0 -- "$@"
	[ $? -le 1 ] || exit 128
}

# replaced takes links that lie where folders were: Mercurial follows the link when it is told a name below it, and refuses the link itself as long
# as it knows of one. Only a pattern is not followed.
replaced() {
	for file do
		[ -h "$file" ] || continue
		hg -q addremove --similarity 0 -I "re:$(literal "$file")(/|\$)" || exit 128
	done
}

# literal is a name as a regular expression.
literal() { printf '%s' "${1#./}" | sed 's/[^A-Za-z0-9_/]/\\&/g'; }

mv_() {
	[ "${1:-}" != -- ] || shift
	[ $# -eq 2 ] || die 128 "mv: a source and a destination are expected"
	hg -q mv -- "./$1" "./$2" || exit 128 # "path:" would make it several sources; "./" keeps a colon from meaning anything
}

# unfinished names the operation that waits in the repository's folder.
unfinished() {
	meta=${HG2GIT_ROOT:-.}/.hg
	[ -d "$meta" ] || meta=$(hg root)/.hg
	for pair in histedit-state:histedit rebasestate:rebase graftstate:graft shelvedstate:unshelve updatestate:update \
		evolvestate:evolve transplant/journal:transplant; do
		[ ! -e "$meta/${pair%%:*}" ] || printf '%s\n' "${pair#*:}"
	done
}

# commit is where the model lives: a draft grows, a public commit gets a draft on top of it.
commit() {
	message='' given='' patterns='' ontop='' links=''
	while [ $# -gt 0 ]; do
		case $1 in
		-m)
			shift
			if [ -n "$given" ]; then
				message="$message

${1-}"
			else
				message=${1-} given=1
			fi
			;;
		-q | --quiet | --no-status) ;;
		--hg-patterns=*) patterns=${1#--hg-patterns=} ;; # a file of NUL-ended Mercurial patterns, for lists that no command line holds
		--hg-on-top) ontop=1 ;; # another checkout uses the draft: leave it as it is, and start one on top
		--)
			shift
			break
			;;
		-*) die 128 "commit: option $1 is not supported" ;;
		*) break ;;
		esac
		shift
	done
	[ -n "$message" ] || die 128 "commit: a message is needed: commit -m MESSAGE [-- FILES]"
	state
	[ "$SECOND" = 0 ] || die 128 "a merge is not finished: end it with \`hg commit\`, or drop it with \`hg merge --abort\`"
	waits=$(unfinished)
	[ -z "$waits" ] || die 128 "a $waits is not finished: go on with it or abort it (hg help $waits)"
	if hg resolve --list 2>/dev/null | grep -q '^U '; then
		die 128 "there are unresolved conflicts: see \`hg resolve --list\`"
	fi
	for file do
		refuse_nested "$file"
		if [ ! -e "$file" ] && [ ! -h "$file" ]; then
			with_paths hg -q remove --after -- "$file" 2>/dev/null # as git does: a file that is gone is a removal
		fi
		[ ! -h "$file" ] || links="${links:+$links|}$(literal "$file")" # what lay below it goes with it
	done
	case $PHASE$ontop in
	public* | draft1) set -- commit "--message=$message" ${patterns:+"listfile0:$patterns"} ${links:+"re:($links)/"} -- "$@" ;;
	draft)
		[ "$CHILDREN" = 0 ] || die 128 "the draft $(printf %.12s "$NODE") has children, so it cannot be amended: go to its top with \`hg update tip\`"
		set -- --config extensions.amend= amend ${patterns:+"listfile0:$patterns"} ${links:+"re:($links)/"} -- "$@"
		;;
	*) die 128 "$(secret)" ;;
	esac
	if [ "$PHASE$ontop" != draft ] && [ "$(hg config phases.new-commit 2>/dev/null)" = secret ]; then
		die 128 "new commits are secret here (phases.new-commit), so that none can grow: set it to draft for this repository"
	fi
	with_paths hg -q "$@" >/dev/null
	case $? in
	0) ;;
	1)
		echo "nothing to commit, working tree clean"
		exit 1
		;;
	*) exit 128 ;;
	esac
}

# A file of a subrepository would be committed there, not here.
refuse_nested() {
	[ -f .hgsub ] || return 0
	while IFS= read -r entry; do
		sub=$(printf '%s\n' "$entry" | sed -n 's/^\([^#;[:space:]][^=]*[^=[:space:]]\)[[:space:]]*=.*/\1/p')
		[ -n "$sub" ] || continue
		case $1 in
		"$sub" | "$sub"/*) die 128 "$1 belongs to the subrepository $sub: commit it there, then commit .hgsubstate here" ;;
		esac
	done <.hgsub
}

# diff understands: diff [--numstat|--stat] [HEAD | REV | A..B | A...B] [-- FILES]
diff_() {
	kind='' range=''
	while [ $# -gt 0 ]; do
		case $1 in
		--numstat) kind=numstat ;;
		--stat) kind=stat ;;
		--no-color | --no-ext-diff | --no-textconv) ;;
		--)
			shift
			break
			;;
		-*) die 128 "diff: option $1 is not supported" ;;
		*)
			[ -z "$range" ] || die 128 "diff: one range is expected; write files after --"
			range=$1
			;;
		esac
		shift
	done
	from=. to=''
	case $range in
	*...*)
		sides "${range%%...*}" "${range#*...}"
		from="ancestor($from, $to)"
		;;
	*..*) sides "${range%%..*}" "${range#*..}" ;;
	'') ;;
	*) revset "$range" && from=$REV ;;
	esac
	[ -n "$(hg log -r "last($from)" -T x)" ] || die 128 "bad revision '$range'"
	set -- -- "$@"
	[ -z "$to" ] || set -- -r "last($to)" "$@"
	case $kind in
	numstat) with_paths hg diff --git -r "last($from)" "$@" | counts ;;
	stat) with_paths hg diff --git --stat -r "last($from)" "$@" ;;
	*) with_paths hg diff --git -r "last($from)" "$@" ;;
	esac
}

sides() {
	revset "${1:-HEAD}"
	from=$REV
	revset "${2:-HEAD}"
	to=$REV
}

# counts turns a diff into lines ADDED<tab>DELETED<tab>NAME. Lines of a hunk are counted off, so that none is taken for a header.
counts() {
	LC_ALL=C awk '
	function flush() {
		if (head) printf "%s\t%s\t%s\n", (bin ? "-" : add), (bin ? "-" : del), (from != "" ? from " => " name : name)
		head = bin = add = del = left = right = 0; name = from = ""
	}
	left > 0 || right > 0 {
		c = substr($0, 1, 1)
		if (c == "+") { add++; right-- } else if (c == "-") { del++; left-- } else if (c != "\\") { left--; right-- }
		next
	}
	/^diff --git / {
		flush(); head = 1
		rest = substr($0, 14)
		name = substr(rest, 1, (length(rest) - 3) / 2)
	}
	/^rename from / { from = substr($0, 13) }
	/^rename to / { name = substr($0, 11) }
	/^copy to / { name = substr($0, 9) }
	/^(GIT binary patch|Binary file )/ { bin = 1 }
	/^@@ -/ {
		split($2, a, ","); split($3, b, ",")
		left = (a[2] == "") ? 1 : a[2] + 0; right = (b[2] == "") ? 1 : b[2] + 0
	}
	END { flush() }'
}

log_() {
	limit='' range=''
	while [ $# -gt 0 ]; do
		case $1 in
		--oneline | --no-color | --) ;;
		-n)
			shift
			limit=$1
			;;
		-n*) limit=${1#-n} ;;
		-[0-9]*) limit=${1#-} ;;
		-*) die 128 "log: option $1 is not supported" ;;
		*) range=$1 ;;
		esac
		shift
	done
	case $range in
	*..*)
		sides "${range%%..*}" "${range#*..}"
		set -- -r "reverse(only($to, $from))"
		;;
	*)
		revset "${range:-HEAD}"
		set -- -r "reverse(::$REV - null)"
		;;
	esac
	[ -z "$limit" ] || set -- "$@" -l "$limit"
	hg log "$@" -T '{node|short} {desc|firstline}\n' || exit 128
}

ls_files() {
	others='' known='' form='{path}\n'
	while [ $# -gt 0 ]; do
		case $1 in
		-z) form='{path}\0' ;;
		-o | --others) others=1 ;;
		--exclude-standard | -c | --cached) ;;
		--error-unmatch) known=1 ;;
		--)
			shift
			break
			;;
		-*) die 128 "ls-files: option $1 is not supported" ;;
		*) break ;;
		esac
		shift
	done
	if [ -n "$others" ]; then
		with_paths walk status -u -T "$form" -- "$@" || exit 128
		return
	fi
	with_paths hg files -T "$form" -- "$@" 2>/dev/null && return
	[ -z "$known" ] || die 1 "pathspec did not match any file(s) known to hg"
}

hash_object() {
	while [ $# -gt 0 ]; do
		case $1 in
		-t) shift ;;
		--)
			shift
			break
			;;
		-*) die 128 "hash-object: option $1 is not supported" ;;
		*) break ;;
		esac
		shift
	done
	for file do
		[ -r "$file" ] || die 128 "could not open '$file' for reading"
		blob <"$file" || exit 128
	done
}

blob() { # the name that Git gives to the content on stdin
	kept=$(mktemp "${TMPDIR:-/tmp}/hg2git.XXXXXX") || return 1
	cat >"$kept"
	{
		printf 'blob %d\000' "$(wc -c <"$kept")"
		cat "$kept"
	} | sha1
	rm -f "$kept"
}

sha1() {
	if command -v sha1sum >/dev/null 2>&1; then
		sha1sum
	elif command -v shasum >/dev/null 2>&1; then
		shasum
	else
		openssl sha1 -r
	fi | cut -c 1-40
}

check_ignore() {
	while [ $# -gt 0 ]; do
		case $1 in
		-q | --quiet) ;;
		--)
			shift
			break
			;;
		-*) die 128 "check-ignore: option $1 is not supported" ;;
		*) break ;;
		esac
		shift
	done
	[ $# -gt 0 ] || die 128 "check-ignore: no path specified"
	case $1 in
	.ralph | .ralph/* | .ralphex/progress | .ralphex/progress/* | .ralphex/worktrees | .ralphex/worktrees/* | .ralphex/wip | .ralphex/wip/*) return 0 ;;
	esac
	told=$(hg debugignore -- "$1") || exit 128
	case $told in
	"$1 is ignored"*) return 0 ;;
	esac
	exit 1
}

merge_base() {
	if [ "${1:-}" = --is-ancestor ]; then
		revset "$2" && a=$REV
		revset "$3" && b=$REV
		answer=$(hg log -r "last($a) and ::last($b)" -T x) || exit 128
		[ -n "$answer" ] || exit 1
		return
	fi
	sides "$1" "$2"
	REV="ancestor($from, $to)"
	answer=$(nodes) || exit 128
	[ -n "$answer" ] || exit 1
	printf '%s\n' "$answer"
}

show() {
	case ${1:-} in
	*:*)
		revset "${1%%:*}"
		hg cat -r "last($REV)" "path:${1#*:}" || exit 128
		;;
	*)
		revset "${1:-HEAD}"
		hg log -r "last($REV)" -T 'commit {node}\nAuthor: {author}\nDate:   {date|isodate}\n\n{indent(desc, "    ")}\n\n{diff()}' || exit 128
		;;
	esac
}

ident() {
	[ "${1:-}" = GIT_AUTHOR_IDENT ] || [ "${1:-}" = GIT_COMMITTER_IDENT ] || die 1 "var: unknown name ${1:-}"
	for who in "${HGUSER:-}" "$(hg config ui.username 2>/dev/null)" "$(hg config ui.user 2>/dev/null)" "${EMAIL:-}"; do
		if [ -n "$who" ]; then
			printf '%s\n' "$who"
			return
		fi
	done
	die 128 "nobody to commit as: set ui.username, see \`hg help config.ui\`"
}

main() {
	verb=${1:-}
	[ $# -eq 0 ] || shift
	case $verb in
	rev-parse) rev_parse "$@" ;;
	symbolic-ref) symbolic_ref "$@" ;;
	show-ref) show_ref "$@" ;;
	status) status "$@" ;;
	checkout) checkout "$@" ;;
	add) add "$@" ;;
	mv) mv_ "$@" ;;
	commit) commit "$@" ;;
	diff) diff_ "$@" ;;
	log) log_ "$@" ;;
	ls-files) ls_files "$@" ;;
	hash-object) hash_object "$@" ;;
	check-ignore) check_ignore "$@" ;;
	merge-base) merge_base "$@" ;;
	show) show "$@" ;;
	var) ident "$@" ;;
	worktree) die 1 "worktree not supported: Mercurial has \`hg share\` instead" ;;
	'') die 1 "a git command is expected, as in: hg2git.sh status --porcelain" ;;
	*) die 1 "unknown command: $verb" ;;
	esac
}

main "$@"
