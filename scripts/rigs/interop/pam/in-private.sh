#!/bin/bash
# Runs a command with private copies of /etc and /run, so that the machine doesn't change.
# Arguments: a folder with etc/, whose files are added; then the command. Runs within `unshare --mount`.
set -eu
folder=$1
shift
cp -a /etc "$folder/all-etc"
cp -r "$folder/etc/." "$folder/all-etc"
mount --bind "$folder/all-etc" /etc
mount -t tmpfs tmpfs /run
"$@"
