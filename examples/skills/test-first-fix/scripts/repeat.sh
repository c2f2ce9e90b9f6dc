#!/bin/sh
# Run a command until it fails, at most fifty times.
set -u

test "$#" -gt 0 || { echo "usage: repeat.sh COMMAND..." >&2; exit 2; }
run=1
while test "$run" -le 50; do
  "$@" || { echo "failed in run $run" >&2; exit 1; }
  run=$((run + 1))
done
echo "passed 50 times"
