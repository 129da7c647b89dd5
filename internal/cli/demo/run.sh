#!/bin/sh
# Runs every test/*_test.sh in a shell of its own; fails when one of them does.
set -u
TMP=$(mktemp -d) && export TMP
trap 'rm -rf "$TMP"' EXIT
failed=0 ran=0
for t in test/*_test.sh; do
  [ -e "$t" ] || break
  ran=$((ran + 1))
  if sh -eu "$t"; then echo "ok   $t"; else echo "FAIL $t"; failed=1; fi
done
echo "$ran tests"
exit $failed
