#!/bin/bash
# Starts nslcd, and asks it: by PAM whether somebody may come in, by the name service who they are.
# Arguments: where its packages are unpacked, what to do, and whom it is about.
set -eu
packages=$1 what=$2 name=$3
mkdir /run/nslcd
"$packages/usr/sbin/nslcd" --debug 2>/dev/null &
daemon=$!
trap 'kill $daemon' EXIT
for _ in $(seq 600); do [ -S /run/nslcd/socket ] && break || sleep 0.05; done
if [ "$what" = search ]; then
  export LD_LIBRARY_PATH="$packages/lib/x86_64-linux-gnu"
  getent -s passwd:ldap passwd "$name"
  getent -s group:ldap group USER
  getent -s initgroups:ldap initgroups "$name"
else
  echo x | pamtester portal "$name" authenticate 2>&1
fi
