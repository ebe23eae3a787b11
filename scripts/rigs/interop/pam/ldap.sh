#!/bin/bash
# Starts nslcd and queries it: signs a user in with PAM, or looks them up with the name service.
# Arguments: root of its unpacked packages, the action, and the user's name.
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
