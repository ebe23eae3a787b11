#!/bin/sh
# Drives a portal with curl and prints the results. PORTAL is its origin.
set -eu
PORTAL=${PORTAL:-http://localhost:3000}

say() { printf '%s: %s\n' "$1" "$2"; }
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }
get() { curl -sS "$PORTAL/api$1"; }
send() { curl -sS -X "$1" -H 'content-type: application/json' -d "$3" "$PORTAL/api$2"; }

# Resets the portal and creates a user with a phone.
send POST /lab/reset '{}' > /dev/null
email=$(send POST /lab/people '{"org":"acme"}' | field email)

# Signs the user in with a code, approved on their phone.
login=$(send POST /user/login '{"orgCode":"acme","mode":"QID"}' | field loginId)
send POST "/lab/logins/$login/approve" "{\"as\":\"$email\"}" > /dev/null
exchange=$(get "/user/login/$login" | field exchangeToken)
token=$(send POST /user/login "{\"loginId\":\"$login\",\"exchangeToken\":\"$exchange\"}" | field token)
say 'signed in' "$(curl -sS -H "authorization: Bearer $token" "$PORTAL/api/profile" | field email | sed "s/^$email$/yes/")"

# Lets the next call fail; the one after it succeeds.
send POST /lab/faults '{"match":{"path":"/api/profile"},"answer":{"resultName":"INVALID_PERMISSIONS"}}' > /dev/null
say 'refused' "$(curl -sS -H "authorization: Bearer $token" "$PORTAL/api/profile" | field resultName)"
say 'afterwards' "$(curl -sS -H "authorization: Bearer $token" "$PORTAL/api/profile" | field resultCode)"

# Advances the clock by eleven minutes: the access token expires.
send POST /lab/clock '{"advance":"11m"}' > /dev/null
say 'after eleven minutes' "$(curl -sS -H "authorization: Bearer $token" "$PORTAL/api/profile" | field resultName)"

# A request without an answer expires.
login=$(send POST /user/login '{"orgCode":"acme","mode":"PUSH","primaryAttr":"user@acme.test"}' | field loginId)
send POST /lab/clock '{"advance":"10m"}' > /dev/null
say 'ignored' "$(get "/user/login/$login" | field state)"

# A misspelt control is rejected with a suggestion.
say 'misspelt' "$(send POST /lab/faults '{"match":{"path":"/api/profil"},"answer":{"status":500}}' | field resultName)"
