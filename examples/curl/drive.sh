#!/bin/sh
# Drives a portal with curl alone, and prints what happens. PORTAL is its origin.
set -eu
PORTAL=${PORTAL:-http://localhost:3000}

say() { printf '%s: %s\n' "$1" "$2"; }
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }
get() { curl -sS "$PORTAL/api$1"; }
send() { curl -sS -X "$1" -H 'content-type: application/json' -d "$3" "$PORTAL/api$2"; }

# Everything as at the start, and a person of our own with a phone.
send POST /lab/reset '{}' > /dev/null
email=$(send POST /lab/people '{"org":"acme"}' | field email)

# They sign in: a code in the browser, approved on their phone.
login=$(send POST /user/login '{"orgCode":"acme","mode":"QID"}' | field loginId)
send POST "/lab/logins/$login/approve" "{\"as\":\"$email\"}" > /dev/null
exchange=$(get "/user/login/$login" | field exchangeToken)
token=$(send POST /user/login "{\"loginId\":\"$login\",\"exchangeToken\":\"$exchange\"}" | field token)
say 'signed in' "$(curl -sS -H "authorization: Bearer $token" "$PORTAL/api/profile" | field email | sed "s/^$email$/yes/")"

# The next call fails as you say, and the one after it does not.
send POST /lab/faults '{"match":{"path":"/api/profile"},"answer":{"resultName":"INVALID_PERMISSIONS"}}' > /dev/null
say 'refused' "$(curl -sS -H "authorization: Bearer $token" "$PORTAL/api/profile" | field resultName)"
say 'afterwards' "$(curl -sS -H "authorization: Bearer $token" "$PORTAL/api/profile" | field resultCode)"

# Ten minutes pass at once: the access token has expired.
send POST /lab/clock '{"advance":"11m"}' > /dev/null
say 'after eleven minutes' "$(curl -sS -H "authorization: Bearer $token" "$PORTAL/api/profile" | field resultName)"

# A code that nobody answers expires.
login=$(send POST /user/login '{"orgCode":"acme","mode":"PUSH","primaryAttr":"user@acme.test"}' | field loginId)
send POST /lab/clock '{"advance":"10m"}' > /dev/null
say 'ignored' "$(get "/user/login/$login" | field state)"

# A misspelt control is refused, with what you may have meant.
say 'misspelt' "$(send POST /lab/faults '{"match":{"path":"/api/profil"},"answer":{"status":500}}' | field resultName)"
