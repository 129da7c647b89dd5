#!/bin/sh
# The first process of a container of `ralphex sandbox`. What was mounted of logins is linked into the home folder, which is empty and
# writable: an agent that renews its login writes through the link.
set -eu
logins=${RALPHEX_LOGINS:-/run/ralphex/home}
if [ -d "$logins" ]; then
	(cd "$logins" && find . -type f) | while IFS= read -r file; do
		mkdir -p "$HOME/$(dirname "$file")"
		ln -sf "$logins/${file#./}" "$HOME/$file"
	done
fi
exec ralphex "$@"
