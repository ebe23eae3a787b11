#!/bin/bash
# A device that signs users in with oidc-agent, which stores the tokens and provides access tokens.
# Uses CLIENT_ID, or registers first if INITIAL_TOKEN is set.
set -u
HOME=$(mktemp -d "$PWD/home-XXXXXX")
export HOME OIDC_ENCRYPTION_PW='only for this run' OIDC_SOCK=$HOME/agent/socket
mkdir -p "$HOME/.config/oidc-agent"
oidc-agent --console --bind_address="$OIDC_SOCK" >"$HOME/agent.log" 2>&1 &
trap 'kill %1' EXIT
until [ -S "$OIDC_SOCK" ]; do sleep 0.05; done

provider=$(curl --silent "$ISSUER/.well-known/openid-configuration")
endpoint() { jq --raw-output ".$1" <<<"$provider"; }
if [ -n "${INITIAL_TOKEN:-}" ]; then client=(--access-token="$INITIAL_TOKEN"); else client=(--manual --client-id="$CLIENT_ID" --client-secret=); fi
oidc-gen portal "${client[@]}" --issuer="$ISSUER" --device-authorization-endpoint="$(endpoint device_authorization_endpoint)" \
  --flow=device --scope='openid profile email offline_access' --pw-env --prompt=none --confirm-default --no-url-call 2>&1 |
  awk '/^http/ { address = $1 }
       /enter the code:/ { printf "{\"verification_uri\":\"%s\",\"user_code\":\"%s\"}\n", address, $NF; fflush() }
       /rror|denied|expired/ { isWrong = 1 }
       isWrong { print; fflush() }'
token=$(oidc-token --time=1000000 portal) || exit
userinfo=$(curl --silent --header "authorization: Bearer $token" "$(endpoint userinfo_endpoint)")
echo "Signed in: $userinfo"
echo refreshed
