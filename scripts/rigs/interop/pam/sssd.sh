#!/bin/bash
# Starts sssd and queries it: signs a user in with PAM, or looks them up with the name service.
# Arguments: root of its unpacked packages, the action, and the user's name. Runs within `unshare --mount`.
set -eu
packages=$1 what=$2 name=$3
# Its paths are fixed at build time.
mount -t overlay -o "lowerdir=$packages/usr:/usr" overlay /usr
mount -t tmpfs tmpfs /var/log
mount -t tmpfs tmpfs /var/lib
mkdir -p /var/log/sssd
cp -a "$packages/var/lib/sss" /var/lib
/usr/sbin/sssd --interactive > /dev/null 2>&1 &
daemon=$!
trap 'kill $daemon; wait $daemon || true' EXIT
for _ in $(seq 600); do
  [ -S /var/lib/sss/pipes/nss ] && [ -S /var/lib/sss/pipes/pam ] && break || sleep 0.05
done
if [ "$what" = search ]; then
  export LD_LIBRARY_PATH="$packages/lib/x86_64-linux-gnu"
  getent -s passwd:sss passwd "$name"
  getent -s group:sss group USER
  getent -s initgroups:sss initgroups "$name"
else
  echo x | pamtester portal "$name" authenticate 2>&1
fi
